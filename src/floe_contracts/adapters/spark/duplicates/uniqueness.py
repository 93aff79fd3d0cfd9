"""Counts repeated keys exactly, of a whole table or of fresh rows beside its history, by hashes and a second look.

Rows with a null in any part of a key are left out, as SQL does it. Two different keys may share a hash and equal keys
always do, so equal hashes are suspects and the keys themselves decide.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import reduce
from operator import and_

from pyspark.sql import Column, DataFrame
from pyspark.sql import functions as sf
from pyspark.sql import types as st

from ....checks.measured import Failure
from ....monitor.run.plan import KeySet
from ....monitor.store.states import Repeats
from ..columns.paths import CannotAsk, find
from ..measure.validity import binary_text
from ..session.failures import SPARK_ERRORS, is_about_one_expression, reason_of
from .duplicate_confirm import Keys, confirm_repeats, count_added_repeats
from .duplicate_hashes import MOST, Suspects, collect_hashes, find_repeated_hashes, frame_of_hashes, pair_hashes


@dataclass(frozen=True, slots=True)
class Key:
    """The columns of one key, and its hash: null where a part of the key is null."""

    parts: tuple[Column, ...]
    hash: Column


@dataclass(frozen=True, slots=True)
class Uniqueness:
    """Repeated keys and surplus rows of every key set, and how they were found."""

    repeats: tuple[Repeats | Failure, ...]
    how: str = ""
    scans: int = 0


def count_repeats(frame: DataFrame, key_sets: Sequence[KeySet], rows: int | None, budget_bytes: int) -> Uniqueness:
    """The repeats of every key set; `rows`, when known, lets small tables be sorted on the driver."""
    keys = [key_of(frame.schema, key_set) for key_set in key_sets]
    good = [key for key in keys if isinstance(key, Key)]
    if not good or (rows is not None and rows < 2):
        return Uniqueness(tuple(key if isinstance(key, Failure) else (0, 0) for key in keys))
    try:
        suspects = find_repeated_hashes(frame, [key.hash for key in good], rows, budget_bytes)
        counted = iter(confirm_repeats(frame, [(key.parts, key.hash) for key in good], suspects))
    except SPARK_ERRORS as error:
        if len(good) > 1 and is_about_one_expression(error):
            return _count_one_by_one(frame, key_sets, rows, budget_bytes)
        failure = Failure(reason_of(error))
        return Uniqueness(tuple(key if isinstance(key, Failure) else failure for key in keys), scans=1)
    repeats = tuple(key if isinstance(key, Failure) else next(counted) for key in keys)
    return Uniqueness(repeats, suspects.how, 1 + suspects.any)


def update_repeats(
    history: DataFrame, fresh: DataFrame, key_sets: Sequence[KeySet], known: Sequence[Repeats]
) -> Uniqueness:
    """The repeats of a table from those of its history; the hashes of its fresh rows must fit on the driver."""
    keys = [key_of(history.schema, key_set) for key_set in key_sets]
    good = [(key.parts, key.hash) for key in keys if isinstance(key, Key)]
    try:
        suspects = _find_suspects(history, fresh, good)
        more = iter(count_added_repeats(history, fresh, good, suspects))
    except SPARK_ERRORS as error:
        return Uniqueness(tuple(Failure(reason_of(error)) for _ in keys), scans=2)
    repeats = tuple(
        key if isinstance(key, Failure) else _sum(before, next(more)) for key, before in zip(keys, known, strict=True)
    )
    return Uniqueness(repeats, suspects.how, 2 + suspects.any)


def key_of(schema: st.StructType, key_set: KeySet) -> Key | Failure:
    """The columns of a key on this table, or why they make none."""
    try:
        values = [find(schema, path) for path in key_set]
    except CannotAsk as no:
        return no.failure()
    odd = next((value.type.typeName() for value in values if not _is_hashable(value.type)), None)
    if odd:
        return Failure(f"a key cannot hold {odd}, whose values have no equality")
    parts = tuple(binary_text(value.value, value.type) for value in values)
    whole = reduce(and_, (part.isNotNull() for part in parts))
    return Key(parts, sf.when(whole, sf.xxhash64(*parts)))


def _count_one_by_one(frame: DataFrame, key_sets: Sequence[KeySet], rows: int | None, budget_bytes: int) -> Uniqueness:
    """Each key set alone, so that a bad one spoils no other."""
    each = [count_repeats(frame, [key_set], rows, budget_bytes) for key_set in key_sets]
    how = next((result.how for result in each if result.how), "")
    return Uniqueness(tuple(result.repeats[0] for result in each), how, 1 + sum(result.scans for result in each))


def _find_suspects(history: DataFrame, fresh: DataFrame, keys: Keys) -> Suspects:
    """Hashes of fresh rows that occur twice among them, or once more in the history."""
    import numpy

    hashes = [hash_ for _, hash_ in keys]
    columns = list(collect_hashes(fresh, hashes))
    suspects = [set(column[1:][column[1:] == column[:-1]].tolist()) for column in columns]
    wanted = [(number, value) for number, column in enumerate(columns) for value in numpy.unique(column).tolist()]
    if wanted:
        sides = ["floe_set", "floe_hash"]
        small = sf.broadcast(frame_of_hashes(history.sparkSession, wanted))
        met = pair_hashes(history, hashes).join(small, sides, "left_semi").distinct()
        for number, value in met.limit(MOST + 1).collect():
            suspects[number].add(value)
    how = "of fresh rows looked up in the history"
    return Suspects(tuple(tuple(sorted(hashes)) if len(hashes) <= MOST else None for hashes in suspects), how)


def _sum(before: Repeats, more: Repeats) -> Repeats:
    return before[0] + more[0], before[1] + more[1]


def _is_hashable(kind: st.DataType) -> bool:
    if isinstance(kind, st.StructType):
        return all(_is_hashable(field.dataType) for field in kind.fields)
    if isinstance(kind, st.ArrayType):
        return _is_hashable(kind.elementType)
    return not isinstance(kind, st.MapType) and kind.typeName() not in ("variant", "geometry", "geography")
