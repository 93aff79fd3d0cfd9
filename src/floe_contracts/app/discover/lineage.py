"""Readers in OpenLineage events: a job reads the fields that columnLineage names, else every column of its inputs."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from ...definitions.query import ColumnRead
from ...definitions.readers import ReadingCode
from ...errors import FloeError

_MAX_BYTES = 512 * 1024 * 1024


def read_events(path: str) -> Iterator[ReadingCode]:
    """The jobs of a file of events: one event per line, one event, or a list of them."""
    for line, event in _events(path):
        job = event.get("job")
        name = job.get("name") if isinstance(job, dict) else None
        reads = tuple(_reads(event, line))
        if isinstance(name, str) and name and reads:
            yield ReadingCode(name, path, reads)


def _events(path: str) -> Iterator[tuple[int, dict[str, Any]]]:
    try:
        if Path(path).stat().st_size > _MAX_BYTES:
            raise FloeError(f"{path} is larger than {_MAX_BYTES >> 20} MB", fix="Split it, or name a smaller extract.")
        text = Path(path).read_text("utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        reason = getattr(error, "strerror", None) or "it is not UTF-8"
        raise FloeError(f"{path} cannot be read: {reason}", fix="Name a file of OpenLineage events.") from error
    try:
        whole = json.loads(text)
    except ValueError:
        yield from _lines(path, text)
        return
    for event in whole if isinstance(whole, list) else [whole]:
        yield 1, _event(path, 1, event)


def _lines(path: str, text: str) -> Iterator[tuple[int, dict[str, Any]]]:
    for number, line in enumerate(text.splitlines(), 1):
        if line.strip():
            try:
                event = json.loads(line)
            except ValueError as error:
                fix = "Write one event per line, or a list of events."
                raise FloeError(f"{path}:{number} is not JSON", fix=fix) from error
            yield number, _event(path, number, event)


def _event(path: str, line: int, value: Any) -> dict[str, Any]:
    if not isinstance(value, dict):
        raise FloeError(f"{path}:{line} is not an event", fix="An OpenLineage event is a JSON object.")
    return value


def _reads(event: dict[str, Any], line: int) -> Iterator[ColumnRead]:
    """Fields where an output tells them; an input that no output tells of is read whole."""
    known: set[str] = set()
    for output in _dicts(event.get("outputs")):
        facet = _map(_map(output.get("facets")).get("columnLineage"))
        fields = [
            field for entry in _map(facet.get("fields")).values() for field in _dicts(_map(entry).get("inputFields"))
        ]
        for field in (*fields, *_dicts(facet.get("dataset"))):
            name, column = field.get("name"), field.get("field")
            if isinstance(name, str) and isinstance(column, str):
                known.add(name)
                yield ColumnRead((_table(name),), column, line)
    for source in _dicts(event.get("inputs")):
        name = source.get("name")
        if isinstance(name, str) and name not in known:
            yield ColumnRead((_table(name),), None, line)


def _table(name: str) -> str:
    """A dataset's name as a table's: a path's last folder, or the name with dots as it is."""
    return name.rstrip("/").rpartition("/")[2].removesuffix(".parquet").removesuffix(".csv") if "/" in name else name


def _map(value: Any) -> dict[str, Any]:
    return value if isinstance(value, dict) else {}


def _dicts(value: Any) -> list[dict[str, Any]]:
    return [item for item in value if isinstance(item, dict)] if isinstance(value, list) else []
