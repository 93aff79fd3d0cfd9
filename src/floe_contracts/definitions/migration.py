"""Migrations replayed in order: what is left of one table after every CREATE, ALTER, RENAME and DROP of it."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from enum import Enum

from ..frozen import dataclass, replace
from .definition import DefinedColumn, Definition, Gap, Removal
from .query import Query, resolve_query

_DEFAULT_SCHEMA = {
    "postgres": "public", "redshift": "public", "duckdb": "main", "sqlite": "main", "tsql": "dbo", "fabric": "dbo",
    "snowflake": "public",
}  # fmt: skip


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
    DROP_KEY = "drop_key"
    UNCLEAR = "unclear"  # may do anything to the tables of these words
    ROUTINE = "routine"  # may do so once it is called
    CALL = "call"  # calls whatever routine these words name


_OF_COLUMNS = (Act.ADD, Act.DROP_COLUMN, Act.RENAME_COLUMN, Act.RETYPE, Act.NULLABILITY, Act.MODIFY, Act.DROP_KEY)


@dataclass(frozen=True, slots=True)
class Step:
    """One act on one table; which fields count depends on the act."""

    act: Act
    table: str = ""
    line: int = 1
    path: str = ""
    column: str = ""  # that is dropped, renamed or changed, or the routine's name
    made: DefinedColumn | None = None  # what is added, or what the column becomes
    columns: tuple[DefinedColumn, ...] = ()  # of a CREATE
    query: Query | None = None  # of a CREATE … AS
    to: str = ""  # the table's new name
    odd: str = ""  # why a CREATE does not say all its columns, or nobody can tell what a file does
    temporary: bool = False
    if_absent: bool = False
    keep_null: bool = False  # MODIFY leaves nullability alone where it does not name it
    words: frozenset[str] = frozenset()  # `*` names every table, `app.*` those of a schema, `+` any that is not there


def unclear_file(text: str, gap: Gap, path: str) -> Step:
    """A whole file that cannot be read, as a statement that may do anything to the tables that it names."""
    words = frozenset(word.casefold() for word in re.findall(r"[^\W\d][\w$]*", text))
    return Step(Act.UNCLEAR, line=gap.line, path=path, odd=gap.reason, words=words)


@dataclass(frozen=True, slots=True)
class _Table:
    """A table while statements are replayed; a gap holds until the next CREATE."""

    key: str
    definition: Definition
    temporary: bool = False


def replay(steps: Iterable[Step], table: str, dialect: str = "") -> Definition | Gap | None:
    """The table as the last statement leaves it; None when no statement made it, or one took it away."""
    state = _Replay(dialect)
    doubt: Step | None = None  # a statement that may have made the table
    for step in steps:
        named = state.apply(step)
        if "+" in named or _is_named(table, named):
            doubt = step
        elif step.act in (Act.CREATE, Act.DROP, Act.RENAME_TABLE) and is_same_table(step.table, table):
            doubt = None
    return state.find_result(table, doubt)


def last_drop(steps: Iterable[Step], table: str) -> Step | None:
    """The statement that took a table away, or gave it another name."""
    acts = (Act.DROP, Act.RENAME_TABLE)
    return next((step for step in reversed([*steps]) if step.act in acts and is_same_table(step.table, table)), None)


def is_same_table(one_name: str, other_name: str) -> bool:
    """Whether two names of tables mean one: the parts that both have, from the right, are equal."""
    left, right = one_name.casefold().split("."), other_name.casefold().split(".")
    count = min(len(left), len(right))
    return left[-count:] == right[-count:]


def _is_named(key: str, words: frozenset[str]) -> bool:
    schema, _, name = key.casefold().rpartition(".")
    return not words.isdisjoint((name, "*", f"{schema.rpartition('.')[2]}.*"))


class _Replay:
    """The tables that the statements so far have made, by the last part of their names."""

    def __init__(self, dialect: str) -> None:
        self._dialect = dialect
        self._tables: dict[str, list[_Table]] = {}
        self._routines: dict[str, frozenset[str]] = {}
        self._too_early: dict[str, Step] = {}  # columns changed before the table was made

    def apply(self, step: Step) -> frozenset[str]:
        """Do what a statement does; what it may have done to tables comes back as words."""
        if step.act is Act.ROUTINE:
            self._routines[step.column] = self._routines.get(step.column, frozenset()) | step.words
        elif step.act in (Act.UNCLEAR, Act.CALL):
            return self._doubt(step)
        elif step.act is Act.CREATE:
            self._create(step)
        elif (table := self._find(step.table)) is None:
            self._note_unknown(step)
        else:
            self._put(table, None if step.act is Act.DROP else self._alter(table, step))
        return frozenset()

    def find_result(self, table: str, doubt: Step | None) -> Definition | Gap | None:
        """The table that is left under a name; where there is none, whether a statement may have made it."""
        key = self._key(table)
        matches = [item for item in self._likely(key) if not item.temporary]
        matches = [item for item in matches if item.key.casefold() == key.casefold()] or matches
        if len(matches) > 1:
            names = ", ".join(sorted({item.key for item in matches}))
            at = matches[-1].definition
            return Gap(f"several tables are called {table}: {names}", at.line, at.path)
        if not matches and doubt is not None:
            return _gap_at(doubt)
        return matches[0].definition if matches else None

    def _key(self, table: str) -> str:
        """The name of a table without the schema that is meant where none is written."""
        schema, _, name = table.rpartition(".")
        return name if schema.casefold() == _DEFAULT_SCHEMA.get(self._dialect) else table

    def _likely(self, key: str) -> list[_Table]:
        return [item for item in self._tables.get(_last_part(key), ()) if is_same_table(item.key, key)]

    def _find(self, table: str) -> _Table | None:
        """The table that a statement names: by its whole name, else by the parts that both have."""
        key = self._key(table)
        likely = self._likely(key)
        exact = [item for item in likely if item.key.casefold() == key.casefold()]
        return next(reversed(exact or likely), None)

    def _put(self, old: _Table | None, new: _Table | None) -> None:
        """One table in place of another."""
        if old is not None:
            tables = self._tables[_last_part(old.key)]
            tables[:] = [item for item in tables if item is not old]
        if new is not None:
            self._tables.setdefault(_last_part(new.key), []).append(new)

    def _create(self, step: Step) -> None:
        key = self._key(step.table)
        known = self._find(step.table)
        if step.if_absent and known is not None:
            return
        definition = _definition_of(step, self._definition_at, self._dialect)
        early = self._too_early.pop(key.casefold(), None)
        if early is not None:
            reason = "an earlier statement changes the table, so the order of the files is not the one they run in"
            definition = _forget(definition, Gap(reason, early.line, early.path))
        again = known is not None and not step.temporary and known.key.casefold() == key.casefold()
        # another table of that name is not a hindrance: the engine would refuse to make the same one again
        self._put(known if again else None, _Table(key, definition, step.temporary))

    def _definition_at(self, table: str) -> Definition | None:
        known = self._find(table)
        return known.definition if known is not None else None

    def _note_unknown(self, step: Step) -> None:
        if step.act in _OF_COLUMNS:
            self._too_early[self._key(step.table).casefold()] = step
        elif step.act is Act.DROP:
            self._too_early.pop(self._key(step.table).casefold(), None)
        elif step.act is Act.RENAME_TABLE and self._find(step.to) is None:
            gap = Gap(f"nothing says what {step.table} was before it got this name", step.line, step.path)
            self._put(None, _Table(self._key(step.to), Definition(step.path, (), (gap,), step.line, self._dialect)))

    def _doubt(self, step: Step) -> frozenset[str]:
        """Tables that the words name, or the words of a routine that they call, are unknown from here on."""
        called = [self._routines[word] for word in step.words if word in self._routines]
        if step.act is Act.CALL and not called:
            return frozenset()
        words = step.words.union(*called)
        gap = _gap_at(step)
        for tables in self._tables.values():
            tables[:] = [
                replace(item, definition=_forget(item.definition, gap)) if _is_named(item.key, words) else item
                for item in tables
            ]
        return words

    def _alter(self, item: _Table, step: Step) -> _Table:
        if step.act is not Act.RENAME_TABLE:
            return replace(item, definition=_change(item.definition, step))
        schema = item.key.rpartition(".")[0]
        return replace(item, key=self._key(step.to if "." in step.to or not schema else f"{schema}.{step.to}"))


def _gap_at(step: Step) -> Gap:
    return Gap(step.odd or "a statement that floe cannot take apart names the table", step.line, step.path)


def _last_part(key: str) -> str:
    return key.rpartition(".")[2].casefold()


def _definition_of(step: Step, columns_of: Callable[[str], Definition | None], dialect: str) -> Definition:
    base = Definition(step.path, step.columns, line=step.line, dialect=dialect)
    if step.query is not None:
        made = resolve_query(step.query, columns_of, step.path)
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


def _forget(definition: Definition, gap: Gap) -> Definition:
    """Nothing that was known of the columns is sure any more."""
    return replace(_with_gap(definition, gap), columns=(), removed=())


def _change(table: Definition, step: Step) -> Definition:
    if step.act is Act.ADD and step.made is not None:
        return table if table.column(step.made.name) else replace(table, columns=(*table.columns, step.made))
    if step.act is Act.DROP_KEY:
        return replace(table, columns=tuple(replace(column, key=False) for column in table.columns))
    old = table.column(step.column)
    if old is None:
        known = step.act is Act.DROP_COLUMN or not table.complete
        gap = Gap(f"a statement changes {step.column}, which the table does not have here", step.line, step.path)
        return table if known else _forget(table, gap)
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
        return replace(old, nullable=made.nullable, line=step.line, path=step.path, key=old.key or made.key)
    kept = old.key or (step.keep_null and made.nullable)
    return replace(made, nullable=old.nullable if kept else made.nullable, path=step.path, key=old.key or made.key)
