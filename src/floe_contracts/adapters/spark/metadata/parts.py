"""Names for the parts of a table, and a word for each that changes when its content or its reading may have."""

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
from ..read.open import Opened
from .relation import TableRelation, listed, root_of

MOST_PARTS = 2_000  # a store keeps a line for each
_LONGEST = 1 << 20


@dataclass(frozen=True, slots=True)
class PartFile:
    """One file: its name as the rows tell it, and what is known about its content."""

    name: str
    content: str


def parted(
    opened: Opened,
    files: Collection[PartFile],
    root: str,
    told: Column,
    only_files: Callable[[Collection[str]], DataFrame],
    reading: str = "",
) -> Parts | None:
    """Each file is a part; where there are too many, each folder. `told` is the name of a row's file.

    All parts together are the opened frame, which must read exactly these files however late it is asked.
    """
    start = _start(files, root)
    if start is None:
        return None
    way = _hash(opened.kind, opened.binding.options, opened.frame.schema.json(), reading)
    name = sf.substring(told, start + 1, _LONGEST)
    by_folder = len(files) > MOST_PARTS
    members: dict[str, list[PartFile]] = {}
    for one in files:
        members.setdefault(_part(one.name[start:], by_folder=by_folder), []).append(one)
    if len(members) > MOST_PARTS:
        return None

    def only(parts: Collection[str]) -> DataFrame:
        if members.keys() <= set(parts):
            return opened.frame
        return only_files([file.name for part in parts for file in members[part]])

    column = sf.regexp_replace(name, "[^/]*$", "") if by_folder else name
    only_files([next(iter(files)).name]).select(column)  # the rows of a part must be able to say which it is
    return Parts(_words(members, way), column, only)


def _start(files: Collection[PartFile], root: str) -> int | None:
    """Where in a name the part begins that tells files of one table apart; an address with a key in it is refused."""
    if root and all(one.name.startswith(f"{root}/") for one in files):
        return len(root) + 1
    if any("@" in urlsplit(one.name).netloc for one in files):
        return None
    return 0


def _part(name: str, *, by_folder: bool) -> str:
    return name[: name.rfind("/") + 1] if by_folder else name


def _words(members: Mapping[str, Iterable[PartFile]], way: str) -> dict[str, str]:
    return {part: _hash(way, *sorted((one.name, one.content) for one in files)) for part, files in members.items()}


def _hash(*said: object) -> str:
    return hashlib.sha256(repr(said).encode()).hexdigest()[:32]


_METADATA = "_metadata"


def file_parts(opened: Opened, relation: TableRelation) -> Parts | None:
    """None where Spark does not keep files closed by their names; then a part could be read as empty."""
    frame = opened.frame
    if _METADATA in frame.columns:
        return None
    files = listed(relation)
    told = sf.col(f"{_METADATA}.file_path")

    def only(names: Collection[str]) -> DataFrame:
        return frame.where(told.isin(*names))

    if not files or _files_read(only([one.name for one in files])) != len(files):
        return None
    if _files_read(only([files[0].name])) != 1:
        return None
    contents = [PartFile(one.name, f"{one.size} {one.changed_ms}") for one in files]
    return parted(opened, contents, root_of(relation), told, only)


def _files_read(frame: DataFrame) -> int:
    """How many files Spark would open; planning this reads none of them."""
    plan: Any = frame._jdf.queryExecution().sparkPlan()
    while plan.children().size():
        plan = plan.children().apply(0)
    chosen = plan.selectedPartitions()
    if isinstance(chosen, JavaArray):  # before Spark 4
        return sum(int(folder.files().size()) for folder in chosen)
    return int(chosen.totalNumberOfFiles())
