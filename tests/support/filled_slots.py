"""Slots and outcomes of one shop, and the shortest ways to claim, fill and look at them in a store."""

from __future__ import annotations

from typing import Any

from floe_contracts.checks.moments import HOUR
from floe_contracts.codes import Severity, ViolationType
from floe_contracts.monitor.store.protocol import Claim, Committed, SeriesTotals, SlotOutcome, Store, Violation
from floe_contracts.monitor.store.slots import SlotKey
from floe_contracts.results import CheckResult, Outcome
from floe_contracts.results.facts import RunFacts

NOW = 1_767_435_300_000_000  # 2026-01-03T10:15:00Z
STALE = ViolationType.FRESHNESS, Severity.WARNING


def key(slot: int = 0, contract: str = "orders", **more: Any) -> SlotKey:
    """The n-th slot of an hour after NOW."""
    return SlotKey(**{"namespace": "shop", "contract": contract, "major": 1, "check_type": "freshness",
                      "interval_us": HOUR, "start_us": NOW + slot * HOUR, **more})  # fmt: skip


def claimed(store: Store, one: SlotKey, now_us: int = NOW, **more: Any) -> Claim:
    found = store.claim(one, now_us=now_us, **more)
    assert isinstance(found, Claim), found
    return found


def outcome(claim: Claim, result: Outcome = Outcome.PASSED, **more: Any) -> SlotOutcome:
    said = CheckResult("freshness", "orders", result, run=RunFacts(slot=claim.key.when))
    as_of_us = claim.key.start_us or NOW
    return SlotOutcome(claim, **{"result": said, "as_of_us": as_of_us, "label": "orders", "version": "1.0.0", **more})


def stale(slot_us: int = NOW, mark: str = "a", severity: Severity = Severity.WARNING) -> Violation:
    return Violation(ViolationType.FRESHNESS, severity, mark, slot_us)


def filled(store: Store, one: SlotKey, result: Outcome = Outcome.PASSED, **more: Any) -> Committed:
    answer = store.commit(outcome(claimed(store, one, recheck=more.pop("recheck", False)), result, **more), now_us=NOW)
    assert isinstance(answer, Committed), answer
    return answer


def totals(store: Store, one: SlotKey) -> SeriesTotals:
    return store.totals("shop")[one.series]
