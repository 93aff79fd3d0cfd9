"""A report as one HTML page that needs nothing else: no script, no font, no picture, no address to load from."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import date

from ...results import ExitCode, Report
from ..headline import headline
from ..links import Links
from ..outline import FILE, by_need, groups, scope_line, totals, waiver_lines
from ..safe import break_commands
from .assets import digest, report_sheet
from .contract import ContractCard
from .markup import code, tag, text, with_code
from .sources import Sources

_CLASSES = {ExitCode.PASS: "pass", ExitCode.BLOCKED: "blocked"}


def render(
    report: Report, *, today: date, links: Links | None = None, sources: Mapping[str, Sources] | None = None
) -> str:
    """The report as HTML; `sources` gives the two texts of a contract by its path."""
    top = headline(report, text)
    cards = _cards(report, links, sources or {})
    body = "".join(
        (
            tag("a", "Skip to the findings", href="#findings", class_="skip"),
            _header(report, top.word, with_code(top.text)),
            tag("main", *_main(report, cards, today), id="findings"),
            _footer(report),
        )
    )
    lines = [
        "<!doctype html>",
        '<html lang="en">',
        tag("head", *_head(top.word, report)),
        f'<body class="{_CLASSES.get(top.code, "unsure")}">',
        body,
        "</body>",
        "</html>",
    ]
    return "\n".join(break_commands(line) for line in "\n".join(lines).split("\n")) + "\n"


def _head(word: str, report: Report) -> Iterator[str]:
    # The style is the one thing that may apply, known by its hash: whatever else got in would not run.
    sheet = report_sheet()
    policy = f"default-src 'none'; style-src '{digest(sheet)}'; base-uri 'none'; form-action 'none'"
    yield '\n<meta charset="utf-8">\n'
    yield f'<meta http-equiv="Content-Security-Policy" content="{policy}">\n'
    yield '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
    yield '<meta name="referrer" content="no-referrer">\n'
    yield tag("title", f"{word} – floe {text(report.command, 40)}")
    yield f"<style>{sheet}</style>\n"


def _header(report: Report, word: str, words: str) -> str:
    version = tag("span", f"floe {text(report.command, 40)} {text(report.tool_version, 40)}", class_="soft")
    return tag("header", tag("div", tag("span", word, class_="verdict"), tag("h1", words), version), class_="top")


def _main(report: Report, cards: list[ContractCard], today: date) -> Iterator[str]:
    if report.notes:
        yield tag("ul", *(tag("li", text(note)) for note in report.notes), class_="notes")
    if len(cards) > 1:
        entries = (tag("li", tag("a", text(card.title), card.state(), href=f"#{card.anchor}")) for card in cards)
        yield tag("nav", tag("ul", *entries), aria_label="Contracts")
    yield from (card.html() for card in cards)
    lines = waiver_lines(report, today)
    if lines:
        yield tag("section", *_waivers(lines), class_="card", aria_label="Waivers")


def _waivers(lines: tuple[str, ...]) -> Iterator[str]:
    advice = ("Fill in reason and approver, add this to ", code(FILE), " and have it merged before this change.")
    yield tag("h2", "Accept these findings for now")
    yield tag("p", *advice)
    yield tag("pre", "\n".join(text(line) for line in lines), tabindex="0", role="region", aria_label="Waiver block")


def _footer(report: Report) -> str:
    lines = [line for line in (scope_line(report, code), totals(report, text)) if line]
    return tag("footer", *(tag("div", line) for line in lines))


def _cards(report: Report, links: Links | None, sources: Mapping[str, Sources]) -> list[ContractCard]:
    ordered = enumerate(by_need(groups(report)), 1)
    return [ContractCard(number, group, links, sources.get(group.path)) for number, group in ordered]
