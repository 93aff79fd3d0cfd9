"""What a JSON schema says about one place in a document: which keys it knows there, and under which conditions."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

from ...frozen import dataclass
from ..model import Json, JsonMap, Pointer
from .odcs_versions import Schema

_LABELS: Final = {
    "Consumer": "a consumer",
    "Context": "the context",
    "CustomProperty": "a custom property",
    "DataQuality": "a quality rule",
    "Deprecation": "the deprecation",
    "Element": "an element",
    "EnumValue": "an enum value",
    "Field": "a field",
    "Item": "an item",
    "LogicalTypeOptions": "logicalTypeOptions",
    "Model": "a model",
    "Pricing": "the price",
    "RelationshipPropertyLevel": "a relationship of a property",
    "RelationshipSchemaLevel": "a relationship",
    "Role": "a role",
    "SchemaItemProperty": "a property without a name",
    "SchemaObject": "a schema object",
    "SchemaProperty": "a property",
    "Server": "a server",
    "ServiceLevelAgreementProperty": "an SLA property",
    "Sla": "a service level",
    "SupportItem": "a support channel",
    "Synonym": "a synonym",
    "Team": "a team",
    "TeamMember": "a team member",
}
_JSON_TYPES: Final[dict[type, tuple[str, ...]]] = {
    bool: ("boolean",),
    int: ("integer", "number"),
    float: ("number",),
    str: ("string",),
    list: ("array",),
    dict: ("object",),
    type(None): ("null",),
}


@dataclass(frozen=True, slots=True)
class SchemaPlace:
    """An object in the document as the schema sees it."""

    label: str  # "a quality rule"
    known: frozenset[str]  # keys that mean something here
    elsewhere: dict[str, tuple[str, tuple[str, ...]]]  # key -> deciding key and its values under which it would
    open: bool  # whether the schema lets any other key pass

    @property
    def all_keys(self) -> frozenset[str]:
        return self.known.union(self.elsewhere)


def place_at(schema: Schema, value: JsonMap, pointer: Pointer, whole: str = "the contract") -> SchemaPlace:
    """The place a pointer leads to; a place nobody described knows no key and is open."""
    nodes: list[Schema] = [schema]
    here: Json = value  # type: ignore[assignment]  # a mapping of the document is a dict
    for step in pointer:
        nodes = [child for node in _expand(schema, nodes, here) for child in _below(node, step)]
        here = here[step]  # type: ignore[index]  # pointers come from the document
    return _place(schema, nodes, here, _label(nodes, pointer) or whole)


def _place(root: Schema, nodes: list[Schema], here: Json, label: str) -> SchemaPlace:
    applied = _expand(root, nodes, here)
    known = _keys(applied)
    closed = False
    for node in applied:  # a closed schema sees only its own keys, even where one that refers to it knows more
        if node.get("additionalProperties") is False:
            known, closed = known & _keys([node]), True
        elif node.get("unevaluatedProperties") is False:
            known, closed = known & _keys(_expand(root, [node], here)), True
    elsewhere = {key: way for key, way in _elsewhere(root, applied, here).items() if key not in known}
    return SchemaPlace(label, known, elsewhere, open=not closed)


def _keys(nodes: list[Schema]) -> frozenset[str]:
    return frozenset(key for node in nodes for key in node.get("properties", ()))


def _label(nodes: list[Schema], at: Pointer) -> str:
    if not at:
        return ""
    for node in nodes:
        name = str(node.get("$ref", "")).rpartition("/")[2]
        if name in _LABELS:
            return _LABELS[name]
    if at[-1] == "team":
        return _LABELS["Team"]
    names = [str(part) for part in at if isinstance(part, str)]
    return f"'{names[-1]}'" if names else "this mapping"


def _expand(root: Schema, nodes: list[Schema], here: Json) -> list[Schema]:
    """The nodes with everything they refer to, as far as its conditions hold for this value."""
    applied: list[Schema] = []
    pending = list(nodes)
    while pending:
        node = pending.pop()
        applied.append(node)
        if "$ref" in node:
            pending.append(_resolve(root, node["$ref"]))
        pending += node.get("allOf", ())
        pending += [way for word in ("oneOf", "anyOf") for way in node.get(word, ()) if _fits(root, way, here)]
        if "if" in node and holds(node["if"], here):
            pending.append(node.get("then", {}))
    return applied


def _elsewhere(root: Schema, applied: list[Schema], here: Json) -> dict[str, tuple[str, tuple[str, ...]]]:
    ways: dict[str, tuple[str, tuple[str, ...]]] = {}
    for node in applied:
        decision = _decision(node["if"]) if "if" in node else None
        if decision is None or holds(node["if"], here):
            continue
        key, words = decision
        for part in _expand(root, [node.get("then", {})], here):
            for name in part.get("properties", ()):
                others = ways[name][1] if name in ways else ()
                ways[name] = (key, tuple(sorted({*others, *words})))
    return ways


def _decision(condition: Schema) -> tuple[str, tuple[str, ...]] | None:
    """The key that a condition looks at, with the values it asks for."""
    tests = [
        (key, str(test["const"]))
        for part in (condition, *condition.get("anyOf", ()))
        for key, test in part.get("properties", {}).items()
        if "const" in test
    ]
    return (tests[0][0], tuple(word for key, word in tests if key == tests[0][0])) if tests else None


def holds(condition: Schema, here: Json) -> bool:
    """Whether an `if` of these schemas is true; they only test single keys for a value or a type."""
    if not isinstance(here, dict):
        return False
    if any(key not in here for key in condition.get("required", ())):
        return False
    if "anyOf" in condition and not any(holds(part, here) for part in condition["anyOf"]):
        return False
    return all(_passes(test, here[key]) for key, test in condition.get("properties", {}).items() if key in here)


def _passes(test: Schema, value: Json) -> bool:
    if "const" in test and value != test["const"]:
        return False
    return "type" not in test or _is(value, test["type"])


def _fits(root: Schema, way: Schema, here: Json) -> bool:
    while "type" not in way and "$ref" in way:
        way = _resolve(root, way["$ref"])
    return "type" not in way or _is(here, way["type"])


def _is(value: Json, types: str | list[str]) -> bool:
    wanted = (types,) if isinstance(types, str) else types
    kinds = next((names for kind, names in _JSON_TYPES.items() if isinstance(value, kind)), ())
    return any(name in wanted for name in kinds)


def _below(node: Schema, step: str | int) -> Iterator[Schema]:
    if isinstance(step, int):
        child: Any = node.get("items")
    else:
        child = node.get("properties", {}).get(step, node.get("additionalProperties"))
    if isinstance(child, dict):
        yield child


def _resolve(root: Schema, reference: str) -> Schema:
    node: Any = root
    for step in reference.removeprefix("#/").split("/"):
        node = node[step]
    return node if isinstance(node, dict) else {}
