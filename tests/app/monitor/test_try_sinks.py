"""The test message: every sink is tried once, says what came of it, and nothing real is in it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import pytest
from support.monitored import NOW

from floe_contracts.adapters.sinks.webhook import Webhook
from floe_contracts.app.monitor.drain import Sinks
from floe_contracts.app.monitor.try_sinks import TEST_NAME, SinkTrial, choose_sinks, try_sinks
from floe_contracts.errors import UsageError
from floe_contracts.monitor.run.delivery import Delivered, Delivery, NewResult, Retry
from floe_contracts.monitor.store.outbox import Backlog, Message, MetricsGroup, Pending
from floe_contracts.monitor.store.protocol import SeriesTotals
from floe_contracts.monitor.store.slots import Series


@dataclass
class KeptSink:
    name: str
    answer: Delivery = field(default_factory=Delivered)
    bodies: list[bytes] = field(default_factory=list)

    def messages(self, result: NewResult) -> Sequence[Message]:
        return tuple(Webhook("https://chat.example/hook").messages(result))

    def deliver(self, pending: Pending, limit_s: float) -> Delivery:
        self.bodies.append(pending.message.body)
        return self.answer


@dataclass
class KeptMirror:
    name: str = "pushgateway"
    pushed: list[tuple[str, int]] = field(default_factory=list)

    def push(
        self, group: MetricsGroup, totals: Mapping[Series, SeriesTotals], backlog: Sequence[Backlog], limit_s: float
    ) -> Delivery:
        self.pushed.append((group.namespace, len(totals)))
        return Delivered()


def test_every_sink_is_told_that_it_is_a_test() -> None:
    fine, down, gateway = KeptSink("webhook"), KeptSink("openlineage host", Retry("no answer")), KeptMirror()
    trials = list(try_sinks(Sinks((fine, down), (gateway,)), "shop", NOW, 1.0))
    assert trials == [SinkTrial("webhook"), SinkTrial("openlineage host", "no answer"), SinkTrial("pushgateway")]
    assert TEST_NAME.encode() in fine.bodies[0]
    assert b"This is a test message" in fine.bodies[0]
    assert gateway.pushed == [(TEST_NAME, 1), (TEST_NAME, 0)], "what was shown is taken away again"


@pytest.mark.parametrize("name", ["openlineage", "openlineage host"], ids=["first word", "whole name"])
def test_one_sink_can_be_named(name: str) -> None:
    chosen = choose_sinks(Sinks((KeptSink("webhook"), KeptSink("openlineage host"))), (name,))
    assert [sink.name for sink in chosen.sinks] == ["openlineage host"]


def test_a_sink_that_is_not_configured_is_an_error_with_the_likely_name() -> None:
    with pytest.raises(UsageError) as caught:
        choose_sinks(Sinks((KeptSink("webhook"),)), ("webhok",))
    assert caught.value.fix == "Did you mean webhook?"
