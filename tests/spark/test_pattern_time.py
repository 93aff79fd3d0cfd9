"""Patterns that can take exponential time: answered all the same, and nothing that is cancelled goes on."""

from __future__ import annotations

import time
from itertools import product
from pathlib import Path

import pytest
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as sf
from support.builders import column
from support.spark_plans import plan
from support.spark_runs import on_files, run

from floe_contracts.adapters.spark.engine import SparkEngine
from floe_contracts.adapters.spark.measure.tables import measure
from floe_contracts.adapters.spark.measure.validity import anchor_pattern
from floe_contracts.adapters.spark.session.time_limit import run_within
from floe_contracts.checks import measure as m
from floe_contracts.checks.measured import Failure, Number

SIGNS = ["a", "b", " ", "\n", "é", "1", "A", "_"]
PATTERNS = [
    r"^(a+)+$",
    r"(a|aa)+",
    r"(?i)(a|B|ab)*",
    r"(\w+\s?)*",
    r"([\p{L}_]+ ?)+",
    r"([^\p{L}]+[^a]?)*",
    r"(.|\s)*1",
    r"(?s)(.+b?)+",
    r"(?:(a|b)+){2,9}|1",
    r"(\S+\D?)*",
    r"([\x61-\x{62}]+\u0031?)+",
    r"(\P{L}+1?)*|(?<name>a+)+",
    r"a*\w*.*b?",
    r"(?s)[ab]*.*\s*.*\D*1?",
    r"\Q\E(\w|\Qa\E)+",
    "a?" * 12 + "a" * 2,
]


def answer(frame: DataFrame, pattern: str) -> Number | Failure:
    count = m.InvalidCount(("v",), m.Matches(pattern))
    return measure(frame, plan(count)).values[count]


@pytest.fixture(scope="module")
def short(spark: SparkSession) -> DataFrame:
    texts = ["".join(signs) for length in range(4) for signs in product(SIGNS, repeat=length)]
    return spark.createDataFrame([(text,) for text in texts], "v string").cache()


@pytest.mark.parametrize("pattern", PATTERNS)
def test_the_answer_is_that_of_java(short: DataFrame, pattern: str) -> None:
    java = short.where(~sf.col("v").rlike(anchor_pattern(pattern))).count()
    assert answer(short, pattern) == java


@pytest.mark.parametrize(
    "pattern",
    [
        pytest.param(r"^(a|aa)+$", id="exponential"),
        pytest.param("a*" * 12 + "b", id="steep"),
        pytest.param("a?" * 60 + "a" * 60, id="much that is optional"),
        pytest.param("(?:" + "|".join(f"a{number}?" for number in range(300)) + "|a*)*b", id="too large to be read"),
    ],
)
def test_a_catastrophic_pattern_is_answered_at_once(spark: SparkSession, pattern: str) -> None:
    frame = spark.range(100).select(sf.concat(sf.repeat(sf.lit("a"), sf.lit(5000)), sf.lit("!")).alias("v"))
    started = time.monotonic()
    assert answer(frame, pattern) == 100
    assert time.monotonic() - started < 60


def test_a_catastrophic_pattern_starves_no_other_contract(spark: SparkSession, tmp_path: Path) -> None:
    names = ("a", "b", "c", "d", "e", "f")
    spark.createDataFrame([("a" * 5000 + "!",)] * 8, "v string").repartition(4).write.parquet(str(tmp_path / "t"))
    patterns = {name: r"^(a|aa)+$" if name < "c" else ".*!" for name in names}
    contracts = [on_files(tmp_path / "t", column("v", pattern=patterns[name]), name=name) for name in names]
    results = run(SparkEngine(spark), "quality", *contracts)
    outcomes = {name: result.outcome.value for name, result in results.items()}
    assert outcomes == {name: "violated" if name < "c" else "passed" for name in names}


def test_items_of_arrays_are_matched_too(spark: SparkSession) -> None:
    count = m.InvalidCount(("v", "[]"), m.Matches(r"(a+)+"))
    frame = spark.sql("SELECT array('aa', 'b', null) AS v")
    assert measure(frame, plan(count)).values[count] == 1


@pytest.mark.parametrize(
    ("pattern", "why"),
    [
        pytest.param(r"(?=(a+)+$)a*", "(a+)+ can read one text in two ways", id="a look ahead"),
        pytest.param(r"(?<x>a+)(\k<x>|a)*b", r"(\k<x>|a)* can read one text in two ways", id="a back reference"),
        pytest.param(r"\b" + "a*" * 9 + "b", "can all read the same text", id="steep, beside the edge of a word"),
        pytest.param(r"(?=a)" + "a?" * 60 + "b", "in millions of ways", id="much that is optional"),
        pytest.param(r"(a\1)+b", "nobody can tell how long", id="not read at all"),
    ],
)
def test_what_re2_has_no_words_for_is_errored_for_its_own_rule(spark: SparkSession, pattern: str, why: str) -> None:
    risky = m.InvalidCount(("v",), m.Matches(pattern))
    plain = m.InvalidCount(("v",), m.Matches("a"))
    values = measure(spark.sql("SELECT 'a' AS v"), plan(risky, plain)).values
    assert values[plain] == 0
    refusal = values[risky]
    assert isinstance(refusal, Failure)
    assert why in refusal.reason


def test_a_bearable_pattern_that_re2_has_no_words_for_stays_with_java(spark: SparkSession) -> None:
    assert answer(spark.sql("SELECT explode(array('a,b', 'a')) AS v"), r"\b.*,.*\b") == 1


def test_what_is_cancelled_ends_and_the_next_is_answered(spark: SparkSession) -> None:
    assert run_within(spark, 300.0, lambda: spark.range(10).count()) == 10  # Spark is warm now
    late = run_within(spark, 3.0, lambda: spark.range(10**15).where("hash(id) = id").count())
    assert isinstance(late, Failure)
    assert run_within(spark, 300.0, lambda: spark.range(10).count()) == 10
    tracker = spark.sparkContext.statusTracker()
    until = time.monotonic() + 30
    while tracker.getActiveJobsIds() and time.monotonic() < until:
        time.sleep(0.05)
    assert not tracker.getActiveJobsIds()
