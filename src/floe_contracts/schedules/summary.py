"""What an orchestrator shows of a report: one line per contract and check, and a summary of plain values."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from ..render.headline import headline
from ..render.safe import log_safe
from ..results import CheckResult, Outcome, Report

CONTRACT = "floe/contract"  # where assets of Dagster and models of dbt name their contract


def lines(report: Report) -> Iterator[str]:
    """The lines of a report for the log of a task."""
    for result in report.results:
        yield f"{result.check} {log_safe(result.contract)}: {result.outcome.value}"
        yield from (f"  {item.severity.value} {item.code.id} {log_safe(item.message, 500)}" for item in result.findings)
    yield from (log_safe(note, 500) for note in report.notes)
    yield str(headline(report))


def summary(report: Report) -> dict[str, object]:
    """A report as plain values for the tasks that follow; it holds no value from the data."""
    counted = Counter(result.outcome.value for result in report.results)
    return {
        "verdict": str(headline(report)),
        "outcomes": {outcome.value: counted[outcome.value] for outcome in Outcome},
        "violations": [violation for result in report.results for violation in _violations(result)],
    }


def _violations(result: CheckResult) -> Iterator[dict[str, str]]:
    if result.outcome is not Outcome.VIOLATED:
        return
    for item in result.findings:
        yield {
            "contract": result.contract,
            "check": result.check,
            "type": item.violation_type.value if item.violation_type else "",
            "severity": item.severity.value,
            "element": item.element,
            "message": item.message,
        }
