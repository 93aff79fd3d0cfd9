"""Reads CSV, which keeps text alone: a column is what the contract promises where all of it reads so.

A column with values that do not read as promised stays text, so that drift tells it and rules look at the values as
they are. That takes a pass over the files before the rows themselves are read, which counts rows with too many or too
few values too: they are left out and told.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import reduce

from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as sf
from pyspark.sql import types as st

from ....checks.names import unnamed
from ....contract.model import SchemaObject
from ..columns.infer_types import CountedFit, Fit, cast_text, infer_and_count, reads_from_text
from ..columns.paths import quote
from ..columns.promised import promised_schema
from .csv_headers import QuoteUse, are_small, group_by_header, look_at_quotes
from .files_read import OWN, FilesRead, keep_readable
from .folder_values import count_unequal
from .layout import RECURSIVE, Layout, load_whole
from .messages import UNREADABLE

_LINES = "multiLine"
_INSIDE = "floe inside "  # before the name of a column that the folders of the files have too
_TASK_BYTES = "spark.sql.files.maxPartitionBytes"
_COUNTED = {"columnNameOfCorruptRecord": UNREADABLE, "mode": "PERMISSIVE", "columnPruning": "false"}
_MOST_HEADERS = 50  # files with more different first lines have no headers at all


def read_csv(spark: SparkSession, path: str, options: Mapping[str, str], table: SchemaObject) -> FilesRead:
    """The rows of CSV, with columns by the header, or in the contract's order where options say that there is none."""
    promised = promised_schema(table)

    def load(chosen: Mapping[str, str], schema: st.StructType | None) -> DataFrame:
        reader = spark.read.options(**chosen)
        return (reader if schema is None else reader.schema(schema)).csv(path)

    layout = load_whole(load, {"header": "true", **options, "inferSchema": "false"}, promised)
    if not layout.frame.columns:  # files without a byte have no header, and no rows
        return FilesRead(layout.reload(promised).frame)
    if UNREADABLE in layout.frame.columns or any(name.casefold() in OWN for name in options):
        text = _name(layout.frame, promised, options)
        fitted = infer_and_count(text, promised, Fit(reads_from_text, options))
        return FilesRead(_cast(text, fitted.schema, options))
    return _read_counted(spark, path, layout, promised, options)


def _read_counted(
    spark: SparkSession, path: str, layout: Layout, promised: st.StructType, options: Mapping[str, str]
) -> FilesRead:
    """The rows with as many values as the header; a line break in quotes belongs to its value, if that reads more."""
    groups = _group(layout, options) if _names_any(layout.frame.columns, promised) else [[]]
    quotes = _quotes(layout, options, lambda: _read_lines(spark, path, layout))
    best: tuple[dict[str, str], CountedFit] | None = None
    for several in _line_ways(spark, path, layout, options, quotes):
        more = {_LINES: several} if several else {}
        more |= {"escape": quotes.escape} if quotes.escape else {}
        text = _name(_load_groups(spark, layout, groups, {**more, **_COUNTED}), promised, options)
        fitted = infer_and_count(text, promised, Fit(reads_from_text, options), sf.col(UNREADABLE).isNotNull())
        if best is None or (fitted.count, fitted.misfits) < (best[1].count, best[1].misfits):
            best = more, fitted
        if not fitted.count:
            break
    more, fitted = best or ({}, CountedFit(promised))
    rows = _load_groups(spark, layout, groups, {**more, **_COUNTED} if fitted.count else more)
    rows = _name(rows, promised, options)
    rows = keep_readable(rows, UNREADABLE) if fitted.count else rows
    return FilesRead(
        _cast(rows, fitted.schema, options),
        unreadable=fitted.count,
        listing=layout.frame,
        contradictions=_count_contradictions(rows, layout, options),
    )


def _read_lines(spark: SparkSession, path: str, layout: Layout) -> DataFrame:
    """The plain lines of all files."""
    deep = {name: text for name, text in layout.options.items() if name == RECURSIVE}
    return spark.read.options(**deep).text(path)


def _quotes(layout: Layout, options: Mapping[str, str], lines: Callable[[], DataFrame]) -> QuoteUse:
    """How the files use quotes, unless options say it."""
    chosen = {name.casefold() for name in options} & {"escape", "quote", _LINES.casefold(), "encoding", "charset"}
    relation = layout.relation
    return QuoteUse() if chosen or relation is None else look_at_quotes(relation, lines)


def _line_ways(
    spark: SparkSession, path: str, layout: Layout, options: Mapping[str, str], quotes: QuoteUse
) -> Sequence[str]:
    """Whether values may have line breaks, in the order to try.

    Files that are read so cannot be split. Small ones are not split in any case; in large ones a pass over the plain
    lines looks for quotes that are left open.
    """
    quote_mark = next((text for name, text in options.items() if name.casefold() == "quote"), '"')
    if any(name.casefold() == _LINES.casefold() for name in options):
        return ("",)
    if len(quote_mark) != 1 or quotes.open_at_end:  # the rest of the file would be one value
        return ("false",)
    relation = layout.relation
    task_bytes = int(str(spark.conf.get(_TASK_BYTES, "134217728")).rstrip("bB"))
    if relation is None or are_small(relation, task_bytes):
        return ("true", "false")
    line, mark = sf.col("value"), sf.lit(quote_mark)
    open_quotes = (sf.length(line) - sf.length(sf.replace(line, mark, sf.lit("")))) % sf.lit(2) == sf.lit(1)
    return ("true", "false") if _read_lines(spark, path, layout).where(open_quotes).take(1) else ("false",)


def _group(layout: Layout, options: Mapping[str, str]) -> list[list[str]]:
    """Files with equal headers; one empty group stands for all files."""
    relation = layout.relation
    if relation is None or options.get("header", "true").casefold() == "false":
        return [[]]
    groups = group_by_header(relation, options)
    return groups if groups is not None and 1 < len(groups) <= _MOST_HEADERS else [[]]


def _load_groups(spark: SparkSession, layout: Layout, groups: list[list[str]], more: Mapping[str, str]) -> DataFrame:
    """The rows of all files as text, and where they are counted the text of those with too many or too few values."""
    options, relation, folders = {**layout.options, **more}, layout.relation, layout.folders
    bad = [st.StructField(UNREADABLE, st.StringType())] if _COUNTED.keys() <= more.keys() else []

    def schema(names: Sequence[str]) -> st.StructType:
        in_folders = {field.name.casefold() for field in folders}
        own = (f"{_INSIDE}{name}" if name.casefold() in in_folders else name for name in names)
        return st.StructType([*(st.StructField(name, st.StringType()) for name in own), *bad, *folders])

    if groups == [[]]:
        return layout.load(options, schema([field.name for field in layout.stored or layout.frame.schema.fields]))
    base = {"basePath": str(relation.java.location().rootPaths().apply(0))} if folders and relation else {}
    frames = []
    for files in groups:
        names = spark.read.options(**layout.options).csv(files[0]).columns
        frames.append(spark.read.options(**options, **base).schema(schema(names)).csv(files))
    return reduce(lambda left, right: left.unionByName(right, allowMissingColumns=True), frames)


def _count_contradictions(rows: DataFrame, layout: Layout, options: Mapping[str, str]) -> DataFrame | None:
    """One row that tells of each column of folders in how many rows the file itself says another value."""
    known = {name.casefold(): name for name in rows.columns}
    counts = []
    for field in layout.folders:
        name = known.get(f"{_INSIDE}{field.name}".casefold())
        if name is not None:
            text = sf.col(quote(name))
            read, folder = cast_text(text, field.dataType, options), sf.col(quote(field.name))
            counts.append(count_unequal(text, read, folder).alias(field.name))
    return rows.agg(*counts) if counts else None


def _name(text: DataFrame, promised: st.StructType, options: Mapping[str, str]) -> DataFrame:
    """The columns of files without a header by the contract's names.

    Under names of nobody where the first line names no column of the contract: it may be a row of data.
    """
    free = [name for name in text.columns if name != UNREADABLE]
    if options.get("header", "true").casefold() == "false":
        names = dict(zip(free, promised.fieldNames(), strict=False))
    elif not promised.fields or _names_any(free, promised):
        return text
    else:
        names = {name: unnamed(number) for number, name in enumerate(free)}
    return text.toDF(*(names.get(name, name) for name in text.columns))


def _names_any(names: Sequence[str], promised: st.StructType) -> bool:
    wanted = {name.casefold() for name in promised.fieldNames()}
    return any(name.casefold() in wanted for name in names)


def _cast(text: DataFrame, schema: st.StructType, options: Mapping[str, str]) -> DataFrame:
    kinds = {field.name: field.dataType for field in schema.fields}
    return text.select(
        *(
            sf.col(quote(field.name))
            if field.dataType == kinds[field.name]
            else cast_text(sf.col(quote(field.name)), kinds[field.name], options).alias(field.name)
            for field in text.schema.fields
            if field.name != UNREADABLE and not field.name.startswith(_INSIDE)
        )
    )
