"""The parts of tables that are plain files, read through Spark's own listing so that all others stay closed."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

from py4j.java_collections import JavaArray
from pyspark.sql import DataFrame
from pyspark.sql import functions as sf

from ..opening import Opened
from ..parts import Parts
from .listing import listed, root_of
from .parting import PartFile, parted
from .relation import Relation

_METADATA = "_metadata"


def file_parts(opened: Opened, relation: Relation) -> Parts | None:
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
