"""Reads Parquet by the union of all footers, with what Spark does not know of Parquet as the nearest that it knows."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from functools import reduce
from importlib.util import find_spec

from pyspark.errors import AnalysisException
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import types as st

from ..session.failures import SPARK_ERRORS
from ..session.start import own_session
from .files_read import FilesRead
from .footer_files import are_near, read_footers
from .foreign_types import ForeignTypes, refuses_a_type
from .layout import Layout, load_whole
from .odd_columns import NANOS_AS_NUMBERS, Meaning, OddColumn, convert_odd, find_odd, type_nulls
from .relation import TableRelation, TooMany, list_files, root_of
from .schema_union import FileGroup, Union
from .stored_schemas import ask_each, group_stored, reload_fields


def read_parquet(spark: SparkSession, path: str, options: Mapping[str, str], promised: st.StructType) -> FilesRead:
    """The rows of every file."""
    try:
        return _read_union(spark, path, options, promised)
    except AnalysisException as error:
        if not refuses_a_type(error):
            raise
    numbers = own_session(spark)  # Spark reads nanoseconds as numbers only, and by a setting of the session
    numbers.conf.set(NANOS_AS_NUMBERS, "true")
    return _read_union(numbers, path, options, promised, foreign=True)


def _read_union(
    spark: SparkSession, path: str, options: Mapping[str, str], promised: st.StructType, *, foreign: bool = False
) -> FilesRead:
    """With `foreign` types Spark is never asked for a schema, which it would refuse to tell."""

    def load(chosen: Mapping[str, str], schema: st.StructType | None) -> DataFrame:
        reader = spark.read.format("parquet").options(**chosen)
        schema = st.StructType() if schema is None and foreign else schema
        return (reader if schema is None else reader.schema(schema)).load(path)

    layout = load_whole(load, options, promised)
    relation = layout.relation
    if relation is None:
        return FilesRead(layout.frame)
    types = ForeignTypes(relation)
    groups = _group(spark, layout, relation, types if foreign else None)
    if isinstance(groups, st.StructType):
        return FilesRead(reload_fields(layout, relation, groups.fields), contradictions=layout.contradictions())
    union = Union(groups, promised)
    layout = replace(layout, stored=tuple(union.fields()))
    odd = [frozenset(find_odd(group.stored)) for group in groups]
    everywhere = frozenset[OddColumn]().union(*odd)
    if len(set(odd)) > 1:
        frame, union = _read_apart(spark, layout, relation, union, odd)
    else:
        frame = reload_fields(layout, relation, union.fields()) if foreign or len(groups) > 1 else layout.frame
        frame = convert_odd(frame, everywhere) if everywhere else frame
    return FilesRead(
        type_nulls(frame, promised) if everywhere else frame,
        tuple(union.variants(root_of(relation))) if len(groups) > 1 else (),
        "; ".join(filter(None, (_remark_nanoseconds(everywhere), types.remark()))),
        contradictions=layout.contradictions(),
    )


def _remark_nanoseconds(odd: Collection[OddColumn]) -> str:
    times = (Meaning.MOMENT, Meaning.LOCAL)
    columns = ", ".join(sorted({column.path[0] for column in odd if column.meaning in times}))
    return f"nanoseconds of {columns} cut to microseconds" if columns else ""


def _group(
    spark: SparkSession, layout: Layout, relation: TableRelation, types: ForeignTypes | None
) -> list[FileGroup] | st.StructType:
    """Files by the schema in their footers; where there are too many to ask each, the schema that Spark merges."""
    try:
        files = [file for file in list_files(relation) if file.size]
    except TooMany:
        return _merge_by_spark(layout)
    if not find_spec("pyarrow"):
        return _merge_by_spark(layout)
    if types is None and not are_near(files):
        try:
            return _merge_by_spark(layout)
        except SPARK_ERRORS:  # files differ by more than columns that some lack: say which
            pass
    stored = ask_each(files, lambda some: [footer.schema for footer in read_footers(relation, some)])
    return group_stored(spark, "parquet", layout, files, stored, types.read_schema if types else None)


def _merge_by_spark(layout: Layout) -> st.StructType:
    return layout.load({**layout.options, "mergeSchema": "true"}, None).schema


def _read_apart(
    spark: SparkSession,
    layout: Layout,
    relation: TableRelation,
    union: Union,
    odd: Sequence[frozenset[OddColumn]],
) -> tuple[DataFrame, Union]:
    """The rows of files that keep times in nanoseconds, or no type, and of those that do not, as one frame."""
    kinds: dict[frozenset[OddColumn], list[FileGroup]] = {}
    for kept, group in zip(odd, union.groups, strict=True):
        kinds.setdefault(kept, []).append(group)
    frames = [
        convert_odd(_load_files(spark, layout, relation, groups, union.promised), kept)
        for kept, groups in kinds.items()
    ]
    converted = [
        replace(group, schema=convert_odd(spark.createDataFrame([], group.schema), kept).schema)
        for kept, group in zip(odd, union.groups, strict=True)
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
