"""What an engine makes of a type that a definition writes: the words that mean one type there, and the digits meant.

A contract may be written from the same words, or from what the engine's own catalog says of them.
"""

from __future__ import annotations

from ..checks.drift.type_match import Reading
from ..contract.meaning.typenames import Family, TypeExpr, Zone, parse_type
from ..contract.model import Property

_WHOLE = ("tinyint", "smallint", "int", "bigint")
_FLOATS = ("float", "double")
_ALIKE: dict[str, tuple[tuple[str, ...], ...]] = {
    "bigquery": (_WHOLE, _FLOATS),
    "mysql": (("boolean", "tinyint"), _FLOATS),
    "oracle": ((*_WHOLE, "decimal(38,0)", "number"),),
    "snowflake": ((*_WHOLE, "decimal(38,0)"), _FLOATS),
    "sqlite": (_WHOLE, _FLOATS),
    "teradata": (("tinyint", "smallint"),),
}
_PLAIN_FLOAT = ("postgres", "redshift", "tsql", "oracle")  # their `float` has 53 bits, their `real` has not
_PLAIN_DECIMAL = {
    "mysql": "decimal(10,0)", "databricks": "decimal(10,0)", "hive": "decimal(10,0)", "spark": "decimal(10,0)",
    "tsql": "decimal(18,0)", "redshift": "decimal(18,0)", "trino": "decimal(38,0)", "bigquery": "decimal(38,9)",
}  # fmt: skip
_JSON_HOLDS = ("array", "map")  # whether it does, only the rows say
_SERIALS = {"serial": "int", "bigserial": "bigint", "smallserial": "smallint"}
_JSON_WORDS = {
    "integer": ("int", "bigint", "smallint", "decimal(38,0)"),
    "number": ("double", "float", "decimal", "int", "bigint"),
}


def spell_type(written: str, dialect: str) -> tuple[str, ...]:
    """The type as written, then other words for what the engine makes of it."""
    if dialect == "json":
        return _JSON_WORDS.get(written, (written,))
    word = written.casefold()
    if word in _SERIALS:
        return ("bigint unsigned", "bigint") if dialect == "mysql" else (_SERIALS[word],)
    kind = parse_type(written)
    return (written, *_same_as(kind, word, dialect)) if kind is not None else (written,)


def _same_as(kind: TypeExpr, word: str, dialect: str) -> tuple[str, ...]:
    for words in _ALIKE.get(dialect, ()):
        if kind in map(parse_type, words):
            return words
    if word == "date" and dialect == "oracle":
        return ("timestamp(0)",)  # Oracle's has hours, minutes and seconds
    if word == "float" and dialect in _PLAIN_FLOAT:
        return ("double",)
    if kind.family is Family.DECIMAL and not kind.params and dialect in _PLAIN_DECIMAL:
        return (_PLAIN_DECIMAL[dialect],)
    return ("decimal(38,0)",) if kind.family is Family.NUMBER else ()


def may_hold(kind: TypeExpr, prop: Property) -> bool:
    """Whether a column of JSON may hold what a logical type promises, and nobody can tell before it runs."""
    return kind.family is Family.JSON and not prop.exact_type and prop.logical_type in _JSON_HOLDS


def readings_of(dialect: str) -> tuple[Reading, ...]:
    """How a promise may be read there; a timestamp that names no zone fits both kinds."""
    source = "sql" if dialect in _PLAIN_FLOAT else ""
    return tuple(
        Reading(keeps_lengths=dialect != "duckdb", plain_timestamp=zone, source=source)
        for zone in (Zone.WITH, Zone.WITHOUT)
    )
