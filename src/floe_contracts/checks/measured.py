"""What was measured on a table, as plain values that know no engine; times are UTC microseconds since 1970."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date
from decimal import Decimal
from typing import TypeAlias

from ..contract.meaning.typenames import TypeExpr

ITEM = "[]"  # the name of an array's item in a path
KEY = "{key}"  # and of a map's two sides
VALUE = "{value}"

Number: TypeAlias = "int | Decimal | float | None"  # None: the question has no answer on this table, as avg of no rows


@dataclass(frozen=True, slots=True)
class Failure:
    """Why something could not be measured, in one line and without values from the data."""

    reason: str
    missing: bool = field(default=False, compare=False)  # there is no such table or file, whoever asks
    lacks: str = field(default="", compare=False)  # the column that is not in the table


@dataclass(frozen=True, slots=True)
class Clock:
    """The newest time in one table; rows, nulls and future are None where nobody counted them."""

    last_us: int | None  # newest time that is not after as_of + skew; None: no rows, or none with a time
    how: str  # `column updated_at by scan`, `commit time of snapshot 123`, `newest file time`
    as_of_us: int  # when the question was asked, or the moment that was travelled back to
    rows: int | None = None
    nulls: int | None = None
    future: int | None = None  # rows with a time after as_of + skew
    groups: tuple[tuple[str, int | None], ...] = ()  # newest time per group, when the promise has `group_by`


@dataclass(frozen=True, slots=True)
class Arrival:
    """When the data of one business day came; `arrived_us` is None where the table keeps no history of commits."""

    present: bool
    how: str
    arrived_us: int | None = None


@dataclass(frozen=True, slots=True)
class Latency:
    """A quantile of arrival time minus event time in one slot; negative ones are counted apart and clipped to 0."""

    n: int
    quantile: Decimal  # 0.99 for p99
    value_us: int | None
    negatives: int = 0
    how: str = ""


@dataclass(frozen=True, slots=True)
class Probe:
    """One attempt to open a table, read its schema and a row; `retried` when the first attempt failed."""

    ok: bool
    reason: str = ""
    seconds: float = 0.0
    retried: bool = False
    missing: bool = False  # it is not there, which no later attempt will change


@dataclass(frozen=True, slots=True)
class ProbeHistory:
    """Earlier probes of one contract inside the window, without the one being judged."""

    good: int = 0
    bad: int = 0
    failed_in_a_row: Mapping[str, int] = field(default_factory=dict)  # by table, directly before this one
    outages: int = 0  # runs of two or more failures in a row that lie in the window
    expected: int | None = None  # probes that the schedule asked for since monitoring began, this one included


@dataclass(frozen=True, slots=True)
class DayRows:
    """Rows of one UTC day by the clock column."""

    day: date
    rows: int
    how: str = ""


@dataclass(frozen=True, slots=True)
class ActualColumn:
    """A column as the engine reports it.

    Of `type` only this level counts: family, params, zone (and text for intervals). What is inside stands in
    `children`: a struct's fields by name, an array's item as `[]`, a map's sides as `{key}` and `{value}`; `nullable`
    of an item says whether the array may hold nulls. `spelling` is the engine's own word for the whole type. `variants`
    are the same column in files that keep it in another type, by the name of one such file.
    """

    name: str
    type: TypeExpr
    nullable: bool = True
    children: tuple[ActualColumn, ...] = ()
    spelling: str = ""
    variants: tuple[tuple[str, ActualColumn], ...] = field(default=(), compare=False)

    @property
    def shown(self) -> str:
        return self.spelling or self.type.text
