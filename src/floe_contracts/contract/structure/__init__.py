"""The structural check of a document against the schema of its dialect; `explanation` puts mistakes into words."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any

import jsonschema_rs

from ..model import Dialect, JsonMap
from ..schemas import dialect_schema
from ..source.scalars import plain
from . import odcs_schema
from .odcs_schema import NEWEST, SUPPORTED

if TYPE_CHECKING:
    from .words import StructuralError


def structural_findings(dialect: Dialect, value: JsonMap) -> tuple[StructuralError, ...]:
    """The structural mistakes of a document; none for a sound one, which one fast validation tells."""
    if _is_sound(dialect, value):
        return ()
    from .explanation import explain

    return explain(dialect, value)


def accepts(validator: Any, value: JsonMap) -> bool:
    """Whether a validator accepts a document."""
    try:
        return bool(validator.is_valid(value))
    except ValueError:  # numbers that remember their spelling are not plain floats
        return bool(validator.is_valid(plain(value)))  # type: ignore[arg-type]


@cache
def own_validator(dialect: Dialect) -> jsonschema_rs.Validator:
    """The validator of the floe or fields dialect."""
    return jsonschema_rs.validator_for(dialect_schema(dialect), validate_formats=False, offline=True)


def servers_alone(value: JsonMap) -> JsonMap:
    """An ODCS contract that holds nothing but the servers of a document."""
    return {"apiVersion": NEWEST, "kind": "DataContract", "id": "-", "version": "0", "servers": value["servers"]}


def _is_sound(dialect: Dialect, value: JsonMap) -> bool:
    if dialect is not Dialect.ODCS:
        servers = "servers" not in value or _is_sound(Dialect.ODCS, servers_alone(value))
        return servers and accepts(own_validator(dialect), value)
    version = value.get("apiVersion")
    known = isinstance(version, str) and version in SUPPORTED
    return known and accepts(odcs_schema.strict_validator(str(version)), value)
