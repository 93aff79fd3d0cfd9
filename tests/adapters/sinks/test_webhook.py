"""The webhook: what goes over the wire, when it waits, and how it is configured."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from support.answering import Receiver, black_hole, receiver
from support.monitored import FRESH, HOUR, MINUTE, Desk, orders, settings, targets

from floe_contracts.adapters.sinks.webhook import RateLimit, Webhook, from_environment
from floe_contracts.app.monitor.drain import Drained, DrainLimits, Sinks, drain
from floe_contracts.codes import Severity
from floe_contracts.emit.notices import Manner
from floe_contracts.errors import SettingsError
from floe_contracts.monitor.run.delivery import Delivered, Delivery, MessageRefused, Retry, messages_for
from floe_contracts.monitor.run.run import Request, run_check
from floe_contracts.monitor.settings.model import MonitoringConfig
from floe_contracts.monitor.store.outbox import Message, Pending
from floe_contracts.product.data_contracts import Monitoring

PENDING = Pending(1, Message("webhook", "NEW", b'{"text":"x"}'), "s", "slot", 1, 0)


@pytest.fixture(autouse=True)
def no_proxies(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("http_proxy", "https_proxy", "all_proxy"):
        monkeypatch.delenv(name, raising=False)
        monkeypatch.delenv(name.upper(), raising=False)


@pytest.fixture
def channel() -> Iterator[Receiver]:
    with receiver() as running:
        yield running


def hook(url: str, **said: str) -> Webhook:
    environment = {f"FLOE_WEBHOOK_{name}": text for name, text in {"URL": url, **said}.items()}
    found = from_environment(MonitoringConfig(), environment)
    assert found is not None
    return found


class Shop:
    """A desk whose news go to a channel."""

    def __init__(self, sink: Webhook, **blocks: Any) -> None:
        self.desk, self.sink, self.config = Desk(), sink, settings(**blocks)

    def slot(self, age_us: int, *names: str) -> Drained:
        names = names or ("orders",)
        for name in names:
            self.desk.put(name, age_us)
        tools = replace(self.desk.tools(), messages=partial(messages_for, sinks=(self.sink,)))
        found = targets(*(orders(FRESH, name=name) for name in names), config=self.config)
        run_check(Request("freshness", "shop"), found, Monitoring(), tools)
        self.desk.later(15 * MINUTE)
        return self.drained()

    def drained(self) -> Drained:
        (done,) = drain(self.desk.store, Sinks(sinks=(self.sink,)), (), DrainLimits(limit_s=5.0, due=False))
        return done


def texts(channel: Receiver) -> list[str]:
    return [json.loads(one.body)["text"] for one in channel.asked]


def test_a_channel_hears_of_it_once_and_of_its_end(channel: Receiver) -> None:
    shop = Shop(hook(channel.url + "/T0/B0/s3cret"))
    for age in (HOUR, 7 * HOUR, 7 * HOUR, HOUR, HOUR):
        assert shop.slot(age).reason == ""
    assert texts(channel) == ["orders 1.0.0: freshness violated (warning)", "orders 1.0.0: freshness is kept again"]
    assert {(one.method, one.path) for one in channel.asked} == {("POST", "/T0/B0/s3cret")}
    assert channel.asked[0].headers["content-type"] == "application/json; charset=utf-8"


def test_running_a_slot_again_tells_nothing_again(channel: Receiver) -> None:
    shop = Shop(hook(channel.url))
    shop.slot(7 * HOUR)
    shop.desk.now_us -= 15 * MINUTE
    shop.slot(7 * HOUR)
    assert len(channel.asked) == 1


@pytest.mark.parametrize("word", ["warn", "off"])
def test_under_warn_nobody_is_told(channel: Receiver, word: str) -> None:
    Shop(hook(channel.url), data_contracts={"enforcement": word}).slot(7 * HOUR)
    assert channel.asked == []


def test_a_channel_that_was_away_hears_everything_in_order(channel: Receiver) -> None:
    shop = Shop(hook(channel.url))
    channel.will(500)
    assert shop.slot(7 * HOUR).reason == "it answered 500"
    assert shop.slot(HOUR).reason == "it answered 500"
    channel.asked.clear()
    channel.will(200)
    assert shop.drained().delivered == 2
    assert texts(channel) == ["orders 1.0.0: freshness violated (warning)", "orders 1.0.0: freshness is kept again"]


@pytest.mark.parametrize(
    ("answer", "wanted"),
    [
        pytest.param(200, Delivered(), id="taken"),
        pytest.param(400, MessageRefused("it answered 400"), id="wrong in itself"),
        pytest.param(404, Retry("it answered 404; there is no such address; look at FLOE_WEBHOOK_URL"), id="no hook"),
        pytest.param((429, {"Retry-After": "30"}), Retry("it answered 429; it was asked too often", 30.0), id="429"),
        pytest.param(503, Retry("it answered 503"), id="down"),
        pytest.param(
            (302, {"Location": "http://x"}),
            Retry("it answered 302; it redirects elsewhere; write that address"),
            id="moved",
        ),
    ],
)
def test_an_answer_says_what_to_do(channel: Receiver, answer: Any, wanted: Delivery) -> None:
    channel.will(answer)
    assert hook(channel.url).deliver(PENDING, 5.0) == wanted
    assert [one.body for one in channel.asked] == [b'{"text":"x"}']


def test_who_does_not_answer_costs_the_limit_and_no_more() -> None:
    with black_hole() as url:
        before = time.monotonic()
        assert hook(url).deliver(PENDING, 0.4) == Retry("it did not answer in time")
        assert time.monotonic() - before < 15


def test_what_is_beyond_the_limit_waits_for_the_next_run(channel: Receiver) -> None:
    names = tuple(f"table{number}" for number in range(5))
    shop = Shop(hook(channel.url, LIMIT="3"))
    done = shop.slot(7 * HOUR, *names)
    assert (done.delivered, done.reason) == (3, "3 messages a minute are allowed (FLOE_WEBHOOK_LIMIT)")
    (backlog,) = shop.desk.store.outbox.backlog()
    assert backlog.pending == 2
    shop.sink = hook(channel.url, LIMIT="3")
    assert shop.drained().delivered == 2


def test_a_pace_is_so_many_a_minute() -> None:
    now = [0.0]
    pace = RateLimit(2, lambda: now[0])
    assert [pace.take() for _ in range(3)] == [0.0, 0.0, 30.0]
    now[0] = 30.0
    assert [pace.take() for _ in range(2)] == [0.0, 30.0]
    now[0] = 1000.0
    assert [pace.take() for _ in range(3)] == [0.0, 0.0, 30.0]


def test_the_address_may_be_in_a_file_that_changes(channel: Receiver, tmp_path: Path) -> None:
    place = tmp_path / "hook"
    one = hook(f"file:{place}")
    assert isinstance(one.deliver(PENDING, 5.0), Retry)
    place.write_text(f"{channel.url}/new\n")
    assert one.deliver(PENDING, 5.0) == Delivered()
    assert channel.asked[0].path == "/new"


def test_settings_decide_on_the_manner() -> None:
    found = hook("https://x", SEVERITY="Error", AFTER="3", AGAIN="7d").manner
    assert found == Manner(Severity.ERROR, 3, 7 * 24 * HOUR)


def test_nobody_asked_nobody_told() -> None:
    assert from_environment(MonitoringConfig(), {}) is None


@pytest.mark.parametrize(
    ("name", "text"),
    [
        pytest.param("URL", "hooks.example/s3cret", id="no address"),
        pytest.param("SEVERITY", "loud", id="no severity"),
        pytest.param("AFTER", "0", id="never in a row"),
        pytest.param("AFTER", "11", id="more in a row than remembered"),
        pytest.param("AGAIN", "1mo", id="a month has no length"),
        pytest.param("LIMIT", "many", id="no number"),
        pytest.param("CA_FILE", "/nowhere/ca.pem", id="no file"),
    ],
)
def test_settings_that_cannot_be_meant_are_refused_by_name(name: str, text: str) -> None:
    with pytest.raises(SettingsError) as refused:
        hook(**{"url": "https://x/s3cret", name: text} if name != "URL" else {"url": text})
    assert f"FLOE_WEBHOOK_{name}" in refused.value.message
    assert "s3cret" not in f"{refused.value.message} {refused.value.fix}"


def test_nothing_prints_the_address() -> None:
    one = hook("https://hooks.example/services/s3cret")
    assert "s3cret" not in f"{one!r} {one.name}"
