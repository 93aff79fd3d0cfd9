"""One step of a run as it ended: what ran, when, on which data, how its tests came out, and its record in the store."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal
from enum import Enum
from typing import Literal

from ... import codes
from ...checks.moments import SECOND
from ...contract.model import SchemaObject
from ...results import CheckResult, Finding, Outcome
from ..store.protocol import Claim, RunCount, SlotOutcome
from ..store.slots import SlotKey, Step

ROWS_GAUGE, BYTES_GAUGE = "rows_affected", "bytes_processed"
TransformType = Literal["dbt", "pyspark", "ingestion"]
Trigger = Literal["scheduled", "manual", "sensor"]
TestResult = Literal["pass", "fail", "warn"]


class End(str, Enum):
    """How a step ended, in the words of lineage."""

    COMPLETE = "COMPLETE"
    FAIL = "FAIL"
    ABORT = "ABORT"


@dataclass(frozen=True, slots=True)
class Dataset:
    """A table that a step reads or writes; `table` is its schema where one is known."""

    name: str
    namespace: str = ""  # empty: the product's own
    layer: str = ""
    table: SchemaObject | None = None
    rows: int | None = None
    bytes: int | None = None


@dataclass(frozen=True, slots=True)
class TestRun:
    """One test at the table of a step."""

    name: str
    model: str
    column: str
    result: TestResult
    start_us: int
    end_us: int


@dataclass(frozen=True, slots=True)
class StepRun:
    """A step that ended; attributes are those of its span, and its numbers are None where the engine says none."""

    kind: Step
    name: str  # of the series, and of the job in lineage
    start_us: int
    end_us: int
    end: End
    message: str = ""  # why it did not complete
    attributes: tuple[tuple[str, str], ...] = ()
    inputs: tuple[Dataset, ...] = ()
    outputs: tuple[Dataset, ...] = ()
    tests: tuple[TestRun, ...] = ()
    rows: int | None = None
    bytes: int | None = None
    engine: tuple[str, str] | None = None  # name and version of what ran it


def step_key(namespace: str, kind: Step, name: str, run_id: str) -> SlotKey:
    """The slot of a step in one run."""
    return SlotKey(namespace, name, 0, kind, run_id=run_id)


def outcome_of(step: StepRun, claim: Claim, version: str) -> SlotOutcome:
    """What the store keeps; a step that did not complete may be claimed again, as the next attempt."""
    last = claim.previous.runs if claim.previous and claim.previous.runs else RunCount()
    numbers = ((ROWS_GAUGE, step.rows), (BYTES_GAUGE, step.bytes))
    return SlotOutcome(
        claim,
        _result(step),
        step.start_us,
        step.name,
        version,
        Decimal(max(0, step.end_us - step.start_us)) / SECOND,
        gauges=tuple((name, Decimal(number)) for name, number in numbers if number is not None),
        runs=RunCount(1, max(last.failures, int(step.end is End.FAIL))),
    )


def end_of(outcome: SlotOutcome) -> End:
    """How a step ended, from its record."""
    if outcome.result.outcome is not Outcome.ERRORED:
        return End.COMPLETE
    aborted = any(finding.rule == _ABORTED for finding in outcome.result.findings)
    return End.ABORT if aborted else End.FAIL


_ABORTED, _FAILED = "step-aborted", "step-failed"


def _result(step: StepRun) -> CheckResult:
    if step.end is End.COMPLETE:
        return CheckResult(step.kind, step.name, Outcome.PASSED, "")
    rule = _ABORTED if step.end is End.ABORT else _FAILED
    finding = Finding.of(codes.E562, rule, step.message or f"{step.name} did not complete", element=step.name)
    return CheckResult(step.kind, step.name, Outcome.ERRORED, "", (finding,))
