"""The spans of one attempt as plain values, with ids made from the slot.

A replay has the ids of the first time, so a receiver that keeps spans by id keeps one.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from itertools import islice
from uuid import NAMESPACE_URL, UUID, uuid5

from .. import __version__
from ..checks.moments import SECOND
from ..codes import Severity
from ..monitor.plugin.protocol import ContractViolation
from ..monitor.plugin.results import violations_in, worst_first
from ..monitor.run.delivery import NewResult
from ..monitor.store.protocol import SlotOutcome
from ..product.observability import Observability
from ..results import CheckResult, Outcome
from ..results.facts import number_of
from .lineage_assertions import Assertion, tests_of
from .lineage_names import run_id

SPAN, TEST_SPAN = "floe.contract.check", "floe.quality.test"
_MOST_TESTS = 1_000  # a request of some hundred kilobytes
_MOST_EVENTS = 128  # as SDKs allow by default
Attributes = Mapping[str, "str | int | float"]


@dataclass(frozen=True, slots=True)
class SpanEvent:
    """Something that was found in a span."""

    name: str
    attributes: Attributes


@dataclass(frozen=True, slots=True)
class Span:
    """One check of one contract in one slot; times are UTC microseconds."""

    trace_id: bytes
    span_id: bytes
    parent_id: bytes
    start_us: int
    end_us: int
    attributes: Attributes
    events: tuple[SpanEvent, ...] = ()
    failed: str = ""  # why the check did not pass; empty when it did
    name: str = SPAN


@dataclass(frozen=True, slots=True)
class Trace:
    """Where a span hangs, as the caller's `traceparent` says it; empty for a trace of its own."""

    trace_id: bytes = b""
    parent_id: bytes = b""


def spans_of(new: NewResult, above: Trace | None = None) -> tuple[Span, ...]:
    """The span of one attempt, then those of the tests that a quality check made."""
    check = span_of(new, above)
    if new.outcome.result.check != "quality":
        return (check,)
    tests = (test for test in tests_of(new.outcome.result, new.target.contract) if test.status != "skip")
    return (check, *(_test_span(check, index, test) for index, test in enumerate(islice(tests, _MOST_TESTS))))


def _test_span(check: Span, index: int, test: Assertion) -> Span:
    """As long as the check: one query measures all rules of a table, so none has a time of its own."""
    return child_span(check, TEST_SPAN, f"{index}", _test_attributes(test), failed=_why_failed(test))


def _why_failed(test: Assertion) -> str:
    return f"{test.name} failed" if test.status == "fail" else ""


def child_span(
    above: Span, name: str, mark: str, attributes: Attributes, *, times: tuple[int, int] | None = None, failed: str = ""
) -> Span:
    """A span below another in the same trace; the mark tells it from its siblings."""
    start_us, end_us = times or (above.start_us, above.end_us)
    made = hashlib.sha256(above.span_id + name.encode() + mark.encode()).digest()[:8]
    return Span(above.trace_id, made, above.span_id, start_us, end_us, attributes, failed=failed, name=name)


def span_of(new: NewResult, above: Trace | None = None) -> Span:
    """The span of one attempt."""
    outcome, above = new.outcome, above or Trace()
    made = run_id(outcome)
    violations = worst_first(violations_in(outcome.result, outcome.version, outcome.as_of_us))
    return Span(
        trace_id=above.trace_id or made.bytes,
        span_id=span_id(made, SPAN),
        parent_id=above.parent_id,
        start_us=outcome.as_of_us,
        end_us=outcome.as_of_us + int(outcome.seconds * SECOND),
        attributes=_attributes(new, made, len(violations)),
        events=tuple(_events(violations))[:_MOST_EVENTS],
        failed=_failure(outcome.result, violations),
    )


def trace_of(traceparent: str) -> Trace:
    """W3C's `00-<trace id>-<parent id>-<flags>`; nothing where it is not that."""
    version, _, rest = traceparent.strip().lower().partition("-")
    parts = rest.split("-")
    try:
        trace_id, parent_id = bytes.fromhex(parts[0]), bytes.fromhex(parts[1])
    except (IndexError, ValueError):
        return Trace()
    known = version != "ff" and len(trace_id) == 16 and len(parent_id) == 8
    return Trace(trace_id, parent_id) if known and any(trace_id) and any(parent_id) else Trace()


def span_id(made: UUID, name: str) -> bytes:
    """The id of the span of a run."""
    return hashlib.sha256(made.bytes + name.encode()).digest()[:8]


def _attributes(new: NewResult, made: UUID, violations: int) -> Attributes:
    outcome: SlotOutcome = new.outcome
    facts = outcome.result.facts
    texts = {
        "floe.contract.name": outcome.label,
        "floe.contract.version": outcome.version,
        "floe.contract.check_type": outcome.key.check_type,
        "floe.contract.slot": outcome.key.when,
        "floe.contract.outcome": outcome.result.outcome.value,
        "floe.contract.enforcement": new.target.enforcement.value,
        "floe.pipeline.run_id": outcome.key.run_id,
        "openlineage.run_id": str(made),
        "openlineage.job": f"contract_check.{outcome.label}",
    }
    numbers = {f"floe.quality.{name}": number_of(facts, name) for name in ("score", "coverage")}
    return {
        **{key: text for key, text in texts.items() if text},
        **{key: float(number) for key, number in numbers.items() if number is not None},
        "floe.contract.attempt": outcome.claim.attempt,
        "floe.contract.violations": violations,
    }


def _events(violations: tuple[ContractViolation, ...]) -> Iterator[SpanEvent]:
    for violation in violations:
        texts = {
            "floe.contract.violation.type": violation.violation_type.value,
            "floe.contract.violation.severity": violation.severity.value,
            "floe.contract.violation.message": violation.message,
            "floe.contract.violation.element": violation.element,
            "floe.contract.violation.expected": violation.expected_value,
            "floe.contract.violation.actual": violation.actual_value,
        }
        yield SpanEvent("floe.contract.violation", {key: text for key, text in texts.items() if text})


def _test_attributes(test: Assertion) -> Attributes:
    mild = test.severity is not None and test.severity.rank < Severity.ERROR.rank
    texts = {
        "floe.quality.test_name": test.name,
        "floe.quality.model": test.table,
        "floe.quality.column": test.column,
        "floe.quality.result": "warn" if test.status == "fail" and mild else test.status,
    }
    return {key: text for key, text in texts.items() if text}


def _failure(result: CheckResult, violations: tuple[ContractViolation, ...]) -> str:
    if result.outcome is Outcome.VIOLATED:
        return violations[0].message
    if result.outcome is Outcome.ERRORED:
        return "; ".join(dict.fromkeys(item.message for item in result.findings)) or "it could not be checked"
    return ""


@dataclass(frozen=True, slots=True)
class Identity:
    """The identity of a process for receivers of telemetry, beside its namespace."""

    observability: Observability = Observability()
    service: str = "floe"
    more: Attributes = field(default_factory=dict)  # OTEL_RESOURCE_ATTRIBUTES, whose word wins


def resource_of(who: Identity, namespace: str) -> Attributes:
    """The seeds' attributes; `service.instance.id` is the same in every run, else every run would be new series."""
    settings = who.observability
    known = {
        "service.name": who.service,
        "service.version": __version__,
        "service.instance.id": str(uuid5(NAMESPACE_URL, f"floe:{namespace}")),
        "floe.namespace": namespace,
        "floe.product.name": settings.product.name or namespace,
        "floe.product.version": settings.product.version or "unknown",
        "floe.mode": settings.mode,
        "floe.version": __version__,
        **({"floe.domain": settings.domain, "floe.enterprise": settings.enterprise} if settings.mode == "mesh" else {}),
    }
    return {**{key: text for key, text in known.items() if text}, **who.more}
