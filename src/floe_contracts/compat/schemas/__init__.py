"""The published JSON schemas of the files that users keep in `.floe/`."""

from __future__ import annotations

import json
from os.path import dirname, join
from typing import Any


def read_schema(kind: str) -> dict[str, Any]:
    """The schema of config, waivers, consumers or acks."""
    text = __loader__.get_data(join(dirname(__file__), f"{kind}.schema.json"))  # type: ignore[name-defined]  # zip-safe
    schema: dict[str, Any] = json.loads(text)
    return schema
