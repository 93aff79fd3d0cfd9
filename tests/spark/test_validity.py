"""Single tests on values that engines like to get wrong."""

from __future__ import annotations

import pytest
from pyspark.sql import SparkSession
from support.spark_plans import plan

from floe_contracts.adapters.spark.measure.tables import measure
from floe_contracts.checks import measure as m
from floe_contracts.checks.measured import Failure


def invalid(spark: SparkSession, test: m.ValidTest, *values: str) -> int:
    """How many of some SQL literals fail the test."""
    rows = ", ".join(f"({one})" for one in values)
    one = m.InvalidCount(("v",), test)
    number = measure(spark.sql(f"SELECT v FROM VALUES {rows} AS (v)"), plan(one)).values[one]
    assert isinstance(number, int), number
    return number


@pytest.mark.parametrize(
    ("pattern", "good", "bad"),
    [
        pytest.param("[a-z]+", ["'ab'"], ["'ab1'", "'1ab'", "''"], id="the whole value"),
        pytest.param("a$", ["'a'"], [r"'a\n'"], id="a line break at the end is a character"),
        pytest.param("a|ab", ["'a'", "'ab'"], ["'abc'", "'cab'"], id="alternatives"),
        pytest.param("(?i)ab", ["'AB'"], ["'c'"], id="flags"),
        pytest.param("(?x) a b # and so on", ["'ab'"], ["'a b'"], id="a comment at the end"),
        pytest.param(r"\Qa.b", ["'a.b'"], ["'axb'", r"'a.b\\E'"], id="an open quote"),
        pytest.param("(a)\\1", ["'aa'"], ["'a'"], id="a group to come back to"),
        pytest.param("é.", ["'éé'"], ["'é'"], id="characters, not bytes"),
    ],
)
def test_patterns_match_the_whole_value(spark: SparkSession, pattern: str, good: list[str], bad: list[str]) -> None:
    assert invalid(spark, m.Matches(pattern), *good) == 0
    assert invalid(spark, m.Matches(pattern), *bad) == len(bad)


@pytest.mark.parametrize(
    ("test", "good", "bad"),
    [
        pytest.param(m.Parses("date", "yyyy-MM-dd"), "'2024-02-29'", "'2023-02-29'", id="a day that never was"),
        pytest.param(m.Parses("date", "dd.MM.yyyy"), "'29.02.2024'", "'2024-02-29'", id="another order"),
        pytest.param(m.Parses("date", "yyyy-MM-dd"), "'2024-02-29'", "'2024-02-29 '", id="a space behind it"),
        pytest.param(m.Parses("time", "HH:mm:ss"), "'23:59:59'", "'24:00:00'", id="a time"),
        pytest.param(
            m.Parses("timestamp", "yyyy-MM-dd'T'HH:mm:ssXXX"),
            "'2024-01-01T00:00:00+02:00'",
            "'2024-01-01T00:00:00'",
            id="a zone",
        ),
        pytest.param(
            m.Parses("timestamp", "yyyy-MM-dd HH:mm:ss"), "'2024-03-10 02:30:00'", "'x'", id="an hour skipped"
        ),
        pytest.param(m.Within("09:00:00", "17:30"), "time'17:30:00'", "time'17:30:00.000001'", id="times of day"),
        pytest.param(m.OneOf(("12:00:00",)), "time'12:00:00'", "time'12:00:01'", id="listed times of day"),
        pytest.param(m.Format("date"), "date'2024-01-01'", "'2024-13-01'", id="a date in a column of its own"),
        pytest.param(m.Format("date-time"), "timestamp'2024-01-01 00:00:00'", "'2024-01-01'", id="a timestamp"),
        pytest.param(m.Format("uri"), "'https://x.org/a?b'", "'x.org'", id="uri"),
        pytest.param(m.Format("ipv6"), "'::1'", "'1::1::1'", id="ipv6"),
        pytest.param(m.Format("hostname"), "'x-y.org'", r"'x.org\n'", id="hostname"),
        pytest.param(m.LengthBetween(most=4), "'👩é'", "'ééééé'", id="characters"),
        pytest.param(m.LengthBetween(most=4), "X'01020304'", "X'0102030405'", id="bytes"),
        pytest.param(m.OneOf(("a",)), "'a' COLLATE UTF8_LCASE", "'A' COLLATE UTF8_LCASE", id="a collation"),
        pytest.param(m.OneOf(("a ",)), "'a '", "'a'", id="a space is a character"),
        pytest.param(m.OneOf((5,)), "'5'", "'5.0'", id="a number is its text"),
        pytest.param(m.OneOf(("-.inf",)), "double('-inf')", "double('inf')", id="infinity"),
        pytest.param(m.Within("2024-01-01"), "'2024-01-01'", "'2023-12-31'", id="dates in a text"),
        pytest.param(m.Within("2024-01-01"), "'2024-01-01'", "'soon'", id="a text that is not a date"),
        pytest.param(m.Within("0001-01-01"), "'0001-01-01'", "'soon'", id="the first day of all, in a text"),
        pytest.param(m.Within("0001-01-02"), "date'0001-01-02'", "date'0001-01-01'", id="the first days of all"),
        pytest.param(m.Within(most="0999-12-31"), "date'0999-12-31'", "date'1000-01-01'", id="before the year 1000"),
        pytest.param(m.OneOf(("0001-01-01",)), "date'0001-01-01'", "date'0001-01-02'", id="a listed first day"),
        pytest.param(
            m.OneOf(("0001-01-01",)), "timestamp'0001-01-01 00:00:00Z'", "timestamp'2001-01-01'", id="a first moment"
        ),
        pytest.param(
            m.Within("2024-01-01T12:00:00Z"), "date'2024-01-02'", "date'2024-01-01'", id="a time against dates"
        ),
        pytest.param(m.Within(most="99999999999999999999.99"), "9999999999999999999.98", "'nine'", id="long numbers"),
        pytest.param(m.Within("0", "1e30"), "'1e25'", "'1e31'", id="a text with more digits than a decimal"),
        pytest.param(m.Within("0"), "' 5 '", "'Infinity'", id="a text that is not a number"),
        pytest.param(m.Within("0"), "'5'", "'5d'", id="a text that only Java takes for a number"),
        pytest.param(m.MultipleOf("0.01"), "19.99D", "19.999D", id="cents in doubles"),
        pytest.param(m.MultipleOf("3"), "9e20D", "1e21D", id="large doubles"),
        pytest.param(m.MultipleOf("0.1"), "float('0.3')", "float('0.35')", id="floats"),
        pytest.param(m.MultipleOf("7"), "CAST(14 AS DECIMAL(38, 0))", "CAST(15 AS DECIMAL(38, 0))", id="decimals"),
        pytest.param(
            m.MultipleOf("0.01"), "CAST(-9.99 AS DECIMAL(16, 6))", "CAST(9.990001 AS DECIMAL(16, 6))", id="cents"
        ),
        pytest.param(
            m.MultipleOf("0.25"), "-999999999999.750000BD", "999999999999.750001BD", id="eighteen digits of a quarter"
        ),
        pytest.param(
            m.MultipleOf("0.000000000000000003"),
            "0.999999999999999999BD",
            "0.999999999999999998BD",
            id="eighteen digits behind the point",
        ),
        pytest.param(m.MultipleOf("0.05"), "12345678901234567.85BD", "12345678901234567.84BD", id="nineteen digits"),
        pytest.param(m.MultipleOf("1e10"), "CAST(0 AS TINYINT)", "CAST(100 AS TINYINT)", id="more than the type holds"),
        pytest.param(m.DistinctItems(), "array(1, 2, null, null)", "array(1, 1)", id="nulls may repeat in a row"),
        pytest.param(m.ItemsBetween(2, 2), "map(1, 1, 2, 2)", "map(1, 1)", id="entries of a map"),
    ],
)
def test_good_and_bad_values(spark: SparkSession, test: m.ValidTest, good: str, bad: str) -> None:
    assert (invalid(spark, test, good), invalid(spark, test, bad)) == (0, 1)


def test_a_long_list_of_values(spark: SparkSession) -> None:
    listed = tuple(f"v{number}" for number in range(2_000))
    assert invalid(spark, m.OneOf(listed), "'v1999'", "'v2000'") == 1


def test_lists_of_truths_and_of_numbers_are_two_measures(spark: SparkSession) -> None:
    one, other = m.InvalidCount(("v",), m.OneOf((True,))), m.InvalidCount(("v",), m.OneOf((1,)))
    values = measure(spark.sql("SELECT v FROM VALUES ('true'), ('1'), ('1') AS (v)"), plan(one, other)).values
    assert (values[one], values[other]) == (2, 1)


@pytest.mark.parametrize("pattern", ["abc)|(?:", "a)(b", "(a"])
def test_a_pattern_whose_brackets_do_not_match_is_an_error(spark: SparkSession, pattern: str) -> None:
    measured = m.InvalidCount(("v",), m.Matches(pattern))
    answer = measure(spark.sql("SELECT 'abc' AS v"), plan(measured)).values[measured]
    assert isinstance(answer, Failure)
    assert answer.reason.startswith("Java cannot read the pattern")
