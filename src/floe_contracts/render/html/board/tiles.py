"""Each check as a small tile: its state, the number that matters beside what was promised, and its course."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from decimal import Decimal

from ....checks import gauges
from ....checks.moments import HOUR
from ....contract.lifecycle import Stage
from ....results.facts import DriftFacts, FreshnessFacts, status_of
from ..markup import tag, text
from .chart import ChartThreshold, ChartWindow, bar, strip, trend
from .lines import CheckLine, Line, Mark, State
from .words import CHECK_NAMES, ago, amount, day, glyph, number, spell_length

_HOUR_S = Decimal(3600)


@dataclass(frozen=True, slots=True)
class Shown:
    """What a tile says: the number, what was promised, the picture, and a line below."""

    value: str
    promised: str = ""
    picture: str = ""
    below: str = ""


def tile(line: Line, check: CheckLine, window: ChartWindow) -> str:
    """The tile of one check."""
    shown = _TILES[check.check](line, check, window)
    name = tag("h4", glyph(check.state.value), CHECK_NAMES[check.check])
    head = tag("div", name, tag("span", _state(check), class_="soft"), class_="tile-head")
    value = tag("p", tag("strong", shown.value), tag("span", shown.promised, class_="soft"), class_="tile-value")
    below = tag("p", shown.below, class_="tile-below") if shown.below else ""
    foot = tag("p", *_rhythm(check, window.until_us), class_="tile-foot")
    inside = f"{head}{value}{shown.picture}{below}{foot}"
    return tag(
        "section",
        inside,
        class_=f"tile {check.state.value}{' mild' if check.mild else ''}",
        aria_label=CHECK_NAMES[check.check],
    )


def _state(check: CheckLine) -> str:
    words = {State.IDLE: "no promise", State.MISSED: "not run"}
    return words.get(check.state, check.state.value)


def _rhythm(check: CheckLine, now_us: int) -> Iterator[str]:
    parts = []
    if check.last_us is not None:
        parts.append(f"last checked {ago(check.last_us, now_us)}")
    if check.interval_us:
        parts.append(f"every {spell_length(check.interval_us)}")
    if check.missed:
        parts.append(tag("span", amount(check.missed, "slot"), " missed", class_="warn"))
    if check.slice:
        parts.append(f"only rows where {text(check.slice, 200)}")
    yield " · ".join(parts)


def _availability(_: Line, check: CheckLine, window: ChartWindow) -> Shown:
    ratio, promised = check.number(gauges.RATIO), check.number(gauges.THRESHOLD)
    probe = check.number(gauges.UP)
    up = "–" if probe is None else "up" if probe else "down"
    value = f"{number(ratio, 3)} % of probes" if ratio is not None else up
    label = f"Availability over time: {_marks_in_words(check)}"
    return Shown(
        value,
        f"at least {number(promised, 3)} % promised" if promised is not None else "",
        strip(check.marks, check.interval_us, window, label),
        _budget(check),
    )


def _budget(check: CheckLine) -> str:
    whole, left, burn = (check.number(key) for key in (gauges.BUDGET, gauges.BUDGET_LEFT, gauges.BURN_RATE))
    if whole is None or left is None:
        return ""
    state = ", ".join(status_of(check.facts))
    words = (
        f"{number(left, 0)} of {number(whole, 0)} failures left in the budget"
        if left >= 0
        else f"budget overspent by {number(-left, 0)}"
    )
    if state in _UNJUDGED:
        return _UNJUDGED[state]
    rate = f" · spent {number(burn)} times as fast as allowed" if burn else ""
    return f"{bar(left, whole, f'Error budget: {words}')}{words}{rate}"


_UNJUDGED = {
    "sparse": "too few probes to judge the budget",
    "insufficient_history": "too few probes yet to judge the budget",
}


def _freshness(_: Line, check: CheckLine, window: ChartWindow) -> Shown:
    age, promised = check.number(gauges.FRESHNESS_SECONDS), check.number(gauges.THRESHOLD)
    points = tuple((slot_us, value / _HOUR_S) for slot_us, value in check.points.get(gauges.FRESHNESS_SECONDS, ()))
    deadline = check.facts.deadline if isinstance(check.facts, FreshnessFacts) else ""
    value = f"{_hours(age / _HOUR_S)} old" if age is not None else deadline or "–"
    limit = f"{_hours(promised)} allowed" if promised is not None else ""
    label = f"Age of the data over time, now {value}, {limit}"
    below = ""
    if deadline and age is not None:
        below = f"deadline {text(deadline)}"
    picture = trend(points, window, ChartThreshold(promised), label) if points else _course(check, window)
    return Shown(value, limit, picture, below)


def _hours(hours: Decimal) -> str:
    return spell_length(int(hours * HOUR))


def _quality(_: Line, check: CheckLine, window: ChartWindow) -> Shown:
    score, promised = check.number(gauges.SCORE), check.number(gauges.THRESHOLD)
    rules, failed = check.number(gauges.RULES), check.number(gauges.RULES_FAILED)
    value = f"score {number(score, 2)}" if score is not None else "–"
    limit = (
        f"at least {number(promised)} promised"
        if promised is not None
        else "of 100 points"
        if score is not None
        else ""
    )
    below = []
    if rules is not None and failed is not None:
        below.append(f"{number(rules - failed, 0)} of {number(rules, 0)} rules met")
    coverage = check.number(gauges.COVERAGE)
    if coverage is not None:
        below.append(f"{number(coverage, 0)} % of columns have rules")
    points = check.points.get(gauges.SCORE, ())
    label = f"Quality over time, now {value}, {limit}"
    picture = trend(points, window, ChartThreshold(promised, falling=True), label) if points else _course(check, window)
    return Shown(value, limit, picture, " · ".join(below))


def _schema(_: Line, check: CheckLine, window: ChartWindow) -> Shown:
    problems = [problem for problem in check.problems if problem.open and problem.item.violation_type]
    broken = sum(problem.item.severity.value != "info" for problem in problems)
    if check.number(gauges.DRIFT) == 0 or not problems:
        value = "as promised" if check.facts else "–"
    else:
        value = amount(broken or len(problems), "difference") if broken else amount(len(problems), "new column")
    skipped = check.facts.not_compared if isinstance(check.facts, DriftFacts) else ""
    below = f"not compared: {text(skipped, 80)}" if skipped else ""
    return Shown(value, "", _course(check, window), below)


def _lifecycle(line: Line, check: CheckLine, window: ChartWindow) -> Shown:
    life = line.life
    stage = life.stage if life else None
    value = stage.value if stage else "–"
    below = ""
    if life and life.sunset and stage is Stage.DEPRECATED:
        below = f"ends on {day(life.sunset)}"
    elif life and life.retires and stage in (Stage.SUNSET, Stage.RETIRED):
        below = f"retired from {day(life.retires)}"
    return Shown(value, "", _course(check, window), below)


def _course(check: CheckLine, window: ChartWindow) -> str:
    return strip(
        check.marks, check.interval_us, window, f"{CHECK_NAMES[check.check]} over time: {_marks_in_words(check)}"
    )


def _marks_in_words(check: CheckLine) -> str:
    counts = [
        f"{count} {kind.value}" for kind in reversed(Mark) if (count := sum(mark is kind for _, mark in check.marks))
    ]
    return ", ".join(counts) + " slots" if counts else "no slots yet"


_TILES: dict[str, Callable[[Line, CheckLine, ChartWindow], Shown]] = {
    "availability": _availability,
    "freshness": _freshness,
    "schema_drift": _schema,
    "quality": _quality,
    "lifecycle": _lifecycle,
}
