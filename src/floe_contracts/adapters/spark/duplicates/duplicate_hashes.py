"""Hashes that occur more than once, found where it is cheapest: sorted on the driver, on executors, or grouped."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

from pyspark.sql import Column, DataFrame, SparkSession
from pyspark.sql import functions as sf

from ..session.failures import SPARK_ERRORS

if TYPE_CHECKING:
    import numpy
    import pyarrow

MOST = 1_000_000  # suspects to carry around; a column with more is not unique at all, and is counted by its values
_HASH_BYTES = 8
_ROWS_A_TASK = 2_000_000  # hashes that one executor sorts at a time: 16 MB
_PAIR = "floe_set int, floe_hash bigint"


@dataclass(frozen=True, slots=True)
class Suspects:
    """Hashes that occur more than once, for each key; None where there are too many to list."""

    hashes: tuple[tuple[int, ...] | None, ...]
    how: str

    @property
    def any(self) -> bool:
        return any(hashes is None or hashes for hashes in self.hashes)


def find_repeated_hashes(frame: DataFrame, hashes: Sequence[Column], rows: int | None, budget_bytes: int) -> Suspects:
    """The repeated hashes of every key, in one scan; a null hash is not a key."""
    if fits_on_driver(frame, rows, len(hashes), budget_bytes):
        return Suspects(_sort_on_driver(frame, hashes), "sorted on the driver")
    pairs = pair_hashes(frame, hashes)
    if find_spec("pyarrow") and find_spec("numpy"):
        try:
            return Suspects(_sort_on_executors(pairs, len(hashes), rows), "sorted on the executors")
        except SPARK_ERRORS:  # executors without pyarrow, most likely; grouping tells if it is something else
            pass
    return Suspects(_group_hashes(pairs, len(hashes)), "grouped")


def pair_hashes(frame: DataFrame, hashes: Sequence[Column]) -> DataFrame:
    """A frame of all hashes below each other, each with the number of its key."""
    numbers = [sf.lit(number).alias("floe_set") for number in range(len(hashes))]
    pairs = [sf.struct(number, hash_.alias("floe_hash")) for number, hash_ in zip(numbers, hashes, strict=True)]
    return frame.select(sf.inline(sf.array(*pairs))).where("floe_hash IS NOT NULL")


def frame_of_hashes(spark: SparkSession, pairs: Sequence[tuple[int, int]]) -> DataFrame:
    """Numbered hashes as a frame to join with."""
    if hasattr(DataFrame, "toArrow") and find_spec("pyarrow"):
        import pyarrow

        sets, hashes = zip(*pairs, strict=True)
        columns = [pyarrow.array(sets, pyarrow.int32()), pyarrow.array(hashes, pyarrow.int64())]
        return spark.createDataFrame(pyarrow.table(columns, names=["floe_set", "floe_hash"]))
    return spark.createDataFrame(pairs, _PAIR)


def collect_hashes(frame: DataFrame, hashes: Sequence[Column]) -> Iterator[numpy.ndarray[Any, Any]]:
    """The sorted hashes of one key after the other, on the driver."""
    table = frame.select(*(hash_.alias(f"h{number}") for number, hash_ in enumerate(hashes))).toArrow()
    for _ in hashes:
        column = table.column(0).drop_null().to_numpy()
        table = table.remove_column(0)  # the next one is copied into the room that this one leaves
        yield sort_hashes(column)


def sort_hashes(column: numpy.ndarray[Any, Any]) -> numpy.ndarray[Any, Any]:
    import numpy

    if not column.flags.writeable:
        return numpy.sort(column)
    column.sort()
    return column


def fits_on_driver(frame: DataFrame, rows: int | None, keys: int, budget_bytes: int) -> bool:
    """Whether the driver may take all hashes: within the budget, and within what Spark lets a job return."""
    if rows is None or not hasattr(frame, "toArrow") or not (find_spec("pyarrow") and find_spec("numpy")):
        return False
    needed = rows * _HASH_BYTES * keys
    allowed = parse_size(frame.sparkSession.conf.get("spark.driver.maxResultSize", "1g") or "1g")
    return needed <= budget_bytes and (allowed == 0 or needed <= allowed * 0.8)


def parse_size(text: str) -> int:
    """The bytes of `1g`, `512m` or a plain number, as Spark writes sizes; an unreadable one allows little."""
    digits = text.strip().lower().rstrip("ib")
    unit = {"k": 10, "m": 20, "g": 30, "t": 40, "p": 50}.get(digits[-1:], 0)
    number = digits[:-1] if unit else digits
    return int(number) << unit if number.isdigit() else 1


def _sort_on_driver(frame: DataFrame, hashes: Sequence[Column]) -> tuple[tuple[int, ...] | None, ...]:
    import numpy

    suspects: list[tuple[int, ...] | None] = []
    for column in collect_hashes(frame, hashes):
        repeated = numpy.unique(column[1:][column[1:] == column[:-1]])
        suspects.append(tuple(repeated.tolist()) if len(repeated) <= MOST else None)
    return tuple(suspects)


def _sort_on_executors(pairs: DataFrame, keys: int, rows: int | None) -> tuple[tuple[int, ...] | None, ...]:
    tasks = pairs.sparkSession.sparkContext.defaultParallelism
    if rows is not None:
        tasks = max(tasks, -(-rows * keys // _ROWS_A_TASK))
    find = _build_search(MOST // tasks + 1)
    return _list_by_key(pairs.repartition(tasks, "floe_hash").mapInArrow(find, _PAIR), keys)


def _build_search(most: int) -> Callable[[Iterable[pyarrow.RecordBatch]], Iterable[pyarrow.RecordBatch]]:
    """The search in one partition, as a function that executors get by value and run without this package."""

    def find(batches: Iterable[pyarrow.RecordBatch]) -> Iterator[pyarrow.RecordBatch]:
        import numpy
        import pyarrow

        table = [(batch.column(0).to_numpy(), batch.column(1).to_numpy()) for batch in batches]
        if not table:
            return
        sets, hashes = (numpy.concatenate(side) for side in zip(*table, strict=True))
        for number in numpy.unique(sets):
            column = numpy.sort(hashes[sets == number])
            repeated = numpy.unique(column[1:][column[1:] == column[:-1]])
            values = repeated.tolist() if len(repeated) <= most else [None]
            arrays = [pyarrow.array([number] * len(values), pyarrow.int32()), pyarrow.array(values, pyarrow.int64())]
            yield pyarrow.RecordBatch.from_arrays(arrays, ["floe_set", "floe_hash"])

    return find


def _group_hashes(pairs: DataFrame, keys: int) -> tuple[tuple[int, ...] | None, ...]:
    repeated = pairs.groupBy("floe_set", "floe_hash").count().where("count > 1").select("floe_set", "floe_hash")
    return _list_by_key(repeated.limit(MOST + 1), keys)


def _list_by_key(pairs: DataFrame, keys: int) -> tuple[tuple[int, ...] | None, ...]:
    """Suspects by key; a null says that a task found too many to send."""
    suspects: list[list[Any]] = [[] for _ in range(keys)]
    for number, value in pairs.collect():
        suspects[number].append(value)
    if sum(map(len, suspects)) > MOST:
        return tuple(None if hashes else () for hashes in suspects)
    return tuple(None if None in hashes else tuple(sorted(hashes)) for hashes in suspects)
