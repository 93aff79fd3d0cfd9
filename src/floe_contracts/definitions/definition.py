"""What code says about one table: its columns with a line for each, and what it does not say."""

from __future__ import annotations

from ..frozen import dataclass


@dataclass(frozen=True, slots=True)
class Gap:
    """Something that is not known: why, and at which line."""

    reason: str
    line: int = 1
    path: str = ""


@dataclass(frozen=True, slots=True)
class DefinedColumn:
    """A column of a definition; an empty type and a nullability of None are unknown."""

    name: str
    line: int = 1
    type: str = ""
    nullable: bool | None = None
    quoted: bool = False
    path: str = ""  # where it differs from the definition's
    columns: tuple[DefinedColumn, ...] = ()  # of a record
    described: tuple[str, int] | None = None  # file and line where its constraints and tests stand, if elsewhere
    documented: str = ""  # a type that its description says and nothing holds it to; no reader takes it over
    key: bool = False  # part of the primary key, which holds it not null whatever else is said


@dataclass(frozen=True, slots=True)
class Removal:
    """A column that a statement took away, and where."""

    name: str
    line: int
    path: str = ""


@dataclass(frozen=True, slots=True)
class Definition:
    """One table as a file defines it; complete when every output name is known, `unknown` says why it is not."""

    path: str
    columns: tuple[DefinedColumn, ...] = ()
    unknown: tuple[Gap, ...] = ()
    line: int = 1  # of the final select, the CREATE or the record
    dialect: str = ""
    removed: tuple[Removal, ...] = ()
    uses: frozenset[str] = frozenset()  # files whose change is a change of this one: macros, and what `*` takes from

    @property
    def complete(self) -> bool:
        """Whether every name of an output column is known."""
        return not self.unknown

    def column(self, name: str) -> DefinedColumn | None:
        """The column of a name, in any case."""
        folded = name.casefold()
        exact = next((column for column in self.columns if column.name == name), None)
        return exact or next((column for column in self.columns if column.name.casefold() == folded), None)
