"""Questions that an engine can answer with one number: frozen and hashable, so that equal ones are asked once.

Paths are names in the table (`physicalName` where the contract gives one), with `[]` for the items of an array and
`{key}` and `{value}` for the sides of a map. Below `[]`, `{key}` or `{value}` items are counted, elsewhere rows.

- Nulls are never invalid. A column below a null struct, array or map is not there, so it is neither null nor invalid.
- NaN is not a number within bounds and no multiple of anything; in every other test it is a value like others.
- A pattern must match the whole value, by the rules of `java.util.regex`.
- Duplicates are counted among keys without any null; equal text in different case is different.
- Text compares as text: nothing is trimmed, and char padding counts unless the engine removes it.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TypeAlias

Path: TypeAlias = "tuple[str, ...]"
Scalar: TypeAlias = "bool | int | str"  # numbers with a fraction stay text as written, so that none is rounded


def _truths(values: tuple[Scalar, ...]) -> tuple[int, ...]:
    return tuple(number for number, value in enumerate(values) if isinstance(value, bool))


@dataclass(frozen=True, slots=True)
class OneOf:
    """Equal to one of the listed values; a number equals its text in a text column and the reverse."""

    values: tuple[Scalar, ...]
    truths: tuple[int, ...] = field(init=False, repr=False)  # which are true or false: to Python, True equals 1

    def __post_init__(self) -> None:
        object.__setattr__(self, "truths", _truths(self.values))


@dataclass(frozen=True, slots=True)
class Matches:
    """The whole value matches."""

    pattern: str


@dataclass(frozen=True, slots=True)
class LengthBetween:
    """Characters of a text, bytes of a binary."""

    least: int | None = None
    most: int | None = None


@dataclass(frozen=True, slots=True)
class Within:
    """Between two bounds; they are numbers as text, or dates, times and timestamps in ISO 8601."""

    least: str | None = None
    most: str | None = None
    above: bool = False  # `least` itself is outside
    below: bool = False  # `most` itself is outside


@dataclass(frozen=True, slots=True)
class MultipleOf:
    """A whole multiple, counted exactly in decimals."""

    step: str


@dataclass(frozen=True, slots=True)
class Format:
    """One of the formats in `checks.rules.values.FORMATS`, which gives the pattern for each."""

    name: str


@dataclass(frozen=True, slots=True)
class Parses:
    """A text that reads as a date, time or timestamp by a pattern of Java's DateTimeFormatter."""

    kind: str
    pattern: str


@dataclass(frozen=True, slots=True)
class ItemsBetween:
    """Number of items of an array or entries of a map."""

    least: int | None = None
    most: int | None = None


@dataclass(frozen=True, slots=True)
class DistinctItems:
    """No item of an array occurs twice; nulls do not count."""


@dataclass(frozen=True, slots=True)
class AllOf:
    """Every one of the tests."""

    tests: tuple[ValidTest, ...]


ValidTest: TypeAlias = (
    "OneOf | Matches | LengthBetween | Within | MultipleOf | Format | Parses | ItemsBetween | DistinctItems | AllOf"
)


@dataclass(frozen=True, slots=True)
class RowCount:
    """Rows, or those that a SQL condition selects; with `whole` all rows of the table, whatever a filter leaves out."""

    where: str | None = None
    whole: bool = field(default=False, repr=False)  # plans keep their hash: where nothing is left out both are one


@dataclass(frozen=True, slots=True)
class ItemCount:
    """Items at a path that ends below `[]`, `{key}` or `{value}`, else rows with every struct on the way to it."""

    path: Path


@dataclass(frozen=True, slots=True)
class NullCount:
    """Nulls at a path; with `absent` also values that are not there, because a struct around them is null."""

    path: Path
    absent: bool = field(default=False, repr=False)  # plans hash it by themselves


@dataclass(frozen=True, slots=True)
class MissingCount:
    """Nulls, and values that stand for nothing, such as `n/a`."""

    path: Path
    values: tuple[Scalar, ...] = ()
    truths: tuple[int, ...] = field(init=False, repr=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "truths", _truths(self.values))


@dataclass(frozen=True, slots=True)
class InvalidCount:
    """Values that are not null and fail the test."""

    path: Path
    test: ValidTest


@dataclass(frozen=True, slots=True)
class DuplicateCount:
    """Keys that occur more than once; with `count_rows` the rows beyond the first of each such key."""

    keys: tuple[Path, ...]
    count_rows: bool = False


@dataclass(frozen=True, slots=True)
class OrphanCount:
    """Rows whose key, all parts not null, is not a key of the target; `target` names an object of the same contract."""

    columns: tuple[Path, ...]
    target: str
    target_columns: tuple[Path, ...]


@dataclass(frozen=True, slots=True)
class SqlNumber:
    """The single number that a query gives; `checks.rules.library.fill_query` puts table and column into it."""

    query: str
    column: Path | None = None


Measure: TypeAlias = (
    "RowCount | ItemCount | NullCount | MissingCount | InvalidCount | DuplicateCount | OrphanCount | SqlNumber"
)
