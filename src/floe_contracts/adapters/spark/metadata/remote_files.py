"""Bytes of files wherever they are: this machine's disks directly, anything else through Hadoop, which has the keys."""

from __future__ import annotations

from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit

from .relation import Kept, Relation


class Moved(Exception):
    """A file is no longer what was listed."""


def local_path(name: str) -> Path | None:
    """A name such as file:/a%20b as a path of this machine."""
    return Path(unquote(urlsplit(name).path)) if name.startswith("file:") else None


def hadoop_settings(relation: Relation) -> Any:
    """Those of the session with the options of the table, as Spark itself uses them."""
    if relation.kept is Kept.DELTA:
        return relation.java.deltaLog().newDeltaHadoopConf()
    state = relation.frame.sparkSession._jsparkSession.sessionState()
    return state.newHadoopConfWithOptions(relation.java.options())


def end_of(path: Any, size: int, length: int, settings: Any) -> bytes:
    """The last bytes of a file; `path` is Hadoop's, `settings` are those of the session."""
    stream = path.getFileSystem(settings).open(path)
    try:
        start = max(size - length, 0)
        stream.seek(start)
        found = bytes(stream.readNBytes(size - start))
    finally:
        stream.close()
    if len(found) != size - start:
        raise Moved
    return found
