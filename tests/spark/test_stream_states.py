"""What a stream remembers of a table, beside what the jobs remember of it; without a session, no row is read."""

from __future__ import annotations

from typing import Any

from support.filled_slots import NOW, filled, key
from support.monitored import orders, targets

from floe_contracts.adapters.spark.stream.batch import Batch
from floe_contracts.adapters.spark.stream.totals import BatchCounts
from floe_contracts.monitor.run.context import CheckContext
from floe_contracts.monitor.run.engine import Window
from floe_contracts.monitor.source.binding import Binding, SourceHints, bind
from floe_contracts.monitor.store.memory_store import MemoryStore
from floe_contracts.monitor.store.protocol import PartitionState


def test_a_stream_and_the_job_for_quality_remember_one_table_apart() -> None:
    store, contract = MemoryStore(), orders()
    binding = bind(contract, contract.objects[0], SourceHints())
    assert isinstance(binding, Binding)
    now = CheckContext(
        "freshness", targets(contract)[0], key().series, NOW, Window(NOW, NOW), states=store.partition_states
    )
    kept = PartitionState(now.table_key(binding), "sha256:1", "day=1", "f")
    frame: Any = None  # facts are known, and nothing is promised that asks for more
    streamed = Batch("orders@c1", 7, frame, binding, _kept=[BatchCounts(1, 0, 0, NOW)]).judge(now).states
    assert streamed
    filled(store, key(), states=(kept,))
    filled(store, key(1), states=streamed)
    filled(store, key(2), states=(kept,))
    assert store.partition_states(kept.table, kept.plan_hash) == (kept,)
    assert store.partition_states(streamed[0].table, streamed[0].plan_hash) == streamed
