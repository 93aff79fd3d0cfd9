"""A table of orders with planted faults, and the contract that they break: the same for every engine."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

PARTS = 8
STATUSES, CURRENCIES, CHANNELS = ("new", "paid", "shipped", "returned"), ("EUR", "USD", "CHF"), ("web", "shop", "phone")
EMAIL = r"[a-z0-9.]+@[a-z]+\.[a-z]{2,3}"


def _planted(first: int, count: int, bad: str, good: str) -> str:
    """The bad value in `count` rows from `first` on."""
    return f"CASE WHEN id BETWEEN {first} AND {first + count - 1} THEN {bad} ELSE {good} END"


def _one_of(values: tuple[str, ...]) -> str:
    return f"element_at(array{values!r}, int(id % {len(values)}) + 1)"


_ZIP = "format_string('%05d', id % 100000)"
COLUMNS = {
    "order_id": _planted(20, 3, "'o-0000000010'", _planted(30, 2, "'o-0000000011'", "format_string('o-%010d', id)")),
    "customer_id": _planted(40, 4, "null", "pmod(xxhash64(id), 1000000)"),
    "email": _planted(50, 7, "concat('no mail ', id)", "concat('user.', id, '@example.org')"),
    "status": _planted(60, 5, "'lost'", _planted(70, 2, "null", _one_of(STATUSES))),
    "currency": _planted(80, 3, "'EURO'", _one_of(CURRENCIES)),
    "channel": _planted(90, 1, "'fax'", _one_of(CHANNELS)),
    "amount": _planted(100, 6, "-1.00", _planted(110, 2, "null", "CAST(id % 100000 AS DECIMAL(12, 2)) / 100")),
    "discount": _planted(120, 4, "double('NaN')", "(id % 90) / 100D"),
    "quantity": _planted(130, 8, "0", "int(id % 99) + 1"),
    "created_at": _planted(140, 3, "null", "timestamp_seconds(1700000000 + id)"),
    "updated_at": "timestamp_seconds(1700000060 + id)",
    "address": f"named_struct('zip', {_planted(150, 9, 'null', _ZIP)}, 'city', 'Bern')",
}
# What each rule must find: the id of a rule, without the table in front, and the number.
FAULTS = {
    "order_id.not_null": 0,
    "order_id.length": 0,
    "customer_id.not_null": 4,
    "email.pattern": 7,
    "status.not_null": 2,
    "status.values": 5,
    "currency.values": 3,
    "currency.length": 3,
    "channel.values": 1,
    "amount.not_null": 2,
    "amount.range": 6,
    "amount.multiple": 0,
    "discount.range": 4,
    "quantity.range": 8,
    "created_at.not_null": 3,
    "updated_at.nulls": 0,
    "address.zip.not_null": 9,
    "address.zip.length": 0,
    "order_id.primary_key": 2,
    "customer_and_time": 0,
}


def write_table(spark: SparkSession, place: Path, rows: int) -> Path:
    """Eight parquet files, one in each partition; made once for each size."""
    table = place / f"orders-micros-{rows}"
    if not (table / "_SUCCESS").exists():
        columns = [f"{expression} AS {name}" for name, expression in COLUMNS.items()]
        columns.append(f"int(id * {PARTS} div {rows}) AS part")
        frame = spark.range(0, rows, 1, PARTS).selectExpr(*columns)
        frame.write.mode("overwrite").partitionBy("part").parquet(str(table))
    return table


def contract_text() -> str:
    """ODCS, as our engine and datacontract-cli both read it."""
    return f"""apiVersion: v3.1.0
kind: DataContract
id: orders
name: orders
version: 1.0.0
status: active
schema:
  - name: orders
    physicalType: table
    quality:
      - {{id: rows, metric: rowCount, mustBeGreaterThan: 0}}
      - id: customer_and_time
        metric: duplicateValues
        mustBe: 0
        arguments: {{properties: [customer_id, created_at]}}
    properties:
      - {{name: order_id, logicalType: string, required: true, primaryKey: true, primaryKeyPosition: 1,
          logicalTypeOptions: {{minLength: 12, maxLength: 12}}}}
      - {{name: customer_id, logicalType: integer, required: true}}
      - {{name: email, logicalType: string, logicalTypeOptions: {{pattern: '{EMAIL}'}}}}
      - name: status
        logicalType: string
        required: true
        quality: [{{id: values, metric: invalidValues, mustBe: 0, arguments: {{validValues: {[*STATUSES]}}}}}]
      - name: currency
        logicalType: string
        logicalTypeOptions: {{minLength: 3, maxLength: 3}}
        quality: [{{id: values, metric: invalidValues, mustBe: 0, arguments: {{validValues: {[*CURRENCIES]}}}}}]
      - name: channel
        logicalType: string
        quality: [{{id: values, metric: invalidValues, mustBe: 0, arguments: {{validValues: {[*CHANNELS]}}}}}]
      - {{name: amount, logicalType: number, required: true,
          logicalTypeOptions: {{minimum: 0, maximum: 100000, multipleOf: 0.01}}}}
      - {{name: discount, logicalType: number, logicalTypeOptions: {{minimum: 0, maximum: 1}}}}
      - {{name: quantity, logicalType: integer, logicalTypeOptions: {{minimum: 1, maximum: 100}}}}
      - {{name: created_at, logicalType: timestamp, required: true}}
      - name: updated_at
        logicalType: timestamp
        quality: [{{id: nulls, metric: nullValues, mustBe: 0}}]
      - name: address
        logicalType: object
        properties:
          - {{name: zip, logicalType: string, required: true, logicalTypeOptions: {{minLength: 5, maxLength: 5}}}}
          - {{name: city, logicalType: string}}
"""
