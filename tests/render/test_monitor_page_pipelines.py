"""Pipelines on the report page: runs, how long they took, what broke where; and what the store says of them."""

from __future__ import annotations

from dataclasses import dataclass, field

import pytest
from support.monitored import NOW

from floe_contracts.app.monitor.history import read_record
from floe_contracts.checks.moments import MINUTE, SECOND
from floe_contracts.errors import UsageError
from floe_contracts.monitor.pipeline.step import End, StepRun, outcome_of, step_key
from floe_contracts.monitor.store.memory_store import MemoryStore
from floe_contracts.monitor.store.protocol import Claim
from floe_contracts.monitor.store.slots import Step
from floe_contracts.render.html.board import board


@dataclass
class Runs:
    """A store, and runs of the product orders-etl, one an hour."""

    store: MemoryStore = field(default_factory=MemoryStore)

    def step(self, run: int, name: str, seconds: float, end: End = End.COMPLETE, why: str = "", **more: int) -> None:
        kind: Step = "pipeline" if name == "orders-etl" else "transform"
        start_us = NOW - 60 * MINUTE * (10 - run)
        claim = self.store.claim(step_key("floe", kind, name, f"run-{run}"), now_us=start_us)
        assert isinstance(claim, Claim)
        ended_us = start_us + int(seconds * SECOND)
        step = StepRun(kind, name, start_us, ended_us, end, why, rows=more.get("rows"))
        self.store.commit(outcome_of(step, claim, "1.2.0"), now_us=ended_us)

    def page(self, *only: str) -> str:
        return board(read_record(self.store, now_us=NOW, since_us=NOW - 24 * 60 * MINUTE, only=only))


@pytest.fixture
def runs() -> Runs:
    runs = Runs()
    runs.step(1, "bronze_orders", 4.25, rows=1200)
    runs.step(1, "gold_orders", 72)
    runs.step(1, "orders-etl", 4000)
    runs.step(2, "bronze_orders", 3)
    runs.step(2, "gold_orders", 1, End.FAIL, "column <amounts> cannot be resolved")
    runs.step(2, "orders-etl", 5, End.FAIL, "gold_orders: column <amounts> cannot be resolved")
    return runs


def test_each_run_says_how_long_it_took_and_where_it_broke(runs: Runs) -> None:
    page = runs.page()
    section = page[page.index('id="pipelines"') : page.index('id="drift"')]
    assert section.index("run-2") < section.index("run-1"), "newest first"
    for words in ("1.2.0", "2 runs, 1 failed", "gold_orders: column &lt;amounts&gt; cannot be resolved", "failed"):
        assert words in section, words
    for words in ("1 h 6 min", "4.2 s, 1,200 rows", "1 min 12 s", "complete"):
        assert words in section, words


def test_a_step_is_no_contract(runs: Runs) -> None:
    page = runs.page()
    assert "data-card" not in page.partition('id="pipelines"')[0].partition("<main")[2]


def test_without_runs_there_is_no_section() -> None:
    assert "pipelines" not in Runs().page().partition("<main")[2]


def test_a_pipeline_is_chosen_by_its_name(runs: Runs) -> None:
    assert "run-2" in runs.page("orders-*")
    with pytest.raises(UsageError, match="no contract has this name"):
        runs.page("nothing")


def test_the_newest_ten_of_many_runs_are_listed() -> None:
    many = Runs()
    for run in range(1, 15):
        many.step(run, "orders-etl", 1)
    page = many.page()

    assert page.count("<code>run-") <= 10
