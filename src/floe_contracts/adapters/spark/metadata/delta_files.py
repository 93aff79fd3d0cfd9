"""The files of a Delta table as its parts, read through Delta, which knows deletion vectors and renamed columns."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable
from dataclasses import replace
from typing import Any

from pyspark.sql import DataFrame
from pyspark.sql import functions as sf

from ..measure.parts import Parts
from ..read.open import Opened
from .delta_log import Added, added_files
from .listing import MOST_FILES, ListedFile, TooMany, metadata_name
from .parts import PartFile, parted
from .relation import Relation

_METADATA = "_metadata"


def delta_parts(opened: Opened, relation: Relation) -> Parts | None:
    """A file is immutable, and a deletion vector of a file makes it another part."""
    files = added_files(relation)
    if not files or _METADATA in opened.frame.columns:
        return None
    if len(files) > MOST_FILES:
        raise TooMany
    root = metadata_name(relation, relation.java.deltaLog().dataPath())
    by_name = {_name(relation, root, one): one for one in files}
    contents = [PartFile(name, _content(one)) for name, one in by_name.items()]

    def only(names: Collection[str]) -> DataFrame:
        return only_added(relation, [by_name[one] for one in names])

    told = sf.col(f"{_METADATA}.file_path")
    return parted(
        replace(opened, frame=_pinned(relation)),
        contents,
        root,
        told,
        only,
        str(relation.java.metadata().schemaString()),
    )


def _pinned(relation: Relation) -> DataFrame:
    """The version that was listed; a frame without one reads the newest version whenever it is asked."""
    reader = relation.frame.sparkSession.read.format("delta").option("versionAsOf", relation.java.version())
    return reader.load(relation.java.deltaLog().dataPath().toString())


def only_added(relation: Relation, files: Iterable[Added]) -> DataFrame:
    """The rows of some files of the snapshot."""
    actions = relation.jars.org.apache.spark.sql.delta.actions.Action
    chosen = [actions.fromJson(json.dumps({"add": one.action})) for one in files]
    nothing = relation.jvm.scala.Option.empty()
    log = relation.java.deltaLog()
    frame = log.createDataFrame(relation.java, relation.sequence(chosen), False, nothing)
    return DataFrame(frame, relation.frame.sparkSession)


def file_in_table(relation: Relation, file: Added) -> ListedFile:
    """The same with its address."""
    path = _path(relation, file)
    changed_ms = int(file.action.get("modificationTime") or 0)
    return ListedFile(metadata_name(relation, path), int(file.action["size"]), changed_ms, path)


def _path(relation: Relation, file: Added) -> Any:
    """Paths in the log are written as addresses are, and start at the table unless they name another place."""
    hadoop, java = relation.jvm.org.apache.hadoop.fs.Path, relation.jvm.java.net.URI
    return hadoop(relation.java.deltaLog().dataPath(), hadoop(java(file.path)))


def _name(relation: Relation, root: str, file: Added) -> str:
    """Most are inside the table, and need no question to Java."""
    if ":" in file.path or file.path.startswith("/"):
        return metadata_name(relation, _path(relation, file))
    return f"{root}/{file.path}"


def _content(file: Added) -> str:
    vector = file.action.get("deletionVector") or {}
    return f"{file.action['size']} {sorted((key, str(value)) for key, value in vector.items())}"
