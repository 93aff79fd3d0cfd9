"""Spark's event log as numbers and places."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from floe_contracts.adapters.spark_submit.event_log import SparkWork, read_event_logs

START = {"Event": "SparkListenerLogStart", "Spark Version": "4.1.4"}
QUERY = {
    "Event": "org.apache.spark.sql.execution.ui.SparkListenerSQLExecutionStart",
    "physicalPlanDescription": "Execute InsertIntoHadoopFsRelationCommand file:/out/report, false, Parquet",
    "sparkPlanInfo": {
        "nodeName": "Execute InsertIntoHadoopFsRelationCommand",
        "metadata": {},
        "children": [{"metadata": {"Location": "InMemoryFileIndex(1 paths)[file:/in/revenue]"}, "children": []}],
    },
}


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
            SparkWork(3, 45, ("file:/in/revenue",), ("file:/out/report",), "4.1.4"),
            id="tasks are added up",
        ),
    ],
)
def test_a_log_says_what_a_script_did(tmp_path: Path, events: list[dict[str, Any]], work: SparkWork) -> None:
    (tmp_path / "local-1").write_text("".join(json.dumps(event) + "\n" for event in events) + '{"Event": "Spar')
    assert read_event_logs(tmp_path) == work
