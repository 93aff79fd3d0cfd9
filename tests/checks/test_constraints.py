"""The mapping from a contract to rules, as a table: each limit, its name and the question it asks."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

import pytest
from support.builders import column, contract, table

from floe_contracts.checks import measure as m
from floe_contracts.checks.rules.check import QualityCheck, TableRules
from floe_contracts.checks.rules.constraints import rules_of
from floe_contracts.codes import Severity
from floe_contracts.contract.load import load
from floe_contracts.contract.model import Contract, CustomProperty, EnumValue, Property, ValueOptions


def rules(*parts: Any, **more: Any) -> TableRules:
    one = contract(*parts, **more)
    return rules_of(one, one.objects[0])


def invalid(test: m.ValidTest) -> m.Measure:
    return m.InvalidCount(("amount",), test)


def _only(prop: Property) -> tuple[str, m.Measure]:
    (rule,) = rules(prop).rules
    return rule.name, rule.measure


def _enum(*values: Any) -> tuple[EnumValue, ...]:
    return tuple(EnumValue(value) for value in values)


@pytest.mark.parametrize(
    ("prop", "name", "measure"),
    [
        pytest.param(column(required=True), "not_null", m.NullCount(("amount",)), id="required"),
        pytest.param(column(unique=True), "unique", m.DuplicateCount((("amount",),)), id="unique"),
        pytest.param(column(enum=_enum("a", "b", "a")), "enum", invalid(m.OneOf(("a", "b"))), id="enum"),
        pytest.param(
            column(enum=_enum("a", None)), "enum", invalid(m.OneOf(("a",))), id="null is not a value of an enum"
        ),
        pytest.param(column(enum=_enum(1, True, 1.5)), "enum", invalid(m.OneOf((1, True, "1.5"))), id="enum of others"),
        pytest.param(column(pattern="^a+$"), "pattern", invalid(m.Matches("^a+$")), id="pattern"),
        pytest.param(column(format="Email"), "format", invalid(m.Format("email")), id="format"),
        pytest.param(column(format="datetime"), "format", invalid(m.Format("date-time")), id="format by another name"),
        pytest.param(column(min_length=2), "length", invalid(m.LengthBetween(2, None)), id="minLength"),
        pytest.param(column(max_length=9), "length", invalid(m.LengthBetween(None, 9)), id="maxLength"),
        pytest.param(
            column(physical_type="VARCHAR(20)"), "length", invalid(m.LengthBetween(None, 20)), id="a length in the type"
        ),
        pytest.param(
            column(physical_type="char(4)", max_length=9),
            "length",
            invalid(m.LengthBetween(None, 4)),
            id="the shorter one",
        ),
        pytest.param(column(kind="number", minimum=0), "range", invalid(m.Within("0", None)), id="minimum"),
        pytest.param(column(kind="number", maximum=1.5), "range", invalid(m.Within(None, "1.5")), id="maximum"),
        pytest.param(
            column(kind="number", exclusive_minimum=0, maximum=9),
            "range",
            invalid(m.Within("0", "9", above=True)),
            id="mixed",
        ),
        pytest.param(
            column(kind="number", exclusive_maximum=9),
            "range",
            invalid(m.Within(None, "9", below=True)),
            id="exclusive",
        ),
        pytest.param(
            column(kind="number", minimum=0, exclusive_minimum=1),
            "range",
            invalid(m.AllOf((m.Within("0"), m.Within("1", above=True)))),
            id="both on one side",
        ),
        pytest.param(
            column(kind="date", minimum="2020-01-01"), "range", invalid(m.Within("2020-01-01")), id="a date as bound"
        ),
        pytest.param(
            column(kind="number", multiple_of=0.01), "multiple", invalid(m.MultipleOf("0.01")), id="multipleOf"
        ),
        pytest.param(
            column(kind="integer", format="u8"),
            "format",
            invalid(m.Within("0", "255")),
            id="the width of a whole number",
        ),
        pytest.param(
            column(kind="date", physical_type="string", format="dd.MM.yyyy"),
            "format",
            invalid(m.Parses("date", "dd.MM.yyyy")),
            id="a date kept as text",
        ),
        pytest.param(
            column(kind="timestamp", physical_type="string", format="date-time"),
            "format",
            invalid(m.Format("date-time")),
            id="a time kept as text in a known format",
        ),
        pytest.param(column(kind="array", min_items=1), "items", invalid(m.ItemsBetween(1, None)), id="minItems"),
        pytest.param(column(kind="array", max_items=5), "items", invalid(m.ItemsBetween(None, 5)), id="maxItems"),
        pytest.param(
            column(kind="array", unique_items=True), "unique_items", invalid(m.DistinctItems()), id="uniqueItems"
        ),
        pytest.param(
            column(kind="map", max_properties=3), "entries", invalid(m.ItemsBetween(None, 3)), id="entries of a map"
        ),
        pytest.param(
            column(kind="vector", options=ValueOptions(extras={"dimensions": 3})),
            "dimensions",
            invalid(m.ItemsBetween(3, 3)),
            id="a vector",
        ),
    ],
)
def test_a_limit_is_a_rule(prop: Property, name: str, measure: m.Measure) -> None:
    assert _only(prop) == (name, measure)


@pytest.mark.parametrize(
    "prop",
    [
        pytest.param(column(), id="nothing promised"),
        pytest.param(column(format="password"), id="a hint for forms"),
        pytest.param(column(kind="date", format="yyyy-MM-dd"), id="how a date is printed"),
        pytest.param(column(kind="integer", physical_type="bigint", format="i64"), id="a width that the type says"),
        pytest.param(column(kind="number", format="f64"), id="the width of a float"),
        pytest.param(column(physical_type="char"), id="a char without a length"),
        pytest.param(column(required=True, semantic_type="measure"), id="a measure is not a column"),
    ],
)
def test_no_promise_no_rule(prop: Property) -> None:
    found = rules(prop)
    assert (found.rules, found.skipped) == ((), ())


@pytest.mark.parametrize(
    ("prop", "says"),
    [
        pytest.param(column(required=True), "amount is never null", id="required"),
        pytest.param(column(enum=_enum("a", "b")), "amount is one of 2 values", id="enum"),
        pytest.param(column(enum=_enum("a")), "amount is always a", id="enum of one value"),
        pytest.param(column(min_length=1, max_length=5), "amount has 1 to 5 characters", id="length"),
        pytest.param(column(min_length=5, max_length=5), "amount has 5 characters", id="one length"),
        pytest.param(column(min_length=2), "amount has at least 2 characters", id="a least length"),
        pytest.param(column(max_length=9), "amount has at most 9 characters", id="a greatest length"),
        pytest.param(
            column(kind="number", minimum=0, exclusive_maximum=9), "amount is at least 0 and below 9", id="range"
        ),
        pytest.param(column(unique=True), "amount is unique", id="unique"),
    ],
)
def test_a_rule_says_its_promise(prop: Property, says: str) -> None:
    (rule,) = rules(prop).rules
    assert rule.says == says


NESTED = column(
    "lines",
    "array",
    required=True,
    items=column("", "object", required=True, properties=(column("sku", required=True, pattern="A.*"),)),
)
MAPPED = column("attrs", "map", map_key=column("", required=True, max_length=3), map_value=column("", required=True))


@pytest.mark.parametrize(
    ("prop", "expected"),
    [
        pytest.param(
            NESTED,
            [
                ("orders.lines.not_null", m.NullCount(("lines",))),
                ("orders.lines.[].not_null", m.NullCount(("lines", "[]"))),
                ("orders.lines.[].sku.not_null", m.NullCount(("lines", "[]", "sku"))),
                ("orders.lines.[].sku.pattern", m.InvalidCount(("lines", "[]", "sku"), m.Matches("A.*"))),
            ],
            id="items of an array",
        ),
        pytest.param(
            MAPPED,
            [
                ("orders.attrs.{key}.length", m.InvalidCount(("attrs", "{key}"), m.LengthBetween(None, 3))),
                ("orders.attrs.{value}.not_null", m.NullCount(("attrs", "{value}"))),
            ],
            id="sides of a map, whose keys are never null",
        ),
        pytest.param(
            column(
                "address",
                "object",
                properties=(column("zip"), column("city")),
                options=ValueOptions(required_properties=("zip",)),
            ),
            [("orders.address.zip.not_null", m.NullCount(("address", "zip")))],
            id="fields that their struct requires",
        ),
        pytest.param(
            column("id", required=True, physical_name="ID_1"),
            [("orders.id.not_null", m.NullCount(("ID_1",)))],
            id="the table's own name for it",
        ),
    ],
)
def test_rules_reach_into_every_level(prop: Property, expected: list[tuple[str, m.Measure]]) -> None:
    assert [(rule.id, rule.measure) for rule in rules(prop).rules] == expected


@pytest.mark.parametrize(
    ("prop", "reason"),
    [
        pytest.param(column(format="iban"), "no test is known for the format 'iban'", id="an unknown format"),
        pytest.param(
            column(kind="object", max_properties=3), "the number of fields of a struct", id="fields of a struct"
        ),
        pytest.param(
            column(kind="array", items=column("", unique=True)),
            "uniqueness across the items",
            id="items unique across rows",
        ),
    ],
)
def test_what_no_engine_can_run_is_skipped_with_a_reason(prop: Property, reason: str) -> None:
    found = rules(prop)
    assert found.rules == ()
    assert [one.reason[: len(reason)] for one in found.skipped] == [reason]


def _weighted(value: Any) -> Decimal:
    (rule,) = rules(column(required=True, custom=(CustomProperty("floe.weight", value),))).rules
    return rule.weight


@pytest.mark.parametrize(
    ("value", "weight"),
    [
        pytest.param(3, "3", id="a number"),
        pytest.param("0.5", "0.5", id="as text"),
        pytest.param(0, "0", id="nothing"),
        pytest.param(-1, "1", id="below nothing makes no sense"),
        pytest.param("heavy", "1", id="nor does a word"),
    ],
)
def test_a_weight_is_a_number_of_at_least_nothing(value: Any, weight: str) -> None:
    assert _weighted(value) == Decimal(weight)


def test_constraints_are_errors_with_a_dimension() -> None:
    (rule,) = rules(column(required=True)).rules
    assert (rule.severity, rule.dimension, rule.source) == (Severity.ERROR, "completeness", "constraint")


def test_ids_are_unique() -> None:
    twice = table(column("a", required=True), column("a", required=True))
    assert [rule.id for rule in rules(twice).rules] == ["orders.a.not_null", "orders.a.not_null#2"]


SEEDS_FIELDS = b"""
schema: orders
version: "2.1.0"
fields:
  - {name: order_id, type: UUID, nullable: false, primary_key: true}
  - {name: status, type: STRING, nullable: false, enum: [pending, shipped]}
  - {name: user_id, type: STRING, references: orders.order_id}
  - {name: revenue_usd, type: "NUMERIC(12,2)", nullable: false}
"""
SEEDS_FLOE = b"""
apiVersion: v3.0.2
kind: DataContract
name: customers
version: "2.1.0"
models:
  customers:
    elements:
      customer_id: {type: string, required: true, primaryKey: true}
      email: {type: string, required: true, format: email, unique: true}
quality:
  - {type: library, metric: rowCount, mustBeGreaterThan: 0}
"""


def _read(data: bytes) -> Contract:
    found = load(data, "contract.yaml").contract
    assert found is not None
    return found


@pytest.mark.parametrize(
    ("data", "expected"),
    [
        pytest.param(
            SEEDS_FIELDS,
            "order_id.not_null order_id.format status.not_null status.enum revenue_usd.not_null order_id.primary_key "
            "user_id.foreign_key",
            id="fields",
        ),
        pytest.param(
            SEEDS_FLOE,
            "customer_id.not_null email.not_null email.format customer_id.primary_key email.unique quality_1",
            id="floe",
        ),
    ],
)
def test_the_seeds_dialects_give_their_rules(data: bytes, expected: str) -> None:
    one = _read(data)
    found = rules_of(one, one.objects[0])
    assert [rule.id.partition(".")[2] for rule in found.rules] == expected.split()
    assert all(isinstance(rule, QualityCheck) for rule in found.rules)
    assert found.skipped == ()


@pytest.mark.parametrize(
    ("least", "most", "words"),
    [
        (1, None, "has at least 1 item"),
        (2, None, "has at least 2 items"),
        (None, 1, "has at most 1 item"),
        (1, 1, "has 1 item"),
        (0, 3, "has 0 to 3 items"),
    ],
)
def test_a_number_of_items_is_spelled(least: int | None, most: int | None, words: str) -> None:
    (rule,) = rules(column("tags", "array", min_items=least, max_items=most)).rules
    assert rule.says == f"tags {words}"
