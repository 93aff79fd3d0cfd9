"""The sink of lineage against real receivers on loopback: bytes, answers, limits of time, order, and the next run."""

from __future__ import annotations

import gzip
import json
import time
from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from support.answering import Receiver, black_hole, receiver
from support.lineage_spec import conforms
from support.lineage_told import HOUR, PEOPLE, Desk, people, told_customers
from support.monitored import orders, targets

from floe_contracts.adapters.sinks.openlineage import LineageSink, from_environment
from floe_contracts.app.monitor.drain import Drained, DrainLimits, Sinks, drain
from floe_contracts.monitor.run.delivery import Delivered, Delivery, MessageRefused, NewResult, Retry, messages_for
from floe_contracts.monitor.run.run import Request, run_check
from floe_contracts.monitor.settings.model import MonitoringConfig
from floe_contracts.monitor.store.outbox import Message, Pending
from floe_contracts.product.data_contracts import Monitoring


@pytest.fixture(autouse=True)
def no_proxies(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("http_proxy", "https_proxy", "all_proxy", "no_proxy"):
        monkeypatch.delenv(name, raising=False)
        monkeypatch.delenv(name.upper(), raising=False)


@pytest.fixture
def marquez() -> Iterator[Receiver]:
    """Whatever it was sent is held against the schemas when the test is over."""
    with receiver() as running:
        yield running
    for one in running.asked:
        conforms(gzip.decompress(one.body) if one.headers.get("content-encoding") == "gzip" else one.body)


def sink(said: dict[str, Any] | str) -> LineageSink:
    transport = {"type": "http", "url": said} if isinstance(said, str) else said
    found = from_environment(MonitoringConfig(), {"OPENLINEAGE__TRANSPORT": json.dumps(transport)})
    assert found is not None
    (one,) = found
    return one


def sent(one: LineageSink, limit_s: float = 5.0) -> tuple[Delivery, bytes]:
    """What came of the event of a broken promise, and the bytes that were stored."""
    *_, end = one.messages(told_customers("quality", HOUR, HOUR))
    return one.deliver(Pending(1, end, "s", "slot", 1, 1), limit_s), end.body


def test_the_stored_bytes_arrive(marquez: Receiver) -> None:
    answer, stored = sent(sink(marquez.url))
    (asked,) = marquez.asked
    assert answer == Delivered()
    assert (asked.method, asked.path, asked.body) == ("POST", "/api/v1/lineage", stored)
    assert asked.headers["content-type"] == "application/json"


def test_settings_of_the_client_hold(marquez: Receiver) -> None:
    said = {
        "type": "http",
        "url": f"{marquez.url}/prefix/",
        "endpoint": "events",
        "auth": {"type": "api_key", "apiKey": "k1"},
        "compression": "gzip",
        "custom_headers": {"X-Team": "sales"},
    }
    answer, stored = sent(sink(said))
    (asked,) = marquez.asked
    assert answer == Delivered()
    assert asked.path == "/prefix/events"
    assert (asked.headers["authorization"], asked.headers["x-team"]) == ("Bearer k1", "sales")
    assert gzip.decompress(asked.body) == stored


@pytest.mark.parametrize(
    ("status", "kind"),
    [
        *[pytest.param(one, Delivered, id=f"{one} is delivered") for one in (200, 201, 204)],
        *[pytest.param(one, MessageRefused, id=f"{one} is about the event") for one in (400, 413, 422)],
        *[pytest.param(one, Retry, id=f"{one} is mended by people") for one in (301, 401, 403, 404)],
        *[pytest.param(one, Retry, id=f"{one} passes by itself") for one in (429, 500, 502, 503)],
    ],
)
def test_answers(marquez: Receiver, status: int, kind: type) -> None:
    marquez.will((status, {"Location": "/elsewhere"}))
    assert isinstance(sent(sink(marquez.url))[0], kind)
    assert len(marquez.asked) == 1


def test_a_receiver_says_when_to_come_back(marquez: Receiver) -> None:
    marquez.will((429, {"Retry-After": "120"}))
    answer, _ = sent(sink(marquez.url))
    assert isinstance(answer, Retry)
    assert answer.after_s == 120


@pytest.mark.parametrize("drips", [pytest.param(False, id="silent"), pytest.param(True, id="dripping")])
def test_who_never_answers_costs_the_limit_and_no_more(drips: bool) -> None:
    with black_hole(drips=drips) as url:
        since = time.monotonic()
        answer, _ = sent(sink(url), limit_s=0.5)
        assert answer == Retry("it did not answer in time")
        assert time.monotonic() - since < 15


def test_a_file_gets_one_line_for_each_event(tmp_path: Path) -> None:
    one = sink({"type": "file", "log_file_path": str(tmp_path / "events"), "append": True})
    told = told_customers("quality", HOUR, HOUR)
    bodies = [message.body for message in one.messages(told)]
    for number, body in enumerate(bodies):
        pending = Pending(number, Message(one.name, "", body), "s", "slot", 1, number)
        assert one.deliver(pending, 5.0) == Delivered()
    assert (tmp_path / "events").read_bytes().splitlines() == bodies


def test_a_console_gets_one_line_for_each_event(capsys: pytest.CaptureFixture[str]) -> None:
    answer, stored = sent(sink({"type": "console"}))
    assert answer == Delivered()
    assert capsys.readouterr().err.encode() == stored + b"\n"


def test_hidden_jobs_are_not_told_of(marquez: Receiver) -> None:
    one = replace(sink(marquez.url), hidden=sink_filters("contract_check.sales.*"))
    assert list(one.messages(told_customers("quality", HOUR))) == []


def sink_filters(regex: str) -> Any:
    from floe_contracts.adapters.sinks.openlineage_config import lineage_config

    said = {"OPENLINEAGE__FILTERS": json.dumps([{"type": "regex", "regex": regex}])}
    return lineage_config(said, Path()).hidden


class Shop:
    """Runs that fill a store and then deliver, as a job does."""

    def __init__(self, *sinks: LineageSink) -> None:
        self.desk, self.sinks = Desk(), sinks
        self.desk.put("orders", 8 * HOUR)
        self.desk.put("returns", HOUR)
        self.desk.engine.tables["customers"] = people(HOUR)

    def run(self, limit_s: float = 8.0, try_s: float = 0.4) -> tuple[Drained, ...]:
        tools = replace(self.desk.tools(), messages=partial(messages_for, sinks=self.sinks))
        found = targets(orders(PEOPLE.slas[0]), orders(name="returns"), PEOPLE)
        run_check(Request("freshness", "shop"), found, Monitoring(), tools)
        assert not self.desk.crashes
        self.desk.later()
        return drain(self.desk.store, Sinks(self.sinks), limits=DrainLimits(limit_s, try_s))

    def waiting(self) -> int:
        return sum(one.pending for one in self.desk.store.outbox.backlog())


def heard(running: Receiver) -> dict[str, list[str]]:
    """By job: what a receiver took, in order, as type and moment."""
    found: dict[str, list[str]] = {}
    for one in running.asked:
        event = json.loads(one.body)
        found.setdefault(event["job"]["name"], []).append(f"{event['eventType']} {event['run']['runId']}")
    return found


def test_everything_arrives_in_order_for_each_job(marquez: Receiver) -> None:
    shop = Shop(sink(marquez.url))
    for _ in range(3):
        (drained,) = shop.run()
        assert (drained.delivered, drained.reason) == (6, "")
    for told in heard(marquez).values():
        starts, ends = told[::2], told[1::2]
        assert [one.split()[0] for one in starts] == ["START"] * 3
        assert [one.split()[1] for one in starts] == [one.split()[1] for one in ends]
        assert [one.split()[1] for one in starts] == sorted(one.split()[1] for one in starts)


@pytest.mark.parametrize("trouble", ["refusing", "silent", 500, 503, 404, 401])
def test_a_receiver_in_trouble_delays_and_loses_nothing(trouble: str | int, marquez: Receiver) -> None:
    shop = Shop(sink(marquez.url))
    good = shop.sinks
    with black_hole() as hole:
        if isinstance(trouble, int):
            marquez.will(trouble)
        else:
            url = "http://127.0.0.1:9" if trouble == "refusing" else hole
            shop.sinks = (replace(good[0], transport=Elsewhere(good[0].transport.place, sink(url).transport)),)
        since = time.monotonic()
        (drained,) = shop.run()
        assert time.monotonic() - since < 20
    assert drained.delivered == 0
    assert drained.reason
    assert shop.waiting() == 6
    marquez.will(200)
    marquez.asked.clear()
    shop.sinks = good
    assert shop.run()[0].delivered == 12
    assert shop.waiting() == 0
    for told in heard(marquez).values():
        assert [one.split()[0] for one in told][::2] == ["START", "START"]


class Elsewhere:
    """The way to the same receiver, which is not where it was."""

    def __init__(self, place: str, way: Any) -> None:
        self.place, self.send = place, way.send


def test_a_refused_event_is_in_nobodys_way(marquez: Receiver) -> None:
    shop = Shop(sink(marquez.url))
    marquez.will(400, 200)
    (drained,) = shop.run()
    assert (drained.refused, drained.delivered, shop.waiting()) == (1, 5, 0)
    (left,) = shop.desk.store.outbox.backlog()
    assert (left.dead, left.reason) == (1, "it answered 400")


def test_one_dead_receiver_does_not_delay_the_other(marquez: Receiver, tmp_path: Path) -> None:
    with black_hole() as hole:
        shop = Shop(sink(hole), sink(marquez.url))
        dead, alive = shop.run()
    assert (dead.delivered, alive.delivered) == (0, 6)


class Slow:
    """A receiver that takes everything, each time after a while."""

    name = "slow"

    def __init__(self, takes: int) -> None:
        self.takes = takes

    def messages(self, told: NewResult) -> list[Message]:
        return [Message(self.name, "START", b"{}"), Message(self.name, "COMPLETE", b"{}")]

    def deliver(self, pending: Pending, limit_s: float) -> Delivery:
        self.takes -= 1
        time.sleep(0.15 if self.takes >= 0 else limit_s)
        return Delivered() if self.takes >= 0 else Retry("it did not answer in time")


@pytest.mark.parametrize(
    ("takes", "delivered"),
    [pytest.param(9, 6, id="one that works gets all"), pytest.param(2, 2, id="one that stops costs the limit again")],
)
def test_a_slow_receiver_is_given_time_while_it_works(takes: int, delivered: int) -> None:
    shop = Shop()
    shop.sinks = (Slow(takes),)  # type: ignore[assignment]  # any sink will do
    since = time.monotonic()
    (drained,) = shop.run(limit_s=0.4, try_s=0.3)
    assert drained.delivered == delivered
    assert time.monotonic() - since < 15


def test_a_replay_sends_the_same_bytes_again(marquez: Receiver) -> None:
    one = sink(marquez.url)
    told = told_customers("quality", HOUR, HOUR)
    for message in [*one.messages(told), *one.messages(told)]:
        one.deliver(Pending(1, message, "s", "slot", 1, 1), 5.0)
    bodies = [asked.body for asked in marquez.asked]
    assert bodies[:2] == bodies[2:]
