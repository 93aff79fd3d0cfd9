"""A topic of a real broker followed as a stream: bad and late messages counted, and a restart counts nothing twice."""

from __future__ import annotations

import json
import time
from collections.abc import Sequence
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from support.streamed import AGE, Desk, orders

from floe_contracts.checks.moments import iso

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

_numbers = count(1)


@pytest.fixture
def topic() -> str:
    return f"stream-{next(_numbers)}"


@pytest.fixture
def desk(lakehouse: SparkSession, tmp_path: Path) -> Desk:
    from floe_contracts.adapters.spark.session.start import own_session

    return Desk(own_session(lakehouse), tmp_path / "checkpoint")


def message(order_id: str | None, amount: object = 5, age_s: int = 10) -> str:
    placed = iso((int(time.time()) - age_s) * 1_000_000)
    return json.dumps({"order_id": order_id, "amount": amount, "placed_at": placed})


def send(spark: SparkSession, kafka: str, topic: str, messages: Sequence[str | None]) -> None:
    frame = spark.createDataFrame([(one,) for one in messages], "value string")
    frame.write.format("kafka").options(**{"kafka.bootstrap.servers": kafka, "topic": topic}).save()


def test_bad_and_late_messages_are_counted_once(desk: Desk, kafka: str, topic: str) -> None:
    contract = orders(AGE, kind="kafka", host=kafka, topic=topic)
    good = [message("o1"), message("o2"), message("o3", age_s=7_200)]
    send(desk.spark, kafka, topic, [*good, message(None), "no json", message("o5", "many"), None])
    desk.run(contract)
    assert desk.gauges() == [{"rows": 6, "unreadable_rows": 2, "bad_rows": 3}]
    assert [one["late_rows"] for one in desk.gauges("freshness")] == [1]
    assert [one.result.outcome.value for one in desk.history("freshness")] == ["passed"]
    assert sorted(item.rule for item in desk.history()[0].result.findings) == ["not-null", "readable"]
    before = desk.counted()

    desk.forget_commit("orders.v1.orders", 0)
    send(desk.spark, kafka, topic, [message("o6", age_s=4 * 3_600)])
    again = desk.run(contract)
    assert desk.counted() == {**before, "freshness freshness_violation info": 2}
    assert [one["rows"] for one in desk.gauges()] == [6, 1]
    assert "1 counted before" in again.notes[0]
    # The newest order of all is still the one of the first batch, so the data as a whole is fresh.
    assert [one.result.outcome.value for one in desk.history("freshness")] == ["passed", "passed"]


def test_a_broker_that_is_not_there_is_the_error_of_its_own_stream(desk: Desk) -> None:
    options = {"kafka.default.api.timeout.ms": "3000", "kafka.request.timeout.ms": "2000"}
    report = desk.run(orders(kind="kafka", host="127.0.0.1:1"), options=options)
    assert [one.outcome.value for one in report.results] == ["errored"]
    assert "the Kafka broker does not answer" in report.results[0].findings[0].message
