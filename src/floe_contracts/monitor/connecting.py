"""A connection from plain values, as code and command lines give it, checked like one in the settings."""

from __future__ import annotations

from collections.abc import Mapping

from pydantic import ValidationError

from ..contract.model import Json
from ..errors import UsageError
from .connection import Connection


def connection_from(said: Mapping[str, Json]) -> Connection:
    """The connection; a UsageError says which key is wrong, and never repeats a value."""
    try:
        return Connection.model_validate(dict(said))
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False)[0]
        where = ".".join(str(step) for step in first["loc"]) or "it"
        reason = "no such key" if first["type"] == "extra_forbidden" else first["msg"].removeprefix("Value error, ")
        raise UsageError(
            f"the connection cannot be used: {where}: {reason}",
            fix="Write it like an entry of connections: in .floe/monitoring.yaml.",
        ) from None
