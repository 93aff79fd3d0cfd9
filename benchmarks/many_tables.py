"""A quality run over many small tables beside the scans alone: python -m benchmarks.many_tables [--tables 200]."""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import TYPE_CHECKING

from .__main__ import Row

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

ROWS = 2_000
_CONTRACT = """\
schema: shop.table_{number}
version: 1.0.0
fields:
  - {{name: id, type: BIGINT, nullable: false, unique: true}}
  - {{name: name, type: STRING, nullable: false}}
  - {{name: amount, type: DOUBLE, nullable: false}}
servers:
  - {{server: lake, type: local, path: {place}/table_{number}, format: parquet}}
"""


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.many_tables", description=__doc__)
    parser.add_argument("--tables", type=int, default=200)
    parser.add_argument("--rounds", type=int, default=3)
    request = parser.parse_args()
    spark = _session()
    with tempfile.TemporaryDirectory() as name:
        place = Path(name)
        _write(spark, place, request.tables)
        runs = {"scans": lambda: _scans(spark, place, request.tables), "checks": lambda: _checks(place, request.tables)}
        _timed(runs["scans"]), _timed(runs["checks"])  # everything is compiled and cached once
        times = {what: min(_timed(run) for _ in range(request.rounds)) for what, run in runs.items()}
    spark.stop()
    row = Row(f"{request.tables} small tables, against their scans", times["checks"] / times["scans"], 2, "×")
    print(", ".join(f"{what} {took:.1f} s" for what, took in times.items()))
    print(row)
    return 0 if row.kept else 1


def _timed(run: Callable[[], object]) -> float:
    began = time.monotonic()
    run()
    return time.monotonic() - began


def _write(spark: SparkSession, place: Path, tables: int) -> None:
    rows = spark.range(ROWS).selectExpr("id", "concat('n', id) AS name", "id * 1.5D AS amount").coalesce(1)
    rows.write.parquet(str(place / "table_0"))
    (place / "contracts").mkdir()
    for number in range(tables):
        if number:
            _copied(place / "table_0", place / f"table_{number}")
        text = _CONTRACT.format(number=number, place=place)
        (place / f"contracts/table_{number}.yaml").write_text(text)


def _copied(source: Path, target: Path) -> None:
    import shutil

    shutil.copytree(source, target)


def _scans(spark: SparkSession, place: Path, tables: int) -> None:
    """What a person would write: for each table one aggregation of the counts, and one of the distinct keys."""
    from floe_contracts.app.monitor.run import AT_ONCE

    def scan(number: int) -> None:
        frame = spark.read.parquet(str(place / f"table_{number}"))
        frame.selectExpr("count(*)", "count(id)", "count(name)", "count(amount)").collect()
        frame.selectExpr("count(DISTINCT id)").collect()

    with ThreadPoolExecutor(AT_ONCE) as pool:
        list(pool.map(scan, range(tables)))


def _checks(place: Path, tables: int) -> None:
    """The real run, from files of contracts to a report, with a store of its own."""
    from floe_contracts.adapters.process.console import Console
    from floe_contracts.app.monitor.log import RunLog
    from floe_contracts.app.monitor.request import ProcessPorts, RunRequest
    from floe_contracts.app.monitor.run import run_checks

    request = RunRequest(checks=("quality",), contracts=(str(place / "contracts"),), store="memory:")
    report = run_checks(request, ProcessPorts(environ={}), RunLog(Console(), quiet=True)).report
    passed = sum(one.outcome.value == "passed" for one in report.results)
    if passed != tables:
        raise SystemExit(f"{passed} of {tables} tables passed: {report.notes}")


def _session() -> SparkSession:
    from floe_contracts.adapters.spark.session.start import spark_session

    os.environ["PYSPARK_PYTHON"] = sys.executable
    return spark_session("benchmark", settings={"spark.sql.shuffle.partitions": "2"})


if __name__ == "__main__":
    sys.exit(main())
