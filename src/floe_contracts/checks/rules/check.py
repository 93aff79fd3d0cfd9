"""One promise about values that can be measured and judged, wherever in the contract it was written."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal
from typing import Literal

from ...codes import Severity
from ...contract.model import Json, Pointer, Threshold
from ..measure import Measure, Path

Unit = Literal["rows", "percent"]
Source = Literal["constraint", "quality"]
Thresholds = tuple[tuple[Threshold, Json], ...]


@dataclass(frozen=True, slots=True)
class QualityCheck:
    """A number to measure and what it must be; no thresholds means that it must be 0.

    A percentage is `measure` of `of`, in hundredths; of nothing it is 0.
    """

    id: str  # unique in its contract and stable across runs: `orders.status.enum`
    name: str  # for people and for lineage: `not_null`, `unique`, or the rule's own name
    element: str  # what findings name: a column by its path in the contract, or the table
    measure: Measure
    column: Path | None = None  # by contract names; None for a rule about several columns or none
    columns: tuple[str, ...] = ()  # the top-level columns that the rule looks at
    dimension: str | None = None
    severity: Severity = Severity.ERROR
    weight: Decimal = Decimal(1)
    thresholds: Thresholds = ()
    unit: Unit = "rows"
    of: Measure | None = None
    source: Source = "constraint"
    says: str = ""  # the promise in words: `status is one of 4 values`
    at: Pointer = ()

    @property
    def measures(self) -> tuple[Measure, ...]:
        """Everything that must be measured to judge this rule."""
        return (self.measure,) if self.of is None else (self.measure, self.of)


@dataclass(frozen=True, slots=True)
class SkippedRule:
    """A rule that no engine can run, with the reason to tell."""

    id: str
    name: str
    element: str
    reason: str
    column: Path | None = None
    dimension: str | None = None


@dataclass(frozen=True, slots=True)
class TableRules:
    """Everything that a contract promises about the values of one table."""

    table: str
    rules: tuple[QualityCheck, ...] = ()
    skipped: tuple[SkippedRule, ...] = ()
