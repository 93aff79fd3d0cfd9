"""Reads Parquet by the union of all footers, and tells files that keep a column in another type than others do."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from importlib.util import find_spec
from typing import Any

from pyspark.errors import AnalysisException
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import types as st

from ....errors import FloeError
from ..session.failures import condition_of, spell_file
from ..session.start import own_session
from .footer_files import are_local, read_footers
from .layout import Layout, folder_columns, load_whole
from .nanoseconds import NANOS_AS_NUMBERS, convert_nanoseconds, nanosecond_paths
from .relation import ListedFile, TableRelation, TooMany, list_files, root_of

_ILLEGAL = "PARQUET_TYPE_ILLEGAL"
_FAR = 64  # footers that are fetched one by one from elsewhere; of more files Spark reads them with all its machines
_RANKS: tuple[tuple[type[st.DataType], ...], ...] = (
    (st.ByteType, st.ShortType, st.IntegerType, st.LongType),
    (st.FloatType, st.DoubleType),
)


@dataclass(frozen=True, slots=True)
class ColumnVariant:
    """A column as some file keeps it, where that is another type than the table is read with."""

    file: str
    field: st.StructField


@dataclass(frozen=True, slots=True)
class FilesRead:
    """The rows of all files, and what is odd about the files."""

    frame: DataFrame
    variants: tuple[ColumnVariant, ...] = ()
    remark: str = ""
    unreadable: int = 0  # rows that are left out of the frame
    listing: DataFrame | None = None  # a frame over the same files and nothing else, where this one is more than that


@dataclass(frozen=True, slots=True)
class _Stored:
    """Files with one schema: an example, how many there are, and the schema as Spark reads it."""

    file: ListedFile
    footer: Any
    count: int
    schema: st.StructType | None = None


def read_parquet(spark: SparkSession, path: str, options: Mapping[str, str], promised: st.StructType) -> FilesRead:
    """The rows of every file."""
    try:
        return _read_union(spark, path, options, promised)
    except AnalysisException as error:
        if condition_of(error) != _ILLEGAL or "NANOS" not in str(error):
            raise
    numbers = own_session(spark)  # Spark reads nanoseconds as numbers only, and by a setting of the session
    numbers.conf.set(NANOS_AS_NUMBERS, "true")
    return _read_union(numbers, path, options, promised)


def _read_union(spark: SparkSession, path: str, options: Mapping[str, str], promised: st.StructType) -> FilesRead:
    def load(chosen: Mapping[str, str], schema: st.StructType | None) -> DataFrame:
        reader = spark.read.format("parquet").options(**chosen)
        return (reader if schema is None else reader.schema(schema)).load(path)

    layout = load_whole(load, options, promised)
    relation = layout.relation
    if relation is None:
        return FilesRead(layout.frame)
    kinds = _group_by_schema(relation)
    if kinds is None:
        merged = load({**layout.options, "mergeSchema": "true"}, None).schema
        return FilesRead(_reload(layout, relation, merged.fields))
    frame, variants = _read_kinds(spark, layout, relation, kinds, promised)
    times = {time for kind in kinds for time in nanosecond_paths(kind.footer)}
    if not times:
        return FilesRead(frame, variants)
    columns = ", ".join(sorted({time.path[0] for time in times}))
    return FilesRead(convert_nanoseconds(frame, times), variants, f"nanoseconds of {columns} cut to microseconds")


def _group_by_schema(relation: TableRelation) -> list[_Stored] | None:
    """Files by the schema in their footers; None where there are too many to ask one by one."""
    try:
        files = [file for file in list_files(relation) if file.size]
    except TooMany:
        return None
    if not find_spec("pyarrow") or (len(files) > _FAR and not are_local(files)):
        return None
    kinds: list[_Stored] = []
    for file, footer in zip(files, _read_footers(relation, files), strict=True):
        for number, kind in enumerate(kinds):
            if kind.footer.schema.equals(footer.schema):
                kinds[number] = _Stored(kind.file, kind.footer, kind.count + 1)
                break
        else:
            kinds.append(_Stored(file, footer, 1))
    return kinds


def _read_footers(relation: TableRelation, files: list[ListedFile]) -> list[Any]:
    """All footers; when one cannot be read, the message names its file."""
    from pyarrow import ArrowException

    try:
        return read_footers(relation, files)
    except (ArrowException, OSError):
        bad = next((file for file in files if not _has_footer(relation, file)), None)
        if bad is None:
            raise
        raise FloeError(f"a file cannot be read, its footer is missing or damaged: {spell_file(bad.name)}") from None


def _has_footer(relation: TableRelation, file: ListedFile) -> bool:
    from pyarrow import ArrowException

    try:
        return bool(read_footers(relation, [file]))
    except (ArrowException, OSError):
        return False


def _read_kinds(
    spark: SparkSession, layout: Layout, relation: TableRelation, kinds: list[_Stored], promised: st.StructType
) -> tuple[DataFrame, tuple[ColumnVariant, ...]]:
    if len(kinds) < 2:
        return layout.frame, ()
    reader = spark.read.format("parquet").options(**layout.options)
    read = [
        _Stored(kind.file, kind.footer, kind.count, reader.load(kind.file.path.toString()).schema) for kind in kinds
    ]
    fields = _unite(read, {field.name.casefold(): field.dataType for field in promised.fields})
    return _reload(layout, relation, fields), tuple(_variants(read, fields, root_of(relation)))


def _reload(layout: Layout, relation: TableRelation, fields: list[st.StructField]) -> DataFrame:
    """The frame with these columns of files, and with those of folders as they are."""
    in_folders = {name.casefold() for name in folder_columns(relation)}
    folders = [field for field in layout.frame.schema.fields if field.name.casefold() in in_folders]
    schema = st.StructType([*(field for field in fields if field.name.casefold() not in in_folders), *folders])
    return layout.frame if schema == layout.frame.schema else layout.reload(schema).frame


def _unite(kinds: list[_Stored], promised: Mapping[str, st.DataType]) -> list[st.StructField]:
    """The columns of all files, each in the type that holds most of them."""
    stored: dict[str, list[tuple[st.StructField, int]]] = {}
    for kind in kinds:
        for field in kind.schema.fields if kind.schema is not None else ():
            stored.setdefault(field.name.casefold(), []).append((field, kind.count))
    return [
        st.StructField(fields[0][0].name, _choose_type(fields, promised.get(name))) for name, fields in stored.items()
    ]


def _choose_type(fields: list[tuple[st.StructField, int]], promised: st.DataType | None) -> st.DataType:
    """One type for a column: with all fields of a struct, the widest of numbers, the promised one, or of most files."""
    merged: st.DataType | None = fields[0][0].dataType
    for field, _ in fields[1:]:
        merged = _merge(merged, field.dataType) if merged is not None else None
    if merged is not None:
        return merged
    if any(field.dataType == promised for field, _ in fields) and promised is not None:
        return promised
    counts: dict[str, int] = {}
    for field, count in fields:
        counts[field.dataType.json()] = counts.get(field.dataType.json(), 0) + count
    most = max(counts.values())
    return next(field.dataType for field, _ in fields if counts[field.dataType.json()] == most)


def _merge(left: st.DataType, right: st.DataType) -> st.DataType | None:
    """The type that reads both; None when there is none."""
    if left == right:
        return left
    if isinstance(left, st.StructType) and isinstance(right, st.StructType):
        return _merge_structs(left, right)
    if isinstance(left, st.ArrayType) and isinstance(right, st.ArrayType):
        item = _merge(left.elementType, right.elementType)
        return st.ArrayType(item) if item is not None else None
    for ranks in _RANKS:
        if type(left) in ranks and type(right) in ranks:
            return max(left, right, key=lambda kind: ranks.index(type(kind)))
    return None


def _merge_structs(left: st.StructType, right: st.StructType) -> st.StructType | None:
    theirs = {field.name.casefold(): field.dataType for field in right.fields}
    merged = [(field.name, _merge(field.dataType, theirs.pop(field.name.casefold(), field.dataType))) for field in left]
    fields = [st.StructField(name, kind) for name, kind in merged if kind is not None]
    if len(fields) < len(merged):
        return None
    return st.StructType([*fields, *(field for field in right.fields if field.name.casefold() in theirs)])


def _variants(kinds: list[_Stored], fields: list[st.StructField], root: str) -> list[ColumnVariant]:
    """How each file keeps the columns on which files differ, by more than the fields that a struct lacks."""
    chosen = {field.name.casefold(): field.dataType for field in fields}
    stored = [
        (field.name.casefold(), ColumnVariant(kind.file.name.removeprefix(f"{root}/"), field))
        for kind in kinds
        for field in (kind.schema.fields if kind.schema is not None else ())
    ]
    odd = {name for name, variant in stored if not _is_within(variant.field.dataType, chosen[name])}
    return [variant for name, variant in stored if name in odd]


def _is_within(kind: st.DataType, chosen: st.DataType) -> bool:
    """Whether a type is the chosen one, or a struct that lacks some of its fields."""
    if isinstance(kind, st.StructType) and isinstance(chosen, st.StructType):
        known = {field.name.casefold(): field.dataType for field in chosen.fields}
        return all(_is_within(field.dataType, known[field.name.casefold()]) for field in kind.fields)
    if isinstance(kind, st.ArrayType) and isinstance(chosen, st.ArrayType):
        return _is_within(kind.elementType, chosen.elementType)
    return kind == chosen
