"""Makes a written node fit the schema of its dialect: a key that is refused at its place moves to `floe.extras`.

So nothing is lost on the way into a dialect that has no place for it, and no schema has to be known here by heart:
the published ones are asked.
"""

from __future__ import annotations

from enum import Enum
from functools import cache
from typing import Any, Final

import jsonschema_rs

from ..field_map import Node
from ..model import Dialect, Json
from ..read.customs import EXTRAS
from ..schemas import dialect_schema
from ..source.scalars import plain
from ..structure import odcs_schema


class SchemaNode(str, Enum):
    """The nodes that have custom properties of their own; the value is the definition in the ODCS schema."""

    CONTRACT = ""
    TABLE = "SchemaObject"
    COLUMN = "SchemaProperty"
    SIDE = "SchemaItemProperty"
    QUALITY = "DataQuality"
    SLA = "ServiceLevelAgreementProperty"
    SERVER = "Server"
    ROLE = "Role"


_FLOE: Final = {
    SchemaNode.TABLE: "Model",
    SchemaNode.COLUMN: "Element",
    SchemaNode.SIDE: "Element",
    SchemaNode.SLA: "Sla",
}
# What a key becomes when its true value cannot stand: it decides what else the node may or must have. None drops it.
_NEUTRAL: Final[dict[SchemaNode, dict[str, Json]]] = {
    SchemaNode.QUALITY: {"type": "text", "metric": None},
    SchemaNode.SERVER: {"type": "custom"},
    SchemaNode.COLUMN: {"logicalType": None},
    SchemaNode.SIDE: {"logicalType": None},
}
_SPLIT: Final = frozenset(("logicalTypeOptions", "terms", "description"))  # maps of which a single key may move


def admit(dialect: Dialect, part: SchemaNode, node: Node) -> Node:
    """The node as the dialect accepts it, or as it is when nothing helps; readers undo the move."""
    judge = _validator(Dialect.ODCS if part is SchemaNode.SERVER else dialect, part)
    neutral = _NEUTRAL.get(part, {})
    kept: Node = dict(node)
    moved: Node = {}
    while errors := list(judge.iter_errors(plain(kept))):
        refused = _find_refused(errors, kept, neutral)
        if not refused:
            return node
        for path in refused:
            _move(path, kept, moved, neutral)
    if not moved:
        return node
    customs = kept.get("customProperties")
    extras: Node = {"property": EXTRAS, "value": moved}
    return {**kept, "customProperties": [*(customs if isinstance(customs, list) else ()), extras]}


def _find_refused(errors: list[Any], node: Node, neutral: Node) -> list[tuple[str, ...]]:
    """Paths of one or two keys: wrong values first, because they make the schema misjudge the keys beside them."""
    inside = {path for error in errors if error.instance_path for path in _paths(error, node)}
    if inside:
        return sorted(inside)
    unknown: set[tuple[str, ...]] = {(key,) for error in errors for key in getattr(error.kind, "unexpected", ())}
    whole = any(not hasattr(error.kind, "unexpected") for error in errors)
    deciding: list[tuple[str, ...]] = [(key,) for key, value in neutral.items() if key in node and node[key] != value]
    return deciding if whole and deciding else sorted(unknown)


def _paths(error: Any, node: Node) -> list[tuple[str, ...]]:
    first, *others = error.instance_path
    if first not in _SPLIT or not isinstance(node.get(first), dict):
        return [(first,)]
    unexpected = getattr(error.kind, "unexpected", ())
    return [(first, key) for key in others[:1] or unexpected] or [(first,)]


def _move(path: tuple[str, ...], kept: Node, moved: Node, neutral: Node) -> None:
    key = path[0]
    value = kept.get(key)
    if len(path) == 2 and isinstance(value, dict):
        away = moved.setdefault(key, {})
        if path[1] in value and isinstance(away, dict):
            away[path[1]] = value[path[1]]
            kept[key] = {name: item for name, item in value.items() if name != path[1]}
            if not kept[key]:
                del kept[key]
        return
    if key in kept:
        away = moved.get(key)
        moved[key] = {**away, **value} if isinstance(away, dict) and isinstance(value, dict) else value
        del kept[key]
    if neutral.get(key) is not None:
        kept[key] = neutral[key]


@cache
def _validator(dialect: Dialect, part: SchemaNode) -> Any:
    if dialect is Dialect.ODCS:
        schema, name = odcs_schema.schema(odcs_schema.NEWEST), part.value
    else:
        schema, name = dialect_schema(dialect), _FLOE.get(part, part.value)
    if name:
        schema = {"$schema": schema["$schema"], "$ref": f"#/$defs/{name}", "$defs": schema["$defs"]}
    return jsonschema_rs.validator_for(schema, validate_formats=False, offline=True)
