"""Freshness, rows and nulls by metadata beside a scan for the same: python -m benchmarks.quality_metadata --help."""

from __future__ import annotations

import argparse
import statistics
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from . import quality_table as t
from .__main__ import Row
from .quality import session

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

    from floe_contracts.adapters.spark.read.open import OpenTable

COLUMNS = ("order_id", "customer_id", "status", "amount", "created_at", "updated_at")
FASTER = 20  # times


def main() -> int:
    asked = _arguments()
    spark = session(_jars(asked.place) if asked.lakehouse else {})
    table = t.write_table(spark, asked.place, asked.rows)
    tables = {kind: _copy(spark, kind, table) for kind in ("parquet", *(("iceberg", "delta") * asked.lakehouse))}
    rows = []
    for kind, opened in tables.items():
        known, scanned = _seconds(opened, asked.rounds)
        print(f"{asked.rows:,} rows of {kind}, seconds: metadata {known:.3f}, scan {scanned:.3f}")
        rows.append(Row(f"freshness, rows, nulls of {kind}, against a scan", scanned / known, FASTER, "×", floor=True))
    spark.stop()
    print("\n".join(map(str, rows)))
    return 0 if all(row.kept for row in rows) else 1


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.quality_metadata", description=__doc__)
    parser.add_argument("--rows", type=int, default=1_000_000, help="rows of the table; the budget is for 10,000,000")
    parser.add_argument("--rounds", type=int, default=5, help="how often both are asked, one after the other")
    parser.add_argument("--place", type=Path, default=Path("build/bench"), help="where the tables are kept")
    parser.add_argument("--lakehouse", action="store_true", help="also as Iceberg and Delta, whose jars are fetched")
    return parser.parse_args()


def _jars(place: Path) -> dict[str, str]:
    sys.path.append("tests")
    from support.spark_jars import lakehouse_settings

    return lakehouse_settings(place.resolve())


def _copy(spark: SparkSession, kind: str, table: Path) -> OpenTable:
    """The same rows as a table of its kind, made once for each size."""
    from floe_contracts.adapters.spark.read.open import OpenTable
    from floe_contracts.contract.model import SchemaObject
    from floe_contracts.monitor.source.binding import Binding
    from floe_contracts.monitor.source.server_types import Reach

    name = f"ice.bench.{table.name.replace('-', '_')}"
    place = table if kind == "parquet" else table.with_name(f"{table.name}-{kind}")
    _write(spark, kind, spark.read.parquet(str(table)), name if kind == "iceberg" else str(place))
    frame = spark.table(name) if kind == "iceberg" else spark.read.format(kind).load(str(place))
    binding = Binding("orders", SchemaObject("orders"), Reach.FILES, "local", kind, str(place))
    return OpenTable(binding, frame, kind, str(place))


def _write(spark: SparkSession, kind: str, rows: DataFrame, place: str) -> None:
    if kind == "iceberg" and not spark.catalog.tableExists(place):
        rows.writeTo(place).using("iceberg").create()
    elif kind == "delta" and not Path(place, "_delta_log").exists():
        rows.write.format("delta").save(place)


def _seconds(table: OpenTable, rounds: int) -> tuple[float, float]:
    """Medians of both, in turn; the first turn warms up and does not count."""
    runs = _runs(table)
    times: list[list[float]] = [[], []]
    for turn in range(rounds + 1):
        for run, took in zip(runs, times, strict=True):
            started = time.monotonic()
            run()
            took.extend([time.monotonic() - started] if turn else [])
    return statistics.median(times[0]), statistics.median(times[1])


def _runs(table: OpenTable) -> tuple[Callable[[], object], Callable[[], object]]:
    from floe_contracts.adapters.spark.measure.tables import MeasureOptions, measure
    from floe_contracts.adapters.spark.metadata import answer_counts, read_column_clock
    from floe_contracts.checks.measure import NullCount
    from floe_contracts.checks.promises.promise import ClockChoice
    from floe_contracts.checks.rules.check import QualityCheck, TableRules
    from floe_contracts.monitor.run.plan import plan_rules

    later, choice = 4_000_000_000_000_000, ClockChoice(("updated_at",), "")
    rules = TableRules("orders", tuple(QualityCheck(one, "", "", NullCount((one,))) for one in COLUMNS))
    expected = measure(table.frame, plan_rules(rules, clock=choice), options=MeasureOptions(as_of_us=later))

    def by_metadata() -> None:
        numbers, _ = answer_counts(table, plan_rules(rules))
        clock = read_column_clock(table, choice, as_of_us=later, skew_us=0)
        if numbers != expected.values or getattr(clock, "last_us", None) != getattr(expected.clock, "last_us", None):
            raise SystemExit(f"metadata and a scan of {table.kind} differ: {numbers}, {clock}")

    def by_scan() -> None:
        measure(table.frame, plan_rules(rules, clock=choice), options=MeasureOptions(as_of_us=later))

    return by_metadata, by_scan


if __name__ == "__main__":
    sys.exit(main())
