"""Readers matches in code: whose query, exposure or job reads which column of which contract, and at which line."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from ..compat.consumers import major_of
from ..contract.model import Contract, SchemaObject
from ..frozen import dataclass
from .query import ColumnRead

_VERSIONED = re.compile(r"(.+)\.v([0-9]+)")


@dataclass(frozen=True, slots=True)
class ReadingCode:
    """A piece of code that reads tables: a model, an exposure, a job, a notebook or a file of SQL."""

    reader: str
    path: str
    reads: tuple[ColumnRead, ...]
    owner: str = ""


@dataclass(frozen=True, slots=True)
class CodeRead:
    """One reader of one column of a contract; a column of None means every column."""

    reader: str
    contract: str
    column: str | None
    path: str
    line: int
    owner: str = ""
    major: int | None = None
    key: str = ""  # of the contract

    def __str__(self) -> str:
        return f"{self.reader} reads {self.contract}.{self.column or '*'} at {self.path}:{self.line}"


def match_reads(codes: Iterable[ReadingCode], contracts: Iterable[Contract]) -> tuple[CodeRead, ...]:
    """Every read of a contract's column, once per reader and place, in a stable order."""
    tables = PromisedTables(contracts)
    reads = {read for code in codes for item in code.reads for read in _match(code, item, tables)}
    return tuple(sorted(reads, key=lambda read: (read.contract, read.reader, read.path, read.line, read.column or "")))


class PromisedTables:
    """The tables of contracts by the names that code has for them."""

    def __init__(self, contracts: Iterable[Contract]) -> None:
        self._tables = [(contract, table) for contract in contracts for table in contract.objects]

        names: dict[str, set[str]] = {}
        for contract, _ in self._tables:
            names.setdefault(contract.name, set()).add(contract.key)
        self._shared = {name for name, keys in names.items() if len(keys) > 1 or not name}

    def label(self, contract: Contract) -> str:
        """The contract's name, or its key where another one has the same name."""
        return contract.key if contract.name in self._shared else contract.name

    def find(self, key: str) -> Iterator[tuple[Contract, SchemaObject]]:
        """The tables that a text of `adapters.sql` means: `ref:orders.v2`, `source:shop.orders`, `shop.orders`."""
        kind, _, name = key.rpartition(":") if key.startswith(("ref:", "source:")) else ("", "", key)
        version = _VERSIONED.fullmatch(name) if kind == "ref" else None
        words = (version[1] if version else name).casefold().split(".")
        wanted = words[-1:] if kind else words
        matches = [(contract, table) for contract, table in self._tables if _called(contract, table, wanted)]
        majors = {major_of(contract) or 0 for contract, _ in matches}
        if kind == "ref" and majors:  # without a version dbt takes the latest
            number = int(version[2]) if version else max(majors)
            matches = [(contract, table) for contract, table in matches if (major_of(contract) or 0) == number]
        yield from matches


def _called(contract: Contract, table: SchemaObject, words: list[str]) -> bool:
    """Whether a name in code means a table: the parts that both say are equal, from the last one on."""
    physical = table.physical_name or table.name
    names = {physical}
    if len(words) == 1 or "." not in physical:
        names |= {table.name, contract.name} if len(contract.objects) == 1 else {table.name}
    return any(_same_ending(name.casefold().split("."), words) for name in names if name)


def _same_ending(first: list[str], second: list[str]) -> bool:
    number = min(len(first), len(second))
    return first[-number:] == second[-number:]


def _match(code: ReadingCode, item: ColumnRead, tables: PromisedTables) -> Iterator[CodeRead]:
    for key in item.tables:
        for contract, table in tables.find(key):
            if item.column is None:
                yield _read(code, contract, tables.label(contract), None, item.line)
            else:
                column = _column_name(table, item.column)
                if column is not None:
                    shown = _shown(contract, table, column)
                    yield _read(code, contract, tables.label(contract), shown, item.line)


def _read(code: ReadingCode, contract: Contract, label: str, column: str | None, line: int) -> CodeRead:
    return CodeRead(code.reader, label, column, code.path, line, code.owner, major_of(contract), contract.key)


def _shown(contract: Contract, table: SchemaObject, column: str) -> str:
    return column if len(contract.objects) == 1 else f"{table.name}.{column}"


def _column_name(table: SchemaObject, name: str) -> str | None:
    """The promised column that code calls so; engines do not look at case."""
    folded = name.casefold()
    for column in table.properties:
        if folded in (column.name.casefold(), (column.physical_name or column.name).casefold()):
            return column.name
    return None


def unread_columns(contract: Contract, reads: Iterable[CodeRead], registered: Iterable[str] | None) -> tuple[str, ...]:
    """The columns that nobody reads; none as soon as one reader takes them all. `registered` of None is such a one."""
    own = [read for read in reads if (read.key, read.major) == (contract.key, major_of(contract))]
    if registered is None or any(read.column is None for read in own):
        return ()
    used = {(read.column or "").casefold() for read in own} | {name.casefold() for name in registered}
    return tuple(
        column.name
        for table in contract.objects
        for column in table.properties
        if not any(_means(word, table, column.name) for word in used)
    )


def _means(word: str, table: SchemaObject, column: str) -> bool:
    names = (column.casefold(), f"{table.name}.{column}".casefold())
    return any(f"{word}.".startswith(f"{name}.") for name in names) or word == table.name.casefold()
