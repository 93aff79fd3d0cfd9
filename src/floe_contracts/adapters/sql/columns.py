"""Columns in DDL: name, type, and whether a null is allowed, as far as the statement and the dialect say.

Runs in the child process.
"""

from __future__ import annotations

import re
from typing import Any

from sqlglot import exp

from .unparsed import Step

_HELD_IDENTITY = ("postgres", "tsql", "oracle")  # engines in which an identity is never null
_NO_ROW_NUMBERS = re.compile(r"\)[^()]*\b(?:strict|without\s+rowid)\b[^()]*\Z", re.IGNORECASE)
_NO_COLUMN = (
    exp.Constraint, exp.PrimaryKey, exp.ForeignKey, exp.UniqueColumnConstraint, exp.CheckColumnConstraint,
    exp.IndexColumnConstraint, exp.PeriodForSystemTimeConstraint, exp.ExcludeColumnConstraint,
)  # fmt: skip


def read_columns(items: list[exp.Expr], dialect: str, sql: str = "") -> tuple[list[Step], bool]:
    """The columns of a CREATE TABLE, and whether there are parts that bring in others."""
    items = [item for item in items if not _is_inline_index(item, dialect)]
    columns = [read_column(item, dialect) for item in items if isinstance(item, (exp.ColumnDef, exp.Identifier))]
    keys = [name for item in items for name in read_primary_key(item)]
    for column in columns:
        if column["name"].casefold() in keys and (
            dialect != "sqlite" or _sqlite_key_is_held(column, sql, alone=len(keys) == 1)
        ):
            column.update(not_null=True, key=True)
    return columns, any(not isinstance(item, (exp.ColumnDef, exp.Identifier, *_NO_COLUMN)) for item in items)


def read_column(item: exp.Expr, dialect: str) -> Step:
    """One column; `not_null` of None is not known."""
    name = item if isinstance(item, exp.Identifier) else item.this
    kind = item.args.get("kind")
    return {
        "name": name.name,
        "quoted": bool(name.args.get("quoted")),
        "line": name.meta.get("line", 0),
        "type": write_type(kind, dialect) if isinstance(kind, exp.DataType) else "",
        "not_null": _is_not_null(item, dialect),
        "key": item.find(exp.PrimaryKeyColumnConstraint) is not None and dialect != "sqlite",
    }


def write_type(kind: exp.DataType, dialect: str) -> str:
    """The type in the words of its dialect; SQLite keeps any word, and sqlglot would write its own."""
    return kind.sql(dialect=dialect if dialect and dialect != "sqlite" else None)


def read_primary_key(item: exp.Expr) -> list[str]:
    """The columns of a PRIMARY KEY (…), or the one whose own words say so."""
    if isinstance(item, exp.ColumnDef):
        return [item.name.casefold()] if item.find(exp.PrimaryKeyColumnConstraint) is not None else []
    keys = item.find_all(exp.PrimaryKey) if isinstance(item, (exp.PrimaryKey, exp.Constraint)) else ()
    return [part.name.casefold() for key in keys for part in key.expressions]


def type_allows_null(kind: Any, dialect: str) -> bool | None:
    """Whether a column of a type may be null where nothing else is said; a type of the user's own may forbid it."""
    if dialect == "clickhouse":
        word = kind.sql(dialect=dialect) if isinstance(kind, exp.DataType) else ""
        return word.removeprefix("LowCardinality(").startswith("Nullable(") if word else None
    if not isinstance(kind, exp.DataType):
        return True
    return None if kind.this == exp.DataType.Type.USERDEFINED else "SERIAL" not in str(kind.this)


def _is_not_null(item: exp.Expr, dialect: str) -> bool | None:
    kind = item.args.get("kind")
    constraints = [part.args.get("kind") for part in item.args.get("constraints") or ()]
    for part in constraints:
        if isinstance(part, exp.NotNullColumnConstraint):
            return not part.args.get("allow_null")
    if dialect != "sqlite" and any(isinstance(part, exp.PrimaryKeyColumnConstraint) for part in constraints):
        return True
    if any(isinstance(part, exp.GeneratedAsIdentityColumnConstraint) for part in constraints):
        return True if dialect in _HELD_IDENTITY else None
    if any(isinstance(part, exp.ComputedColumnConstraint) for part in constraints):
        return None
    allowed = type_allows_null(kind, dialect)
    return None if allowed is None else not allowed


def _sqlite_key_is_held(column: Step, sql: str, *, alone: bool) -> bool:
    """SQLite lets a key be null but for its row number: `integer`, never `int`, which sqlglot reads alike."""
    if _NO_ROW_NUMBERS.search(sql):
        return True
    other = rf"(?<!\w){re.escape(column['name'])}[\"'`\]]?\s+(?:int\b|integer\s+primary\s+key\s+desc\b)"
    return alone and column["type"].upper() == "INT" and re.search(other, sql, re.IGNORECASE) is None


def _is_inline_index(item: exp.Expr, dialect: str) -> bool:
    """T-SQL's `INDEX name (…)` among the columns, which sqlglot reads as one."""
    return (
        dialect in ("tsql", "fabric")
        and isinstance(item, exp.ColumnDef)
        and item.name.upper() == "INDEX"
        and not item.this.args.get("quoted")
    )
