"""Counts repeated keys exactly, by the keys themselves behind suspicious hashes: one scan for all keys together."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias

from pyspark.sql import Column, DataFrame
from pyspark.sql import functions as sf

from ....monitor.store.states import Repeats
from .duplicate_hashes import Suspects, frame_of_hashes

Keys: TypeAlias = "Sequence[tuple[tuple[Column, ...], Column]]"  # the parts of each key, and its hash
LISTED = 5_000  # suspects that are written into the query; more of them are joined


def confirm_repeats(frame: DataFrame, keys: Keys, suspects: Suspects) -> list[Repeats]:
    """For each key: how many values really occur more than once, and their surplus rows."""
    if not suspects.any:
        return [(0, 0)] * len(keys)
    return _count(_select_suspicious(frame, keys, suspects, new=True), len(keys))


def count_added_repeats(history: DataFrame, fresh: DataFrame, keys: Keys, suspects: Suspects) -> list[Repeats]:
    """What fresh rows add to the repeats of a table; keys that history had twice already are not counted again."""
    if not suspects.any:
        return [(0, 0)] * len(keys)
    old, new = (_select_suspicious(frame, keys, suspects, new=frame is fresh) for frame in (history, fresh))
    return _count(old.unionByName(new), len(keys))


def _count(rows: DataFrame, keys: int) -> list[Repeats]:
    """Repeats by the values themselves: `floe_set` and one column for each key, null but for its own."""
    names = [f"floe_key_{number}" for number in range(keys)]
    fresh = sf.count(sf.when(sf.col("floe_new"), sf.lit(1)))
    groups = rows.groupBy("floe_set", *names).agg(sf.count(sf.lit(1)).alias("now"), fresh.alias("fresh"))
    before = sf.col("now") - sf.col("fresh")
    repeated = sf.count_if(sf.col("now") > 1) - sf.count_if(before > 1)
    surplus = sf.sum(sf.greatest(sf.col("now") - 1, sf.lit(0)) - sf.greatest(before - 1, sf.lit(0)))
    sums = groups.groupBy("floe_set").agg(repeated, surplus).collect()
    repeats = {row[0]: (int(row[1]), int(row[2])) for row in sums}
    return [repeats.get(number, (0, 0)) for number in range(keys)]


def _select_suspicious(frame: DataFrame, keys: Keys, suspects: Suspects, *, new: bool) -> DataFrame:
    """The rows to look at, once for each key that is suspicious in them."""
    hashes = {f"floe_hash_{number}": hash_ for number, (_, hash_) in enumerate(keys)}
    values = {f"floe_key_{number}": _pack_key(parts) for number, (parts, _) in enumerate(keys)}
    wide = frame.select(*(column.alias(name) for name, column in {**hashes, **values}.items()))
    short = sum(len(group or ()) for group in suspects.hashes) <= LISTED
    tests = [_is_suspicious(number, group, short=short) for number, group in enumerate(suspects.hashes)]
    entries = [sf.when(test, _build_entry(number, len(keys))) for number, test in enumerate(tests) if test is not None]
    each = wide.select(sf.explode(sf.array_compact(sf.array(*entries))).alias("entry"))
    rows = each.select("entry.*", sf.lit(new).alias("floe_new"))
    return rows if short else _join_suspects(rows, suspects)


def _pack_key(parts: tuple[Column, ...]) -> Column:
    """The parts of a key as one struct, by number because two fields of different structs may share a name."""
    return sf.struct(*(part.alias(f"p{number}") for number, part in enumerate(parts)))


def _is_suspicious(number: int, suspects: tuple[int, ...] | None, *, short: bool) -> Column | None:
    name = f"floe_hash_{number}"
    if suspects is None or (suspects and not short):
        return sf.col(name).isNotNull()
    return sf.expr(f"{name} IN ({', '.join(f'{hash_}L' for hash_ in suspects)})") if suspects else None


def _build_entry(number: int, keys: int) -> Column:
    """One row of `floe_set`, `floe_hash` and every key; only the own key is filled in."""
    others = [
        (sf.col(f"floe_key_{key}") if key == number else sf.when(sf.lit(False), sf.col(f"floe_key_{key}"))).alias(
            f"floe_key_{key}"
        )
        for key in range(keys)
    ]
    own = sf.col(f"floe_hash_{number}").alias("floe_hash")
    return sf.struct(sf.lit(number).alias("floe_set"), own, *others)


def _join_suspects(rows: DataFrame, suspects: Suspects) -> DataFrame:
    """Only rows whose hash is listed; keys with too many suspects to list are looked at as a whole."""
    listed = [(number, value) for number, hashes in enumerate(suspects.hashes) for value in hashes or ()]
    unlisted = [number for number, hashes in enumerate(suspects.hashes) if hashes is None]
    small = frame_of_hashes(rows.sparkSession, listed)
    some = rows.where(~sf.col("floe_set").isin(unlisted)) if unlisted else rows
    kept = some.join(small, ["floe_set", "floe_hash"], "left_semi")
    return kept.unionByName(rows.where(sf.col("floe_set").isin(unlisted))) if unlisted else kept
