"""Conversion between dialects: nothing gets lost, keys stay, and the standard accepts the result."""

from __future__ import annotations

import pytest
from hypothesis import HealthCheck, given, settings
from support.reading import fixture_texts, read_text
from support.standard import refusals
from support.strategies import contracts

from floe_contracts.contract.convert import convert
from floe_contracts.contract.digest import content_hash, schema_hash
from floe_contracts.contract.load import load
from floe_contracts.contract.model import Contract, CustomProperty, Dialect, Property, SchemaObject, ValueOptions
from floe_contracts.contract.source import read_document
from floe_contracts.contract.structure import structural_findings
from floe_contracts.errors import FloeError
from floe_contracts.render.safe import page_safe

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
    "a part of a struct without type into fields": (
        "schema: [{name: a, properties: [{name: b, logicalType: object, properties: [{name: c}]}]}]",
        Dialect.FIELDS,
        "a.b.c has none",
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
    "a smallest and a largest value": (
        "{name: c, logicalType: number, logicalTypeOptions: {minimum: 0, maximum: 9.5}}",
        (),
    ),
    "a quality rule": ("{name: c, logicalType: string, quality: [{metric: nullValues, mustBe: 0}]}", ()),
    "a physical name": ("{name: c, logicalType: string, physicalName: d}", ("t.c: physicalName",)),
    "documentation": ("{name: c, logicalType: string, businessName: d}", ("t.c: businessName",)),
    "what is inside a struct": ("{name: c, logicalType: object, properties: [{name: d, logicalType: date}]}", ()),
    "what is inside an array": ("{name: c, logicalType: array, items: {logicalType: string}}", ()),
    "limits inside an array": (
        "{name: c, logicalType: array, items: {logicalType: string, logicalTypeOptions: {maxLength: 3}}}",
        ("t.c.items: maxLength",),
    ),
    "keys and values of a map": (
        "{name: c, logicalType: map, map: {key: {logicalType: string}, value: {logicalType: date}}}",
        (),
    ),
    "documentation inside a map": (
        "{name: c, logicalType: map, map: {key: {logicalType: date}, value: {logicalType: string, businessName: d}}}",
        ("t.c.map.value: businessName",),
    ),
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


@pytest.mark.parametrize(
    ("element", "written"),
    [("o_1.t_dt", "day"), ("t_dt", "day"), ("o.day", "o.day"), ("o_1", "o"), ('"o.t_dt, o_1.day"', "day")],
)
def test_what_is_measured_keeps_a_name_that_the_dialect_has(element: str, written: str) -> None:
    text = (
        "apiVersion: v3.1.0\nkind: DataContract\nid: o\nname: o\nversion: 1.0.0\nstatus: active\n"
        "schema: [{name: o, physicalName: o_1, properties: [{name: day, physicalName: t_dt, logicalType: date}]}]\n"
        f"slaProperties: [{{property: freshness, value: 6, unit: h, element: {element}}}]\n"
    )
    converted = convert(read_text(text, Dialect.ODCS), Dialect.FIELDS)
    reread = load(converted.text.encode(), "o.yaml")
    assert reread.findings == ()
    assert reread.contract is not None
    assert reread.contract.sla_default_element == written
    assert converted.lost == ("o: physicalName", "o.day: physicalName")


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
        physicalType: string
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


ONE_PROMISE = {
    "limits": {
        Dialect.ODCS: "{name: c, logicalType: integer, physicalType: INT, "
        "logicalTypeOptions: {minimum: 0, maximum: 9}}",
        Dialect.FLOE: "{type: INT, logicalTypeOptions: {minimum: 0, maximum: 9}}",
        Dialect.FIELDS: "{name: c, type: INT, minimum: 0, maximum: 9}",
    },
    "items": {
        Dialect.ODCS: "{name: c, logicalType: array, physicalType: ARRAY, "
        "items: {logicalType: date, physicalType: DATE}}",
        Dialect.FLOE: "{type: ARRAY, items: {type: DATE}}",
        Dialect.FIELDS: "{name: c, type: ARRAY, items: {type: DATE}}",
    },
    "a struct": {
        Dialect.ODCS: "{name: c, logicalType: object, physicalType: STRUCT, properties: "
        "[{name: d, logicalType: date, physicalType: DATE, required: true}]}",
        Dialect.FLOE: "{type: STRUCT, elements: {d: {type: DATE, required: true}}}",
        Dialect.FIELDS: "{name: c, type: STRUCT, fields: [{name: d, type: DATE, nullable: false}]}",
    },
    "structs in an array": {
        Dialect.ODCS: "{name: c, logicalType: array, physicalType: ARRAY, items: {logicalType: object, "
        "physicalType: STRUCT, properties: [{name: d, logicalType: date, physicalType: DATE}]}}",
        Dialect.FLOE: "{type: ARRAY, items: {type: STRUCT, elements: {d: {type: DATE}}}}",
        Dialect.FIELDS: "{name: c, type: ARRAY, items: {type: STRUCT, fields: [{name: d, type: DATE}]}}",
    },
    "a map": {
        Dialect.ODCS: "{name: c, logicalType: map, physicalType: MAP, map: {key: {logicalType: string, "
        "physicalType: VARCHAR(3), required: true}, value: {logicalType: object, physicalType: STRUCT, "
        "properties: [{name: d, logicalType: date, physicalType: DATE}]}}}",
        Dialect.FLOE: "{type: MAP, map: {key: {type: VARCHAR(3), required: true}, "
        "value: {type: STRUCT, elements: {d: {type: DATE}}}}}",
        Dialect.FIELDS: "{name: c, type: MAP, map: {key: {type: VARCHAR(3), nullable: false}, "
        "value: {type: STRUCT, fields: [{name: d, type: DATE}]}}}",
    },
    "a rule": {
        Dialect.ODCS: "{name: c, logicalType: date, physicalType: DATE, quality: [{metric: nullValues, mustBe: 0}]}",
        Dialect.FLOE: "{type: DATE, quality: [{metric: nullValues, mustBe: 0}]}",
        Dialect.FIELDS: "{name: c, type: DATE, quality: [{metric: nullValues, mustBe: 0}]}",
    },
}
WHOLE = {
    Dialect.ODCS: "apiVersion: v3.2.0\nkind: DataContract\nid: t\nname: t\nversion: 1.0.0\nstatus: active\n"
    "schema: [{name: t, properties: [%s], quality: [{metric: rowCount, mustBeGreaterThan: 0}]}]",
    Dialect.FLOE: "name: t\nversion: 1.0.0\nstatus: active\n"
    "models: {t: {elements: {c: %s}, quality: [{metric: rowCount, mustBeGreaterThan: 0}]}}",
    Dialect.FIELDS: "schema: t\nversion: 1.0.0\nstatus: active\nfields: [%s]\n"
    "quality: [{metric: rowCount, mustBeGreaterThan: 0}]",
}


@pytest.mark.parametrize("written", ONE_PROMISE.values(), ids=ONE_PROMISE)
@pytest.mark.parametrize("into", list(Dialect), ids=[f"into {dialect.value}" for dialect in Dialect])
def test_all_three_dialects_say_the_same_and_convert_without_a_difference(
    written: dict[Dialect, str], into: Dialect
) -> None:
    expected = read_text(WHOLE[into] % written[into], into)
    for dialect, part in written.items():
        text = WHOLE[dialect] % part
        assert structural_findings(dialect, read_document(text.encode()).value) == ()  # type: ignore[arg-type]
        contract = read_text(text, dialect)
        converted = convert(contract, into)
        assert converted.lost == ()
        again_ = read_text(converted.text, into)
        assert (again_, content_hash(again_), schema_hash(again_)) == (
            expected,
            content_hash(contract),
            schema_hash(contract),
        )
        assert structural_findings(into, read_document(converted.text.encode()).value) == ()  # type: ignore[arg-type]


@pytest.mark.parametrize("dialect", Dialect)
@pytest.mark.parametrize(
    "column",
    [
        pytest.param(Property("", logical_type="string", physical_type="string"), id="a column without a name"),
        pytest.param(Property("n", logical_type="number", options=ValueOptions(maximum=1e300)), id="a large number"),
        pytest.param(Property("n", logical_type="number", options=ValueOptions(maximum=1.7e308)), id="the largest"),
        pytest.param(Property("##[add-mask]x", logical_type="string"), id="a command of a runner"),
        pytest.param(Property("a\u202eb", logical_type="string"), id="a mark of direction"),
    ],
)
def test_what_is_converted_loads_again(dialect: Dialect, column: Property) -> None:
    contract = Contract("orders", "1.0.0", objects=(SchemaObject("orders", properties=(column,)),), dialect=dialect)
    if dialect is Dialect.FIELDS and not column.name:
        with pytest.raises(FloeError, match="columns with names"):
            convert(contract, dialect)
        return
    text = convert(contract, dialect).text
    loaded = load(text.encode(), "orders.yaml").contract
    assert loaded is not None
    assert loaded.objects[0].properties[0].name == column.name
    assert loaded.objects[0].properties[0].options.maximum == column.options.maximum
    assert page_safe(text) == text, "what a log shows is what was written"


def test_an_element_of_a_table_that_only_the_platform_knows_is_called_as_its_column_is() -> None:
    text = (
        "apiVersion: v3.1.0\nkind: DataContract\nid: t\nversion: 1.0.0\nstatus: active\n"
        "schema: [{name: t, properties: [{name: placed, physicalName: plc_dt, logicalType: timestamp}]}]\n"
        "slaProperties: [{property: freshness, value: 1, unit: h, element: shop.plc_dt}]\n"
    )
    contract = load(text.encode(), "t.yaml").contract
    assert contract is not None
    again = load(convert(contract, Dialect.FIELDS).text.encode(), "t.yaml")
    assert [(item.rule, item.severity.value, item.actual) for item in again.findings] == [
        ("sla-element-unknown", "warning", "shop.placed")
    ]
