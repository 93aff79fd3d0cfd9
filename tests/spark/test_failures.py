"""A question that cannot be answered says why in one line without data, and all others are answered."""

from __future__ import annotations

from pathlib import Path

import pytest
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as sf
from support.spark_plans import plan
from support.spark_reads import Reads

from floe_contracts.adapters.spark.measure.tables import measure
from floe_contracts.checks import measure as m
from floe_contracts.checks.measured import Failure
from floe_contracts.checks.promises.promise import ClockChoice

SECRET = "hunter2"


@pytest.fixture(scope="module")
def table(spark: SparkSession) -> DataFrame:
    frame = spark.createDataFrame([(1, SECRET, 0), (2, "x", 1)], "id int, t string, n int")
    columns = {"m": sf.create_map(sf.lit("a"), sf.lit(1)), "s": sf.struct("id"), "l": sf.array("id")}
    return frame.withColumns(columns).withColumn("v", sf.parse_json(sf.lit("1"))).cache()


def failing(frame: DataFrame, one: m.Measure) -> str:
    found = measure(frame, plan(m.NullCount(("id",)), one))
    assert found.values[m.NullCount(("id",))] == 0
    assert found.rows == 2
    answer = found.values[one]
    assert isinstance(answer, Failure), answer
    assert SECRET not in answer.reason
    assert "\n" not in answer.reason
    return answer.reason


@pytest.mark.parametrize(
    ("one", "reason"),
    [
        pytest.param(m.NullCount(("gone",)), "gone is not in the table", id="a missing column"),
        pytest.param(m.NullCount(("s", "gone")), "s.gone is not in the table", id="a missing field"),
        pytest.param(m.NullCount(("t", "x")), "t.x is not in the table: string has no fields", id="a field of a text"),
        pytest.param(
            m.NullCount(("t", "[]")), "[] looks inside an array or map, and the table has string there", id="no array"
        ),
        pytest.param(
            m.InvalidCount(("s",), m.OneOf((1,))), "a list of values cannot be compared with struct", id="a struct"
        ),
        pytest.param(
            m.InvalidCount(("v",), m.Matches("a")),
            "a pattern is tested on text, and the table has variant there",
            id="a variant",
        ),
        pytest.param(
            m.InvalidCount(("l",), m.Within("1")), "array has no order that a bound could use", id="bounds of an array"
        ),
        pytest.param(
            m.InvalidCount(("id",), m.Within("soon")), "the bound 'soon' cannot be compared with integer", id="a bound"
        ),
        pytest.param(
            m.InvalidCount(("t",), m.Within("2024-01-01T00:00:00Z")),
            "its bounds are neither numbers nor dates, and the table has text there",
            id="times in a text",
        ),
        pytest.param(m.InvalidCount(("id",), m.MultipleOf("0")), "'0' has no multiples", id="multiples of zero"),
        pytest.param(
            m.InvalidCount(("t",), m.Matches("(")), "Java cannot read the pattern: Unclosed group", id="a bad pattern"
        ),
        pytest.param(
            m.InvalidCount(("t",), m.Parses("date", "YYYY-MM-dd")),
            "the format 'YYYY-MM-dd' is not in the letters of Java; write yyyy-MM-dd",
            id="a format of dates in other letters",
        ),
        pytest.param(
            m.RowCount("CAST(t AS INT) > 0"),
            "a text cannot be read as the type it is cast to (CAST_INVALID_INPUT)",
            id="a cast",
        ),
        pytest.param(m.RowCount("1 / n > 0"), "something is divided by zero (DIVIDE_BY_ZERO)", id="a division"),
        pytest.param(
            m.RowCount("gone > 0"),
            "A column, variable, or function parameter with name `gone` cannot be resolved",
            id="a condition on a missing column",
        ),
        pytest.param(m.RowCount("id >"), "Syntax error at or near end of input", id="a condition that cannot be read"),
    ],
)
def test_one_bad_question_spoils_no_other(table: DataFrame, one: m.Measure, reason: str) -> None:
    assert failing(table, one).partition(". Did you mean")[0] == reason


def test_names_are_found_in_another_case_unless_two_would_do(spark: SparkSession) -> None:
    frame = spark.sql("SELECT 1 AS Id, struct(1 AS Aa, 2 AS aA) AS s")
    found = measure(frame, plan(m.NullCount(("ID",)), m.NullCount(("s", "Aa")), m.NullCount(("s", "AA")))).values
    assert found[m.NullCount(("ID",))] == 0
    assert found[m.NullCount(("s", "AA"))] == Failure("s.AA is in the table more than once")


def test_a_broken_file_is_not_searched_for_a_bad_question(spark: SparkSession, tmp_path: Path, reads: Reads) -> None:
    spark.range(100).selectExpr("id", "string(id) AS t").coalesce(1).write.parquet(str(tmp_path / "t"))
    (file,) = (tmp_path / "t").glob("*.parquet")
    data = file.read_bytes()
    file.write_bytes(data[:4] + bytes(len(data) // 2) + data[4 + len(data) // 2 :])
    (tmp_path / "t" / f".{file.name}.crc").unlink()
    found = measure(spark.read.schema("id bigint, t string").parquet(str(tmp_path / "t")), plan(m.NullCount(("id",))))
    assert found.scans == 1
    assert all(
        isinstance(one, Failure) and one.reason.startswith("a file cannot be read (FAILED_READ_FILE")
        for one in found.values.values()
    )


@pytest.mark.parametrize(
    ("choice", "reason"),
    [
        (
            ClockChoice(("t",), ""),
            (
                "t is string, which tells no time; say how it is written: "
                "format: yyyy-MM-dd HH:mm:ss, in ODCS below logicalTypeOptions:"
            ),
        ),
        (ClockChoice(("gone",), ""), "gone is not in the table"),
        (ClockChoice(("t",), "", zone="Mars/Olympus"), "no time zone is called 'Mars/Olympus'"),
    ],
)
def test_a_clock_that_tells_no_time_says_so(table: DataFrame, choice: ClockChoice, reason: str) -> None:
    found = measure(table, plan(clock=choice))
    assert found.clock == Failure(reason)
    assert found.rows == 2
