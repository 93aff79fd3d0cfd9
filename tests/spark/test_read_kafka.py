"""Topics of a real broker as tables: what messages are read as, when they came, and what cannot be read."""

from __future__ import annotations

import time
from collections.abc import Sequence
from decimal import Decimal
from itertools import count

import pytest
from pyspark.sql import SparkSession
from support.builders import column
from support.hanging import hanging_server
from support.spark_bindings import ID, topic
from support.spark_plans import plan

from floe_contracts.adapters.spark.engine import SparkEngine
from floe_contracts.checks import measure as m
from floe_contracts.checks.measured import Clock, Failure, Latency
from floe_contracts.checks.moments import HOUR
from floe_contracts.checks.promises.promise import ClockChoice
from floe_contracts.monitor.run.engine import Engine, Measurements, Surroundings, Window

LIMIT_S = 120.0
AMOUNT = column("amount", "number", physical_type="decimal(10,2)")
PLACED = column("placed_at", "timestamp")
_numbers = count(1)


@pytest.fixture
def engine(lakehouse: SparkSession) -> Engine:
    return SparkEngine(lakehouse)


def put(spark: SparkSession, kafka: str, messages: Sequence[str | None]) -> str:
    """A new topic that holds the messages."""
    name = f"orders-{next(_numbers)}"
    frame = spark.createDataFrame([(one,) for one in messages], "value string")
    frame.write.format("kafka").options(**{"kafka.bootstrap.servers": kafka, "topic": name}).save()
    return name


@pytest.mark.parametrize(
    ("messages", "read_as"),
    [
        pytest.param(['{"id": 1, "amount": 2.5}'], "amount decimal(10,2), id bigint", id="as promised"),
        pytest.param(['{"id": "x"}'], "id string, amount decimal(10,2)", id="not as promised"),
        pytest.param(
            ['{"id": 1, "more": {"a": 1}}'],
            "id bigint, more struct<a:bigint>, amount decimal(10,2)",
            id="a field too many, and one that is left out",
        ),
        pytest.param(['{"id": 1}', None], "id bigint, amount decimal(10,2)", id="a deletion is not a row"),
    ],
)
def test_messages_have_the_fields_that_occur_and_those_left_out(
    lakehouse: SparkSession, kafka: str, engine: Engine, messages: list[str | None], read_as: str
) -> None:
    binding = topic(kafka, put(lakehouse, kafka, messages), ID, AMOUNT)
    found = engine.schema(binding, limit_s=LIMIT_S)
    assert not isinstance(found, Failure), found
    assert ", ".join(f"{one.name} {one.shown}" for one in found) == read_as


def test_rules_count_messages(lakehouse: SparkSession, kafka: str, engine: Engine) -> None:
    name = put(lakehouse, kafka, ['{"id": 1}', '{"id": 1}', '{"id": null}', None])
    asked = m.NullCount(("id",)), m.DuplicateCount((("id",),))
    found = engine.measure(topic(kafka, name), plan(*asked), Surroundings(limit_s=LIMIT_S))
    assert isinstance(found, Measurements)
    assert (found.rows, *(found.values[one] for one in asked)) == (3, 1, 1)


def test_the_broker_knows_when_messages_came(lakehouse: SparkSession, kafka: str, engine: Engine) -> None:
    before_us = time.time_ns() // 1000 - 1_000
    name = put(lakehouse, kafka, ['{"id": 1}'])
    now_us = time.time_ns() // 1000
    binding, commits = topic(kafka, name), ClockChoice(None, "")
    found = engine.clock(binding, commits, as_of_us=now_us, skew_us=0, group_by="", limit_s=LIMIT_S)
    assert isinstance(found, Clock)
    assert found.last_us is not None
    assert before_us <= found.last_us <= now_us
    assert found.how == "newest arrival at the broker"


def test_latency_by_the_time_of_the_broker(lakehouse: SparkSession, kafka: str, engine: Engine) -> None:
    now_us = time.time_ns() // 1000
    name = put(lakehouse, kafka, ['{"placed_at": "2026-01-01T00:00:00Z"}'])
    window = Window(now_us - HOUR, now_us + HOUR)
    placed = ClockChoice(("placed_at",), "")
    found = engine.latency(
        topic(kafka, name, PLACED), placed, None, quantile=Decimal("0.99"), window=window, limit_s=LIMIT_S
    )
    assert isinstance(found, Latency)
    assert found.n == 1
    assert found.value_us is not None
    assert found.value_us >= now_us - 1_767_225_600_000_000


def test_messages_that_are_not_json(lakehouse: SparkSession, kafka: str, engine: Engine) -> None:
    name = put(lakehouse, kafka, ['{"id": 1}', '{"id": '])
    found = engine.schema(topic(kafka, name), limit_s=LIMIT_S)
    assert found == Failure("it holds text that is not JSON; to leave that out, add the option mode: DROPMALFORMED")
    without = topic(kafka, name, options=(("mode", "DROPMALFORMED"),))
    measured = engine.measure(without, plan(m.NullCount(("id",))), Surroundings(limit_s=LIMIT_S))
    assert isinstance(measured, Measurements)
    assert (measured.rows, measured.values[m.NullCount(("id",))]) == (1, 0)


def test_an_empty_topic_is_as_promised(lakehouse: SparkSession, kafka: str, engine: Engine) -> None:
    name = put(lakehouse, kafka, [None])
    found = engine.schema(topic(kafka, name, ID, AMOUNT), limit_s=LIMIT_S)
    assert not isinstance(found, Failure), found
    assert [one.shown for one in found] == ["bigint", "decimal(10,2)"]


def test_a_broker_that_never_answers_is_given_up(engine: Engine) -> None:
    with hanging_server() as port:
        started = time.monotonic()
        found = engine.schema(topic(f"127.0.0.1:{port}", "orders"), limit_s=3.0)
        seconds = time.monotonic() - started
    assert isinstance(found, Failure)
    assert seconds < 20
