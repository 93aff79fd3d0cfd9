"""The profile of a table that Spark reads, for a first contract: two passes over at most a million rows."""

from __future__ import annotations

from pyspark.sql import DataFrame
from pyspark.sql import functions as F  # noqa: N812 - everybody's name for it

from ....checks.measured import Failure
from ....contract.propose import MOST_VALUES, TEXT_PATTERNS, Seen, may_list_values, text_type
from ....errors import FloeError
from ....frozen import replace
from ....monitor.source.binding import Binding
from ...parquet.profile import MOST_ROWS, Look
from ..columns.paths import quote
from ..read.open import open_table
from ..session.failures import SPARK_ERRORS, reason_of
from ..session.start import spark_session

_COUNTED = ("string", "tinyint", "smallint", "int", "bigint", "date")
_ABOUT = 0.95  # of the values: an estimate so near to all of them is worth an exact count


def profile_table(binding: Binding, table: str) -> Look:
    """The profile of the table that a binding means; a FloeError says why it cannot be read."""
    opened = open_table(spark_session("floe init"), binding)
    if isinstance(opened, Failure):
        raise FloeError(f"{table} cannot be read: {opened.reason}", fix="Check the source and --connection.")
    try:
        look = _profile(opened.frame)
        return replace(look, columns=_type_texts(opened.frame, look)) if opened.kind == "csv" else look
    except SPARK_ERRORS as error:
        raise FloeError(f"{table} cannot be read: {reason_of(error)}", fix="Check the source.") from None


def _profile(frame: DataFrame) -> Look:
    some = frame.limit(MOST_ROWS)
    kinds = {field.name: field.dataType.simpleString() for field in frame.schema.fields}
    counts = [F.count(F.lit(1)).alias("rows")]
    for index, (name, kind) in enumerate(kinds.items()):
        counts.append(F.count(F.col(quote(name))).alias(f"n{index}"))
        if kind in _COUNTED:
            counts.append(F.approx_count_distinct(quote(name), 0.01).alias(f"d{index}"))
    row = some.agg(*counts).first()
    assert row is not None, "an aggregate without groups has one row"  # noqa: S101 - Spark's promise
    rows = int(row["rows"])
    columns = [
        Seen(name, kind, rows - int(row[f"n{index}"]), int(row[f"d{index}"]) if kind in _COUNTED else None)
        for index, (name, kind) in enumerate(kinds.items())
    ]
    exact = tuple(_count_exactly(some, column, rows) for column in columns)
    return Look(exact, rows, rows < MOST_ROWS)


def _count_exactly(some: DataFrame, column: Seen, rows: int) -> Seen:
    """The column, counted again where a guess would become a promise: maybe unique, or a possible list of values."""
    name = quote(column.name)
    if column.distinct is not None and column.distinct >= _ABOUT * (rows - column.nulls) > 1:
        counted = some.agg(F.countDistinct(name).alias("n")).first()
        return replace(column, distinct=int(counted["n"]) if counted else None)
    if column.type == "string" and may_list_values(column, rows):
        values = some.select(name).where(F.col(name).isNotNull()).distinct().limit(MOST_VALUES + 1).collect()
        return replace(column, distinct=len(values), values=tuple(str(row[0]) for row in values))
    return column


def _type_texts(frame: DataFrame, look: Look) -> tuple[Seen, ...]:
    """The columns of a source without types, each with the type that all of its texts read as."""
    texts = [column for column in look.columns if column.type == "string" and column.nulls < look.rows]
    some = frame.limit(MOST_ROWS)
    types = {}
    for column in texts:
        row = some.agg(*(F.min(F.col(quote(column.name)).rlike(pattern)) for pattern in TEXT_PATTERNS)).first()
        matching = {pattern for pattern, matches in zip(TEXT_PATTERNS, row or (), strict=True) if matches}
        types[column.name] = text_type(matching.__contains__)
    return tuple(replace(column, type=types.get(column.name, column.type)) for column in look.columns)
