"""Conversion between dialects: nothing gets lost, keys stay, and the standard accepts the result."""

from __future__ import annotations

import pytest
from hypothesis import HealthCheck, given, settings
from support.reading import fixture_texts, read_text
from support.standard import refusals
from support.strategies import contracts

from floe_contracts.contract.convert import convert
from floe_contracts.contract.model import Contract, CustomProperty, Dialect
from floe_contracts.contract.source import read_document
from floe_contracts.contract.structure import structural_findings
from floe_contracts.errors import FloeError

ALL = [(dialect, text) for dialect in Dialect for text in fixture_texts(dialect).values()]
ALL_NAMES = [f"{dialect.value}/{name}" for dialect in Dialect for name in fixture_texts(dialect)]
every_fixture = pytest.mark.parametrize(("dialect", "text"), ALL, ids=ALL_NAMES)
patient = settings(max_examples=50, suppress_health_check=list(HealthCheck))


def again(contract: Contract, dialect: Dialect) -> Contract:
    return read_text(convert(contract, dialect).text, dialect)


@patient
@given(contracts())
def test_every_contract_survives_odcs_and_the_standard_accepts_it(contract: Contract) -> None:
    converted = convert(contract, Dialect.ODCS)
    assert converted.lost == ()
    assert read_text(converted.text, Dialect.ODCS) == contract
    assert refusals(converted.text) == []


@patient
@given(contracts(Dialect.FLOE))
def test_every_contract_survives_floe_also_by_way_of_odcs(contract: Contract) -> None:
    converted = convert(contract, Dialect.FLOE)
    assert converted.lost == ()
    assert read_text(converted.text, Dialect.FLOE) == contract
    assert again(again(contract, Dialect.ODCS), Dialect.FLOE) == contract


@patient
@given(contracts(Dialect.FIELDS))
def test_every_short_contract_survives_fields_also_by_way_of_odcs(contract: Contract) -> None:
    converted = convert(contract, Dialect.FIELDS)
    assert converted.lost == ()
    assert read_text(converted.text, Dialect.FIELDS) == contract
    assert again(again(contract, Dialect.ODCS), Dialect.FIELDS) == contract


@patient
@given(contracts())
def test_conversion_keeps_the_key_and_gives_the_same_bytes_twice(contract: Contract) -> None:
    for dialect in (Dialect.ODCS, Dialect.FLOE):
        assert convert(contract, dialect) == convert(contract, dialect)
        assert again(contract, dialect).key == contract.key


@every_fixture
def test_fixtures_become_odcs_that_the_standard_accepts(dialect: Dialect, text: str) -> None:
    converted = convert(read_text(text, dialect), Dialect.ODCS)
    assert converted.lost == ()
    assert refusals(converted.text) == []
    assert read_text(converted.text, Dialect.ODCS) == read_text(text, dialect)


@every_fixture
def test_fixtures_come_back_from_odcs_in_their_own_dialect(dialect: Dialect, text: str) -> None:
    contract = read_text(text, dialect)
    converted = convert(again(contract, Dialect.ODCS), dialect)
    assert read_text(converted.text, dialect) == contract
    assert structural_findings(dialect, read_document(converted.text.encode()).value) == ()  # type: ignore[arg-type]


@every_fixture
def test_datacontract_cli_accepts_what_fixtures_become(dialect: Dialect, text: str) -> None:
    from datacontract.data_contract import DataContract

    converted = convert(read_text(text, dialect), Dialect.ODCS)
    run = DataContract(data_contract_str=converted.text, inline_references=False).lint()
    passed: bool = run.has_passed()  # type: ignore[no-untyped-call]
    assert passed, [check.reason for check in run.checks or [] if check.reason]


UNFIT = {
    "several tables into fields": ("schema: [{name: a}, {name: b}]", Dialect.FIELDS, "has 2: 'a', 'b'"),
    "no table into fields": ("status: active", Dialect.FIELDS, "has 0"),
    "no columns into fields": ("schema: [{name: a}]", Dialect.FIELDS, "'a' has none"),
    "a column without type into fields": (
        "schema: [{name: a, properties: [{name: b}]}]",
        Dialect.FIELDS,
        "a.b has none",
    ),
    "no table into floe": ("status: active", Dialect.FLOE, "'x' has no tables"),
    "no columns into floe": ("schema: [{name: a}]", Dialect.FLOE, "table 'a' has no columns"),
}


@pytest.mark.parametrize(("part", "dialect", "reason"), UNFIT.values(), ids=UNFIT)
def test_what_a_dialect_cannot_hold_is_refused(part: str, dialect: Dialect, reason: str) -> None:
    contract = read_text(f"kind: DataContract\nid: x\nversion: 1.0.0\n{part}", Dialect.ODCS)
    with pytest.raises(FloeError, match="dialect") as refused:
        convert(contract, dialect)
    assert reason in refused.value.message


LOST = {
    "nothing that has a place": ("{name: c, logicalType: string, required: true}", ()),
    "a physical type spelled like a logical one": ("{name: c, logicalType: date, physicalType: date}", ()),
    "limits": ("{name: c, logicalType: string, logicalTypeOptions: {maxLength: 3}}", ("t.c: maxLength",)),
    "a quality rule": ("{name: c, logicalType: string, quality: [{metric: nullValues, mustBe: 0}]}", ("t.c: quality",)),
    "a physical name": ("{name: c, logicalType: string, physicalName: d}", ("t.c: physicalName",)),
    "documentation": ("{name: c, logicalType: string, businessName: d}", ("t.c: businessName",)),
    "what is inside a struct": ("{name: c, logicalType: object, properties: [{name: d}]}", ("t.c.d",)),
    "what is inside an array": ("{name: c, logicalType: array, items: {logicalType: string}}", ("t.c: items",)),
}


@pytest.mark.parametrize(("part", "lost"), LOST.values(), ids=LOST)
def test_what_fields_cannot_carry_is_named(part: str, lost: tuple[str, ...]) -> None:
    text = f"kind: DataContract\nid: t\nname: t\nversion: 1.0.0\nschema: [{{name: t, properties: [{part}]}}]"
    assert convert(read_text(text, Dialect.ODCS), Dialect.FIELDS).lost == lost


def test_service_levels_are_carried_by_meaning() -> None:
    text = "name: t\nversion: 1.0.0\nmodels: {t: {elements: {c: {type: string}}}}\nslaProperties: {%s}"
    contract = read_text(text % "freshness: {value: PT6H, element: c}, latency: {value: 4, unit: d}", Dialect.FLOE)
    converted = convert(contract, Dialect.FIELDS)
    assert read_document(converted.text.encode()).value["sla"] == {"element": "c", "freshness_minutes": 360}  # type: ignore[index,call-overload]
    assert converted.lost == ("slaProperties.latency",)


ARRIVALS = {
    "a column": ("{property: floe.arrival, value: came}", "came", ()),
    "a column, spelled bare": ("{property: arrival, value: came}", "came", ()),
    "a column, explained": (
        "{property: floe.arrival, value: came, description: d}",
        "came",
        ("slaProperties.latency_p99: customProperties",),
    ),
    "another option": ("{property: floe.skew, value: PT1M}", None, ("slaProperties.latency_p99: customProperties",)),
}


@pytest.mark.parametrize(("option", "column", "lost"), ARRIVALS.values(), ids=ARRIVALS)
def test_the_column_of_arrival_is_carried(option: str, column: str | None, lost: tuple[str, ...]) -> None:
    text = (
        "name: t\nversion: 1.0.0\nmodels: {t: {elements: {came: {type: timestamp}}}}\nslaProperties: {latency_p99: %s}"
    )
    contract = read_text(text % f"{{value: 30s, customProperties: [{option}]}}", Dialect.FLOE)
    short = convert(contract, Dialect.FIELDS)
    assert read_document(short.text.encode()).value["sla"].get("arrival") == column  # type: ignore[index,call-overload,union-attr]
    assert short.lost == lost


@pytest.mark.parametrize("dialect", [Dialect.ODCS, Dialect.FLOE])
def test_the_column_of_arrival_of_the_fields_dialect_becomes_a_custom_property(dialect: Dialect) -> None:
    text = "schema: t\nversion: 1.0.0\nfields: [{name: came, type: TIMESTAMP}]\nsla: {latency_p99: 30s, arrival: came}"
    contract = read_text(text, Dialect.FIELDS)
    assert convert(contract, dialect).lost == ()
    assert again(contract, dialect).slas[0].custom == (CustomProperty("floe.arrival", "came"),)


KEYS = {
    "an id of its own": ("id: abc\nname: orders", "abc"),
    "no id, with domain": ("domain: sales\nname: orders", "sales/orders"),
    "no id, no domain": ("name: orders", "orders"),
    "an id that repeats the key": ("id: sales/orders\ndomain: sales\nname: orders", "sales/orders"),
    "another table name": ("name: orders-contract", "orders-contract"),
}


@pytest.mark.parametrize(("head", "key"), KEYS.values(), ids=KEYS)
def test_the_key_stays_in_every_dialect(head: str, key: str) -> None:
    contract = read_text(
        f"{head}\nversion: 1.0.0\nmodels: {{orders: {{elements: {{c: {{type: int}}}}}}}}", Dialect.FLOE
    )
    assert [again(contract, dialect).key for dialect in Dialect] == [key, key, key]


def test_a_converted_contract_reads_like_one_written_by_hand() -> None:
    text = """\
name: orders
version: "2.1.0"
owner: data@acme.example
description: |
  Every order,
  once.
models:
  orders:
    elements:
      order_id:
        type: string
        required: true
      state:
        type: STRING
        enum: [open, "no"]
        unit: none
slaProperties:
  freshness:
    value: PT6H
consumers: [billing]
"""
    assert (
        convert(read_text(text, Dialect.FLOE), Dialect.ODCS).text
        == """\
apiVersion: v3.2.0
kind: DataContract
id: orders
name: orders
version: "2.1.0"
description:
  purpose: |
    Every order,
    once.
schema:
  - name: orders
    properties:
      - name: order_id
        logicalType: string
        required: true
      - name: state
        logicalType: string
        physicalType: STRING
        enum:
          - value: open
          - value: "no"
        customProperties:
          - property: floe.unit
            value: none
slaProperties:
  - property: freshness
    value: PT6H
customProperties:
  - property: floe.owner
    value: data@acme.example
  - property: floe.consumers
    value: [billing]
"""
    )
