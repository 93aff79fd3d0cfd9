"""Looks at the keys behind suspicious hashes, so that the count is exact: one scan for all keys together."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias

from pyspark.sql import Column, DataFrame
from pyspark.sql import functions as sf

from ....checks.measured import Failure
from ....monitor.run.plan import KeySet
from ....monitor.store.states import Repeats
from ..session.failures import SPARK_ERRORS, reason_of
from .duplicate_hashes import MOST, Suspects, collected_hashes, hash_frame, hash_pairs
from .uniqueness import Key, Uniqueness, key_of

Keys: TypeAlias = "Sequence[tuple[tuple[Column, ...], Column]]"  # the parts of each key, and its hash
LISTED = 5_000  # suspects that are written into the query; more of them are joined


def confirmed(frame: DataFrame, keys: Keys, suspects: Suspects) -> list[Repeats]:
    """Keys that really occur more than once, and their surplus rows."""
    return _counted(_suspicious(frame, keys, suspects, new=True), len(keys)) if suspects.any else [(0, 0)] * len(keys)


def added(history: DataFrame, fresh: DataFrame, keys: Keys, suspects: Suspects) -> list[Repeats]:
    """What fresh rows add to the repeats of a table; keys that history had twice already are not counted again."""
    if not suspects.any:
        return [(0, 0)] * len(keys)
    old, new = (_suspicious(frame, keys, suspects, new=frame is fresh) for frame in (history, fresh))
    return _counted(old.unionByName(new), len(keys))


def _counted(rows: DataFrame, keys: int) -> list[Repeats]:
    """Groups by the values themselves: `floe_set` and one column for each key, null but for its own."""
    names = [f"floe_key_{number}" for number in range(keys)]
    fresh = sf.count(sf.when(sf.col("floe_new"), sf.lit(1)))
    groups = rows.groupBy("floe_set", *names).agg(sf.count(sf.lit(1)).alias("now"), fresh.alias("fresh"))
    before = sf.col("now") - sf.col("fresh")
    repeated = sf.count_if(sf.col("now") > 1) - sf.count_if(before > 1)
    surplus = sf.sum(sf.greatest(sf.col("now") - 1, sf.lit(0)) - sf.greatest(before - 1, sf.lit(0)))
    found = {row[0]: (int(row[1]), int(row[2])) for row in groups.groupBy("floe_set").agg(repeated, surplus).collect()}
    return [found.get(number, (0, 0)) for number in range(keys)]


def _suspicious(frame: DataFrame, keys: Keys, suspects: Suspects, *, new: bool) -> DataFrame:
    """The rows to look at, once for each key that is suspicious in them."""
    hashes = {f"floe_hash_{number}": one for number, (_, one) in enumerate(keys)}
    values = {f"floe_key_{number}": _as_one(parts) for number, (parts, _) in enumerate(keys)}
    wide = frame.select(*(one.alias(name) for name, one in {**hashes, **values}.items()))
    short = sum(len(one or ()) for one in suspects.hashes) <= LISTED
    tests = [_test(number, one, short=short) for number, one in enumerate(suspects.hashes)]
    entries = [sf.when(test, _entry(number, len(keys))) for number, test in enumerate(tests) if test is not None]
    each = wide.select(sf.explode(sf.array_compact(sf.array(*entries))).alias("one"))
    rows = each.select("one.*", sf.lit(new).alias("floe_new"))
    return rows if short else _joined(rows, suspects)


def _as_one(parts: tuple[Column, ...]) -> Column:
    """Parts by number, because two fields of different structs may share a name."""
    return sf.struct(*(part.alias(f"p{number}") for number, part in enumerate(parts)))


def _test(number: int, suspects: tuple[int, ...] | None, *, short: bool) -> Column | None:
    name = f"floe_hash_{number}"
    if suspects is None or (suspects and not short):
        return sf.col(name).isNotNull()
    return sf.expr(f"{name} IN ({', '.join(f'{one}L' for one in suspects)})") if suspects else None


def _entry(number: int, keys: int) -> Column:
    """One row of `floe_set`, `floe_hash` and every key; only the own key is filled in."""
    others = [
        (sf.col(f"floe_key_{one}") if one == number else sf.when(sf.lit(False), sf.col(f"floe_key_{one}"))).alias(
            f"floe_key_{one}"
        )
        for one in range(keys)
    ]
    own = sf.col(f"floe_hash_{number}").alias("floe_hash")
    return sf.struct(sf.lit(number).alias("floe_set"), own, *others)


def _joined(rows: DataFrame, suspects: Suspects) -> DataFrame:
    """Only rows whose hash is listed; keys with too many suspects to list are looked at as a whole."""
    listed = [(number, value) for number, one in enumerate(suspects.hashes) for value in one or ()]
    unlisted = [number for number, one in enumerate(suspects.hashes) if one is None]
    small = hash_frame(rows.sparkSession, listed)
    some = rows.where(~sf.col("floe_set").isin(unlisted)) if unlisted else rows
    kept = some.join(small, ["floe_set", "floe_hash"], "left_semi")
    return kept.unionByName(rows.where(sf.col("floe_set").isin(unlisted))) if unlisted else kept


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
