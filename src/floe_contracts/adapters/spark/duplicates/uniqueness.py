"""Counts repeated keys exactly: hashes of all keys in one scan, and a second look only at keys whose hashes meet.

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
from .duplicate_confirm import Keys, added, confirmed
from .duplicate_hashes import MOST, Suspects, collected_hashes, hash_frame, hash_pairs, repeated_hashes


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


def uniqueness(frame: DataFrame, key_sets: Sequence[KeySet], rows: int | None, budget_bytes: int) -> Uniqueness:
    """The repeats of every key set; `rows`, when known, lets small tables be sorted on the driver."""
    keys = [key_of(frame.schema, one) for one in key_sets]
    good = [one for one in keys if isinstance(one, Key)]
    if not good or (rows is not None and rows < 2):
        return Uniqueness(tuple(one if isinstance(one, Failure) else (0, 0) for one in keys))
    try:
        suspects = repeated_hashes(frame, [one.hash for one in good], rows, budget_bytes)
        counted = iter(confirmed(frame, [(one.parts, one.hash) for one in good], suspects))
    except SPARK_ERRORS as error:
        if len(good) > 1 and is_about_one_expression(error):
            return _one_by_one(frame, key_sets, rows, budget_bytes)
        failure = Failure(reason_of(error))
        return Uniqueness(tuple(one if isinstance(one, Failure) else failure for one in keys), scans=1)
    repeats = tuple(one if isinstance(one, Failure) else next(counted) for one in keys)
    return Uniqueness(repeats, suspects.how, 1 + suspects.any)


def _one_by_one(frame: DataFrame, key_sets: Sequence[KeySet], rows: int | None, budget_bytes: int) -> Uniqueness:
    each = [uniqueness(frame, [one], rows, budget_bytes) for one in key_sets]
    how = next((one.how for one in each if one.how), "")
    return Uniqueness(tuple(one.repeats[0] for one in each), how, 1 + sum(one.scans for one in each))


def key_of(schema: st.StructType, key_set: KeySet) -> Key | Failure:
    """The columns of a key on this table, or why they make none."""
    try:
        found = [find(schema, path) for path in key_set]
    except CannotAsk as no:
        return Failure(no.reason)
    odd = next((one.type.typeName() for one in found if not _hashable(one.type)), None)
    if odd:
        return Failure(f"a key cannot hold {odd}, whose values have no equality")
    parts = tuple(binary_text(one.value, one.type) for one in found)
    whole = reduce(and_, (one.isNotNull() for one in parts))
    return Key(parts, sf.when(whole, sf.xxhash64(*parts)))


def _hashable(kind: st.DataType) -> bool:
    if isinstance(kind, st.StructType):
        return all(_hashable(field.dataType) for field in kind.fields)
    if isinstance(kind, st.ArrayType):
        return _hashable(kind.elementType)
    return not isinstance(kind, st.MapType) and kind.typeName() not in ("variant", "geometry", "geography")


def repeats_after(
    history: DataFrame, fresh: DataFrame, key_sets: Sequence[KeySet], known: Sequence[Repeats]
) -> Uniqueness:
    """The repeats of the whole table, from those of its history and its fresh rows, whose hashes fit on the driver."""
    keys = [key_of(history.schema, one) for one in key_sets]
    good = [(one.parts, one.hash) for one in keys if isinstance(one, Key)]
    try:
        suspects = _suspects(history, fresh, good)
        more = iter(added(history, fresh, good, suspects))
    except SPARK_ERRORS as error:
        return Uniqueness(tuple(Failure(reason_of(error)) for _ in keys), scans=2)
    repeats = tuple(
        one if isinstance(one, Failure) else _sum(before, next(more)) for one, before in zip(keys, known, strict=True)
    )
    return Uniqueness(repeats, suspects.how, 2 + suspects.any)


def _sum(one: Repeats, other: Repeats) -> Repeats:
    return one[0] + other[0], one[1] + other[1]


def _suspects(history: DataFrame, fresh: DataFrame, keys: Keys) -> Suspects:
    """Hashes of fresh rows that occur twice among them, or once more in the history."""
    import numpy

    hashes = [one for _, one in keys]
    columns = list(collected_hashes(fresh, hashes))
    found = [set(one[1:][one[1:] == one[:-1]].tolist()) for one in columns]
    wanted = [(number, value) for number, one in enumerate(columns) for value in numpy.unique(one).tolist()]
    if wanted:
        sides = ["floe_set", "floe_hash"]
        small = sf.broadcast(hash_frame(history.sparkSession, wanted))
        met = hash_pairs(history, hashes).join(small, sides, "left_semi").distinct()
        for number, value in met.limit(MOST + 1).collect():
            found[number].add(value)
    how = "of fresh rows looked up in the history"
    return Suspects(tuple(tuple(sorted(one)) if len(one) <= MOST else None for one in found), how)
