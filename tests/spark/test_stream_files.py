"""Folders of files followed as streams: every batch judged once, whatever happens in between."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from support.streamed import AGE, Desk, Folder, order, orders

from floe_contracts.contract.model import Sla
from floe_contracts.monitor.store.memory_store import MemoryStore
from floe_contracts.monitor.store.protocol import Claim
from floe_contracts.monitor.store.slots import SlotKey
from floe_contracts.results import Outcome

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

NOT_JSON = "{ no json"
QUERY = "orders.v1.orders"


@pytest.fixture
def folder(tmp_path: Path) -> Folder:
    return Folder(tmp_path / "orders")


@pytest.fixture
def desk(spark: SparkSession, tmp_path: Path) -> Desk:
    from floe_contracts.adapters.spark.session.start import own_session

    return Desk(own_session(spark), tmp_path / "checkpoint")


def test_every_batch_is_a_slot_of_its_own_with_its_bad_rows_counted(desk: Desk, folder: Folder) -> None:
    promised = orders(AGE, path=str(folder.path))
    folder.put(order("o1"), order("o2"))
    first = desk.run(promised)
    folder.put(order("o3"), order(None), order("o4", -1), NOT_JSON, order("o5", "many"))
    second = desk.run(promised)

    assert [one.result.outcome.value for one in desk.history()] == ["passed", "violated"]
    assert desk.gauges() == [
        {"rows": 2, "unreadable_rows": 0, "bad_rows": 0},
        {"rows": 5, "unreadable_rows": 2, "bad_rows": 3},
    ]
    kinds = [item.rule for item in desk.history()[1].result.findings]
    assert sorted(kinds) == ["not-null", "range", "readable"]
    assert [one.key.run_id.rpartition(":")[2] for one in desk.history()] == ["0", "1"]
    assert desk.history()[0].key.run_id.startswith(f"stream:{QUERY}@")
    assert first.notes == (f"{QUERY}: 1 batch, 2 rows, 0 unreadable, 0 bad, 0 late",)
    assert second.notes == (f"{QUERY}: 1 batch, 5 rows, 2 unreadable, 3 bad, 0 late",)
    assert desk.run(promised).notes == ("There was no new data.",)


def test_a_batch_that_comes_again_after_a_kill_counts_nothing_twice(desk: Desk, folder: Folder) -> None:
    promised = orders(AGE, path=str(folder.path))
    folder.put(order("o1", -1, age_s=7_200))
    desk.run(promised)
    before = desk.counted()
    assert before == {"quality quality_violation error": 1, "freshness freshness_violation error": 1,
                      "freshness freshness_violation info": 1}  # fmt: skip
    desk.forget_commit(QUERY, 0)
    folder.put(order("o2"))
    again = desk.run(promised)
    assert desk.counted() == before
    assert len(desk.history()) == 2
    assert again.notes == (f"{QUERY}: 1 batch, 1 rows, 0 unreadable, 0 bad, 0 late, 1 counted before",)


def test_a_slot_that_a_killed_process_had_claimed_is_taken_over(desk: Desk, folder: Folder) -> None:
    promised = orders(path=str(folder.path))
    folder.put(order("o1"))
    desk.run(promised)
    query = desk.history()[0].key.run_id.rpartition(":")[0]
    key = SlotKey("shop", "orders", 1, "quality", run_id=f"{query}:1")
    assert isinstance(desk.store.claim(key, now_us=time.time_ns() // 1000), Claim)
    folder.put(order("o2"))
    desk.run(promised)
    assert [one.claim.attempt for one in desk.history()] == [1, 2]


def test_another_checkpoint_is_another_stream(desk: Desk, folder: Folder, tmp_path: Path) -> None:
    promised = orders(path=str(folder.path))
    folder.put(order("o1"))
    desk.run(promised)
    desk.checkpoint = tmp_path / "another"
    desk.run(promised)
    assert len({one.key.run_id for one in desk.history()}) == 2


@pytest.mark.parametrize(
    ("slas", "late_us", "late"),
    [
        pytest.param((AGE,), None, 1, id="later than the age that is promised"),
        pytest.param((AGE, Sla("latency", "PT5M", element="placed_at")), None, 2, id="a latency says it first"),
        pytest.param((AGE,), 30_000_000, 3, id="the job's own limit wins"),
        pytest.param((), 30_000_000, 3, id="without any promise"),
    ],
)
def test_late_rows_are_counted(
    desk: Desk, folder: Folder, slas: tuple[Sla, ...], late_us: int | None, late: int
) -> None:
    folder.put(order("o1", age_s=60), order("o2", age_s=600), order("o3", age_s=7_200))
    desk.run(orders(*slas, path=str(folder.path)), late_us=late_us)
    (found,) = desk.history("freshness")
    assert desk.gauges("freshness")[0]["late_rows"] == late
    assert found.result.outcome is Outcome.PASSED
    assert [item.rule for item in found.result.findings] == ["late-rows"]


def test_a_late_batch_after_a_fresh_one_is_not_old(desk: Desk, folder: Folder) -> None:
    promised = orders(AGE, path=str(folder.path))
    folder.put(order("o1", age_s=60))
    desk.run(promised)
    folder.put(order("o2", age_s=7_200))
    desk.run(promised)
    assert [one.result.outcome.value for one in desk.history("freshness")] == ["passed", "passed"]


def test_one_contract_that_cannot_be_followed_stops_no_other(desk: Desk, folder: Folder, tmp_path: Path) -> None:
    folder.put(order("o1"))
    lost = orders(name="lost", path=str(tmp_path / "nowhere"))
    bank = orders(name="bank", kind="postgres", host="db", database="shop")
    report = desk.run(lost, bank, orders(path=str(folder.path)))
    assert {one.contract: one.outcome.value for one in report.results} == {
        "lost": "errored",
        "bank": "errored",
        "orders": "passed",
    }
    said = {one.contract: one.findings[0].message for one in report.results if one.findings}
    assert "nowhere" in said["lost"]
    assert "a source of type postgres cannot be followed as a stream" in said["bank"]
    assert [one.result.outcome.value for one in desk.history(name="lost")] == ["errored"]


class ForgetfulStore:
    """Loses its connection at the first commit."""

    def __init__(self) -> None:
        self._store, self._failed = MemoryStore(), False

    def commit(self, *arguments: Any, **more: Any) -> Any:
        if not self._failed:
            self._failed = True
            raise ConnectionError
        return self._store.commit(*arguments, **more)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._store, name)


def test_a_batch_whose_result_was_not_kept_comes_again(desk: Desk, folder: Folder) -> None:
    desk.store = ForgetfulStore()
    promised = orders(path=str(folder.path))
    folder.put(order("o1", -1))
    report = desk.run(promised)
    assert "could not be kept" in report.results[0].findings[0].message
    desk.run(promised)
    assert [one.result.outcome.value for one in desk.history() if "stopped" not in one.key.run_id] == ["violated"]


def test_a_running_stream_ends_between_two_batches(desk: Desk, folder: Folder) -> None:
    folder.put(order("o1"))

    def until_judged(job: Any) -> None:
        def watch() -> None:
            _wait(lambda: bool(desk.history()))
            folder.put(order("o2", -1))
            _wait(lambda: len(desk.history()) == 2)
            job.stopping.set()

        threading.Thread(target=watch, daemon=True).start()

    report = desk.run(orders(path=str(folder.path)), every_s=1, meanwhile=until_judged)
    assert [one.outcome.value for one in report.results] == ["violated"]
    assert (
        report.notes == (f"{QUERY}: 2 batches, 2 rows, 0 unreadable, 1 bad",) or "2 batches, 2 rows" in report.notes[0]
    )
    assert not desk.spark.streams.active


def _wait(until: Callable[[], bool], most_s: float = 120.0) -> None:
    end = time.monotonic() + most_s
    while not until() and time.monotonic() < end:
        time.sleep(0.2)


@pytest.mark.parametrize("format_", ["parquet", "csv", "orc"])
def test_other_files(desk: Desk, tmp_path: Path, format_: str) -> None:
    place = tmp_path / "typed"
    rows = desk.spark.sql("SELECT 5L AS amount, 'o1' AS order_id, timestamp'2026-01-03 10:00:00' AS placed_at")
    writer = rows.unionAll(rows.selectExpr("-1L", "'o1'", "placed_at")).coalesce(1).write
    writer.option("header", "true").format(format_).save(str(place))
    desk.run(orders(AGE, path=str(place), format=format_))
    (found,) = desk.history()
    assert sorted(item.rule for item in found.result.findings) == ["primary-key", "range"]
    assert desk.gauges()[0]["rows"] == 2
