"""A report for a person at a terminal: the verdict first, then one line per problem with what to do below it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from ...codes import Severity
from ...frozen import dataclass
from ...results import Disposition, ExitCode, Finding, Report
from ..headline import headline
from ..outline import (
    ContractSection,
    advice,
    excuse,
    groups,
    is_change,
    is_run,
    scope_line,
    step,
    totals,
    waivable,
    who,
)
from ..safe import break_commands, log_safe

if TYPE_CHECKING:
    from datetime import date

_BOLD, _DIM, _GREEN = "1", "2", "32"
_VERDICT = {
    ExitCode.PASS: "1;32",
    ExitCode.BLOCKED: "1;31",
    ExitCode.COULD_NOT_CHECK: "1;33",
    ExitCode.BUG: "1;31",
}
_SEVERITY = {Severity.INFO: "36", Severity.WARNING: "33", Severity.ERROR: "31", Severity.CRITICAL: "1;31"}
_INDENT, _LABEL = 4, 10  # columns before a label, and columns for "expected  "
_MOST_WAIVERS = 10
_PATH, _SENTENCE = 1_000, 600  # characters shown of a path and of a sentence


def render(report: Report, *, colour: bool, width: int, verbose: bool, today: date | None = None) -> str:
    """The report as lines of text; `width` 0 means that nothing is wrapped, `today` dates the ready waivers."""
    page = _Page(colour, width, verbose)
    top = headline(report)
    lines = [f"{page.paint(top.word, _VERDICT[top.code])}: {log_safe(top.text, _SENTENCE)}", *page.body(report)]
    if today:
        lines += page.waivers(report, today)
    ending = [log_safe(note, _SENTENCE) for note in report.notes]
    summary = (totals(report), _more(report)) if report.results or report.findings else ()
    ending += [page.dim(log_safe(text, _SENTENCE)) for text in (scope_line(report), *summary) if text]
    if ending:
        lines += ["", *ending]
    return "\n".join(break_commands(line) for line in lines) + "\n"


@dataclass(frozen=True, slots=True)
class _Page:
    """How to print: with or without colour, how wide, and how much."""

    colour: bool
    width: int
    verbose: bool

    def paint(self, text: str, style: str) -> str:
        return f"\x1b[{style}m{text}\x1b[0m" if self.colour and text else text

    def dim(self, text: str) -> str:
        return self.paint(text, _DIM)

    def body(self, report: Report) -> Iterator[str]:
        if is_run(report):
            from .run import run_body

            yield from run_body(report, self)
            return
        printed: set[str] = set()  # codes whose general fix was printed: once is enough
        previous_silent = False
        for group in groups(report):
            if group.silent and not self.verbose:
                continue
            if not (group.silent and previous_silent):
                yield ""
            yield from self.group(group, printed)
            previous_silent = group.silent

    def group(self, group: ContractSection, printed: set[str]) -> Iterator[str]:
        path = "" if group.path == group.title else self.dim(log_safe(group.path, _PATH))
        moved = log_safe(step(group.version)) if group.version else ""
        dialect = self.dim(log_safe(group.dialect))
        outcome = "" if group.findings else self.paint(group.outcome.value, _GREEN)
        parts = (self.paint(log_safe(group.title), _BOLD), path, dialect, moved, outcome)
        if group.title != group.path or group.version or not group.findings:
            yield "  ".join(part for part in parts if part)
        for item in group.findings:
            yield from self.finding(item, printed)
        for reader in group.readers:
            yield from self.label_lines("reader", who(reader))
        for reader in group.downstream:
            yield from self.label_lines("then", who(reader))

    def finding(self, item: Finding, printed: set[str]) -> Iterator[str]:
        place = f"{_place(item)}: " if item.location else ""
        severity = "" if item.severity is Severity.ERROR else f" {item.severity.value}"
        rest = f"{severity} [{log_safe(item.rule)}] {log_safe(item.message, _SENTENCE)}"
        if item.standing is not Disposition.OPEN:
            yield self.dim(f"{place}{item.code.id}{rest}")
            yield self.dim(f"{' ' * _INDENT}{log_safe(excuse(item))}")
            yield from self.caution(item)
            return
        yield f"{self.paint(place, _BOLD)}{self.paint(item.code.id, _SEVERITY[item.severity])}{rest}"
        for label, text in advice(item):
            yield from self.label_lines(label, text)
        if item.blocks and not item.suggestions and item.code.id not in printed:
            printed.add(item.code.id)
            yield from self.label_lines("fix", item.code.fix)
        yield from self.caution(item)
        if self.verbose:
            yield from self.label_lines("docs", item.docs_url)

    def caution(self, item: Finding) -> Iterator[str]:
        if is_change(item):
            from ..phrases import caution  # brings the rules of the gate

            text = caution(item)
            yield from self.label_lines("caution", text) if text else ()

    def waivers(self, report: Report, today: date) -> Iterator[str]:
        """The ready waivers, few enough not to push the findings off the screen."""
        from ..outline import FILE, waiver_lines  # most reports need none

        number = len(waivable(report))
        if not number:
            return
        most = None if self.verbose else _MOST_WAIVERS
        more = f" (-v shows all {number})" if most is not None and most < number else ""
        yield from (
            "",
            self.dim(f"to accept for now, with a reason and an approver, in {FILE} of the base branch{more}:"),
        )
        yield from (self.dim(log_safe(line, _SENTENCE)) for line in waiver_lines(report, today, most))

    def label_lines(self, label: str, text: str) -> Iterator[str]:
        first, *rest = self.wrap_text(log_safe(text, _SENTENCE), self.width - _INDENT - _LABEL)
        yield f"{' ' * _INDENT}{self.dim(label.ljust(_LABEL))}{first}"
        for line in rest:
            yield f"{' ' * (_INDENT + _LABEL)}{line}"

    def wrap_text(self, text: str, room: int) -> list[str]:
        if room <= 20 or len(text) <= room:
            return [text]
        from textwrap import wrap  # most reports need no wrapping

        return wrap(text, room, break_long_words=False, break_on_hyphens=False) or [text]


def _place(item: Finding) -> str:
    spot = item.location
    if spot is None:
        return ""
    numbers = "".join(f":{number}" for number in (spot.line, spot.column) if number is not None)
    return f"{log_safe(spot.path, _PATH)}{numbers}"


def _more(report: Report) -> str:
    shown = (item for item in report.all_findings() if item.blocks or (is_run(report) and item.violation_type))
    blocking = sorted({item.code.id for item in shown})
    return f"why and how: floe explain {' '.join(blocking[:4])}" if blocking else ""
