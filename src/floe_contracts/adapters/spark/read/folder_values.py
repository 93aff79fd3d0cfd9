"""Values in the names of folders such as `day=2026-01-01`: as they are written, and beside those inside the files."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any
from urllib.parse import unquote

from pyspark.sql import Column, DataFrame
from pyspark.sql import functions as sf
from pyspark.sql import types as st

from ..columns.paths import quote
from ..measure.limits import try_cast
from .relation import TableRelation, metadata_name

_NO_VALUE = "__HIVE_DEFAULT_PARTITION__"
_FOLDER = "floe folder"
_INCOMPARABLE = (st.StructType, st.ArrayType, st.MapType, st.BinaryType)


def folder_columns(relation: TableRelation) -> list[str]:
    """The columns that stand in the names of folders."""
    return [str(name) for name in relation.java.partitionSchema().fieldNames()]


def stored_fields(relation: TableRelation) -> list[st.StructField]:
    """The columns that the files themselves hold, where folders have columns too."""
    if not folder_columns(relation):
        return []
    return st.StructType.fromJson(json.loads(relation.java.dataSchema().json())).fields


def folders_of(relation: TableRelation) -> list[Any]:
    """Spark's objects for the folders, each with its files."""
    nothing = relation.sequence([])
    folders = relation.java.location().listFiles(nothing, nothing)
    return [folders.apply(number) for number in range(folders.size())]


def folder_texts(relation: TableRelation, names: Sequence[str]) -> dict[str, tuple[str | None, ...]]:
    """The values of some columns by folder, as they are written in its name; None stands for no value."""
    texts: dict[str, tuple[str | None, ...]] = {}
    for folder in folders_of(relation):
        if not folder.files().size():
            continue
        place = metadata_name(relation, folder.files().apply(0).getPath()).rpartition("/")[0] + "/"
        steps = dict(step.partition("=")[::2] for step in unquote(place).split("/") if "=" in step)
        written = {unquote(name).casefold(): unquote(text) for name, text in steps.items()}
        values = (written.get(name.casefold()) for name in names)
        texts[place] = tuple(None if text in (None, _NO_VALUE) else text for text in values)
    return texts


def count_contradictions(relation: TableRelation, own: DataFrame) -> DataFrame | None:
    """One row that tells of each column of `own` in how many rows the name of the folder says another value.

    `own` reads the same files by what is inside of them alone. None where nothing can be compared.
    """
    fields = [field for field in own.schema.fields if not isinstance(field.dataType, _INCOMPARABLE)]
    if not fields:
        return None
    names = [field.name for field in fields]
    text = [st.StructField(name, st.StringType()) for name in (_FOLDER, *(f"{name} of {_FOLDER}" for name in names))]
    rows = [(place, *values) for place, values in folder_texts(relation, names).items()]
    written = own.sparkSession.createDataFrame(rows, st.StructType(text))
    place = sf.regexp_replace(sf.col("_metadata.file_path"), "[^/]*$", "").alias(_FOLDER)
    inside = own.select(place, *(sf.col(quote(name)) for name in names))
    both = inside.join(sf.broadcast(written), _FOLDER)
    counts = []
    for field in fields:
        inside_file, in_name = sf.col(quote(field.name)), sf.col(quote(f"{field.name} of {_FOLDER}"))
        counts.append(count_unequal(inside_file, inside_file, try_cast(in_name, field.dataType)).alias(field.name))
    return both.agg(*counts)


def count_unequal(own: Column, read: Column, folder: Column) -> Column:
    """An aggregate: the rows with a value of their own that does not read as the folder's; some files have none."""
    return sf.count(sf.when(own.isNotNull() & ~read.eqNullSafe(folder), sf.lit(1)))
