"""Spark's event log of one script: rows and bytes that its tasks moved, and the files that its plans name."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

_TASK, _QUERY = "SparkListenerTaskEnd", "SparkListenerSQLExecutionStart"
_SECTION = re.compile(r"\(\d+\) (.+?)(?: \[codegen id : \d+\])?\s*\n(.*)", re.DOTALL)
_SCAN = re.compile(r"(?:Batch)?Scan(?: \w+)? ([^\s.]+\.\S+)")
_LOCATION = re.compile(r"^Location: \w+ \[(.+?)(?:, \.\.\. \d+ entries)?\]$", re.MULTILINE)
_TARGET = re.compile(r"^Arguments: ([^`]+?), (?:false|true), ", re.MULTILINE)
_QUOTED = re.compile(r"^Arguments: .*?((?:`[^`]+`\.)*`[^`]+`)", re.MULTILINE)
_WRITTEN = re.compile(r"Write\(table=([^\s,)]+)")  # by a catalog such as Iceberg's
_WRITERS = ("InsertIntoHadoopFsRelationCommand", "InsertIntoHiveTable", "TableAsSelectCommand")
_OWN_CATALOG = "spark_catalog."


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
            for name, text in _sections(str(event.get("physicalPlanDescription", ""))):
                reads.update(dict.fromkeys(_read_in(name, text)))
                writes.update(dict.fromkeys(_written_in(name, text)))
    targets = _without_places(tuple(writes))
    sources = tuple(name for name in _without_places(tuple(reads)) if name not in targets)
    return SparkWork(rows if rows or targets else None, size or None, sources, targets, version)


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


def _sections(plan: str) -> Iterator[tuple[str, str]]:
    """The operators of a plan in Spark's `formatted` mode: name, and what is said of each."""
    for block in plan.split("\n\n"):
        match = _SECTION.match(block.strip() + "\n")
        if match is not None:
            yield match[1].strip(), match[2]


def _read_in(name: str, text: str) -> Iterator[str]:
    """The table that an operator scans, else the place of the files."""
    table, place = _SCAN.fullmatch(name), _LOCATION.search(text)
    if table is not None:
        yield table[1].removeprefix(_OWN_CATALOG)
    elif place is not None:
        yield from place[1].split(", ")


def _written_in(name: str, text: str) -> Iterator[str]:
    if name.endswith(_WRITERS):
        table, place = _QUOTED.search(text), _TARGET.search(text)
        if table is not None:
            yield table[1].replace("`", "").removeprefix(_OWN_CATALOG)
        elif place is not None:
            yield place[1]
    yield from (table.removeprefix(_OWN_CATALOG) for table in _WRITTEN.findall(text))


def _without_places(names: tuple[str, ...]) -> tuple[str, ...]:
    """Spark writes a new table by its place, which is named by the table too."""
    tables = {name.rpartition(".")[2] for name in names if "/" not in name}
    return tuple(name for name in names if "/" not in name or name.rstrip("/").rpartition("/")[2] not in tables)
