"""What one run over a table found out: a number or the reason why there is none, for every measure of its plan."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from ..checks.measure import Measure
from ..checks.measured import Clock, Failure, Number
from .states import TableState


@dataclass(frozen=True, slots=True)
class Measurements:
    """All answers about one table."""

    values: Mapping[Measure, Number | Failure] = field(default_factory=dict)
    how: str = ""  # `1 pass over 10,000,000 rows; 2 keys by 1 scan, sorted on the driver`
    rows: int | None = None
    clock: Clock | Failure | None = None  # None: the plan asks for none
    state: TableState | None = None  # to keep, where the table was measured by parts
    scans: int = 0  # how often data was read, joins and queries included
    seconds: float = 0.0
