"""The store of results with 1,000 contracts and five checks each: what a commit costs, and whether it stays so."""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from decimal import Decimal
from itertools import product
from pathlib import Path
from statistics import median

from floe_contracts.adapters.store.address import open_sql_store
from floe_contracts.checks.moments import HOUR
from floe_contracts.codes import E550, Severity, ViolationType
from floe_contracts.monitor.settings.model import CHECKS
from floe_contracts.monitor.store.outbox import Message
from floe_contracts.monitor.store.protocol import Claim, SlotOutcome, Store, Violation
from floe_contracts.monitor.store.slots import SlotKey
from floe_contracts.results import CheckResult, Finding, Outcome
from floe_contracts.results.facts import FindingFacts

CONTRACTS = 1_000
_ROUNDS = 4  # two fill the store; the others are 10,000 slots more, and what is older than one round is pruned
_START_US = 1_767_225_600_000_000
_BLOCK = 100
_MESSAGES = Message("lineage", "START", b"s" * 2_500), Message("lineage", "FAIL", b"f" * 3_800)


@dataclass(frozen=True, slots=True)
class Measured:
    """Medians of the calmest hundred slots, because others work on the machine; growth over the last 10,000 slots."""

    commit_ms: float
    commit_cpu_ms: float
    claim_cpu_ms: float
    slower: float
    larger: float


@dataclass(frozen=True, slots=True)
class _Slot:
    claim_cpu_s: float
    commit_cpu_s: float
    commit_s: float


def measured(folder: Path) -> Measured:
    folder.mkdir()
    store = open_sql_store(f"sqlite:///{folder}/monitoring.db")
    rounds, sizes = list[list[_Slot]](), list[int]()
    for number in range(_ROUNDS):
        rounds.append(list(_round(store, number)))
        store.prune(_START_US + number * HOUR)
        sizes.append(sum(path.stat().st_size for path in folder.iterdir() if path.is_file()))
    store.close()
    every = [slot for slots in rounds for slot in slots]
    first, last = (_calmest(slot.commit_cpu_s for slot in slots) for slots in (rounds[1], rounds[-1]))
    return Measured(
        commit_ms=_calmest(slot.commit_s for slot in every) * 1_000,
        commit_cpu_ms=_calmest(slot.commit_cpu_s for slot in every) * 1_000,
        claim_cpu_ms=_calmest(slot.claim_cpu_s for slot in every) * 1_000,
        slower=last / first,
        larger=sizes[-1] / sizes[1],
    )


def _round(store: Store, number: int) -> Iterator[_Slot]:
    """One slot of every series; what waits to be told is told."""
    for contract, check in product(range(CONTRACTS), CHECKS):
        key = SlotKey("shop", f"sales/contract-{contract:04}", 1, check, HOUR, _START_US + number * HOUR)
        begun = time.thread_time()
        claim = store.claim(key, now_us=key.start_us)
        claimed = time.thread_time()
        if not isinstance(claim, Claim):
            raise SystemExit(f"the store did not give a new slot: {claim}")
        outcome = _outcome(claim)
        ready, ready_cpu = time.perf_counter(), time.thread_time()
        store.commit(outcome, now_us=key.start_us, messages=_MESSAGES)
        yield _Slot(claimed - begun, time.thread_time() - ready_cpu, time.perf_counter() - ready)
    while waiting := store.outbox.pending("lineage", limit=1_000):
        for one in waiting:
            store.outbox.mark_delivered(one)


def _outcome(claim: Claim) -> SlotOutcome:
    """Two findings, six gauges: more than most slots have."""
    findings = tuple(
        Finding.of(E550, "too-old", f"Data of table {table} is 8 hours old, SLA is 6 hours", contract="orders",
                element="updated_at", expected="PT6H", actual="PT8H", suggestions=("Look at the run that writes it.",),
                facts=FindingFacts(table=table, sla="freshness"))
        for table in ("orders", "items")
    )  # fmt: skip
    start_us = claim.key.start_us
    return SlotOutcome(
        claim,
        CheckResult(claim.key.check_type, claim.key.contract, Outcome.VIOLATED, "orders.yaml", findings),
        start_us,
        label=claim.key.contract,
        version="1.0.0",
        seconds=Decimal("1.250"),
        violations=tuple(
            Violation(ViolationType.FRESHNESS, Severity.WARNING, f"{mark:032}", start_us) for mark in (1, 2)
        ),
        gauges=tuple((f"gauge_{number}", Decimal("12.50")) for number in range(6)),
    )


def _calmest(times: Iterable[float]) -> float:
    found = list(times)
    return min(median(found[start : start + _BLOCK]) for start in range(0, len(found), _BLOCK))
