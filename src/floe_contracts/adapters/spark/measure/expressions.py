"""Count-like measures as Spark columns: a condition on the row, or a number of items in the row."""

from __future__ import annotations

from dataclasses import dataclass

from pyspark.sql import Column
from pyspark.sql import functions as sf
from pyspark.sql import types as st

from ....checks.measure import InvalidCount, ItemCount, MissingCount, NullCount, RowCount
from ....checks.measured import Failure
from ....checks.names import below_items
from ....monitor.run.plan import Count
from ..columns.paths import CannotAsk, Question, condition, tally
from .validity import binary_text, equals_any, valid


@dataclass(frozen=True, slots=True)
class Counting:
    """How to count one measure: rows where `holds`, or the sum of `items` over all rows."""

    measure: Count
    holds: Column | None = None
    items: Column | None = None


def counting(measure: Count, schema: st.StructType) -> Counting | Failure:
    """The columns for one measure on a table with this schema."""
    try:
        if isinstance(measure, RowCount):
            return Counting(measure, sf.lit(True) if measure.where is None else sf.expr(measure.where))
        question = _question(measure)
        if below_items(measure.path):
            return Counting(measure, items=tally(schema, measure.path, question))
        return Counting(measure, condition(schema, measure.path, question))
    except CannotAsk as no:
        return Failure(no.reason)


def fails(measure: Count, schema: st.StructType) -> Column | Failure:
    """Whether a row holds anything that the measure counts."""
    found = counting(measure, schema)
    if isinstance(found, Failure):
        return found
    if found.holds is not None:
        return found.holds
    return found.items > sf.lit(0) if found.items is not None else sf.lit(False)


def _question(measure: ItemCount | NullCount | MissingCount | InvalidCount) -> Question:
    if isinstance(measure, ItemCount):
        return lambda _value, _kind: sf.lit(True)
    if isinstance(measure, NullCount):
        return lambda value, _kind: value.isNull()
    if isinstance(measure, MissingCount):
        return lambda value, kind: value.isNull() | _listed(value, kind, measure)
    return lambda value, kind: value.isNotNull() & ~sf.coalesce(valid(measure.test, value, kind), sf.lit(False))


def _listed(value: Column, kind: st.DataType, measure: MissingCount) -> Column:
    """No struct, array or map stands for nothing."""
    if not measure.values or not isinstance(kind, st.AtomicType):
        return sf.lit(False)
    return sf.coalesce(equals_any(binary_text(value, kind), kind, measure.values), sf.lit(False))
