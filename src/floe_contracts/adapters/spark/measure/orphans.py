"""Counts rows whose key is no key of the other table; a key with a null in it points nowhere and is left out."""

from __future__ import annotations

from collections.abc import Callable
from functools import reduce
from operator import and_

from pyspark.sql import DataFrame
from pyspark.sql import functions as sf

from ....checks.measure import OrphanCount, Path
from ....checks.measured import Failure
from ..columns.paths import CannotAsk, find
from ..session.failures import SPARK_ERRORS, reason_of
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
        return Failure(no.reason)
    except SPARK_ERRORS as error:
        return Failure(reason_of(error))


def find_orphans(frame: DataFrame, measure: OrphanCount, target: DataFrame) -> DataFrame:
    """The keys that point nowhere, as columns `floe_0`, `floe_1` …"""
    here, there = _select_keys(frame, measure.columns), _select_keys(target, measure.target_columns)
    return here.join(there, [f"floe_{number}" for number in range(len(measure.columns))], "left_anti")


def _select_keys(frame: DataFrame, paths: tuple[Path, ...]) -> DataFrame:
    keys = [find(frame.schema, path) for path in paths]
    names = [f"floe_{number}" for number in range(len(paths))]
    parts = [binary_text(key.value, key.type).alias(name) for key, name in zip(keys, names, strict=True)]
    return frame.select(*parts).where(reduce(and_, (sf.col(name).isNotNull() for name in names)))
