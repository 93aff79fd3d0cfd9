"""The published JSON schemas of manifest.yaml, floe.yaml and floe.lock, made from their models."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from os.path import dirname, join
from typing import Any

from ..frozen import dataclass
from .aliases import MANIFEST_MOVES, OVERRIDES, PLATFORM_KEYS, PRODUCT_MOVES, Move
from .mistakes import drop_titles


@dataclass(frozen=True, slots=True)
class SchemaFile:
    """One schema: its file in the package, the file that it describes, and how it is made."""

    name: str
    title: str
    make: Callable[[], dict[str, Any]]
    folder: str = join(dirname(__file__), "schemas")

    def read(self) -> dict[str, Any]:
        """The schema as it is shipped."""
        text = __loader__.get_data(join(self.folder, self.name))  # type: ignore[name-defined]  # zip-safe
        schema: dict[str, Any] = json.loads(text)
        return schema

    def generate(self) -> dict[str, Any]:
        """The schema as the model means it."""
        head = {
            "$schema": "https://json-schema.org/draft/2020-12/schema",
            "$id": f"https://floe.dev/schemas/{self.name}",
            "title": self.title,
        }
        return {**head, **drop_titles(self.make())}


def _manifest() -> dict[str, Any]:
    from .manifest import Manifest

    return _with_moves(Manifest.model_json_schema(), MANIFEST_MOVES)


def _product() -> dict[str, Any]:
    from .data_product import DataProduct

    schema = DataProduct.model_json_schema()
    del schema["properties"][OVERRIDES]
    moves = [move for move in PRODUCT_MOVES if move.written[0] not in (*PLATFORM_KEYS, "domain")]
    return _with_moves(schema, moves)


def _lock() -> dict[str, Any]:
    from .lock import LockFile

    return LockFile.model_json_schema()


def _with_moves(schema: dict[str, Any], moves: Sequence[Move]) -> dict[str, Any]:
    """The schema with every place that is read as another one."""
    for move in moves:
        own = _node(schema, move.own[:-1])["properties"][move.own[-1]]
        above = _node(schema, move.written[:-1])
        name = ".".join(str(part) for part in move.own if part != "*")
        above.setdefault("properties", {}).setdefault(move.written[-1], {**own, "description": f"The same as {name}."})
    return schema


def _node(schema: dict[str, Any], pointer: tuple[int | str, ...]) -> dict[str, Any]:
    """The object at a pointer; a place that no model describes is made, closed."""
    here = schema
    for step in pointer:
        if step == "*":
            here = here["items"]
        else:
            made = {"type": "object", "properties": {}, "additionalProperties": False}
            here = here.setdefault("properties", {}).setdefault(step, made)
        if "$ref" in here:
            here = schema["$defs"][here["$ref"].rpartition("/")[2]]
    return here


MANIFEST_SCHEMA = SchemaFile("manifest.schema.json", "manifest.yaml", _manifest)
PRODUCT_SCHEMA = SchemaFile("product.schema.json", "floe.yaml", _product)
LOCK_SCHEMA = SchemaFile("lock.schema.json", "floe.lock", _lock)
SCHEMAS = (MANIFEST_SCHEMA, PRODUCT_SCHEMA, LOCK_SCHEMA)
