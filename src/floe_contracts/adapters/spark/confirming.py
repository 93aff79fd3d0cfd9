"""Looks at the keys behind suspicious hashes, so that the count is exact: one scan for all keys together."""

from __future__ import annotations

from collections.abc import Sequence

from pyspark.sql import Column, DataFrame
from pyspark.sql import functions as sf

from ...monitor.states import Repeats
from .hashing import Suspects, hash_frame

LISTED = 5_000  # suspects that are written into the query; more of them are joined


def confirmed(frame: DataFrame, keys: Sequence[tuple[tuple[Column, ...], Column]], suspects: Suspects) -> list[Repeats]:
    """Keys that really occur more than once, and their surplus rows; keys come as parts and hash."""
    counted = {}
    if suspects.any:
        for number, repeated, surplus in _repeats(_suspicious(frame, keys, suspects), len(keys)).collect():
            counted[number] = (int(repeated), int(surplus))
    return [counted.get(number, (0, 0)) for number in range(len(keys))]


def _repeats(rows: DataFrame, keys: int) -> DataFrame:
    """Groups by the values themselves: `floe_set` and one column for each key, null but for its own."""
    names = [f"floe_key_{number}" for number in range(keys)]
    groups = rows.groupBy("floe_set", *names).agg(sf.count(sf.lit(1)).alias("n")).where("n > 1")
    return groups.groupBy("floe_set").agg(sf.count(sf.lit(1)), sf.sum(sf.col("n") - sf.lit(1)))


def _suspicious(frame: DataFrame, keys: Sequence[tuple[tuple[Column, ...], Column]], suspects: Suspects) -> DataFrame:
    """The rows to look at, once for each key that is suspicious in them."""
    hashes = {f"floe_hash_{number}": one for number, (_, one) in enumerate(keys)}
    values = {f"floe_key_{number}": _as_one(parts) for number, (parts, _) in enumerate(keys)}
    wide = frame.select(*(one.alias(name) for name, one in {**hashes, **values}.items()))
    short = sum(len(one or ()) for one in suspects.hashes) <= LISTED
    tests = [_test(number, one, short=short) for number, one in enumerate(suspects.hashes)]
    entries = [sf.when(test, _entry(number, len(keys))) for number, test in enumerate(tests) if test is not None]
    rows = wide.select(sf.explode(sf.array_compact(sf.array(*entries))).alias("one")).select("one.*")
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
