"""Reads Parquet by the union of all footers, with times in nanoseconds cut to what Spark knows."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import reduce
from importlib.util import find_spec

from pyspark.errors import AnalysisException
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import types as st

from ..session.failures import SPARK_ERRORS, condition_of
from ..session.start import own_session
from .files_read import FilesRead
from .footer_files import are_near, read_footers
from .layout import Layout, load_whole
from .nanoseconds import NANOS_AS_NUMBERS, NanosecondTime, convert_nanoseconds, nanosecond_paths
from .relation import TableRelation, TooMany, list_files, root_of
from .schema_union import FileGroup, Union
from .stored_schemas import ask_each, group_stored, reload_fields

_ILLEGAL = "PARQUET_TYPE_ILLEGAL"


def read_parquet(spark: SparkSession, path: str, options: Mapping[str, str], promised: st.StructType) -> FilesRead:
    """The rows of every file."""
    try:
        return _read_union(spark, path, options, promised)
    except AnalysisException as error:
        if condition_of(error) != _ILLEGAL or "NANOS" not in str(error):
            raise
    numbers = own_session(spark)  # Spark reads nanoseconds as numbers only, and by a setting of the session
    numbers.conf.set(NANOS_AS_NUMBERS, "true")
    return _read_union(numbers, path, options, promised, every=True)


def _read_union(
    spark: SparkSession, path: str, options: Mapping[str, str], promised: st.StructType, *, every: bool = False
) -> FilesRead:
    def load(chosen: Mapping[str, str], schema: st.StructType | None) -> DataFrame:
        reader = spark.read.format("parquet").options(**chosen)
        return (reader if schema is None else reader.schema(schema)).load(path)

    layout = load_whole(load, options, promised)
    relation = layout.relation
    if relation is None:
        return FilesRead(layout.frame)
    groups = _group(spark, layout, relation, every=every)
    if isinstance(groups, st.StructType):
        return FilesRead(reload_fields(layout, relation, groups.fields), contradictions=layout.contradictions())
    union = Union(groups, promised)
    layout = replace(layout, stored=tuple(union.fields()))
    times = [frozenset(nanosecond_paths(group.stored)) for group in groups]
    everywhere = frozenset[NanosecondTime]().union(*times)
    if len(set(times)) > 1:
        frame, union = _read_apart(spark, layout, relation, union, times)
    else:
        frame = reload_fields(layout, relation, union.fields()) if len(groups) > 1 else layout.frame
        frame = convert_nanoseconds(frame, everywhere) if everywhere else frame
    columns = ", ".join(sorted({time.path[0] for time in everywhere}))
    return FilesRead(
        frame,
        tuple(union.variants(root_of(relation))) if len(groups) > 1 else (),
        f"nanoseconds of {columns} cut to microseconds" if columns else "",
        contradictions=layout.contradictions(),
    )


def _group(
    spark: SparkSession, layout: Layout, relation: TableRelation, *, every: bool
) -> list[FileGroup] | st.StructType:
    """Files by the schema in their footers; where there are too many to ask each, the schema that Spark merges."""
    try:
        files = [file for file in list_files(relation) if file.size]
    except TooMany:
        return _merge_by_spark(layout)
    if not find_spec("pyarrow"):
        return _merge_by_spark(layout)
    if not every and not are_near(files):
        try:
            return _merge_by_spark(layout)
        except SPARK_ERRORS:  # files differ by more than columns that some lack: say which
            pass
    stored = ask_each(files, lambda some: [footer.schema for footer in read_footers(relation, some)])
    return group_stored(spark, "parquet", layout, files, stored)


def _merge_by_spark(layout: Layout) -> st.StructType:
    return layout.load({**layout.options, "mergeSchema": "true"}, None).schema


def _read_apart(
    spark: SparkSession,
    layout: Layout,
    relation: TableRelation,
    union: Union,
    times: Sequence[frozenset[NanosecondTime]],
) -> tuple[DataFrame, Union]:
    """The rows of files that keep times in nanoseconds and of those that keep them otherwise, as one frame."""
    kinds: dict[frozenset[NanosecondTime], list[FileGroup]] = {}
    for kept, group in zip(times, union.groups, strict=True):
        kinds.setdefault(kept, []).append(group)
    frames = [
        convert_nanoseconds(_load_files(spark, layout, relation, groups, union.promised), kept)
        for kept, groups in kinds.items()
    ]
    converted = [
        replace(group, schema=convert_nanoseconds(spark.createDataFrame([], group.schema), kept).schema)
        for kept, group in zip(times, union.groups, strict=True)
    ]
    rows = reduce(lambda left, right: left.unionByName(right, allowMissingColumns=True), frames)
    return rows, replace(union, groups=converted)


def _load_files(
    spark: SparkSession, layout: Layout, relation: TableRelation, groups: Sequence[FileGroup], promised: st.StructType
) -> DataFrame:
    """Some of the files, with the columns of their folders."""
    files = [file.path.toString() for group in groups for file in group.files]
    base = {"basePath": str(relation.java.location().rootPaths().apply(0))} if layout.folders else {}
    names = {field.name.casefold() for field in layout.folders}
    fields = [field for field in Union(groups, promised).fields() if field.name.casefold() not in names]
    reader = spark.read.format("parquet").options(**layout.options, **base)
    return reader.schema(st.StructType([*fields, *layout.folders])).load(files)
