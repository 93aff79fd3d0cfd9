"""Spark's event log as numbers and places."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from floe_contracts.adapters.spark_submit.event_log import SparkWork, read_event_logs

START = {"Event": "SparkListenerLogStart", "Spark Version": "4.1.4"}
SCAN = """\
(1) Scan parquet {table}
Output [1]: [id#1L]
Batched: true
Location: InMemoryFileIndex [{place}]
ReadSchema: struct<id:bigint>

(2) ColumnarToRow [codegen id : 1]
Input [1]: [id#1L]
"""
INSERT = """\
(4) Execute InsertIntoHadoopFsRelationCommand
Input: []
Arguments: {place}, false, Parquet, [path={place}], Append, {table}[id]
"""
CREATE = """\
(2) CreateDataSourceTableAsSelectCommand
Arguments: `spark_catalog`.`shop`.`report`, Overwrite, [id]
"""
APPEND = """\
(3) AppendData
Arguments: org.apache.spark.sql.execution.Strategy$$Lambda/0x1@2, IcebergWrite(table=lake.shop.report, format=PARQUET)
"""
IN, OUT = "file:/in/revenue of may.parquet", "file:/warehouse/report"
QUOTED = "`spark_catalog`.`shop`.`report`, org.apache.spark.sql.execution.datasources.InMemoryFileIndex(file:/x), "


def _query(*sections: str) -> dict[str, Any]:
    """As Spark 4.1 writes it."""
    tree = "== Physical Plan ==\nExecute InsertIntoHadoopFsRelationCommand (4)\n+- WriteFiles (3)\n"
    event = "org.apache.spark.sql.execution.ui.SparkListenerSQLExecutionStart"
    return {"Event": event, "physicalPlanDescription": "\n\n".join((tree, *sections))}


QUERY = _query(SCAN.format(table="", place=IN), INSERT.format(place=OUT, table=""))


def _task(rows: int, written: int, read: int) -> dict[str, Any]:
    output = {"Records Written": rows, "Bytes Written": written}
    return {
        "Event": "SparkListenerTaskEnd",
        "Task Metrics": {"Output Metrics": output, "Input Metrics": {"Bytes Read": read}},
    }


@pytest.mark.parametrize(
    ("events", "work"),
    [
        pytest.param([], SparkWork(), id="nothing"),
        pytest.param([START], SparkWork(version="4.1.4"), id="no task, so no numbers"),
        pytest.param([START, _task(0, 0, 0)], SparkWork(version="4.1.4"), id="never 0"),
        pytest.param(
            [START, QUERY, _task(2, 10, 30), _task(1, 5, 0)],
            SparkWork(3, 45, (IN,), (OUT,), "4.1.4"),
            id="tasks are added up",
        ),
        pytest.param([QUERY, _task(0, 90, 0)], SparkWork(0, 90, (IN,), (OUT,)), id="a file without rows"),
        pytest.param(
            [_query(SCAN.format(table="spark_catalog.shop.revenue", place=IN), INSERT.format(place=OUT, table=QUOTED))],
            SparkWork(0, None, ("shop.revenue",), ("shop.report",)),
            id="tables have names",
        ),
        pytest.param(
            [_query(CREATE), _query(INSERT.format(place=OUT, table=""))],
            SparkWork(0, None, (), ("shop.report",)),
            id="a new table is not named by its place too",
        ),
        pytest.param(
            [_query(SCAN.format(table="", place=f"{IN}, ... 2 entries"), APPEND)],
            SparkWork(0, None, (IN,), ("lake.shop.report",)),
            id="a table of a catalog",
        ),
        pytest.param(
            [_query(SCAN.format(table="", place=OUT), INSERT.format(place=OUT, table=""))],
            SparkWork(0, None, (), (OUT,)),
            id="what it writes and reads again is not an input",
        ),
    ],
)
def test_a_log_says_what_a_script_did(tmp_path: Path, events: list[dict[str, Any]], work: SparkWork) -> None:
    (tmp_path / "local-1").write_text("".join(json.dumps(event) + "\n" for event in events) + '{"Event": "Spar')
    assert read_event_logs(tmp_path) == work
