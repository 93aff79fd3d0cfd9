"""The files that Spark will read for a frame, as it listed them itself."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit

from .relation import Kept, Relation

MOST_FILES = 10_000  # each costs some calls into the JVM; above that a scan by many machines is quicker


class TooMany(Exception):
    """There are more files than can be asked one by one."""


@dataclass(frozen=True, slots=True)
class ListedFile:
    """One file; `name` is what `_metadata.file_path` says of its rows, `path` is Hadoop's object."""

    name: str
    size: int
    changed_ms: int
    path: Any


def listed(relation: Relation) -> list[ListedFile]:
    """All files of a relation that is kept in files."""
    nothing = relation.sequence([])
    folders = relation.java.location().listFiles(nothing, nothing)
    found: list[ListedFile] = []
    for number in range(folders.size()):
        files = folders.apply(number).files()
        if len(found) + files.size() > MOST_FILES:
            raise TooMany
        found += [_file(relation, files.apply(index)) for index in range(files.size())]
    return found


def _file(relation: Relation, status: Any) -> ListedFile:
    path = status.getPath()
    return ListedFile(metadata_name(relation, path), status.getLen(), status.getModificationTime(), path)


def metadata_name(relation: Relation, path: Any) -> str:
    """A path as Spark spells it in `_metadata.file_path`: file:/a%20b rather than file:///a b."""
    return str(_path_class(relation.jvm)(path.toString()).toUri().toString())


@lru_cache(maxsize=2)
def _path_class(jvm: Any) -> Any:
    """Looked up once: each word of its name costs a call into the JVM."""
    return jvm.org.apache.hadoop.fs.Path


def root_of(relation: Relation) -> str:
    """The folder of the table, spelled in the same way; empty when there are several."""
    roots = relation.java.location().rootPaths()
    return metadata_name(relation, roots.apply(0)) if roots.size() == 1 else ""


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
