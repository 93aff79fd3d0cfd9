"""Messages of topics as rows: what reads as promised, and what does not."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from support.builders import column, table

from floe_contracts.adapters.spark.read.messages import ARRIVED, UNREADABLE, decode_messages
from floe_contracts.errors import FloeError

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

ORDERS = table(column("id"), column("amount", "integer"), column("placed at", "timestamp"))
GOOD = b'{"id":"o1","amount":3,"placed at":"2026-01-03T10:00:00Z"}'
AVRO = '{"type":"record","name":"o","fields":[{"name":"id","type":"string"}]}'


def read(spark: SparkSession, value: bytes | None, format_: str = "json", **options: str) -> list[Any]:
    raw = spark.sql("SELECT CAST(NULL AS BINARY) AS value, timestamp_seconds(1) AS timestamp WHERE false").union(
        spark.createDataFrame([(value, 1)], "value binary, at long").selectExpr("value", "timestamp_seconds(at)")
    )
    return decode_messages(raw, ORDERS, format_, options).collect()


@pytest.mark.parametrize(
    ("value", "unreadable", "id_", "amount"),
    [
        pytest.param(GOOD, False, "o1", 3, id="as promised"),
        pytest.param(b'{"id":"o1"}', False, "o1", None, id="fields that are absent are null"),
        pytest.param(b'{"id":"o1","amount":"many"}', True, "o1", None, id="a field of another type"),
        pytest.param(b"not json", True, None, None, id="no JSON"),
        pytest.param(b"", True, None, None, id="empty"),
        pytest.param(b"\xff\xfe\x00", True, None, None, id="no text"),
        pytest.param(b'{"id":"o1","more":1}', False, "o1", None, id="fields that nobody promised are left out"),
    ],
)
def test_json(spark: SparkSession, value: bytes, unreadable: bool, id_: str | None, amount: int | None) -> None:
    (row,) = read(spark, value)
    assert (row[UNREADABLE], row["id"], row["amount"]) == (unreadable, id_, amount)


def test_the_time_of_arrival_stands_beside_the_columns(spark: SparkSession) -> None:
    (row,) = read(spark, GOOD)
    assert row.__fields__ == ["id", "amount", "placed at", ARRIVED, UNREADABLE]
    assert row[ARRIVED].timestamp() == 1


def test_the_mark_of_a_deletion_is_no_row(spark: SparkSession) -> None:
    assert read(spark, None) == []


@pytest.mark.parametrize(
    ("value", "unreadable"), [(b"o1;3;2026-01-03 10:00:00", False), (b"o1;many;2026-01-03 10:00:00", True)]
)
def test_csv(spark: SparkSession, value: bytes, unreadable: bool) -> None:
    (row,) = read(spark, value, "csv", sep=";")
    assert (row["id"], row[UNREADABLE]) == ("o1", unreadable)


@pytest.mark.parametrize(
    ("value", "id_", "unreadable"),
    [
        pytest.param(b"\x04o1", "o1", False, id="plain"),
        pytest.param(b"\x00\x00\x00\x00\x07\x04o1", "o1", False, id="with the number of a schema in front"),
        pytest.param(b"\x99", None, True, id="cut off"),
    ],
)
def test_avro(lakehouse: SparkSession, value: bytes, id_: str | None, unreadable: bool) -> None:
    (row,) = read(lakehouse, value, "avro", avroSchema=AVRO)
    assert (row["id"], row[UNREADABLE]) == (id_, unreadable)


@pytest.mark.parametrize(
    ("format_", "said"),
    [
        pytest.param("protobuf", "no way is known to read messages of format 'protobuf'", id="unknown"),
        pytest.param("avro", "add the option avroSchema", id="Avro without a schema"),
    ],
)
def test_what_cannot_be_read_is_said(spark: SparkSession, format_: str, said: str) -> None:
    with pytest.raises(FloeError, match=said):
        read(spark, GOOD, format_)
