"""How the structure of ODCS changed from version to version, as edits that turn the newest JSON schema into older ones.

Each edit says where and what: keys apart by `/`, `a|b` both keys, `*` every child that has the rest of the path, `[x]`
the list entry whose condition tests for `x`. A place that is not there is left alone, so that a newer release of the
package that ships the schema cannot break reading; a test compares every result with the official schemas.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, Final, TypeAlias

from ...frozen import dataclass

Schema: TypeAlias = "dict[str, Any]"
Edit: TypeAlias = "tuple[str, Any]"

GONE: Final = object()
NUMERIC_OPERATORS: Final = ("GreaterThan", "GreaterOrEqualTo", "LessThan", "LessOrEqualTo")
_PAIR: Final = {"type": "array", "minItems": 2, "maxItems": 2, "uniqueItems": True, "items": {"type": "number"}}
OPERATORS: Final[dict[str, Any]] = {
    "mustBe": {},
    "mustNotBe": {},
    **{f"mustBe{word}": {"type": "number"} for word in NUMERIC_OPERATORS},
    "mustBeBetween": _PAIR,
    "mustNotBeBetween": _PAIR,
}
_OPTIONS: Final = "then/properties/logicalTypeOptions/properties"
_FILES: Final = ("parquet", "delta", "json", "csv")


@dataclass(frozen=True, slots=True)
class Without:
    """The list that stands there, less these members."""

    members: tuple[str, ...]


def _reference(name: str, suffix: str) -> str:
    part = rf"[A-Za-z_][A-Za-z0-9_]*\/{name}"
    return rf"^(?:(?:https?:\/\/)?[A-Za-z0-9._\-\/]+\.{suffix}#)?\/?{part}(?:\/{part})*$"


_ASCII_NAME: Final = "[A-Za-z0-9_-]+"
_ANY_NAME: Final = r"[^\s.#/\\@!%&^]+"

# What the package's copy of 3.2.0 lacks of the published one.
TO_3_2: Final[tuple[Edit, ...]] = (
    ("$defs/StableId/pattern", f"^{_ANY_NAME}$"),
    ("$defs/FullyQualifiedReference/pattern", _reference(_ANY_NAME, "ya?ml")),
    ("$defs/SchemaObject/properties/logicalType/enum", ["object", "blob"]),
    ("$defs/SchemaBaseProperty/allOf/[map]|[vector]/if/required", ["logicalType"]),
    ("$defs/SchemaBaseProperty/allOf/[vector]/then/required", ["logicalTypeOptions"]),
)

_SERVERS_OF_3_2: Final = (
    *("btrieve", "exasol", "fastobjects", "hana", "iceberg", "ingres"),
    *("poet", "teradata", "vectorwise", "versant"),
)
TO_3_1: Final[tuple[Edit, ...]] = (
    ("required", ["version", "apiVersion", "kind", "id", "status"]),
    ("properties/apiVersion/enum", Without(("v3.2.0",))),
    ("properties/context", GONE),
    ("$defs/Context|EnumValue|Port|Synonym|Synonyms", GONE),
    ("$defs/StableId/pattern", f"^{_ASCII_NAME}$"),
    ("$defs/FullyQualifiedReference/pattern", _reference(_ASCII_NAME, "yaml")),
    ("$defs/ShorthandReference/pattern", r"^[A-Za-z_][A-Za-z0-9_]*\.[A-Za-z_][A-Za-z0-9_]*$"),
    ("$defs/CustomProperty/properties/vendor", GONE),
    ("$defs/RelationshipBase/properties/id", GONE),
    ("$defs/SchemaElement/properties/deprecated|synonyms", GONE),
    ("$defs/SchemaObject/properties/context", GONE),
    ("$defs/SchemaBaseProperty/properties/enum|semanticType", GONE),
    ("$defs/SchemaBaseProperty/properties/logicalType/enum", Without(("map", "vector"))),
    ("$defs/SchemaBaseProperty/allOf/[map]|[vector]", GONE),
    ("$defs/ServiceLevelAgreementProperty/properties/authoritativeDefinitions|customProperties", GONE),
    ("$defs/Server/properties/type/enum", Without(_SERVERS_OF_3_2)),
    ("$defs/Server/allOf/" + "|".join(f"[{name}]" for name in _SERVERS_OF_3_2), GONE),
    ("$defs/ServerSource/ExasolServer|HanaServer|IcebergServer|IngresServer|PoetServer", GONE),
    ("$defs/ServerSource/TeradataServer|VectorwiseServer|VersantServer", GONE),
    ("$defs/ServerSource/*/properties/port", {"type": "integer"}),
    ("$defs/ServerSource/*/properties/encoding", GONE),
    ("$defs/ServerSource/AthenaServer/properties/workgroup", GONE),
    ("$defs/ServerSource/AthenaServer/required", ["stagingDir", "schema"]),
)

_TEAM_OF_3_0: Final[dict[str, Any]] = {
    **{key: {"type": "string"} for key in ("username", "name", "description", "role", "replacedByUsername")},
    **{key: {"type": "string", "format": "date"} for key in ("dateIn", "dateOut")},
}
TO_3_0: Final[tuple[Edit, ...]] = (
    ("properties/apiVersion/enum", Without(("v3.1.0",))),
    ("properties/team", {"type": "array", "items": {"$ref": "#/$defs/Team"}}),
    ("$defs/Relationship|RelationshipBase|RelationshipPropertyLevel|RelationshipSchemaLevel", GONE),
    ("$defs/DataQualityOperators|FullyQualifiedReference|ShorthandReference|StableId|TeamMember", GONE),
    # 3.0 closes the document, its tables and columns; everything else may hold any key.
    ("unevaluatedProperties", GONE),
    ("$defs/DataQuality|SchemaBaseProperty|Server/unevaluatedProperties", GONE),
    ("$defs/*/additionalProperties", GONE),
    ("$defs/AuthoritativeDefinitions/items/additionalProperties", GONE),
    ("$defs/*/properties/id", GONE),
    ("$defs/AuthoritativeDefinitions/items/properties/id|description", GONE),
    ("$defs/CustomProperty/properties/description", GONE),
    ("$defs/CustomProperty/required", GONE),
    ("$defs/Team/properties", _TEAM_OF_3_0),
    ("$defs/SupportItem/required", ["channel", "url"]),
    ("$defs/SupportItem/properties/customProperties", GONE),
    ("$defs/ServiceLevelAgreementProperty/properties/description|schedule|scheduler", GONE),
    ("$defs/SchemaObject/properties/logicalType/enum", ["object"]),
    ("$defs/SchemaObject|SchemaBaseProperty/properties/relationships", GONE),
    ("$defs/SchemaBaseProperty/properties/logicalType/enum", Without(("timestamp", "time"))),
    ("$defs/SchemaBaseProperty/allOf/[timestamp]", GONE),
    (f"$defs/SchemaBaseProperty/allOf/*/{_OPTIONS}/exclusiveMinimum|exclusiveMaximum", {"type": "boolean"}),
    # A rule without a type is a library rule there, and its metric is called rule.
    ("$defs/DataQuality/allOf/[library]/if", {"properties": {"type": {"const": "library"}}}),
    ("$defs/DataQualityLibrary|DataQualitySql/allOf", GONE),
    ("$defs/DataQualityLibrary/properties/arguments|metric", GONE),
    ("$defs/DataQualityLibrary/required", ["rule"]),
    *((f"$defs/DataQualityLibrary/properties/{name}", schema) for name, schema in OPERATORS.items()),
    ("$defs/Server/properties/type/enum", Without(("hive", "impala", "zen"))),
    ("$defs/Server/allOf/[hive]|[impala]|[zen]", GONE),
    ("$defs/ServerSource/HiveServer|ImpalaServer|ZenServer", GONE),
    ("$defs/ServerSource/AzureServer|S3Server|SftpServer/properties/format/enum", list(_FILES)),
    ("$defs/ServerSource/AzureServer|S3Server|SftpServer/properties/delimiter/enum", ["new_line", "array"]),
    ("$defs/ServerSource/CustomServer/properties/stream", GONE),
    ("$defs/ServerSource/DuckdbServer/properties/schema/type", "integer"),
)

# The schemas of 3.0.0 and 3.0.1 demand `staging_dir` of Athena and describe `stagingDir`: either may be meant.
TO_3_0_1: Final[tuple[Edit, ...]] = (
    ("$defs/ServerSource/AthenaServer/properties/staging_dir", {"type": "string"}),
    ("$defs/ServerSource/AthenaServer/required", ["schema"]),
)

# What floe closes beyond the standard. A document that passes with these needs no second look.
CLOSING: Final[tuple[Edit, ...]] = (
    ("properties/description/additionalProperties", False),
    ("$defs/AuthoritativeDefinitions/items/additionalProperties", False),
    ("$defs/CustomProperty|Pricing|Role|ServiceLevelAgreementProperty|SupportItem|Team/additionalProperties", False),
    ("$defs/DataQuality|Server/unevaluatedProperties", False),
)
# The schema of 3.0 forgets the operators of sql rules, which its own examples use.
CLOSING_3_0: Final[tuple[Edit, ...]] = (
    *CLOSING,
    *((f"$defs/DataQuality/properties/{name}", {}) for name in OPERATORS),
)


def apply(edits: Iterable[Edit], schema: Schema) -> None:
    """Make the edits in place."""
    for where, what in edits:
        *path, last = where.split("/")
        for parent in _reach(schema, path):
            for key in _keys(parent, last):
                _put(parent, key, what, create="*" not in where)


def _reach(node: Any, path: list[str]) -> Iterator[Any]:
    if not path:
        yield node
        return
    for key in _keys(node, path[0]):
        try:
            child = node[key]
        except (KeyError, IndexError, TypeError):
            continue
        yield from _reach(child, path[1:])


def _keys(node: Any, step: str) -> list[Any]:
    if step == "*":
        return list(node) if isinstance(node, dict) else list(range(len(node)))
    if isinstance(node, list):
        words = {word.strip("[]") for word in step.split("|")}
        positions = [at for at, entry in enumerate(node) if not words.isdisjoint(_constants_in(entry.get("if")))]
        return positions[::-1]  # from the end, so that dropping one leaves the others in place
    return step.split("|")


def _constants_in(condition: Any) -> Iterator[str]:
    """What a condition compares with."""
    if isinstance(condition, dict):
        if isinstance(constant := condition.get("const"), str):
            yield constant
        for part in condition.values():
            yield from _constants_in(part)
    elif isinstance(condition, list):
        for part in condition:
            yield from _constants_in(part)


def _put(parent: Any, key: Any, what: Any, *, create: bool) -> None:
    if isinstance(parent, list):
        if what is GONE:
            del parent[key]
        return
    if not isinstance(parent, dict) or (key not in parent and not create):
        return
    if what is GONE:
        parent.pop(key, None)
    elif isinstance(what, Without):
        parent[key] = [member for member in parent.get(key, ()) if member not in what.members]
    else:
        parent[key] = what
