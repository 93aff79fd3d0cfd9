"""The published JSON schema of the monitoring settings, made from the model; the file beside is tested equal to it."""

from __future__ import annotations

import json
from os.path import dirname, join
from typing import Any

FILE = "schemas/monitoring.schema.json"
URL = "https://floe.dev/schemas/monitoring.schema.json"


def published() -> dict[str, Any]:
    """The schema as it is shipped."""
    text = __loader__.get_data(join(dirname(__file__), *FILE.split("/")))  # type: ignore[name-defined]  # zip-safe
    schema: dict[str, Any] = json.loads(text)
    return schema


def generated() -> dict[str, Any]:
    """The schema as the model means it."""
    from .settings import MonitoringConfig

    made = _without_titles(MonitoringConfig.model_json_schema())
    head = {"$schema": "https://json-schema.org/draft/2020-12/schema", "$id": URL, "title": ".floe/monitoring.yaml"}
    return {**head, **made}


def as_text(schema: dict[str, Any]) -> str:
    return json.dumps(schema, indent=2, ensure_ascii=False) + "\n"


def _without_titles(node: Any, *, names: bool = False) -> Any:
    """Titles that only repeat the key are noise to an editor; `names` says that keys here are names of properties."""
    if isinstance(node, list):
        return [_without_titles(item) for item in node]
    if not isinstance(node, dict):
        return node
    return {
        key: _without_titles(value, names=key in ("properties", "$defs") and not names)
        for key, value in node.items()
        if names or key not in ("title", "default")
    }
