"""From what a store keeps to what the report page says: states, histories of violations, pictures, words."""

from __future__ import annotations

import re
from decimal import Decimal

import pytest
from support.monitored import FRESH, HOUR, NOW, Desk, orders, targets

from floe_contracts.app.monitor.history import read_record
from floe_contracts.checks.moments import DAY, MINUTE, SECOND
from floe_contracts.codes import Severity
from floe_contracts.monitor.store.protocol import SeriesTotals
from floe_contracts.monitor.store.slots import Series
from floe_contracts.monitor.store.totals import SeriesStatus
from floe_contracts.render.html.board import board
from floe_contracts.render.html.board.chart import ChartThreshold, ChartWindow, bar, strip, trend
from floe_contracts.render.html.board.lines import Line, Mark, State, lines_of
from floe_contracts.render.html.board.problems import Episode, problems_of
from floe_contracts.render.html.board.values import Record, SeriesRecord
from floe_contracts.render.html.board.words import ago, number, spell_length
from floe_contracts.results import Outcome

WINDOW = ChartWindow(NOW - DAY, NOW)


def lines(*kept: SeriesRecord) -> tuple[Line, ...]:
    return lines_of(Record(NOW, NOW - DAY, kept))


def kept(
    check: str, state: Outcome | None, last_us: int = NOW, interval_us: int = HOUR, name: str = "orders"
) -> SeriesRecord:
    totals = SeriesTotals(label=name, state=state, last_run_us=last_us, since_us=last_us, interval_us=interval_us)
    return SeriesRecord(SeriesStatus(Series("shop", name, 1, check), totals))  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("state", "age_us", "interval_us", "expected"),
    [
        pytest.param(Outcome.VIOLATED, 0, HOUR, State.VIOLATED, id="violated"),
        pytest.param(Outcome.ERRORED, 0, HOUR, State.ERRORED, id="errored"),
        pytest.param(Outcome.PASSED, 0, HOUR, State.PASSING, id="passed"),
        pytest.param(Outcome.SKIPPED, 0, HOUR, State.IDLE, id="nothing promised"),
        pytest.param(None, 0, HOUR, State.IDLE, id="no result yet"),
        pytest.param(Outcome.PASSED, 3 * HOUR + 15 * MINUTE, HOUR, State.PASSING, id="as late as a scheduler may be"),
        pytest.param(Outcome.PASSED, 3 * HOUR + 16 * MINUTE, HOUR, State.MISSED, id="passed, and not run since"),
        pytest.param(Outcome.VIOLATED, 9 * DAY, HOUR, State.VIOLATED, id="violated, and not run since"),
        pytest.param(Outcome.PASSED, 9 * DAY, 0, State.PASSING, id="checks after a run have no interval"),
    ],
)
def test_state_of_a_check(state: Outcome | None, age_us: int, interval_us: int, expected: State) -> None:
    (line,) = lines(kept("freshness", state, NOW - age_us, interval_us))
    assert line.state is expected


def test_a_contract_is_as_bad_as_its_worst_check() -> None:
    (line,) = lines(kept("quality", Outcome.PASSED), kept("freshness", Outcome.ERRORED))
    assert line.state is State.ERRORED
    assert [one.check for one in line.checks] == ["freshness", "quality"]


STATES = {
    "violated, and another check could not measure": (
        [kept("freshness", Outcome.VIOLATED), kept("quality", Outcome.ERRORED)],
        {State.VIOLATED, State.ERRORED},
    ),
    "violated, and not run since": (
        [kept("freshness", Outcome.VIOLATED, NOW - 9 * DAY)],
        {State.VIOLATED, State.MISSED},
    ),
    "errored, and not run since": ([kept("freshness", Outcome.ERRORED, NOW - 9 * DAY)], {State.ERRORED, State.MISSED}),
    "all is well": ([kept("freshness", Outcome.PASSED), kept("quality", Outcome.SKIPPED)], {State.PASSING}),
    "nothing is promised": ([kept("freshness", Outcome.SKIPPED)], {State.IDLE}),
}


@pytest.mark.parametrize(("records", "states"), STATES.values(), ids=STATES)
def test_every_check_that_a_run_tells_counts_on_the_page(records: list[SeriesRecord], states: set[State]) -> None:
    (line,) = lines(*records)
    assert line.states == states
    shown = re.findall(r'data-state="(\w+)".*?<strong>(\d+)</strong>', board(Record(NOW, NOW - DAY, tuple(records))))
    assert {name for name, count in shown if count == "1"} == {state.value for state in states}


def test_contracts_stand_in_the_order_in_which_people_should_look() -> None:
    states = {"d": Outcome.PASSED, "a": Outcome.PASSED, "c": Outcome.ERRORED, "b": Outcome.VIOLATED, "e": None}
    found = lines(*(kept("quality", state, name=name) for name, state in states.items()))
    assert [line.name for line in found] == ["b", "c", "a", "d", "e"]


def test_the_anchor_of_a_contract_is_the_same_every_day() -> None:
    (one,), (other,) = lines(kept("quality", Outcome.PASSED)), lines(kept("quality", Outcome.VIOLATED, NOW - DAY))
    assert one.anchor == other.anchor


def told(*hours_old: float) -> Desk:
    """An hour between two checks; each finds data of that age, None stands for a table that cannot be read."""
    desk = Desk()
    (target,) = targets(orders(FRESH))
    for age in hours_old:
        desk.put("orders", int(age * HOUR), down="locked" if age < 0 else "")
        desk.run("freshness", (target,))
        desk.later(HOUR)
    return desk


@pytest.mark.parametrize(
    ("ages", "episodes", "is_open"),
    [
        pytest.param((8,), [(0, 0, 1, True)], True, id="seen once, now"),
        pytest.param((1, 8, 9), [(1, 2, 2, False)], True, id="two slots in a row"),
        pytest.param((1, 8, 1), [(1, 1, 1, False)], False, id="over"),
        pytest.param((8, 1, 8), [(2, 2, 1, False), (0, 0, 1, True)], True, id="again"),
        pytest.param((1, 8, -1, 9), [(1, 3, 2, False)], True, id="a slot that could not be measured ends nothing"),
    ],
)
def test_history_of_a_violation(
    ages: tuple[float, ...], episodes: list[tuple[int, int, int, bool]], is_open: bool
) -> None:
    store = told(*ages).store
    (series,) = store.totals("shop")
    (problem,) = problems_of(store.history(series, 0))
    start = NOW // HOUR * HOUR
    assert [
        ((one.first_us - start) // HOUR, (one.last_us - start) // HOUR, one.slots, one.earlier)
        for one in problem.episodes
    ] == episodes
    assert problem.open is is_open


def test_what_could_not_be_measured_is_told_of_the_newest_slot_only() -> None:
    store = told(1, -1).store
    (series,) = store.totals("shop")
    (problem,) = problems_of(store.history(series, 0))
    assert problem.item.code.id == "FLOE-E560"
    assert problem.episodes == (Episode(NOW + HOUR, NOW + HOUR, 1),)
    assert problems_of(told(-1, 1).store.history(series, 0)) == ()


def test_a_warning_is_mild_and_an_error_is_not() -> None:
    for ages, mild in (((8,), True), ((8, 8, 8), False)):
        (line,) = lines_of(read_record(told(*ages).store, now_us=NOW + 3 * HOUR, since_us=NOW - DAY))
        assert line.mild is mild
        assert line.severity is (Severity.WARNING if mild else Severity.CRITICAL)


@pytest.mark.parametrize("left_s", [0, 1, 30], ids=lambda left_s: f"{left_s} seconds before its slot")
def test_a_check_that_came_early_stands_on_the_page_at_once(left_s: int) -> None:
    """A tick just before a boundary fills the slot after it, which has not begun."""
    desk = Desk(now_us=NOW // HOUR * HOUR - left_s * SECOND)
    desk.put("orders", 8 * HOUR)
    (target,) = targets(orders(FRESH))
    desk.run("freshness", (target,))
    record = read_record(desk.store, now_us=desk.now_us, since_us=desk.now_us - DAY)
    assert [outcome.key.start_us for outcome in record.kept[0].outcomes] == [NOW // HOUR * HOUR]
    assert "Data is 8 hours old" in board(record)


def paths(svg: str) -> dict[str, str]:
    return {kind: drawn for drawn, kind in re.findall(r'<path d="([^"]*)" class="([^"]*)">', svg)}


def points(*pairs: tuple[int, str]) -> tuple[tuple[int, Decimal], ...]:
    return tuple((NOW - hours * HOUR, Decimal(value)) for hours, value in pairs)


def test_a_line_has_its_threshold_and_what_lies_beyond_it() -> None:
    found = paths(trend(points((0, "8"), (1, "6")), WINDOW, ChartThreshold(Decimal(6)), "age"))
    assert found["limit"] == "M0 35h600", "6 of 9.2 hours from the top"
    assert found["beyond"] == "M0 0h600v35H0z"
    assert found["now"] == "M596 13h.01"


def test_a_score_is_bad_below_its_threshold() -> None:
    found = paths(trend(points((0, "100")), WINDOW, ChartThreshold(Decimal(95), falling=True), "score"))
    assert found["beyond"] == "M0 80h600v20H0z"
    assert found["value"] == "M596 0h.01"


def test_a_line_is_broken_where_nothing_was_measured() -> None:
    found = paths(trend(points((0, "1"), (1, "1"), (12, "1")), WINDOW, ChartThreshold(None), "age"))
    assert len(re.findall("M", found["value"])) == 2


def test_a_strip_shows_the_worst_of_each_stretch_and_nothing_where_nothing_ran() -> None:
    marks = [(NOW - HOUR, Mark.PASSING), (NOW - HOUR + MINUTE, Mark.VIOLATED), (NOW - 12 * HOUR, Mark.WARNED)]
    found = paths(strip(marks, MINUTE, WINDOW, "course"))
    assert set(found) == {"violated", "warned", "none"}
    assert found["violated"] == "M430 0h8v100h-8z"


def test_a_slot_lasts_until_the_next_one() -> None:
    assert set(paths(strip([(NOW - DAY, Mark.PASSING)], DAY, WINDOW, "course"))) == {"passing"}


@pytest.mark.parametrize(
    ("left", "whole", "width", "kind"),
    [
        ("10", "10", "600", "passing"),
        ("2", "10", "120", "low"),
        ("0", "10", "0", "violated"),
        ("-3", "10", "0", "violated"),
        ("0", "0", "600", "passing"),
    ],
    ids=["untouched", "nearly spent", "spent", "overspent", "nothing allowed and nothing lost"],
)
def test_a_bar_shows_what_is_left(left: str, whole: str, width: str, kind: str) -> None:
    assert paths(bar(Decimal(left), Decimal(whole), "budget"))[kind] == f"M0 0h{width}v10H0z"


@pytest.mark.parametrize(
    ("us", "words"),
    [
        (0, "less than a second"),
        (59 * SECOND, "59 seconds"),
        (61 * SECOND, "1 minute"),
        (90 * MINUTE, "1 hour 30 minutes"),
        (5 * HOUR + MINUTE, "5 hours"),
        (28 * HOUR, "1 day 4 hours"),
        (9 * DAY + HOUR, "9 days"),
    ],
)
def test_lengths_are_words(us: int, words: str) -> None:
    assert spell_length(us) == words


def test_what_was_less_than_a_minute_ago_is_just_now() -> None:
    assert (ago(NOW - 5 * SECOND, NOW), ago(NOW - 2 * MINUTE, NOW)) == ("just now", "2 minutes ago")


@pytest.mark.parametrize(
    ("value", "most", "words"),
    [("99.9999", 2, "99.99"), ("100.00", 2, "100"), ("0.5", 0, "0"), ("1200", 0, "1200"), ("-3", 0, "-3")],
)
def test_numbers_are_rounded_down(value: str, most: int, words: str) -> None:
    assert number(Decimal(value), most) == words
