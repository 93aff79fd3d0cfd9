"""A report as GitHub Markdown, for a pull request comment and for the job summary.

Text from a contract stands in code spans only: there it can mention nobody, link nowhere and become no HTML.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import date

from ...results import Disposition, ExitCode, Report
from ..headline import headline
from ..links import Links
from ..outline import (
    FILE,
    ContractSection,
    by_need,
    excuse,
    groups,
    scope_line,
    totals,
    waivable,
    waiver_lines,
    worst_first,
)
from ..safe import code_block, code_span
from .contract import contract_section, excused_item, own_section
from .fitting import Section, amount, fit, size

# GitHub refuses a comment of more than 65,536 characters and drops a whole summary of more than 1 MiB.
COMMENT_LIMIT = 60_000
SUMMARY_LIMIT = 900_000
REST = "The log and the JSON report of this run have the rest."

_SIGNS = {
    ExitCode.PASS: "✅",
    ExitCode.BLOCKED: "❌",
    ExitCode.COULD_NOT_CHECK: "⚠️",
    ExitCode.BUG: "⚠️",
}
_SHORT, _LONGEST_LINE = 100, 2_000  # characters of a name in the heading, bytes of a line at the end
_MOST_WAIVERS = 50


def render(
    report: Report,
    *,
    today: date,
    key: str = "",
    links: Links | None = None,
    limit: int = COMMENT_LIMIT,
) -> str:
    """The report as Markdown below `limit` bytes; with a `key` its first line is the hidden marker of a comment."""
    top = headline(report, _name)
    title = f"### {_SIGNS[top.code]} {top.word}: {top.text}"
    first = f"{marker(key)}\n{title}" if key else title
    run = links.run() if links else ""
    rest = f"The [full report]({run}) has the rest." if run else REST
    return fit(first, _sections(report, today, links), _ending(report, run), limit=limit, rest=rest)


def marker(key: str) -> str:
    """The line by which a comment is found again; one key per gate lets several share a pull request."""
    return f"<!-- floe-contracts {re.sub('[^A-Za-z0-9._/]+', '-', key)} -->"


def _sections(report: Report, today: date, links: Links | None) -> Iterator[Section]:
    """What matters most first: this is also the order of what is kept when room is short."""
    sections = by_need(groups(report))
    for group in sections:
        unexplained = not group.findings and not group.silent
        if unexplained or any(item.standing is Disposition.OPEN for item in group.findings):
            yield contract_section(group, links) if group.title or group.path else own_section(group, links)
    yield from _notes(report)
    yield from _waivers_in_force(sections)
    yield from _ready_waivers(report, today)
    yield from _excused_findings(sections, links)


def _notes(report: Report) -> Iterator[Section]:
    if report.notes:
        yield Section(("note", "notes"), "", tuple(f"- {code_span(note, 600)}" for note in report.notes))


def _waivers_in_force(sections: list[ContractSection]) -> Iterator[Section]:
    rows = tuple(
        f"- {code_span(group.title)}: {code_span(item.rule)} of {code_span(item.element)}, {excuse(item, code_span)}"
        for group in sections
        for item in group.findings
        if item.standing is Disposition.WAIVED
    )
    if rows:
        yield Section(
            ("list of waivers", "lists of waivers"), "#### Waivers in force\n", rows, "", ("waiver", "waivers")
        )


def _ready_waivers(report: Report, today: date) -> Iterator[Section]:
    number = len(waivable(report))
    if number:
        more = f" (the first {_MOST_WAIVERS} of {number} findings)" if number > _MOST_WAIVERS else ""
        lines = waiver_lines(report, today, _MOST_WAIVERS)
        text = (
            f"Fill in reason and approver, add this to {code_span(FILE)} and have it merged first{more}: "
            f"waivers count from the base branch.\n\n{code_block(lines, 'yaml')}"
        )
        head, tail = _fold("Accept these findings for now")
        yield Section(("ready waiver block", "ready waiver blocks"), f"{head}{text}{tail}")


def _excused_findings(sections: list[ContractSection], links: Links | None) -> Iterator[Section]:
    rows = tuple(
        excused_item(group, item, links)
        for group in sections
        for item in worst_first(group.findings)
        if item.standing in (Disposition.ALLOWED, Disposition.REPORTED)
    )
    if rows:
        title = f"{amount(len(rows), ('change that does', 'changes that do'))} not block"
        head, tail = _fold(title)
        yield Section(("list of excused findings", "lists of excused findings"), head.rstrip("\n") + "\n", rows, tail)


def _fold(title: str) -> tuple[str, str]:
    # Without the blank lines GitHub would read what is inside as HTML.
    return f"<details><summary>{title}</summary>\n\n", "\n\n</details>"


def _ending(report: Report, run: str) -> str:
    lines = [
        f"[Full report of this run]({run})" if run else "",
        scope_line(report, _name),
        totals(report, _name),
        f"floe-contracts {_name(report.tool_version)}",
    ]
    return f"<sub>{'<br>'.join(line for line in lines if line and size(line) <= _LONGEST_LINE)}</sub>"


def _name(text: str) -> str:
    return code_span(text, _SHORT)
