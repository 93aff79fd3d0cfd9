"""Iceberg and Delta tables that grow and change, for tests that look at them."""

from __future__ import annotations

from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING, Any

from support.spark_bindings import catalog
from support.spark_metadata import opened_as

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

    from floe_contracts.adapters.spark.read.open import OpenTable

ROWS = 300
BEGAN_US = 1_700_000_000_000_000
NEXT_US = 1_003  # a row's time is that much after the one before it, so that milliseconds do not tell all
COLUMNS = {
    "id": "id",
    "code": "if(id % 7 = 0, null, concat('c', id)) AS code",
    "at": f"if(id % 9 = 0, null, timestamp_micros({BEGAN_US} + id * {NEXT_US})) AS at",
    "local": "timestamp_ntz'2024-07-01 12:00:00.000001' + make_dt_interval(0, 0, 0, id / 1000) AS local",
    "day": "date_add(date'2024-01-01', int(id)) AS day",
    "s": "named_struct('x', int(id)) AS s",
}
_TYPES = "id bigint, code string, at timestamp, local timestamp_ntz, day date, s struct<x: int>"
_numbers = count()


class Lake:
    """One table; every `add` is a commit with one file."""

    def __init__(self, spark: SparkSession, kind: str, *settings: str, partitioned: str = "") -> None:
        self.spark, self.kind = spark, kind
        self.name = f"{'ice.lake.' if kind == 'iceberg' else ''}{kind}_{next(_numbers)}"
        said = ", ".join(f"'{key}'='{value}'" for key, value in (one.split("=") for one in settings))
        with_settings = f"TBLPROPERTIES ({said})" if said else ""
        spark.sql(f"CREATE TABLE {self.name} ({_TYPES}) USING {kind} {partitioned} {with_settings}")

    def add(self, first: int, rows: int = ROWS) -> Lake:
        wanted = [COLUMNS.get(one, f"id AS {one}") for one in self.spark.table(self.name).columns]
        frame = self.spark.range(first, first + rows, numPartitions=1).selectExpr(*wanted)
        if self.kind == "iceberg":
            frame.writeTo(self.name).append()
        else:
            frame.write.format(self.kind).mode("append").saveAsTable(self.name)
        return self

    def sql(self, text: str) -> Lake:
        self.spark.sql(text.format(t=self.name))
        return self

    def compact(self) -> Lake:
        if self.kind == "delta":
            return self.sql("OPTIMIZE {t}")
        return self.sql("CALL ice.system.rewrite_data_files(table => '{t}', options => map('rewrite-all', 'true'))")

    def open(self, **more: Any) -> OpenTable:
        return opened_as(self.spark, catalog(self.name, **more))

    @property
    def place(self) -> Path:
        if self.kind == "iceberg":
            return Path(self.spark.conf.get("spark.sql.catalog.ice.warehouse") or "", *self.name.split(".")[1:])
        return Path(self.spark.sql(f"DESCRIBE DETAIL {self.name}").collect()[0]["location"].removeprefix("file:"))

    def commits(self) -> list[tuple[int, int]]:
        """Ids with their microseconds as the table itself tells them, the oldest first."""
        if self.kind == "iceberg":
            asked = self.spark.table(f"{self.name}.snapshots").selectExpr("snapshot_id", "unix_micros(committed_at)")
        else:
            asked = self.spark.sql(f"DESCRIBE HISTORY {self.name}").selectExpr("version", "unix_micros(timestamp)")
        return sorted(((one[0], one[1]) for one in asked.collect()), key=lambda one: one[1])
