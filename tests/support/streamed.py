"""What tests of streams share: a shop whose orders come as files or messages, and one run over them."""

from __future__ import annotations

import io
import json
import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from floe_contracts.adapters.process.console import Console
from floe_contracts.app.monitor.drain import Sinks
from floe_contracts.app.monitor.log import RunLog
from floe_contracts.checks.moments import iso
from floe_contracts.checks.verdict import Check
from floe_contracts.contract.model import Contract, Server, Sla
from floe_contracts.monitor.run.targets import label_targets, target_of
from floe_contracts.monitor.settings.model import MonitoringConfig
from floe_contracts.monitor.source.binding import SourceHints
from floe_contracts.monitor.source.connection import Connection
from floe_contracts.monitor.store.memory_store import MemoryStore
from floe_contracts.monitor.store.protocol import SlotOutcome, Store
from floe_contracts.monitor.store.slots import Series
from floe_contracts.product.data_contracts import Monitoring
from floe_contracts.results import Report
from support.builders import column, contract, table

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

    from floe_contracts.app.monitor.stream import StreamJob

CAME_S = 1_767_435_300  # 2026-01-03T10:15:00Z: when files arrive
AGE = Sla("freshness", "PT1H", element="placed_at")


def orders(*slas: Sla, name: str = "orders", **server: Any) -> Contract:
    """Orders with a key, an amount from 0 on, and the time at which they were placed."""
    columns = (
        column("order_id", primary_key=True),
        column("amount", "integer", minimum=0),
        column("placed_at", "timestamp"),
    )
    kind, topic = server.pop("kind", "local"), server.pop("topic", None)
    servers = (Server("here", kind, coordinates={"format": "json", **server}),)
    return contract(table(*columns, name=name, physical_name=topic), name=name, slas=slas, servers=servers)


def order(order_id: str | None = "o1", amount: object = 5, age_s: int = 60) -> dict[str, object]:
    """An order that was placed so long before it arrives."""
    return {"order_id": order_id, "amount": amount, "placed_at": iso((CAME_S - age_s) * 1_000_000)}


@dataclass
class Folder:
    """A folder of JSON files; every file arrives at the same moment."""

    path: Path
    _number: int = 0

    def put(self, *rows: dict[str, object] | str) -> None:
        self.path.mkdir(exist_ok=True)
        self._number += 1
        lines = [one if isinstance(one, str) else json.dumps(one) for one in rows]
        arriving = self.path / f".{self._number}.json"  # hidden until it is complete
        arriving.write_text("\n".join(lines) + "\n")
        os.utime(arriving, (CAME_S, CAME_S))
        arriving.rename(self.path / f"{self._number}.json")


@dataclass
class Desk:
    """A store and a checkpoint, and runs over contracts that share them."""

    spark: SparkSession
    checkpoint: Path
    store: Store = field(default_factory=MemoryStore)

    def run(
        self,
        *contracts: Contract,
        every_s: float | None = None,
        meanwhile: Callable[[StreamJob], None] = lambda _: None,
        options: Mapping[str, str] | None = None,
        **more: Any,
    ) -> Report:
        from floe_contracts.adapters.spark.stream.queries import StreamPace
        from floe_contracts.app.monitor.stream import StreamJob, find_streams

        where = SourceHints(Connection(options=dict(options))) if options else SourceHints()
        targets = label_targets([target_of(one, MonitoringConfig(), where) for one in contracts])
        log = RunLog(Console(log_format="json"), io.StringIO())
        job = StreamJob("shop", Monitoring(), self.store, Sinks(), log, **more)
        streams, problems = find_streams(targets)
        for target, reason in problems:
            job.report_failure(target, target.name, reason)
        meanwhile(job)
        return job.run(self.spark, streams, StreamPace(str(self.checkpoint), every_s))

    def history(self, check: Check = "quality", name: str = "orders") -> Sequence[SlotOutcome]:
        """Oldest first."""
        return self.store.history(Series("shop", name, 1, check), 0)[::-1]

    def gauges(self, check: Check = "quality", name: str = "orders") -> list[dict[str, int]]:
        return [
            {key: int(value) for key, value in one.gauges if key.endswith("rows")} for one in self.history(check, name)
        ]

    def counted(self) -> dict[str, int]:
        """Everything ever counted, by check, kind and severity."""
        return {
            f"{series.check_type} {kind.value} {severity.value}": number
            for series, total in self.store.totals("shop").items()
            for (kind, severity), number in total.counters.items()
        }

    def forget_commit(self, query: str, batch: int) -> None:
        """As after a kill between the end of a batch and Spark's note that it is done."""
        for name in (f"{batch}", f".{batch}.crc"):
            (self.checkpoint / query / "commits" / name).unlink(missing_ok=True)
