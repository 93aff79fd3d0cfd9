"""A program of its own that starts Spark as a job does, and prints what it found: settings, verdicts, a locked file."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import Any

from floe_contracts.adapters.spark.engine import SparkEngine
from floe_contracts.adapters.spark.session.start import spark_session
from floe_contracts.checks.measured import Clock, DayRows
from floe_contracts.checks.promises.promise import ClockChoice
from support.builders import column
from support.spark_bindings import files
from support.spark_runs import NOON, Sla, on_files, run

LIMIT_S = 120.0
ASKED = ("spark.sql.session.timeZone", "spark.scheduler.mode", "spark.ui.enabled", "spark.app.name", "spark.master")
CLOCKS = {
    "moment": ClockChoice(("moment",), ""),
    "wall": ClockChoice(("wall",), ""),
    "wall in Berlin": ClockChoice(("wall",), "", zone="Europe/Berlin"),
    "day": ClockChoice(("day",), "", day_end=True),
}
TIMES = tuple(column(name, "timestamp") for name in ("moment", "wall"))


def answers(engine: SparkEngine, place: Path) -> dict[str, Any]:
    """Everything that a zone of the driver could change."""
    return dict(_answers(engine, place))


def _answers(engine: SparkEngine, place: Path) -> Iterator[tuple[str, Any]]:
    for form in ("parquet", "csv", "json"):
        binding = files(place / form, form, *TIMES, column("day", "date"))
        for name, choice in CLOCKS.items():
            found = engine.clock(binding, choice, as_of_us=NOON, skew_us=0, group_by="", limit_s=LIMIT_S)
            yield f"{form} {name}", found.last_us if isinstance(found, Clock) else found.reason
        rows = engine.rows_of_day(binding, CLOCKS["moment"], date(2026, 1, 3), limit_s=LIMIT_S)
        yield f"{form} rows", rows.rows if isinstance(rows, DayRows) else rows.reason
        fresh = on_files(place / form, *TIMES, format_=form, slas=(Sla("freshness", "PT1H", element="moment"),))
        yield f"{form} verdict", run(engine, "freshness", fresh)["orders"].outcome.value


@dataclass(frozen=True, slots=True)
class _Places:
    times: Path
    locked: Path


def main() -> None:
    places = _Places(*map(Path, sys.argv[1:3]))
    spark = spark_session("floe elsewhere", settings={"spark.sql.shuffle.partitions": "2"})
    engine = SparkEngine(spark)
    refused = engine.schema(files(places.locked, "parquet"), limit_s=LIMIT_S)
    settings = {name: spark.conf.get(name, None) for name in ASKED}
    zone = spark.sparkContext._jvm.java.util.TimeZone.getDefault().getID()  # type: ignore[union-attr]
    sys.stdout.write(
        json.dumps(
            {
                "answers": answers(engine, places.times),
                "locked": getattr(refused, "reason", ""),
                "settings": settings,
                "zone": zone,
            }
        )
    )
    spark.stop()


if __name__ == "__main__":
    main()
