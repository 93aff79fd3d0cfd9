"""Looks at the keys behind suspicious hashes, so that the count is exact: one scan for all keys together."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias

from pyspark.sql import Column, DataFrame
from pyspark.sql import functions as sf

from ....monitor.store.states import Repeats
from .duplicate_hashes import Suspects, hash_frame

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
