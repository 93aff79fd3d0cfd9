"""Sections of the report page about several contracts: drift, announced ends, readers, sinks that lag."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from datetime import date, timedelta

from ....checks.moments import utc_day
from ....contract.lifecycle import Lifecycle, Stage
from ....contract.model import Deprecation
from ....monitor.store.outbox import Backlog
from ...links import person_url
from ..markup import code, link, sentence, tag, text
from .card import table
from .lines import Line
from .problems import Episode, ProblemHistory
from .values import Record
from .words import ago, amount, day, glyph, pill, spell_length, when

_MOST_DRIFT = 40
_FIRST = 3  # entries of a section that are shown at once
_AROUND = timedelta(days=21)  # shown of the calendar before today and after the last date


def drift(lines: Sequence[Line]) -> str:
    """Every difference of a schema, newest first, with how long it stood."""
    episodes = [
        (episode.first_us, line, problem, episode)
        for line in lines
        for check in line.checks
        if check.check == "schema_drift"
        for problem in check.problems
        if problem.item.violation_type
        for episode in problem.episodes
    ]
    episodes.sort(key=lambda each: (-each[0], each[1].name, each[2].mark))
    if not episodes:
        return tag("p", "No schema differed from its contract.", class_="soft")
    entries = [_drift_entry(line, problem, episode) for _, line, problem, episode in episodes[:_MOST_DRIFT]]
    more = len(episodes) - _MOST_DRIFT
    rest = tag("p", f"and {more} older", class_="soft small") if more > 0 else ""
    return _fold(entries, lambda part: tag("ol", *part, class_="timeline"), rest)


def _drift_entry(line: Line, problem: ProblemHistory, episode: Episode) -> str:
    item = problem.item
    still = problem.open and episode is problem.episodes[0]
    lasted = "still so" if still else f"until {when(episode.last_us)}"
    start = "before " if episode.earlier else ""
    head = tag("p", start, when(episode.first_us), " · ", _name(line), class_="soft small number")
    message = tag("p", pill(item.severity.value, item.severity.value), " ", sentence(item.message))
    foot = tag(
        "p",
        *([lasted, " · "] if still or episode.slots > 1 else []),
        amount(episode.slots, "slot"),
        class_="soft small number",
    )
    return tag("li", head, message, foot, class_=item.severity.value)


def _name(line: Line) -> str:
    return tag("a", text(line.name, 80), href=f"#{line.anchor}")


def calendar(lines: Sequence[Line], record: Record) -> str:
    """Contracts that are on their way out, each with its dates on one common line of time."""
    ending = [
        (line, line.life) for line in lines if line.life and (line.life.stage is not Stage.ACTIVE or _dates(line))
    ]
    if not ending:
        return tag("p", "No contract is deprecated.", class_="soft")
    today = utc_day(record.as_of_us)
    days = [today, *(each for line, _ in ending for each in _dates(line))]
    first, last = min(days) - timedelta(days=3), max(*days, today + _AROUND)
    ordered = sorted(ending, key=lambda pair: (pair[1].sunset or date.max, pair[0].name))
    entries = [_calendar_entry(line, life, (first, last, today)) for line, life in ordered]
    return _fold(entries, lambda part: tag("ol", *part, class_="calendar"))


def _dates(line: Line) -> tuple[date, ...]:
    life = line.life
    return tuple(each for each in (life.announced, life.sunset, life.retires) if each) if life else ()


def _calendar_entry(line: Line, life: Lifecycle, span: tuple[date, date, date]) -> str:
    first, last, today = span
    notice = line.known.contract.deprecation if line.known else None
    head = tag("p", _name(line), " ", pill(life.stage.value, _STAGES[life.stage]), _left(life, today))
    dates = [
        tag("div", tag("dt", word), tag("dd", day(when_)))
        for word, when_ in (("announced", life.announced), ("sunset", life.sunset), ("retired", life.retires))
        if when_
    ]
    course = _course(life, first, last, today)
    return tag("li", head, course, tag("dl", *dates, class_="dates number"), *_advice(notice))


def _advice(notice: Deprecation | None) -> Iterator[str]:
    if notice and notice.replacement:
        yield tag("p", "read ", code(notice.replacement), " instead", class_="soft small")
    if notice and notice.migration_guide:
        yield tag("p", "how to move on: ", text(notice.migration_guide, 300), class_="soft small")


_STAGES = {Stage.ACTIVE: "info", Stage.DEPRECATED: "warning", Stage.SUNSET: "error", Stage.RETIRED: "idle"}


def _left(life: Lifecycle, today: date) -> str:
    upcoming = [(life.announced, "is announced"), (life.sunset, "ends"), (life.retires, "is retired")]
    for when_, words in upcoming:
        if when_ and when_ > today:
            return tag("span", f" {words} in {amount((when_ - today).days, 'day')}", class_="soft")
    return ""


def _course(life: Lifecycle, first: date, last: date, today: date) -> str:
    whole = max(1, (last - first).days)

    def x(when_: date) -> int:
        return min(600, max(0, (when_ - first).days * 600 // whole))

    parts = [tag("path", d="M0 5h600", class_="ground")]
    begins = x(life.announced) if life.announced else 0
    ends = x(life.sunset) if life.sunset else 600
    gone = x(life.retires) if life.retires else ends
    parts.append(tag("path", d=f"M{begins} 5H{ends}", class_="notice"))
    parts.append(tag("path", d=f"M{ends} 5H{gone}", class_="ending"))
    parts.append(tag("path", d=f"M{x(today)} -4v18", class_="today"))
    label = f"From {first} to {last}, today is {today}"
    return tag(
        "svg",
        *parts,
        viewBox="0 -4 600 18",
        preserveAspectRatio="none",
        class_="course",
        role="img",
        aria_label=label,
        focusable="false",
    )


def readers(lines: Sequence[Line]) -> str:
    """Who reads what, and how that stands: the people to tell."""
    by_reader: dict[tuple[str, str], list[Line]] = {}
    for line in lines:
        for reader in line.readers:
            by_reader.setdefault((reader.name, reader.owner), []).append(line)
    if not by_reader:
        known = any(line.known for line in lines)
        words = "No contract names a reader." if known else "Name the contracts with --contracts to see their readers."
        return tag("p", words, class_="soft")
    rows = [
        tag(
            "tr",
            tag("td", text(name, 120)),
            tag("td", link(text(owner, 120), person_url(owner)) or "–"),
            tag("td", _read_contracts(own)),
        )
        for (name, owner), own in sorted(by_reader.items())
    ]
    return _fold(rows, lambda part: table(("reader", "owner", "reads"), "".join(part), "Readers"))


def _read_contracts(lines: Sequence[Line]) -> str:
    entries = [tag("li", glyph(line.state.value), _name(line)) for line in lines]
    return _fold(entries, lambda part: tag("ul", *part, class_="reads"))


def _fold(entries: list[str], whole: Callable[[list[str]], str], rest: str = "") -> str:
    """The first few entries, and the others behind one line: a phone shows every section at first sight."""
    first, more = entries[:_FIRST], entries[_FIRST:]
    if not more:
        return whole(first) + rest
    summary = tag("summary", f"Show {len(more)} more")
    return whole(first) + tag("details", summary, whole(more), rest, class_="more")


def deliveries(backlog: Sequence[Backlog], now_us: int) -> str:
    """How much waits for each sink."""
    if not backlog:
        return tag("p", "Everything was delivered.", class_="soft")
    return table(("sink", "waiting", "refused", "oldest", "reason"), "".join(_rows(backlog, now_us)), "Deliveries")


def _rows(backlog: Sequence[Backlog], now_us: int) -> Iterator[str]:
    for entry in backlog:
        age = ago(entry.oldest_us, now_us) if entry.oldest_us is not None else "–"
        yield tag(
            "tr",
            tag("td", text(entry.sink, 80)),
            tag("td", str(entry.pending), class_="number right"),
            tag("td", str(entry.dead), class_="number right"),
            tag("td", age, class_="number"),
            tag("td", text(entry.reason) or "–"),
        )


def span_in_words(record: Record) -> str:
    return f"the last {spell_length(record.as_of_us - record.since_us)}"
