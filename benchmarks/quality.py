"""Our quality run beside an aggregation by hand, a re-check, and other engines: python -m benchmarks.quality --help."""

from __future__ import annotations

import argparse
import json
import os
import resource
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Mapping
from contextlib import ExitStack
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING

from . import quality_table as t
from .__main__ import Row

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

    from floe_contracts.monitor.run.engine import Measurements
    from floe_contracts.monitor.run.plan import TablePlan
    from floe_contracts.monitor.store.states import TableState

HERE = Path(__file__).parent


def main() -> int:
    asked = _arguments()
    spark = session()
    table = t.write_table(spark, asked.place, asked.rows)
    runs = _runs(spark, table)  # hides a part of the table for a while, so the others start afterwards
    with ExitStack() as stack:
        engines = {name: stack.enter_context(Engine(name, python, table)) for name, python in asked.peer}
        times = _in_turn({**runs, **{name: one.run for name, one in engines.items()}}, asked.rounds)
        for name, one in engines.items():
            print(name, one.faults)
    rows = [
        Row("20 rules without keys, against by hand", times["counts"] / times["by hand"], 1.15, "×"),
        Row("re-check of 1/8 new rows, counts", times["re-check counts"] / times["counts"], 0.35, "×"),
        Row("re-check of 1/8 new rows, with keys", times["re-check"] / times["whole"], 0.7, "×"),
        Row("memory of the driver's Python", _memory_mb(), 600, "MB"),
    ]
    if engines:
        best = min(engines, key=lambda name: times[name])
        rows.append(Row(f"whole plan, against {best}", times[best] / times["whole"], 1.8, "×", floor=True))
    print(f"{asked.rows:,} rows, seconds:", ", ".join(f"{name} {took:.2f}" for name, took in times.items()))
    print("\n".join(map(str, rows)))
    return 0 if all(row.kept for row in rows) else 1


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.quality", description=__doc__)
    parser.add_argument("--rows", type=int, default=10_000_000, help="rows of the table (at least 1,000)")
    parser.add_argument("--rounds", type=int, default=3, help="how often everything is measured, one after the other")
    parser.add_argument("--place", type=Path, default=Path("build/bench"), help="where the table is kept")
    parser.add_argument(
        "--peer",
        type=lambda text: text.split("=", 1),
        action="append",
        default=[],
        metavar="NAME=PYTHON",
        help="another engine with the Python of its environment: cuallee, datacontract-cli, great-expectations, soda",
    )
    return parser.parse_args()


def session(more: Mapping[str, str] = MappingProxyType({})) -> SparkSession:
    """Two cores; times are written so that footers know their newest."""
    from pyspark.sql import SparkSession

    os.environ["PYSPARK_PYTHON"] = sys.executable
    settings: dict[str, bool | float | int | str | None] = {
        "spark.ui.enabled": "false",
        "spark.ui.showConsoleProgress": "false",
        "spark.sql.parquet.outputTimestampType": "TIMESTAMP_MICROS",
        **more,
    }
    spark = SparkSession.builder.master("local[2]").config(map=settings).getOrCreate()
    spark.sparkContext.setLogLevel("OFF")
    return spark


def _in_turn(runs: Mapping[str, Callable[[], object]], rounds: int) -> dict[str, float]:
    """Median seconds of each way, all of them in turn; the first turn warms up and does not count."""
    times: dict[str, list[float]] = {name: [] for name in runs}
    for turn in range(rounds + 1):
        for name, run in runs.items():
            started = time.monotonic()
            run()
            took = time.monotonic() - started
            print(f"  round {turn} of {rounds}: {name} {took:.2f} s", file=sys.stderr)
            times[name] += [took] if turn else []
    return {name: statistics.median(took) for name, took in times.items()}


def _runs(spark: SparkSession, table: Path) -> dict[str, Callable[[], object]]:
    from floe_contracts.adapters.spark.measure.tables import measure

    from .quality_peers import by_hand

    frame, whole, counts = spark.read.parquet(str(table)), _plan(keys=True), _plan(keys=False)
    before = _states_without_the_last_part(spark, table, (whole, counts))
    by_a_person = by_hand(frame)

    def recheck(plan: TablePlan) -> None:
        _right(_by_parts(spark, table, plan, before[plan.plan_hash]), plan)

    return {
        "by hand": lambda: _faults(by_a_person()),
        "counts": lambda: _right(measure(frame, counts), counts),
        "whole": lambda: _right(measure(frame, whole), whole),
        "first by parts": lambda: _right(_by_parts(spark, table, counts, None), counts),
        "re-check counts": lambda: recheck(counts),
        "re-check": lambda: recheck(whole),
    }


def _states_without_the_last_part(
    spark: SparkSession, table: Path, plans: tuple[TablePlan, ...]
) -> dict[str, TableState | None]:
    """What was kept before the last eighth came; Spark does not see a folder whose name begins with a dot."""
    last, hidden = table / f"part={t.PARTS - 1}", table / f".part={t.PARTS - 1}"
    last.rename(hidden)
    try:
        return {plan.plan_hash: _by_parts(spark, table, plan, None).state for plan in plans}
    finally:
        hidden.rename(last)


def _by_parts(spark: SparkSession, table: Path, plan: TablePlan, state: TableState | None) -> Measurements:
    """As the engine does it: opened anew, and listed."""
    from floe_contracts.adapters.spark.measure.parts import measure_parts
    from floe_contracts.adapters.spark.measure.tables import MeasureOptions
    from floe_contracts.adapters.spark.metadata import parts_of
    from floe_contracts.adapters.spark.read.open import OpenTable
    from floe_contracts.contract.model import SchemaObject
    from floe_contracts.monitor.source.binding import Binding
    from floe_contracts.monitor.source.server_types import Reach

    frame = spark.read.parquet(str(table))
    binding = Binding("orders", SchemaObject("orders"), Reach.FILES, "local", "parquet", str(table))
    parts = parts_of(OpenTable(binding, frame, "parquet", str(table)))
    if parts is None:
        raise SystemExit("the table of the benchmark has no parts")
    return measure_parts(frame, plan, parts, state, options=MeasureOptions())


def _plan(*, keys: bool) -> TablePlan:
    from dataclasses import replace

    from floe_contracts.checks.measure import DuplicateCount
    from floe_contracts.checks.rules.constraints import rules_of
    from floe_contracts.contract.load import load
    from floe_contracts.monitor.run.plan import plan_rules

    contract = load(t.contract_text().encode(), "orders.odcs.yaml").contract
    if contract is None:
        raise SystemExit("the contract of the benchmark is not valid")
    rules = rules_of(contract, contract.objects[0])
    wanted = tuple(one for one in rules.rules if keys or not isinstance(one.measure, DuplicateCount))
    return plan_rules(replace(rules, rules=wanted))


def _right(found: Measurements, plan: TablePlan) -> None:
    """A fast answer must be the right one."""
    _faults({rule.id.removeprefix("orders."): found.values[rule.measure] for rule in plan.rules})


def _faults(said: Mapping[str, object]) -> None:
    wrong = {name: (number, t.FAULTS[name]) for name, number in said.items() if number != t.FAULTS.get(name, number)}
    if wrong:
        raise SystemExit(f"found and planted differ: {wrong}")


def _memory_mb() -> float:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


class Engine:
    """Another engine in a process of its own, with Spark started; each run is one round."""

    def __init__(self, name: str, python: str, table: Path) -> None:
        command = [python, "-m", "benchmarks.quality_peers", name, str(table.resolve())]
        self.name, self.faults = name, dict[str, int]()
        self.process = subprocess.Popen(
            command,
            cwd=HERE.parent,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
        )

    def __enter__(self) -> Engine:
        return self

    def __exit__(self, *_: object) -> None:
        self.process.communicate()

    def run(self) -> None:
        assert self.process.stdin is not None  # noqa: S101  asked for
        assert self.process.stdout is not None  # noqa: S101
        self.process.stdin.write("\n")
        self.process.stdin.flush()
        for line in self.process.stdout:
            if line.startswith("{"):
                self.faults = json.loads(line)
                return
        raise SystemExit(f"{self.name} ended: run it by hand to see why")


if __name__ == "__main__":
    sys.exit(main())
