"""The report page of monitoring: one HTML file from what a store remembers, for people on call and reviewers."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ...links import Links
from ..frame import KEYS, Filter, number_names, page, tools
from ..markup import link, tag, text
from . import sections
from .card import BoardCard
from .chart import ChartWindow
from .lines import Line, State, lines_of
from .pipelines import pipelines
from .row import columns
from .values import Known, PipelineRecord, Record, SeriesRecord
from .words import CHECK_NAMES, amount, glyph, when

__all__ = ["Known", "PipelineRecord", "Record", "SeriesRecord", "board"]

_TILES = {
    State.VIOLATED: "a promise is broken",
    State.ERRORED: "could not be measured",
    State.MISSED: "did not run in time",
    State.PASSING: "every promise is kept",
    State.IDLE: "nothing to check",
}
_TROUBLED = (State.VIOLATED, State.ERRORED)
_OPEN = 3  # the worst contracts, whose cards are open at first
_FIRST = 20  # contracts listed at first; the others are one click or one search away
_SECTIONS = (("contracts", "Contracts"), ("drift", "Drift"), ("calendar", "Lifecycle"), ("readers", "Readers"))


def board(record: Record, links: Links | None = None) -> str:
    """The report page as HTML; the same record gives the same bytes, and `links` leads to files and to the run."""
    lines = lines_of(record)
    owners = number_names([line.owner for line in lines if line.owner])
    main = "".join((_counts(lines), tools(_choices(lines, owners), "contracts"), *_main(lines, record, owners, links)))
    footer = f"{KEYS}{tag('p', 'floe ', text(record.tool_version, 40), ' · times are UTC')}"
    return page(_title(lines), _header(lines, record, links), main, footer)


def _sections(record: Record) -> tuple[tuple[str, str], ...]:
    runs = (("pipelines", "Pipelines"),) if pipelines(record) else ()
    return (*_SECTIONS[:1], *runs, *_SECTIONS[1:], ("deliveries", "Deliveries"))


def _title(lines: Sequence[Line]) -> str:
    broken = sum(line.state is State.VIOLATED for line in lines)
    return f"{broken} violated – data contracts" if broken else "Data contracts"


def _header(lines: Sequence[Line], record: Record, links: Links | None) -> str:
    names = sorted({line.namespace for line in lines if line.namespace})
    where = f"{text(', '.join(names), 120)} · " if names else ""
    anchors = (tag("a", words, href=f"#{name}") for name, words in _sections(record))
    until = f"{sections.span_in_words(record)} until {when(record.as_of_us)} UTC"
    run = f" · {link('run of this page', links.run())}" if links and links.run() else ""
    title = tag("div", tag("h1", "Data contracts"), tag("p", where, until, run, class_="soft"))
    return tag("header", tag("div", title, tag("nav", *anchors, aria_label="Sections")), class_="top")


def _counts(lines: Sequence[Line]) -> str:
    counts = {state: sum(state in line.states for line in lines) for state in State}
    shown = [state for state in State if counts[state] or state is not State.IDLE]
    return tag("div", *(_count(state, counts[state]) for state in shown), class_="counts", role="group")


def _count(state: State, number: int) -> str:
    name = tag("span", glyph(state.value), state.value, class_="label")
    words = tag("span", _TILES[state], class_="soft small")
    kind = state.value if number else f"{state.value} zero"
    return (
        f'<button type="button" class="{kind}" data-state="{state.value}" aria-pressed="false" disabled>'
        f"{name}{tag('strong', str(number))}{words}</button>\n"
    )


def _choices(lines: Sequence[Line], owners: dict[str, str]) -> tuple[Filter, ...]:
    present = {check.check for line in lines for check in line.checks}
    checks = tuple((name, words) for name, words in CHECK_NAMES.items() if name in present)
    people = tuple((value, name) for name, value in owners.items())
    filters = (Filter("check", "Every check", checks), Filter("owner", "Every owner", people))
    return tuple(choice for choice in filters if choice.entries)


def _main(lines: Sequence[Line], record: Record, owners: dict[str, str], links: Links | None) -> Iterator[str]:
    window = ChartWindow(record.since_us, record.as_of_us)
    cards = [
        BoardCard(line, window, owners, links, unfolded=number < _OPEN and line.state in _TROUBLED).html()
        for number, line in enumerate(lines)
    ]
    listed = f"{columns()}{''.join(cards[:_FIRST])}{_rest(cards[_FIRST:], lines[_FIRST:])}"
    if not lines:
        listed = tag(
            "p", "The store holds no results yet; `floe monitor run` fills it.".replace("`", ""), class_="soft"
        )
    clear = '<button type="button" id="clear">Show all</button>'
    nothing = f'<p id="nothing" hidden>No contract fits. {clear}</p>\n'
    title = tag("h2", "Contracts", class_="unseen")
    yield tag(
        "section", title, listed, nothing, id="contracts", class_="board", aria_label=amount(len(lines), "contract")
    )
    if runs := pipelines(record):
        yield tag("div", _section("pipelines", "Pipelines", runs), class_="panels runs")
    left = (_section("drift", "Drift", sections.drift(lines)),)
    right = (
        _section("readers", "Readers", sections.readers(lines)),
        _section("calendar", "Lifecycle", sections.calendar(lines, record)),
        _section("deliveries", "Deliveries", sections.deliveries(record.backlog, record.as_of_us)),
    )
    yield tag("div", tag("div", *left), tag("div", *right), class_="panels")


def _rest(cards: Sequence[str], lines: Sequence[Line]) -> str:
    """The contracts after the first, closed: the list fits a phone, and a browser lays out only what is opened."""
    if not cards:
        return ""
    counts = {state: sum(line.state is state for line in lines) for state in State}
    stand = ", ".join(f"{count} {state.value}" for state, count in counts.items() if count)
    summary = tag("summary", f"Show {amount(len(cards), 'more contract')}: {stand}")
    return tag("details", summary, *cards, id="rest", class_="rest")


def _section(name: str, title: str, inside: str) -> str:
    return tag("section", tag("h2", title), inside, class_="panel", id=name)
