"""A run for a person at a terminal: contract by contract, one line per check, and below it what is broken."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby
from typing import Protocol

from ...codes import Severity
from ...results import CheckResult, Finding, Outcome, Report
from ..outline import advice
from ..running import circumstances, describe_result
from ..safe import log_safe

_BOLD, _DIM = "1", "2"
_OUTCOME = {Outcome.PASSED: "32", Outcome.VIOLATED: "31", Outcome.SKIPPED: "2", Outcome.ERRORED: "33"}
_SEVERITY = {Severity.INFO: "36", Severity.WARNING: "33", Severity.ERROR: "31", Severity.CRITICAL: "1;31"}
_CHECKS = ("availability", "freshness", "schema_drift", "quality", "lifecycle")
_CHECK, _WORD = 13, 9  # columns for `schema_drift ` and for `violated `
_SENTENCE = 600


class Page(Protocol):
    """The printer of render.text.terminal: colours, and lines with a label."""

    def paint(self, text: str, style: str) -> str: ...

    def label_lines(self, label: str, text: str) -> Iterator[str]: ...


def run_body(report: Report, page: Page) -> Iterator[str]:
    """Every check of every contract; nothing is silent, because a check that did not run looks like one that passed."""
    printed: set[object] = set()  # codes whose general fix was printed, and faults of files: once is enough
    for (path, name), results in groupby(report.results, key=lambda result: (result.path, result.contract)):
        shown = "" if path == name else f"  {page.paint(log_safe(path, 1_000), _DIM)}"
        yield from ("", f"{page.paint(log_safe(name), _BOLD)}{shown}")
        for result in sorted(results, key=_order):
            yield _line(result, page)
            for item in result.findings:
                if result.outcome is not Outcome.ERRORED or not _is_in_line(item):
                    yield from _finding(item, page, printed)


def _order(result: CheckResult) -> int:
    return _CHECKS.index(result.check) if result.check in _CHECKS else len(_CHECKS)


def _line(result: CheckResult, page: Page) -> str:
    word = page.paint(result.outcome.value.ljust(_WORD), _OUTCOME[result.outcome])
    around = page.paint(log_safe(" · ".join(circumstances(result)), _SENTENCE), _DIM)
    parts = [part for part in (log_safe(describe_result(result), _SENTENCE), around) if part]
    return f"  {log_safe(result.check).ljust(_CHECK)}{word} {' · '.join(parts)}".rstrip()


def _is_in_line(item: Finding) -> bool:
    """Whether the line of an errored check tells the finding already; that of a violated one has no room for it."""
    return item.violation_type is None and not item.location and not item.suggestions


def _finding(item: Finding, page: Page, printed: set[object]) -> Iterator[str]:
    if item in printed:
        return
    if item.location:
        printed.add(item)
    place = f"{log_safe(str(item.location), 1_000)}: " if item.location else ""
    code = page.paint(item.code.id, _SEVERITY[item.severity])
    yield f"    {place}{code} {item.severity.value} {log_safe(item.message, _SENTENCE)}"
    lines = [(label, text) for label, text in advice(item) if text not in item.message]
    if not item.suggestions and item.severity is not Severity.INFO and item.code.id not in printed:
        printed.add(item.code.id)
        lines.append(("fix", item.code.fix))
    for label, text in lines:
        yield from (f"  {line}" for line in page.label_lines(label, text))
