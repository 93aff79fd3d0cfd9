"""The published JSON schemas of the floe and fields dialects."""

from __future__ import annotations

import json
from os.path import dirname, join
from typing import Any

from ..model import Dialect


def dialect_schema(dialect: Dialect) -> dict[str, Any]:
    """The schema of a dialect that is floe's own; ODCS publishes its own."""
    path = join(dirname(__file__), f"{dialect.value}.schema.json")
    text = __loader__.get_data(path)  # type: ignore[name-defined]  # reads from a folder and from a wheel alike
    schema: dict[str, Any] = json.loads(text)
    return schema
