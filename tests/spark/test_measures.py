"""Every kind of measure on tables full of oddities says what counting by hand says."""

from __future__ import annotations

from datetime import date, datetime, timezone
from decimal import Decimal
from typing import Any

from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as some
from pyspark.sql import SparkSession
from support.builders import column, contract, table
from support.naive_measures import counted
from support.spark_plans import rules

from floe_contracts.adapters.spark.measure.tables import measure
from floe_contracts.checks import measure as m
from floe_contracts.checks.rules.check import QualityCheck, TableRules
from floe_contracts.monitor.run.plan import plan_rules, plan_table

SCHEMA = """
    s string, n string, i int, l bigint, tiny tinyint, d double, f float, x decimal(10,2), b boolean, day date,
    ts timestamp, ntz timestamp_ntz, bin binary,
    st struct<x: int, `we ird.na``me`: string, deep: struct<y: string, zs: array<int>>>,
    `top.le``vel`: int, items array<string>, lines array<struct<sku: string, qty: int>>, grid array<array<int>>,
    tags map<string, int>, byday map<string, array<int>>
"""
UTC = timezone.utc
ODD = ("st", "we ird.na`me")
TESTS: list[tuple[m.Path, m.ValidTest]] = [
    (("s",), m.OneOf(("new", "5", 7, True, "1.10"))),
    (("i",), m.OneOf((1, "2", "3.0", "4.5", "text", 10**12))),
    (("tiny",), m.OneOf((1, -128, 128))),
    (("x",), m.OneOf(("1.10", "0.005", 3, "99999999999"))),
    (("d",), m.OneOf(("0.1", 2, "NaN", "1e400"))),
    (("f",), m.OneOf(("0.1", 2))),
    (("b",), m.OneOf((True,))),
    (("b",), m.OneOf(("false", "other"))),
    (("day",), m.OneOf(("2024-02-29",))),
    (("ts",), m.OneOf(("2024-02-29T12:00:00Z",))),
    (("ntz",), m.OneOf(("2024-03-10T02:30:00",))),
    (("s",), m.Matches("[a-z]+")),
    (("s",), m.Matches("a|new|.*é")),
    (("i",), m.Matches("[0-9]{1,2}")),
    (("s",), m.Format("email")),
    (("s",), m.Format("uuid")),
    (("s",), m.Format("date")),
    (("s",), m.LengthBetween(1, 3)),
    (("s",), m.LengthBetween(most=1)),
    (("bin",), m.LengthBetween(2)),
    (("i",), m.Within("0", "10")),
    (("i",), m.Within("0.5", "9.5", above=True, below=True)),
    (("i",), m.Within("0", "10", above=True, below=True)),
    (("tiny",), m.Within("-1000", "1000")),
    (("tiny",), m.Within("1000")),
    (("l",), m.Within(str(-(2**63)), str(2**70))),
    (("x",), m.Within("-0.005", "1.105", above=True)),
    (("x",), m.Within("1.10", below=True)),
    (("d",), m.Within("0", "1")),
    (("d",), m.Within(least="0.1", above=True)),
    (("f",), m.Within("0.1", "0.5")),
    (("n",), m.Within("0", "10")),
    (("day",), m.Within("2024-01-01", "2024-12-31")),
    (("ts",), m.Within("2024-02-29T12:00:00Z", above=True)),
    (("ntz",), m.Within(most="2024-03-10T02:30:00")),
    (("i",), m.MultipleOf("3")),
    (("i",), m.MultipleOf("1.5")),
    (("x",), m.MultipleOf("0.05")),
    (("x",), m.MultipleOf("0.003")),
    (("d",), m.MultipleOf("0.1")),
    (("f",), m.MultipleOf("0.1")),
    (("n",), m.MultipleOf("0.5")),
    (("items",), m.ItemsBetween(1, 2)),
    (("tags",), m.ItemsBetween(most=1)),
    (("items",), m.DistinctItems()),
    (("s",), m.AllOf((m.LengthBetween(1), m.Matches("[a-z]*")))),
    (("st", "x"), m.Within("0")),
    (ODD, m.Matches("[a-z]+")),
    (("top.le`vel",), m.Within("0")),
    (("items", "[]"), m.OneOf(("new", "a"))),
    (("lines", "[]", "sku"), m.LengthBetween(2)),
    (("lines", "[]", "qty"), m.Within("1", "5")),
    (("grid", "[]"), m.ItemsBetween(1)),
    (("grid", "[]", "[]"), m.Within("0")),
    (("tags", "{key}"), m.Matches("[a-z]+")),
    (("tags", "{value}"), m.Within("0", "3")),
    (("byday", "{value}", "[]"), m.Within("0")),
    (("st", "deep", "zs", "[]"), m.Within("0")),
]
PATHS: list[m.Path] = [
    ("s",), ("d",), ("st",), ("st", "x"), ODD, ("st", "deep", "y"), ("top.le`vel",), ("items",), ("items", "[]"),
    ("lines", "[]"), ("lines", "[]", "sku"), ("grid", "[]", "[]"), ("tags", "{value}"), ("byday", "{value}", "[]"),
    ("st", "deep", "zs", "[]"),
]  # fmt: skip
MEASURES: list[m.Measure] = [
    *(m.InvalidCount(path, test) for path, test in TESTS),
    *(m.NullCount(path) for path in PATHS),
    *(m.ItemCount(path) for path in PATHS if {"[]", "{value}"} & set(path)),
    m.MissingCount(("s",), ("new", "n/a", "")),
    m.MissingCount(("i",), (0, "1", "n/a")),
    m.MissingCount(("st",), ("n/a",)),
    m.MissingCount(("items", "[]"), ("a",)),
    *(m.DuplicateCount(keys, count_rows) for count_rows in (False, True) for keys in (
        (("s",),), (("i",), ("s",)), (("d",),), (("ts",),), (("st", "x"),), (("x",), ("b",)),
        (("st", "deep", "y"), ODD),
    )),
]  # fmt: skip

ints = some.integers(-3, 12)
texts = some.sampled_from(
    ["", "new", "5", "7", "true", "1.10", "a", "é", "aé", "a\n", "A", " a", "x@y.org", "2024-02-29", "👩‍👩‍👧",
     "123e4567-e89b-12d3-a456-426614174000"]
)  # fmt: skip
reals = some.sampled_from(
    [0.0, -0.0, 0.1, 0.2, 0.3, 0.1 + 0.2, 0.5, 1.0, 2.0, -1.5, 1e20, 1e300, 1e-20, *map(float, ("nan", "inf", "-inf"))]
)
singles = some.sampled_from([0.0, 0.5, 1.0, 2.0, -1.5, float("nan"), float("inf")])  # what floats hold exactly
cents = some.sampled_from([Decimal(one) for one in ("0.00", "1.10", "1.11", "0.05", "-0.01", "99999999.99", "3.00")])
days = some.sampled_from([date(2024, 2, 29), date(1, 1, 1), date(2023, 12, 31), date(9999, 12, 31)])
moments = some.sampled_from(
    ["2024-02-29 12:00:00", "2024-03-10 02:30:00", "2024-02-29 12:00:00.000001", "1970-01-01 00:00:00"]
).map(datetime.fromisoformat)


def maybe(strategy: some.SearchStrategy[Any]) -> some.SearchStrategy[Any]:
    return some.none() | strategy


rows = some.lists(
    some.fixed_dictionaries(
        {
            "s": maybe(texts),
            "n": maybe(some.sampled_from(["1", " 2 ", "0.5", "11", "abc", "", "-1", "0.7"])),
            "i": maybe(ints),
            "l": maybe(some.integers(-(2**63), 2**63 - 1)),
            "tiny": maybe(some.integers(-128, 127)),
            "d": maybe(reals),
            "f": maybe(singles),
            "x": maybe(cents),
            "b": maybe(some.booleans()),
            "day": maybe(days),
            "ts": maybe(moments.map(lambda one: one.replace(tzinfo=UTC))),
            "ntz": maybe(moments),
            "bin": maybe(some.binary(max_size=3).map(bytearray)),
            "st": maybe(
                some.fixed_dictionaries(
                    {
                        "x": maybe(ints),
                        "we ird.na`me": maybe(texts),
                        "deep": maybe(
                            some.fixed_dictionaries(
                                {"y": maybe(texts), "zs": maybe(some.lists(maybe(ints), max_size=2))}
                            )
                        ),
                    }
                )
            ),
            "top.le`vel": maybe(ints),
            "items": maybe(some.lists(maybe(texts), max_size=3)),
            "lines": maybe(
                some.lists(maybe(some.fixed_dictionaries({"sku": maybe(texts), "qty": maybe(ints)})), max_size=3)
            ),
            "grid": maybe(some.lists(maybe(some.lists(maybe(ints), max_size=2)), max_size=2)),
            "tags": maybe(some.dictionaries(texts, maybe(ints), max_size=2)),
            "byday": maybe(some.dictionaries(texts, maybe(some.lists(maybe(ints), max_size=2)), max_size=2)),
        }
    ),
    min_size=20,
    max_size=60,
)


def told(spark: SparkSession, table: list[dict[str, Any]], measures: list[m.Measure]) -> dict[m.Measure, Any]:
    rules = tuple(QualityCheck(str(number), "", "", one) for number, one in enumerate(measures))
    names = spark.createDataFrame([], SCHEMA).columns
    frame = spark.createDataFrame([tuple(one[name] for name in names) for one in table], SCHEMA)
    return dict(measure(frame, plan_rules(TableRules("odd", rules))).values)


@given(rows)
@settings(max_examples=3, phases=[Phase.generate], derandomize=True, suppress_health_check=list(HealthCheck))
def test_spark_counts_as_by_hand(spark: SparkSession, table: list[dict[str, Any]]) -> None:
    found = told(spark, table, MEASURES)
    wrong = {one: (found[one], counted(one, table)) for one in MEASURES if found[one] != counted(one, table)}
    assert wrong == {}, "\n".join(f"{one}: {numbers}" for one, numbers in wrong.items())


def test_an_empty_table_has_nothing_wrong(spark: SparkSession) -> None:
    assert set(told(spark, [], MEASURES).values()) == {0}


def test_columns_that_are_called_like_ours(spark: SparkSession) -> None:
    """No name of a column is taken for a mark of ours, and none of ours hides a column."""
    struct = "named_struct('[]', 9, '{value}', 1) AS s"
    rows = f"SELECT 1 AS `floe items 0`, 5 AS `FLOE PART`, array(1, 2) AS a, {struct}, 3 AS `[]`"
    inside = tuple(column(name, "integer", maximum="5") for name in ("[]", "{value}"))
    promised = contract(
        table(
            column("a", "array", items=column("", "integer", maximum="1")),
            column("s", "object", properties=inside),
            column("[]", "integer", maximum="2"),
            column("floe items 0", "integer", maximum="0"),
        )
    )
    planned = plan_table(promised, promised.objects[0])
    values = measure(spark.sql(rows), planned).values
    invalid = {".".join(one.path): values[one] for one in values if isinstance(one, m.InvalidCount)}
    assert invalid == {"a.[]": 1, "s.[]": 1, "s.{value}": 0, "[]": 1, "floe items 0": 1}


def test_below_a_struct_percentages_are_of_the_structs_that_are_there(spark: SparkSession) -> None:
    """90 null structs, 10 with a null inside: all that are there lack it, and no key is there for any row."""
    frame = spark.sql("SELECT if(id < 90, null, named_struct('a', CAST(null AS int))) AS s FROM range(100)")
    missing, base, key = m.NullCount(("s", "a")), m.ItemCount(("s", "a")), m.NullCount(("s", "a"), absent=True)
    values = measure(frame, plan_rules(TableRules("t", rules(missing, base, key)))).values
    assert (values[missing], values[base], values[key]) == (10, 10, 100)
