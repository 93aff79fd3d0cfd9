"""What people are told, slot after slot: once when it begins, when it grows worse, each day, and when it is over."""

from __future__ import annotations

import json
from dataclasses import dataclass, field, replace
from typing import Any

import pytest
from support.monitored import FRESH, HOUR, NOW, Desk, orders, targets

from floe_contracts.checks.moments import DAY, MINUTE
from floe_contracts.checks.verdict import Check
from floe_contracts.codes import Severity
from floe_contracts.contract.model import Contract, Deprecation
from floe_contracts.emit.lineage_facets import recovery
from floe_contracts.emit.notices import Item, Manner, kind_of, message_of, news_of, plain
from floe_contracts.monitor.run.delivery import NewResult
from floe_contracts.monitor.run.run import Request, run_check
from floe_contracts.product.data_contracts import Monitoring

FINE, LATE, LATER, FAR = HOUR, 7 * HOUR, 10 * HOUR, 40 * HOUR  # kept, warning, error, critical
GONE = -1


@dataclass
class Listener:
    """A desk that remembers what would be told of each run."""

    manner: Manner = field(default_factory=Manner)
    desk: Desk = field(default_factory=Desk)
    heard: list[tuple[NewResult, tuple[Item, ...]]] = field(default_factory=list)

    def run(
        self,
        age_us: int,
        contract: Contract | None = None,
        check: Check = "freshness",
        recheck: bool = False,
        **more: Any,
    ) -> str:
        """The kind of news after one slot; an empty text for silence."""
        if age_us == GONE:
            self.desk.put("orders", 0, down="no route to it")
        else:
            self.desk.put("orders", age_us)
        tools = replace(self.desk.tools(), messages=self._hear)
        found = targets(contract or orders(FRESH), **more)
        run_check(Request(check, "shop", recheck=recheck), found, Monitoring(), tools)
        assert not self.desk.crashes, self.desk.crashes
        items = self.heard[-1][1]
        return kind_of(items) if items else ""

    def attempts(self, *ages_us: int) -> list[str]:
        """All at one slot."""
        return [self.run(age, recheck=True) for age in ages_us]

    def slots(self, *ages_us: int, every: int = 15 * MINUTE) -> list[str]:
        told = []
        for age in ages_us:
            told.append(self.run(age))
            self.desk.later(every)
        return told

    def _hear(self, told: NewResult) -> tuple[()]:
        self.heard.append((told, news_of(told, self.manner)))
        return ()

    def text(self) -> dict[str, Any]:
        told, items = self.heard[-1]
        found: dict[str, Any] = json.loads(message_of(told, items)[1])
        return found


@pytest.mark.parametrize(
    ("ages", "wanted"),
    [
        pytest.param((FINE, FINE), ["", ""], id="all is well"),
        pytest.param((LATE, FINE), ["NEW", "OVER"], id="violated and over"),
        pytest.param((LATE, LATE), ["NEW", ""], id="told once"),
        pytest.param((LATE, LATER), ["NEW", "WORSE"], id="worse"),
        pytest.param((LATE, LATE, LATE, LATE), ["NEW", "", "WORSE", ""], id="the third in a row is critical"),
        pytest.param((LATER, LATE), ["NEW", ""], id="better is no news"),
        pytest.param((LATE, FINE, LATE), ["NEW", "OVER", "NEW"], id="again"),
        pytest.param((GONE, FINE), ["", ""], id="failed once"),
        pytest.param((GONE, GONE, GONE, FINE), ["", "ERRORED", "", "CHECKED"], id="failed several times"),
        pytest.param((LATE, GONE, LATE), ["NEW", "", ""], id="a failure in between ends nothing"),
        pytest.param((LATE, GONE, GONE, FINE), ["NEW", "", "ERRORED", "OVER"], id="over after failures"),
    ],
)
def test_news_is_told_once(ages: tuple[int, ...], wanted: list[str]) -> None:
    assert Listener().slots(*ages) == wanted


@pytest.mark.parametrize(
    ("manner", "ages", "wanted"),
    [
        pytest.param(Manner(after=3), (LATE, LATE, LATE, LATE), ["", "", "NEW", ""], id="the third in a row"),
        pytest.param(Manner(after=3), (LATE, LATE, FINE), ["", "", ""], id="not in a row, nothing to be over"),
        pytest.param(Manner(after=2), (LATE, LATE, FINE), ["", "NEW", "OVER"], id="over after it was told"),
        pytest.param(Manner(least=Severity.ERROR), (LATE, LATER, FINE), ["", "NEW", "OVER"], id="only from error on"),
        pytest.param(Manner(least=Severity.CRITICAL), (LATE, FAR, LATE), ["", "NEW", ""], id="only what is critical"),
    ],
)
def test_people_decide_when_they_are_told(manner: Manner, ages: tuple[int, ...], wanted: list[str]) -> None:
    assert Listener(manner).slots(*ages) == wanted


def test_what_stands_is_told_again_each_day() -> None:
    told = Listener().slots(*(FAR,) * 200)  # two days and two hours, from 10:15
    days = [index for index, one in enumerate(told) if one == "STILL"]
    assert told[0] == "NEW"
    assert [(NOW + index * 15 * MINUTE) % DAY for index in days] == [0, 0]
    assert set(told) == {"NEW", "", "STILL"}


def test_what_began_shortly_before_midnight_is_not_told_again_at_midnight() -> None:
    listener = Listener()
    listener.desk.now_us = NOW // DAY * DAY + DAY - 15 * MINUTE
    assert listener.slots(FAR, FAR, FAR) == ["NEW", "", ""]


def test_how_often_again_is_peoples_choice() -> None:
    told = Listener(Manner(again_us=7 * DAY)).slots(*(FAR,) * 120)
    assert "STILL" not in told


def test_each_violation_is_news_of_its_own() -> None:
    listener = Listener()
    assert listener.run(LATE) == "NEW"
    listener.desk.later(15 * MINUTE)
    found = listener.desk.put("orders", LATE)
    found.rows = [*found.rows, {"order_id": "x", "placed_at": NOW + DAY}]
    tools = replace(listener.desk.tools(), messages=listener._hear)
    run_check(Request("freshness", "shop"), targets(orders(FRESH)), Monitoring(), tools)
    _, items = listener.heard[-1]
    assert [(one.news.value, one.finding.code.id) for one in items] == [("new", "FLOE-E557")]


def test_info_is_no_news() -> None:
    listener = Listener()
    listener.desk.put("orders", FINE)
    assert listener.run(FINE, orders(), "schema_drift") == ""


def test_a_message_says_who_what_where_and_whom_to_ask() -> None:
    listener = Listener()
    listener.run(LATER, orders(FRESH, owner="checkout"))
    said = listener.text()
    assert said["text"] == "orders 1.0.0: freshness violated (error)"
    section, context = said["blocks"]
    assert (
        section["text"]["text"].splitlines()[1].startswith("• Data is 10 hours old, SLA is 6 hours [error, <https://")
    )
    assert context["elements"][0]["text"] == "shop · slot 2026-01-03T10:15:00Z · owner checkout"


def test_a_message_about_the_end_says_where_to_go() -> None:
    listener = Listener()
    notice = Deprecation("2025-12-01", "2026-01-20", "orders-2", migration_guide="https://wiki/orders-2")
    assert listener.run(FINE, orders(FRESH, deprecation=notice), "lifecycle") == "NEW"
    line = listener.text()["blocks"][0]["text"]["text"].splitlines()[1]
    assert line.endswith("Read orders-2 instead. How to move on: https://wiki/orders-2")


@pytest.mark.parametrize(
    ("ages", "headline"),
    [
        pytest.param((LATE, FINE), "orders 1.0.0: freshness is kept again", id="over"),
        pytest.param((GONE, GONE), "orders 1.0.0: freshness could not be checked", id="errored"),
        pytest.param((GONE, GONE, FINE), "orders 1.0.0: freshness can be checked again", id="checked"),
    ],
)
def test_a_headline_says_how_it_stands(ages: tuple[int, ...], headline: str) -> None:
    listener = Listener()
    listener.slots(*ages)
    assert listener.text()["text"] == headline


def test_the_same_news_has_the_same_bytes() -> None:
    first, second = Listener(), Listener()
    first.run(LATE)
    second.run(LATE)
    assert message_of(*first.heard[0]) == message_of(*second.heard[0])


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        pytest.param(
            "<!channel> & <https://x|y>", "&lt;!channel&gt; &amp; &lt;https://x|y&gt;", id="mentions and links"
        ),
        pytest.param("a\nb\x1b[31mc\u2028d", "a b [31mc d", id="lines and control characters"),
        pytest.param("x" * 999, "x" * 249 + "…", id="length"),
    ],
)
def test_words_of_strangers_stay_words(text: str, shown: str) -> None:
    assert plain(text) == shown


def test_what_looks_like_an_address_or_a_person_does_not_become_one() -> None:
    listener = Listener()
    listener.run(LATE)
    section, context = listener.text()["blocks"]
    assert [part["verbatim"] for part in (section["text"], *context["elements"])] == [True, True]


def test_a_long_list_is_cut() -> None:
    listener = Listener()
    listener.run(LATE)
    told, (item,) = listener.heard[0]
    many = tuple(replace(item, finding=replace(item.finding, element=f"c{number}")) for number in range(40))
    section = json.loads(message_of(told, many)[1])["blocks"][0]["text"]["text"]
    assert section.endswith("… and 30 more")
    assert len(section) < 3000


@pytest.mark.parametrize(
    ("after", "earlier", "attempts", "told"),
    [
        pytest.param(1, (), (LATE, LATE, LATE), ["NEW", "", ""], id="what stands is told once"),
        pytest.param(1, (), (LATE, LATER), ["NEW", "WORSE"], id="what grew worse"),
        pytest.param(1, (), (LATE, FINE, FINE), ["NEW", "OVER", ""], id="what is over"),
        pytest.param(1, (LATE,), (FINE, LATE), ["OVER", "NEW"], id="what was over and is not"),
        pytest.param(2, (), (LATE, LATE), ["", ""], id="two attempts are one slot"),
        pytest.param(2, (LATE,), (FINE, LATE), ["", "NEW"], id="a recheck makes it the second slot"),
        pytest.param(
            1, (GONE,), (GONE, GONE, FINE, FINE), ["ERRORED", "", "CHECKED", ""], id="what could not be checked"
        ),
    ],
)
def test_attempts_at_one_slot(after: int, earlier: tuple[int, ...], attempts: tuple[int, ...], told: list[str]) -> None:
    listener = Listener(Manner(after=after))
    listener.slots(*earlier)
    assert listener.attempts(*attempts) == told


def test_a_recheck_that_keeps_the_promise_again_says_since_when_it_was_broken() -> None:
    listener = Listener()
    listener.attempts(LATE, FINE)
    told, _ = listener.heard[-1]
    assert recovery(told.outcome, told.before) == {
        "recovery": {"violatedSince": "2026-01-03T10:15:00Z", "violatedSlots": 1}
    }
