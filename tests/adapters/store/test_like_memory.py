"""Whatever is done to them in whatever order, a store in SQL and the store in memory say the same."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.filled_slots import NOW, key, outcome
from support.postgres_server import PostgresServer

from floe_contracts.adapters.store.address import open_sql_store
from floe_contracts.checks.moments import HOUR
from floe_contracts.codes import Severity, ViolationType
from floe_contracts.monitor.store.memory_store import MemoryStore
from floe_contracts.monitor.store.outbox import Message, Pending
from floe_contracts.monitor.store.protocol import AlreadyDone, Claim, Store, Violation
from floe_contracts.monitor.store.slots import SlotKey
from floe_contracts.results import Outcome

KEYS = st.one_of(
    st.builds(key, st.integers(0, 4), st.sampled_from(["orders", "items"])),
    st.builds(lambda name: key(interval_us=0, start_us=0, run_id=name), st.sampled_from(["r1", "r2"])),
)
HOURS = st.integers(0, 4)
VIOLATIONS = st.lists(st.tuples(st.sampled_from("ab"), HOURS), max_size=3)
GAUGES = st.lists(
    st.tuples(st.sampled_from(["age", "up"]), st.integers(0, 9)), max_size=2, unique_by=lambda one: one[0]
)
STEPS = st.one_of(
    st.tuples(st.just("fill"), KEYS, st.sampled_from(Outcome), VIOLATIONS, GAUGES, st.booleans(), HOURS),
    st.tuples(st.just("fill"), KEYS, st.just(Outcome.VIOLATED), VIOLATIONS, GAUGES, st.just(True), HOURS),
    st.tuples(st.just("claim"), KEYS, HOURS, st.booleans()),
    st.tuples(st.just("commit"), st.integers(0, 9), st.sampled_from(Outcome), VIOLATIONS, GAUGES, st.booleans(), HOURS),
    st.tuples(st.just("release"), st.integers(0, 9)),
    st.tuples(st.just("prune"), HOURS),
    st.tuples(st.just("deliver"), st.integers(0, 3)),
    st.tuples(st.just("push"), st.booleans()),
)


@dataclass
class _Hand:
    """One store and the claims it gave, so that both stores are led through the same steps."""

    store: Store
    claims: list[Claim] = field(default_factory=list)

    def take(self, step: tuple[Any, ...]) -> object:
        answer: object = getattr(self, f"_{step[0]}")(*step[1:])
        return answer

    def _claim(self, one: SlotKey, hour: int, recheck: bool) -> object:
        found = self.store.claim(one, now_us=NOW + hour * HOUR, lease_us=HOUR, recheck=recheck)
        if isinstance(found, Claim):
            self.claims.append(found)
            return found.attempt, found.expires_us, found.previous and _without_claim(found.previous)
        return _without_claim(found.outcome) if isinstance(found, AlreadyDone) else found

    def _fill(self, one: SlotKey, *found: Any) -> object:
        """The usual way: claimed and committed at once."""
        claimed = self._claim(one, found[-1], True)
        return claimed, self._commit(-1, *found)

    def _commit(self, which: int, result: Outcome, marks: Any, gauges: Any, published: bool, hour: int) -> object:
        if not self.claims:
            return None
        claim = self.claims[which % len(self.claims)]
        violations = tuple(
            Violation(ViolationType.FRESHNESS, Severity.WARNING, mark, NOW + at * HOUR) for mark, at in marks
        )
        values = tuple((name, Decimal(value)) for name, value in gauges)
        found = outcome(claim, result, violations=violations, gauges=values, published=published,
                        as_of_us=NOW + hour * HOUR, seconds=Decimal(hour + 1))  # fmt: skip
        return self.store.commit(found, now_us=NOW + hour * HOUR, messages=(Message("lineage", "X", b"x"),))

    def _release(self, which: int) -> None:
        if self.claims:
            self.store.release(self.claims[which % len(self.claims)])

    def _prune(self, hour: int) -> object:
        return self.store.prune(NOW + hour * HOUR)

    def _deliver(self, how: int) -> object:
        found = self.store.outbox.pending("lineage", limit=1)
        for one in found:
            self._deal_with(one, how)
        return found

    def _deal_with(self, one: Pending, how: int) -> None:
        outbox = self.store.outbox
        if how == 0:
            outbox.mark_delivered(one)
        elif how == 1:
            outbox.mark_failed(one, "503", 7)
        elif how == 2:
            outbox.bury(one, "422")
        else:
            outbox.revive("lineage")

    def _push(self, _: bool) -> object:
        found = self.store.outbox.unpushed("gateway")
        for one in found:
            self.store.outbox.mark_pushed("gateway", one)
        return [(one.namespace, one.check_type, one.revision > 0) for one in found]

    def seen(self) -> object:
        series = {one.series: None for one in (key(), key(contract="items"))}
        return (
            [[_without_claim(each) for each in self.store.history(one, 0)] for one in series],
            [self.store.gauge_history(one, "age", NOW) for one in series],
            dict(self.store.totals("shop")),
            dict(self.store.filled("shop", NOW)),
            self.store.outbox.backlog(),
            self.store.outbox.pending("lineage"),
        )


def _without_claim(found: Any) -> object:
    """Tokens differ from store to store."""
    return found.key, found.claim.attempt, found.result, found.violations, found.gauges, found.published, found.as_of_us


@given(st.lists(STEPS, min_size=4, max_size=25))
@settings(max_examples=60)
def test_sqlite(steps: list[tuple[Any, ...]]) -> None:
    with tempfile.TemporaryDirectory() as folder, _opened(f"sqlite:///{Path(folder)}/m.db") as store:
        _compare(store, steps)


@pytest.mark.service
def test_postgresql(postgres: PostgresServer) -> None:
    @given(st.lists(STEPS, min_size=4, max_size=25))
    @settings(max_examples=12)
    def compare(steps: list[tuple[Any, ...]]) -> None:
        with _opened(postgres.new_database()) as store:
            _compare(store, steps)

    compare()


@contextmanager
def _opened(address: str) -> Iterator[Store]:
    store = open_sql_store(address)
    try:
        yield store
    finally:
        store.close()


def _compare(store: Store, steps: list[tuple[Any, ...]]) -> None:
    ours, model = _Hand(store), _Hand(MemoryStore())
    for step in steps:
        assert ours.take(step) == model.take(step)
    assert ours.seen() == model.seen()
