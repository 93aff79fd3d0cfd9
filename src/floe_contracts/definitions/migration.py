"""Migrations replayed in order: what is left of one table after every CREATE, ALTER, RENAME and DROP of it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from enum import Enum

from ..frozen import dataclass, replace
from .definition import DefinedColumn, Definition, Gap, Removal
from .query import Query, resolve_query

_DOWN = re.compile(r"(?:\.down\.sql|(?:^|/)U\d[^/]*__[^/]*\.sql)\Z", re.IGNORECASE)
_DOWN_PART = re.compile(r"^[ \t]*--[ \t]*(?:migrate:down|\+goose[ \t]+Down)\b", re.IGNORECASE | re.MULTILINE)


class Act(str, Enum):
    """What a statement does."""

    CREATE = "create"
    DROP = "drop"
    ADD = "add"
    DROP_COLUMN = "drop_column"
    RENAME_COLUMN = "rename_column"
    RENAME_TABLE = "rename_table"
    RETYPE = "retype"
    NULLABILITY = "nullability"
    MODIFY = "modify"
    UNCLEAR = "unclear"


@dataclass(frozen=True, slots=True)
class Step:
    """One act on one table; which fields count depends on the act."""

    act: Act
    table: str = ""
    line: int = 1
    path: str = ""
    column: str = ""  # that is dropped, renamed or changed
    made: DefinedColumn | None = None  # what is added, or what the column becomes
    columns: tuple[DefinedColumn, ...] = ()  # of a CREATE
    query: Query | None = None  # of a CREATE … AS
    to: str = ""  # the table's new name
    odd: str = ""  # why a CREATE does not say all its columns
    temporary: bool = False
    if_absent: bool = False
    keep_null: bool = False  # MODIFY leaves nullability alone where it does not name it
    words: frozenset[str] = frozenset()  # of a statement that cannot be taken apart


def natural_order(paths: Iterable[str]) -> list[str]:
    """Paths of migrations as people number them: V2 before V10; those that undo are left out."""
    return sorted((path for path in paths if not _DOWN.search(path)), key=_natural_key)


def _natural_key(path: str) -> list[tuple[int, int, str]]:
    return [(1, int(part), "") if part.isdigit() else (0, 0, part.casefold()) for part in re.split(r"(\d+)", path)]


def without_down(text: str) -> str:
    """The part of a migration before its way back, if both stand in one file."""
    match = _DOWN_PART.search(text)
    return text[: match.start()] if match else text


@dataclass(frozen=True, slots=True)
class _Table:
    """A table while statements are replayed; a gap holds until the next CREATE."""

    key: str
    definition: Definition


def replay(steps: Iterable[Step], table: str, dialect: str = "") -> Definition | Gap | None:
    """The table as the last statement leaves it; None when no statement made it, or one took it away."""
    tables: list[_Table] = []
    for step in steps:
        _apply(tables, step, dialect)
    matching = [item for item in tables if is_same_table(item.key, table)]
    if len({item.key.casefold() for item in matching}) > 1:
        names = ", ".join(sorted({item.key for item in matching}))
        return Gap(
            f"several tables are called {table}: {names}", matching[-1].definition.line, matching[-1].definition.path
        )
    return matching[-1].definition if matching else None


def last_drop(steps: Iterable[Step], table: str) -> Step | None:
    """The statement that took a table away, or gave it another name."""
    acts = (Act.DROP, Act.RENAME_TABLE)
    return next((step for step in reversed([*steps]) if step.act in acts and is_same_table(step.table, table)), None)


def is_same_table(one_name: str, other_name: str) -> bool:
    """Whether two names of tables mean one: the parts that both have, from the right, are equal."""
    left, right = one_name.casefold().split("."), other_name.casefold().split(".")
    count = min(len(left), len(right))
    return left[-count:] == right[-count:]


def _apply(tables: list[_Table], step: Step, dialect: str) -> None:
    at = next((index for index, item in enumerate(tables) if is_same_table(item.key, step.table)), None)
    if step.act is Act.UNCLEAR:
        tables[:] = [_doubt(item, step) for item in tables]
    elif step.act is Act.CREATE:
        if not step.temporary and not (step.if_absent and at is not None):
            made = _Table(step.table, _create(tables, step, dialect))
            tables[len(tables) if at is None else at : len(tables) if at is None else at + 1] = [made]
    elif at is not None and step.act is Act.DROP:
        del tables[at]
    elif at is not None:
        tables[at] = _alter(tables[at], step)


def _doubt(item: _Table, step: Step) -> _Table:
    """The table after a statement that cannot be taken apart: unknown, if the statement names it."""
    if item.key.casefold().rpartition(".")[2] not in step.words:
        return item
    gap = Gap("a statement that floe cannot take apart names the table", step.line, step.path)
    return replace(item, definition=_with_gap(item.definition, gap))


def _alter(item: _Table, step: Step) -> _Table:
    if step.act is not Act.RENAME_TABLE:
        return replace(item, definition=_change(item.definition, step))
    schema = item.key.rpartition(".")[0]
    return replace(item, key=step.to if "." in step.to or not schema else f"{schema}.{step.to}")


def _create(tables: Sequence[_Table], step: Step, dialect: str) -> Definition:
    base = Definition(step.path, step.columns, line=step.line, dialect=dialect)
    if step.query is not None:
        made = resolve_query(
            step.query, lambda key: next((t.definition for t in tables if is_same_table(t.key, key)), None), step.path
        )
        columns = made.columns
        if step.columns and len(step.columns) == len(columns) and made.complete:
            columns = tuple(
                replace(column, name=named.name, quoted=named.quoted, line=named.line)
                for column, named in zip(columns, step.columns, strict=True)
            )
        elif step.columns:
            return _with_gap(base, Gap("the names of a query's columns cannot be counted", step.line, step.path))
        base = replace(base, columns=tuple(replace(c, path=step.path) for c in columns), unknown=made.unknown)
    return _with_gap(base, Gap(step.odd, step.line, step.path)) if step.odd else base


def _with_gap(definition: Definition, gap: Gap) -> Definition:
    return replace(definition, unknown=(*definition.unknown, gap))


def _change(table: Definition, step: Step) -> Definition:
    if step.act is Act.ADD and step.made is not None:
        return table if table.column(step.made.name) else replace(table, columns=(*table.columns, step.made))
    old = table.column(step.column)
    if old is None:
        return table
    if step.act is Act.DROP_COLUMN:
        removed = (*table.removed, Removal(old.name, step.line, step.path))
        return replace(table, columns=tuple(c for c in table.columns if c is not old), removed=removed)
    new = _changed_column(old, step)
    removed = (*table.removed, Removal(old.name, step.line, step.path)) if new.name != old.name else table.removed
    return replace(table, columns=tuple(new if c is old else c for c in table.columns), removed=removed)


def _changed_column(old: DefinedColumn, step: Step) -> DefinedColumn:
    made = step.made or DefinedColumn(old.name)
    if step.act is Act.RENAME_COLUMN:
        return replace(old, name=made.name, quoted=made.quoted, line=made.line, path=step.path)
    if step.act is Act.RETYPE:
        return replace(old, type=made.type, line=step.line, path=step.path)
    if step.act is Act.NULLABILITY:
        return replace(old, nullable=made.nullable, line=step.line, path=step.path)
    nullable = old.nullable if step.keep_null and made.nullable else made.nullable
    return replace(made, nullable=nullable, path=step.path)
