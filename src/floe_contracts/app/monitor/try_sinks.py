"""Sends a labelled test message to every sink that is configured, past the store, and says what came of each."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from ...checks.moments import MINUTE
from ...codes import E550
from ...contract.meaning.phrase import closest, did_you_mean
from ...contract.model import Contract
from ...errors import UsageError
from ...monitor.run.delivery import Delivered, Delivery, Mirror, NewResult, Retry, Sink
from ...monitor.run.targets import Target
from ...monitor.store.outbox import MetricsGroup, Pending
from ...monitor.store.protocol import Claim, SeriesTotals, SlotOutcome
from ...monitor.store.slots import Series, SlotKey
from ...monitor.store.totals import add_outcome
from ...results import CheckResult, Finding, Outcome
from ...results.facts import RunFacts
from .drain import Sinks

TEST_NAME = "floe-test-message"
_WORDS = "This is a test message of `floe monitor test-sink`; nothing is wrong with any data"


@dataclass(frozen=True, slots=True)
class SinkTrial:
    """What came of the test message for one sink; without a reason it has the message."""

    sink: str
    reason: str = ""

    def line(self) -> str:
        return f"{self.sink}: {f'not delivered: {self.reason}' if self.reason else 'has the test message'}"


def choose_sinks(sinks: Sinks, names: Sequence[str]) -> Sinks:
    """The sinks of these names, or all; the first word of a name is enough."""
    known = [*(sink.name for sink in sinks.sinks), *(mirror.name for mirror in sinks.mirrors)]
    for name in names:
        if not any(_is_called(each, name) for each in known):
            meant = closest(name, known)
            there = f"Configured are {', '.join(known)}." if known else "No sink is configured."
            raise UsageError(
                f"no sink is called {name[:80]!r}", fix=did_you_mean(*([meant] if meant else []), otherwise=there)
            )
    return Sinks(
        tuple(sink for sink in sinks.sinks if _is_wanted(sink.name, names)),
        tuple(mirror for mirror in sinks.mirrors if _is_wanted(mirror.name, names)),
        sinks.notes,
    )


def try_sinks(sinks: Sinks, namespace: str, now_us: int, limit_s: float) -> Iterator[SinkTrial]:
    """One trial after the other; nothing is kept, so what was not delivered is not sent again."""
    result = _test_result(namespace, now_us)
    for sink in sinks.sinks:
        yield SinkTrial(sink.name, _reason(_send(sink, result, limit_s)))
    for mirror in sinks.mirrors:
        yield SinkTrial(mirror.name, _reason(_push(mirror, result.outcome, limit_s)))


def _is_wanted(name: str, names: Sequence[str]) -> bool:
    return not names or any(_is_called(name, wanted) for wanted in names)


def _is_called(name: str, wanted: str) -> bool:
    return wanted in (name, name.split(" ", maxsplit=1)[0])


def _send(sink: Sink, result: NewResult, limit_s: float) -> Delivery:
    try:
        for number, message in enumerate(sink.messages(result), 1):
            pending = Pending(number, message, TEST_NAME, result.outcome.key.when, 1, number)
            answer = sink.deliver(pending, limit_s)
            if not isinstance(answer, Delivered):
                return answer
    except Exception as error:  # only the type: the words of an error may hold addresses with credentials
        return Retry(f"it failed with {type(error).__name__}")
    return Delivered()


def _push(mirror: Mirror, outcome: SlotOutcome, limit_s: float) -> Delivery:
    """Show a group of the test alone, and take it away again."""
    series = outcome.key.series
    totals: dict[Series, SeriesTotals] = {series: add_outcome(SeriesTotals(), outcome)}
    group = MetricsGroup(TEST_NAME, series.check_type, 1)
    try:
        answer = mirror.push(group, totals, (), limit_s)
        return mirror.push(group, {}, (), limit_s) if isinstance(answer, Delivered) else answer
    except Exception as error:  # as above
        return Retry(f"it failed with {type(error).__name__}")


def _reason(answer: Delivery) -> str:
    return "" if isinstance(answer, Delivered) else answer.reason


def _test_result(namespace: str, now_us: int) -> NewResult:
    """A violation of a contract that is called a test, in the words of a test."""
    key = SlotKey(namespace, TEST_NAME, 1, "freshness", MINUTE, now_us // MINUTE * MINUTE)
    problem = Finding.of(E550, "too-old", _WORDS, contract=TEST_NAME, expected="test", actual="test")
    result = CheckResult(
        "freshness", TEST_NAME, Outcome.VIOLATED, "", (problem,), key=TEST_NAME, contract_version="1.0.0",
        run=RunFacts(slot=key.when),
    )  # fmt: skip
    claim = Claim(key, 1, TEST_NAME, now_us)
    outcome = SlotOutcome(claim, result, now_us, TEST_NAME, "1.0.0")
    return NewResult(Target(Contract(TEST_NAME, "1.0.0", id=TEST_NAME)), outcome)
