"""The files of a table as its parts, each with a hash that changes when its content or its reading may have."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlsplit

from py4j.java_collections import JavaArray
from pyspark.sql import Column, DataFrame
from pyspark.sql import functions as sf

from ..measure.parts import Parts
from ..read.footer_files import hash_footers, is_parquet
from ..read.open import OpenTable
from ..read.relation import TableRelation, list_files, root_of

MOST_PARTS = 2_000  # a store keeps a line for each
_LONGEST = 1 << 20
METADATA = "_metadata"


@dataclass(frozen=True, slots=True)
class PartFile:
    """A file: its name as rows have it, and what is known about its content."""

    name: str
    content: str


def file_parts(opened: OpenTable, relation: TableRelation) -> Parts | None:
    """The parts of plain files; None where Spark does not skip files by name, so that a part could read as empty."""
    frame = opened.frame
    if METADATA in frame.columns:
        return None
    files = list_files(relation)
    file_name = sf.col(f"{METADATA}.file_path")

    def only(names: Collection[str]) -> DataFrame:
        return frame.where(file_name.isin(*names))

    if not files or _files_read(only([file.name for file in files])) != len(files):
        return None
    if _files_read(only([files[0].name])) != 1:
        return None
    hashes = (
        hash_footers(relation, files) if is_parquet(relation) else [""] * len(files)
    )  # of files with the old name and time
    contents = [
        PartFile(file.name, f"{file.size} {file.changed_ms} {footer}".rstrip())
        for file, footer in zip(files, hashes, strict=True)
    ]
    return build_parts(opened, contents, root_of(relation), file_name, only)


def build_parts(
    opened: OpenTable,
    files: Collection[PartFile],
    root: str,
    file_name: Column,
    only_files: Callable[[Collection[str]], DataFrame],
    reading: str = "",
) -> Parts | None:
    """The parts: each file, or each folder where there are too many files. `file_name` is the name of a row's file.

    All parts together are the opened frame, which must read exactly these files however late it is asked.
    """
    start = _find_start(files, root)
    if start is None:
        return None
    way = _hash(opened.kind, opened.binding.options, opened.frame.schema.json(), reading)
    name = sf.substring(file_name, start + 1, _LONGEST)
    by_folder = len(files) > MOST_PARTS
    members: dict[str, list[PartFile]] = {}
    for member in files:
        members.setdefault(_part(member.name[start:], by_folder=by_folder), []).append(member)
    if len(members) > MOST_PARTS:
        return None

    def only(parts: Collection[str]) -> DataFrame:
        if members.keys() <= set(parts):
            return opened.frame
        return only_files([file.name for part in parts for file in members[part]])

    column = sf.regexp_replace(name, "[^/]*$", "") if by_folder else name
    only_files([next(iter(files)).name]).select(column)  # the rows of a part must be able to say which it is
    return Parts(_hash_parts(members, way), column, only)


def _files_read(frame: DataFrame) -> int:
    """How many files Spark would open; planning this reads none of them."""
    plan: Any = frame._jdf.queryExecution().sparkPlan()
    while plan.children().size():
        plan = plan.children().apply(0)
    chosen = plan.selectedPartitions()
    if isinstance(chosen, JavaArray):  # before Spark 4
        return sum(int(folder.files().size()) for folder in chosen)
    return int(chosen.totalNumberOfFiles())


def _find_start(files: Collection[PartFile], root: str) -> int | None:
    """Where in a name the part begins that tells files of one table apart; None for addresses with a key in them."""
    if root and all(file.name.startswith(f"{root}/") for file in files):
        return len(root) + 1
    if any("@" in urlsplit(file.name).netloc for file in files):
        return None
    return 0


def _part(name: str, *, by_folder: bool) -> str:
    return name[: name.rfind("/") + 1] if by_folder else name


def _hash_parts(members: Mapping[str, Iterable[PartFile]], way: str) -> dict[str, str]:
    return {part: _hash(way, *sorted((file.name, file.content) for file in files)) for part, files in members.items()}


def _hash(*values: object) -> str:
    return hashlib.sha256(repr(values).encode()).hexdigest()[:32]
