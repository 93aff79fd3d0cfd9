"""Spark's event log of one script: rows and bytes that its tasks moved, and the files that its plans name."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

_TASK, _QUERY = "SparkListenerTaskEnd", "SparkListenerSQLExecutionStart"
_PATH = re.compile(r"\b(?:file|s3a?|gs|abfss?|hdfs):/[^\s,\])]+")
_INSERT = re.compile(r"InsertIntoHadoopFsRelationCommand ([^\s,]+)")
_TABLE = re.compile(
    r"(?:CreateDataSourceTableAsSelectCommand|InsertIntoHiveTable|AppendData|OverwriteByExpression) `?([\w.`]+)"
)


@dataclass(frozen=True, slots=True)
class SparkWork:
    """What a script did; None where Spark said nothing."""

    rows: int | None = None
    bytes: int | None = None
    reads: tuple[str, ...] = ()
    writes: tuple[str, ...] = ()
    version: str = ""


def read_event_logs(folder: Path) -> SparkWork:
    """All logs in a folder, added up; a folder without logs says nothing."""
    rows = size = 0
    reads: dict[str, None] = {}
    writes: dict[str, None] = {}
    version = ""
    for event in _events(folder):
        kind = str(event.get("Event", "")).rpartition(".")[2]
        if kind == "SparkListenerLogStart":
            version = str(event.get("Spark Version", ""))
        elif kind == _TASK:
            metrics = event.get("Task Metrics") or {}
            rows += _number(metrics, "Output Metrics", "Records Written")
            size += _number(metrics, "Output Metrics", "Bytes Written") + _number(
                metrics, "Input Metrics", "Bytes Read"
            )
        elif kind == _QUERY:
            plan = str(event.get("physicalPlanDescription", ""))
            targets = [*_INSERT.findall(plan), *(name.replace("`", "") for name in _TABLE.findall(plan))]
            writes.update(dict.fromkeys(targets))
            reads.update(dict.fromkeys(path for path in _scanned(event.get("sparkPlanInfo")) if path not in targets))
    return SparkWork(rows or None, size or None, tuple(reads), tuple(writes), version)


def _events(folder: Path) -> Iterator[dict[str, Any]]:
    for path in sorted(path for path in folder.rglob("*") if path.is_file() and not path.name.startswith(".")):
        with path.open(encoding="utf-8", errors="replace") as lines:
            for line in lines:
                try:
                    event = json.loads(line)
                except ValueError:  # the last line of a script that was killed
                    continue
                if isinstance(event, dict):
                    yield event


def _number(metrics: dict[str, Any], part: str, name: str) -> int:
    value = (metrics.get(part) or {}).get(name)
    return value if isinstance(value, int) else 0


def _scanned(plan: Any) -> Iterator[str]:
    """The places of files that a plan scans."""
    if not isinstance(plan, dict):
        return
    location = str((plan.get("metadata") or {}).get("Location", ""))
    yield from _PATH.findall(location)
    for child in plan.get("children") or ():
        yield from _scanned(child)
