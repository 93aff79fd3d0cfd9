"""Counts rows whose key is not a key of the other table; a key with a null in it points nowhere and is left out."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import reduce
from operator import and_

from pyspark.sql import Column, DataFrame
from pyspark.sql import functions as sf

from ....checks.measure import OrphanCount
from ....checks.measured import Failure
from ..columns.paths import CannotAsk, ColumnValue, find
from ..session.failures import SPARK_ERRORS, reason_of
from .limits import TEXTS, try_cast
from .validity import binary_text

Opener = Callable[[str], "DataFrame | Failure"]  # another table of the contract by its name


def count_orphans(frame: DataFrame, measure: OrphanCount, open_table: Opener) -> int | Failure:
    """One anti-join of the keys of both tables."""
    target = open_table(measure.target)
    if isinstance(target, Failure):
        return Failure(f"the table {measure.target} that it points at cannot be read: {target.reason}")
    try:
        return find_orphans(frame, measure, target).count()
    except CannotAsk as no:
        return no.failure()
    except SPARK_ERRORS as error:
        return Failure(reason_of(error))


def find_orphans(frame: DataFrame, measure: OrphanCount, target: DataFrame, beside: Sequence[Column] = ()) -> DataFrame:
    """The keys that point nowhere, as columns `floe_0`, `floe_1` …, with what else is wanted of their rows."""
    sources = [find(frame.schema, path) for path in measure.columns]
    targets = [find(target.schema, path) for path in measure.target_columns]
    keys = [_comparable(key, other) for key, other in zip(sources, targets, strict=True)]
    here = _select_keys(frame, keys, beside)
    there = _select_keys(target, [_comparable(other, key) for key, other in zip(sources, targets, strict=True)])
    return here.join(there, [f"floe_{number}" for number in range(len(measure.columns))], "left_anti")


def _comparable(key: ColumnValue, other: ColumnValue) -> Column:
    """The key as the other side can be compared with: a text beside a number as the number that it stands for.

    A text that stands for no number stays itself, so that it points nowhere.
    """
    if isinstance(key.type, TEXTS) == isinstance(other.type, TEXTS):
        return binary_text(key.value, key.type)
    if isinstance(key.type, TEXTS):
        text = binary_text(key.value, key.type)
        return sf.coalesce(try_cast(text, other.type).cast("string"), text)
    return key.value.cast("string")


def _select_keys(frame: DataFrame, keys: list[Column], beside: Sequence[Column] = ()) -> DataFrame:
    names = [f"floe_{number}" for number in range(len(keys))]
    parts = [key.alias(name) for key, name in zip(keys, names, strict=True)]
    return frame.select(*parts, *beside).where(reduce(and_, (sf.col(name).isNotNull() for name in names)))
