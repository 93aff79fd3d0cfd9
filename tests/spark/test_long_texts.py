"""Patterns that repeat a group, on texts that would overflow the stack of Java's matcher."""

from __future__ import annotations

from pathlib import Path

import pytest
from pyspark.sql import SparkSession
from support.builders import column
from support.spark_plans import plan
from support.spark_runs import on_files, run

from floe_contracts.adapters.spark.engine import SparkEngine
from floe_contracts.adapters.spark.measure.tables import measure
from floe_contracts.adapters.spark.session.stack import size_of, stack_bytes
from floe_contracts.checks import measure as m
from floe_contracts.checks.measured import Failure
from floe_contracts.results import Outcome

MIXED = "concat(repeat('a😀', 60000))"


def count(spark: SparkSession, text: str, *tests: m.ValidTest) -> list[object]:
    """What each test says about one text."""
    asked = [m.InvalidCount(("v",), test) for test in tests]
    frame = spark.sql(f"SELECT {text} AS v FROM range(2)")
    values = measure(frame, plan(*asked)).values
    return ["too long" if isinstance(values[one], Failure) else values[one] for one in asked]


@pytest.mark.parametrize(
    ("pattern", "text", "answer"),
    [
        pytest.param(r"(\w|\s|[.,;:!?-])*", "repeat('a', 100000)", "too long", id="words and signs"),
        pytest.param("(a|b)*", "repeat('a', 100000)", "too long", id="two letters"),
        pytest.param("(?:a|b)+?c?", "repeat('a', 100000)", "too long", id="as few as possible"),
        pytest.param("x?(?=(?:a|b){1,200000}$).*", "repeat('a', 100000)", "too long", id="behind a look ahead"),
        pytest.param(r"(?:a?b?c?d?|x)*", "repeat('a', 100000)", 0, id="parts that may be missing, in linear time"),
        pytest.param("((((a|b)+)+)+)*", "repeat('a', 100000)", 0, id="groups in groups, in linear time"),
        pytest.param("(a|b)*", "repeat('a', 500)", 0, id="a text that is not so long"),
        pytest.param("[ab]*", "repeat('a', 100000)", 0, id="a class"),
        pytest.param("(a|b)*+", "repeat('a', 100000)", 0, id="a repetition that keeps what it has"),
        pytest.param("(ab)*", "repeat('ab', 100000)", 0, id="a group of one length"),
        pytest.param("(a|b){3}.*", "repeat('a', 100000)", 0, id="few turns"),
        pytest.param(r"\Q(a|b)*", "repeat('a', 100000)", 2, id="no group at all"),
        pytest.param("[(a|b)]*", "repeat('a', 100000)", 0, id="a bracket in a class"),
        pytest.param(".{1,500000}", MIXED, "too long", id="characters of two widths, counted"),
        pytest.param(".{1,500000}", "repeat('a', 100000)", 0, id="characters of one width, counted"),
        pytest.param(".*", MIXED, 0, id="characters of two widths"),
    ],
)
def test_a_text_too_long_for_the_stack_is_not_tried(
    spark: SparkSession, pattern: str, text: str, answer: object
) -> None:
    assert count(spark, text, m.Matches(pattern), m.LengthBetween(most=3)) == [answer, 2]


def test_formats_take_the_same_road(spark: SparkSession) -> None:
    long = "concat('a@b', repeat('.c', 100000))"
    formats = [m.Format("email"), m.Format("byte"), m.Format("hostname")]
    assert count(spark, long, *formats) == ["too long", 2, "too long"]


def test_items_take_the_same_road(spark: SparkSession) -> None:
    asked = m.InvalidCount(("v", "[]"), m.Matches("(a|b)*")), m.InvalidCount(("v", "[]"), m.Matches("[ab]*"))
    frame = spark.sql("SELECT array('a', repeat('a', 100000), 'c') AS v")
    values = measure(frame, plan(*asked)).values
    assert isinstance(values[asked[0]], Failure)
    assert values[asked[1]] == 1


def test_only_the_rule_itself_is_errored_and_it_costs_no_more_scans(spark: SparkSession, tmp_path: Path) -> None:
    spark.sql("SELECT id, repeat('a', 100000) AS v FROM range(3)").write.parquet(str(tmp_path / "t"))
    spark.range(3).write.parquet(str(tmp_path / "u"))
    ids = column("id", "integer", maximum="5", required=True)
    bad = on_files(tmp_path / "t", ids, column("v", pattern="(a|b)*", min_length=5), name="bad")
    found = run(SparkEngine(spark), "quality", bad, on_files(tmp_path / "u", ids, name="good"))
    assert found["good"].outcome is Outcome.PASSED
    assert found["bad"].outcome is Outcome.ERRORED
    assert ["a text is longer than" in one.message for one in found["bad"].findings] == [True]
    assert "1 pass over the rows" in str(found["bad"].facts)


@pytest.mark.parametrize(
    ("options", "size"),
    [
        pytest.param("", 1 << 20, id="nothing said"),
        pytest.param("-Dx=y -Xss16m", 16 << 20, id="in megabytes"),
        pytest.param("-Xss512k -Xss2048K", 2 << 20, id="the last one counts"),
        pytest.param("-XX:ThreadStackSize=4096", 4 << 20, id="under its long name"),
    ],
)
def test_the_stack_that_options_ask_for(options: str, size: int) -> None:
    assert size_of(options) == size


def test_the_running_spark_says_its_stack(spark: SparkSession) -> None:
    assert 1 << 18 <= stack_bytes() <= 1 << 26
