"""Repeated keys are counted exactly, whichever way hashes are compared and however many of them meet."""

from __future__ import annotations

import pytest
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as sf

from floe_contracts.adapters.spark.duplicates import duplicate_confirm as confirming
from floe_contracts.adapters.spark.duplicates import duplicate_hashes as hashing
from floe_contracts.adapters.spark.duplicates.duplicate_confirm import confirm_repeats
from floe_contracts.adapters.spark.duplicates.duplicate_hashes import find_repeated_hashes, fits_on_driver, parse_size
from floe_contracts.adapters.spark.duplicates.uniqueness import count_repeats
from floe_contracts.checks.measured import Failure
from floe_contracts.monitor.run.plan import KeySet

ID, PAIR = (("id",),), (("a",), ("b",))
BIG = 1 << 30
WAYS = [
    pytest.param(9, BIG, True, "sorted on the driver", id="driver"),
    pytest.param(9, 0, True, "sorted on the executors", id="executors, too many for the driver"),
    pytest.param(None, BIG, True, "sorted on the executors", id="executors, rows unknown"),
    pytest.param(9, BIG, False, "grouped", id="groups, without pyarrow"),
]


@pytest.fixture(scope="module")
def table(spark: SparkSession) -> DataFrame:
    """Two ids repeat, one of them twice; one pair repeats; nulls repeat and do not count."""
    rows = [
        (1, "x", 1), (1, "x", 1), (1, "y", 1), (2, "x", None), (2, "x", None), (3, None, 1), (None, None, 1),
        (None, "X", 2), (4, "x", 2),
    ]  # fmt: skip
    return spark.createDataFrame(rows, "id int, a string, b int").cache()


@pytest.mark.parametrize(("rows", "budget", "arrow", "how"), WAYS)
def test_every_way_counts_the_same(
    table: DataFrame, rows: int | None, budget: int, arrow: bool, how: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    if not arrow:
        monkeypatch.setattr(hashing, "find_spec", lambda _: None)
    found = count_repeats(table, [ID, PAIR], rows, budget)
    assert found.repeats == ((2, 3), (1, 1))
    assert (found.how, found.scans) == (how, 2)


@pytest.mark.parametrize(
    ("listed", "most"),
    [
        pytest.param(5_000, 1_000_000, id="few suspects are written into the query"),
        pytest.param(0, 1_000_000, id="many are joined"),
        pytest.param(0, 1, id="too many to list, so all keys are grouped"),
    ],
)
@pytest.mark.parametrize("budget", [pytest.param(BIG, id="driver"), pytest.param(0, id="executors")])
def test_the_number_of_suspects_does_not_change_the_count(
    table: DataFrame, listed: int, most: int, budget: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(confirming, "LISTED", listed)
    monkeypatch.setattr(hashing, "MOST", most)
    assert count_repeats(table, [ID, PAIR], 9, budget).repeats == ((2, 3), (1, 1))


def test_different_keys_with_one_hash_are_no_repeats(spark: SparkSession) -> None:
    frame = spark.createDataFrame([(1, "a"), (2, "b"), (2, "c")], "id int, a string")
    same = sf.lit(7).cast("bigint")
    keys = [((sf.col("id"),), same), ((sf.col("a"),), same)]
    suspects = find_repeated_hashes(frame, [same, same], 3, BIG)
    assert suspects.hashes == ((7,), (7,))
    assert confirm_repeats(frame, keys, suspects) == [(1, 1), (0, 0)]


def test_a_clean_table_needs_no_second_look(spark: SparkSession) -> None:
    found = count_repeats(spark.range(50).toDF("id"), [ID], 50, BIG)
    assert (found.repeats, found.scans) == (((0, 0),), 1)


@pytest.mark.parametrize(
    ("key", "repeats"),
    [
        pytest.param("text", (1, 1), id="text in another case or with a space is another text"),
        pytest.param("loose", (1, 1), id="a collation that ignores case changes nothing"),
        pytest.param("number", (2, 2), id="-0.0 is 0.0, and NaN is NaN"),
        pytest.param("exact", (1, 1), id="decimals"),
        pytest.param("bytes", (1, 1), id="binary"),
        pytest.param("inside", (1, 1), id="structs as a whole"),
        pytest.param("many", (1, 1), id="arrays as a whole"),
    ],
)
def test_keys_of_any_type(spark: SparkSession, key: str, repeats: tuple[int, int]) -> None:
    frame = spark.sql(
        """
        SELECT t AS text, t COLLATE UTF8_LCASE AS loose, n AS number, CAST(x AS DECIMAL(20, 3)) AS exact,
               CAST(t AS BINARY) AS bytes, struct(t, x) AS inside, array(t, t) AS many
        FROM VALUES ('a', 0.0D, 1), ('a', -0.0D, 1), ('A', double('NaN'), 2), ('a ', double('NaN'), 3),
                    (null, null, null) AS (t, n, x)
        """
    )
    assert count_repeats(frame, [((key,),)], 5, BIG).repeats == (repeats,)


@pytest.mark.parametrize(
    ("key_set", "reason"),
    [
        pytest.param((("gone",),), "gone is not in the table", id="a column that is not there"),
        pytest.param((("m",),), "a key cannot hold map, whose values have no equality", id="a map"),
        pytest.param((("id",), ("s",)), "a key cannot hold struct, whose values have no equality", id="a map inside"),
        pytest.param((("l", "[]"),), "l[] has many values in one row", id="items of an array"),
    ],
)
def test_what_makes_no_key_is_said_and_spoils_no_other(spark: SparkSession, key_set: KeySet, reason: str) -> None:
    frame = spark.sql("SELECT 1 AS id, map(1, 2) AS m, struct(map(1, 2)) AS s, array(1) AS l")
    assert count_repeats(frame.union(frame), [key_set, ID], 2, BIG).repeats == (Failure(reason), (1, 1))


def test_a_key_that_fails_while_reading_spoils_no_other(spark: SparkSession) -> None:
    frame = spark.createDataFrame([(1, "x"), (1, "y")], "id int, t string").withColumn("bad", sf.col("t").cast("int"))
    found = count_repeats(frame, [ID, (("bad",),)], 2, BIG)
    reason = "a text cannot be read as the type it is cast to (CAST_INVALID_INPUT)"
    assert found.repeats == ((1, 1), Failure(reason))


@pytest.mark.parametrize(
    ("text", "size"),
    [("1g", 1 << 30), ("512m", 512 << 20), ("1024", 1024), ("2GB", 2 << 30), ("64k", 64 << 10), ("0", 0), ("many", 1)],
)
def test_sizes_as_spark_writes_them(text: str, size: int) -> None:
    assert parse_size(text) == size


@pytest.mark.parametrize(
    ("rows", "keys", "budget", "fit"),
    [
        pytest.param(1_000, 2, 16_000, True, id="exactly the budget"),
        pytest.param(1_000, 2, 15_999, False, id="a byte less"),
        pytest.param(None, 1, BIG, False, id="nobody knows how many rows"),
        pytest.param(200_000_000, 1, 1 << 40, False, id="more than Spark lets a job return"),
    ],
)
def test_the_driver_takes_what_fits(spark: SparkSession, rows: int | None, keys: int, budget: int, fit: bool) -> None:
    assert fits_on_driver(spark.range(1), rows, keys, budget) is fit
