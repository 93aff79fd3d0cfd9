"""A query as values: its output columns, some of them all columns of another table, and the columns it reads."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

from ..frozen import dataclass, replace
from .definition import DefinedColumn, Definition, Gap


@dataclass(frozen=True, slots=True)
class OutputColumn:
    """One named output; `origin` is the table and column that is passed through unchanged."""

    name: str
    quoted: bool = False
    line: int = 1
    type: str = ""
    origin: tuple[str, str] | None = None


@dataclass(frozen=True, slots=True)
class StarOutput:
    """All columns of a table but some; `typed` unless something on the way may change the types."""

    table: str
    without: tuple[str, ...] = ()
    line: int = 1
    typed: bool = True


@dataclass(frozen=True, slots=True)
class UnknownOutput:
    """Any number of columns that the text does not name."""

    reason: str
    line: int = 1


@dataclass(frozen=True, slots=True)
class ColumnRead:
    """A column that a query reads, None for all of them; several tables where the text does not say which."""

    tables: tuple[str, ...]
    column: str | None
    line: int = 1


Output: TypeAlias = "OutputColumn | StarOutput | UnknownOutput"


@dataclass(frozen=True, slots=True)
class Query:
    """One SELECT; `line` is that of its final select list, `macros` the files of the project that it used."""

    outputs: tuple[Output, ...] = ()
    reads: tuple[ColumnRead, ...] = ()
    tables: tuple[str, ...] = ()
    line: int = 1
    macros: tuple[str, ...] = ()

    @property
    def origins(self) -> tuple[str, ...]:
        """The tables whose columns it takes by `*`, or passes through."""
        passed = (item.origin[0] for item in self.outputs if isinstance(item, OutputColumn) and item.origin)
        return tuple(dict.fromkeys((*self.stars, *passed)))

    @property
    def stars(self) -> tuple[str, ...]:
        """The tables whose columns it takes by `*`."""
        return tuple(dict.fromkeys(item.table for item in self.outputs if isinstance(item, StarOutput)))


def resolve_query(query: Query, columns_of: Callable[[str], Definition | Gap | None], path: str) -> Definition:
    """The definition that a query makes; `columns_of` knows some of the tables that a `*` or a type leads to."""
    columns: list[DefinedColumn] = []
    unknown: list[Gap] = []
    for item in query.outputs:
        if isinstance(item, UnknownOutput):
            unknown.append(Gap(item.reason, item.line))
        elif isinstance(item, OutputColumn):
            columns.append(_pass_through(item, columns_of))
        else:
            taken, missing = _expand(item, columns_of(item.table))
            columns += taken
            unknown += missing
    unknown += _repeats(columns)
    return Definition(path, tuple(_first_of_each(columns)), tuple(unknown), query.line)


def _pass_through(item: OutputColumn, columns_of: Callable[[str], Definition | Gap | None]) -> DefinedColumn:
    kind = item.type
    if not kind and item.origin is not None:
        table = columns_of(item.origin[0])
        column = table.column(item.origin[1]) if isinstance(table, Definition) else None
        kind = column.type if column else ""
    return DefinedColumn(item.name, item.line, kind, quoted=item.quoted)


def _expand(item: StarOutput, table: Definition | Gap | None) -> tuple[list[DefinedColumn], list[Gap]]:
    if not isinstance(table, Definition):
        reason = f": {table.reason}" if isinstance(table, Gap) else ""
        return [], [Gap(f"`*` takes the columns of {show_table(item.table)}, which are not known{reason}", item.line)]
    without = {name.casefold() for name in item.without}
    columns = [
        replace(column, line=item.line, path="", nullable=None, type=column.type if item.typed else "")
        for column in table.columns
        if column.name.casefold() not in without
    ]
    missing = [
        Gap(f"`*` takes the columns of {show_table(item.table)}: {gap.reason}", item.line) for gap in table.unknown[:1]
    ]
    return columns, missing


def show_table(key: str) -> str:
    """A table as a person calls it."""
    return key.partition(":")[2] or key


def _repeats(columns: list[DefinedColumn]) -> list[Gap]:
    """Engines rename or refuse a second column of one name, each in its way."""
    seen: dict[str, DefinedColumn] = {}
    for column in columns:
        first = seen.setdefault(column.name.casefold(), column)
        if first is not column:
            return [Gap(f"two output columns are called {column.name}", column.line)]
    return []


def _first_of_each(columns: list[DefinedColumn]) -> list[DefinedColumn]:
    seen: dict[str, DefinedColumn] = {}
    for column in columns:
        seen.setdefault(column.name.casefold(), column)
    return list(seen.values())
