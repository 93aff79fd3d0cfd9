"""Repeated keys after rows were added: only the fresh keys are looked up in what was there before."""

from __future__ import annotations

from collections.abc import Sequence

from pyspark.sql import DataFrame
from pyspark.sql import functions as sf

from ...checks.measured import Failure
from ...monitor.plan import KeySet
from ...monitor.states import Repeats
from .confirming import Keys, added
from .failures import SPARK_ERRORS, reason_of
from .hashing import MOST, Suspects, collected_hashes, hash_frame, hash_pairs
from .uniqueness import Key, Uniqueness, key_of


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
