"""Readers: what each spelling means, and that the versions of the standard agree."""

from __future__ import annotations

from typing import Any

import pytest
from support.reading import read_text

from floe_contracts.contract.model import (
    Consumer,
    Contract,
    CustomProperty,
    Deprecation,
    Dialect,
    EnumValue,
    Property,
    Relationship,
    Sla,
    Terms,
    Threshold,
    ValueOptions,
)

SHORT = "kind: DataContract\nid: x\nname: t\nversion: 1.0.0\n"


def odcs(part: str) -> Contract:
    return read_text(SHORT + part, Dialect.ODCS)


def column(part: str, dialect: Dialect = Dialect.ODCS) -> Property:
    """The only column of a contract, given its keys."""
    texts = {
        Dialect.ODCS: f"{SHORT}schema: [{{name: t, properties: [{{name: c, {part}}}]}}]",
        Dialect.FLOE: f"{SHORT}models: {{t: {{elements: {{c: {{{part}}}}}}}}}",
        Dialect.FIELDS: f"schema: t\nversion: 1.0.0\nfields: [{{name: c, {part}}}]",
    }
    return read_text(texts[dialect], dialect).objects[0].properties[0]


# --- one meaning, many spellings -------------------------------------------------------------------------------------

SAME_COLUMN = {
    "defaults written out": ("required: false, unique: false, primaryKey: false, partitioned: false", ""),
    "unset positions": ("primaryKeyPosition: -1, partitionKeyPosition: -1", ""),
    "more defaults": ("criticalDataElement: false, deprecated: false, semanticType: column, classification: null", ""),
    "default limits": ("logicalTypeOptions: {minItems: 0, minProperties: 0, uniqueItems: false}", ""),
    "the default zone": (
        "logicalTypeOptions: {timezone: true, defaultTimezone: Etc/UTC}",
        "logicalTypeOptions: {timezone: true}",
    ),
    "bounds of 3.0": (
        "logicalTypeOptions: {minimum: 1, exclusiveMinimum: false, maximum: 9, exclusiveMaximum: true}",
        "logicalTypeOptions: {minimum: 1, exclusiveMaximum: 9}",
    ),
    "case of the logical type": ("logicalType: String", "logicalType: string"),
    "a unit without prefix": (
        "customProperties: [{property: unit, value: kg}]",
        "customProperties: [{property: floe.unit, value: kg}]",
    ),
    "an enum as custom property": (
        "customProperties: [{property: enum, value: [a, b]}]",
        "enum: [{value: a}, {value: b}]",
    ),
    "one column in a list": ("relationships: [{to: [a.b]}]", "relationships: [{to: a.b, type: foreignKey}]"),
    "a rule's old name": (
        "quality: [{rule: rowCount, mustBe: 1}]",
        "quality: [{type: library, metric: rowCount, mustBe: 1}]",
    ),
    "a weight without prefix": (
        "quality: [{type: text, customProperties: [{property: weight, value: 2}]}]",
        "quality: [{type: text, customProperties: [{property: floe.weight, value: 2}]}]",
    ),
    "the order of operators": (
        "quality: [{metric: rowCount, mustBeLessThan: 9, mustBe: 1}]",
        "quality: [{metric: rowCount, mustBe: 1, mustBeLessThan: 9}]",
    ),
    "defaults of a vector": (
        "logicalType: vector, logicalTypeOptions: {dimensions: 3, elementType: float32, normalized: false}",
        "logicalType: vector, logicalTypeOptions: {dimensions: 3}",
    ),
}


@pytest.mark.parametrize(("one", "other"), SAME_COLUMN.values(), ids=SAME_COLUMN)
def test_spellings_of_one_column_are_equal(one: str, other: str) -> None:
    assert column(one) == column(other)


SAME_CONTRACT = {
    "a team as a list": ("team: [{username: ann}]", "team: {members: [{username: ann}]}"),
    "an owner by role": (
        "team: [{username: ann, role: Data Owner}]",
        "team: [{username: ann, role: Data Owner}]\ncustomProperties: [{property: floe.owner, value: ann}]",
    ),
    "a product without prefix": ("dataProduct: p", "customProperties: [{property: product, value: p}]"),
    "an id that repeats the key": ("domain: sales\nid: sales/t", "domain: sales\nid: ''"),
    "a table that says it is an object": ("schema: [{name: a, logicalType: object}]", "schema: [{name: a}]"),
}


@pytest.mark.parametrize(("one", "other"), SAME_CONTRACT.values(), ids=SAME_CONTRACT)
def test_spellings_of_one_contract_are_equal(one: str, other: str) -> None:
    head = "kind: DataContract\nname: t\nversion: 1.0.0\n"
    assert read_text(head + one, Dialect.ODCS) == read_text(head + other, Dialect.ODCS)


TYPES = {
    "a logical word": ("string", ("string", "string")),
    "a platform's word": ("NUMERIC(12,2)", ("number", "NUMERIC(12,2)")),
    "the same word in capitals": ("STRING", ("string", "STRING")),
    "a nested type": ("array<struct<a:int>>", ("array", "array<struct<a:int>>")),
    "a word that nobody knows": ("mystery", (None, "mystery")),
}


@pytest.mark.parametrize("dialect", [Dialect.FLOE, Dialect.FIELDS])
@pytest.mark.parametrize(("word", "types"), TYPES.values(), ids=TYPES)
def test_one_word_says_logical_and_physical_type(
    word: str, types: tuple[str | None, str | None], dialect: Dialect
) -> None:
    found = column(f'type: "{word}"', dialect)
    assert (found.logical_type, found.physical_type) == types


# --- what single keys mean -------------------------------------------------------------------------------------------

MEANT: dict[str, tuple[Dialect, str, dict[str, Any]]] = {
    "fields: not nullable": (Dialect.FIELDS, "type: string, nullable: false", {"required": True}),
    "fields: nullable unless said": (Dialect.FIELDS, "type: string", {"required": False}),
    "fields: keys": (
        Dialect.FIELDS,
        "type: string, primary_key: true, unique: true",
        {"primary_key": True, "unique": True},
    ),
    "fields: a UUID": (
        Dialect.FIELDS,
        "type: UUID",
        {"logical_type": "string", "physical_type": "STRING", "options": ValueOptions(format="uuid")},
    ),
    "fields: a reference": (
        Dialect.FIELDS,
        "type: string, references: a.b",
        {"relationships": (Relationship(("a.b",)),)},
    ),
    "fields: allowed values": (Dialect.FIELDS, "type: string, enum: [a, 1]", {"enum": (EnumValue("a"), EnumValue(1))}),
    "floe: format and pattern": (
        Dialect.FLOE,
        "type: string, format: email, pattern: x",
        {"options": ValueOptions(format="email", pattern="x")},
    ),
    "floe: limits in both places": (
        Dialect.FLOE,
        "type: string, format: email, logicalTypeOptions: {maxLength: 3}",
        {"options": ValueOptions(format="email", max_length=3)},
    ),
    "floe: types written apart win": (
        Dialect.FLOE,
        "type: decimal, logicalType: string, physicalType: TEXT",
        {"logical_type": "string", "physical_type": "TEXT"},
    ),
    "floe: a struct": (
        Dialect.FLOE,
        "type: object, elements: {d: {type: date}}",
        {"properties": (Property("d", logical_type="date", physical_type="date"),)},
    ),
    "odcs: an array": (Dialect.ODCS, "items: {logicalType: date}", {"items": Property("", logical_type="date")}),
    "odcs: the name of items is documentation": (
        Dialect.ODCS,
        "items: {name: x}",
        {"items": Property("", docs={"name": "x"})},
    ),
    "odcs: a map": (
        Dialect.ODCS,
        "map: {key: {logicalType: string}, value: {logicalType: date}}",
        {"map_key": Property("", logical_type="string"), "map_value": Property("", logical_type="date")},
    ),
    "odcs: labels of allowed values": (
        Dialect.ODCS,
        "enum: [{value: a, label: A, id: i}]",
        {"enum": (EnumValue("a", id="i", docs={"label": "A"}),)},
    ),
    "odcs: a key that nobody knows": (Dialect.ODCS, "shoe_size: 43", {"extras": {"shoe_size": 43}}),
    "odcs: keys that were moved aside": (
        Dialect.ODCS,
        "customProperties: [{property: floe.extras, value: {shoe_size: 43, required: true}}]",
        {"extras": {"shoe_size": 43}, "required": True, "custom": ()},
    ),
}


@pytest.mark.parametrize(("dialect", "part", "wanted"), MEANT.values(), ids=MEANT)
def test_columns_mean_what_they_say(dialect: Dialect, part: str, wanted: dict[str, Any]) -> None:
    found = column(part, dialect)
    assert {key: getattr(found, key) for key in wanted} == wanted


SLAS = {
    "minutes": ("freshness_minutes: 30", Sla("freshness", 30, unit="minutes")),
    "rows": ("min_rows_per_day: 10000", Sla("min_rows_per_day", 10000)),
    "availability": ("availability: 99.9%", Sla("availability", "99.9%")),
    "a deadline": ("arrive_by: 06:00 UTC", Sla("timeOfAvailability", "06:00 UTC")),
    "a percentile": ("latency_p99: PT30S", Sla("latency_p99", "PT30S")),
    "a percentile with its column of arrival": (
        "arrival: came, latency_p99: PT30S",
        Sla("latency_p99", "PT30S", custom=(CustomProperty("floe.arrival", "came"),)),
    ),
}


@pytest.mark.parametrize(("part", "sla"), SLAS.values(), ids=SLAS)
def test_service_levels_of_the_fields_dialect(part: str, sla: Sla) -> None:
    contract = read_text(f"schema: t\nversion: 1.0.0\nfields: []\nsla: {{element: c, {part}}}", Dialect.FIELDS)
    assert contract.slas == (sla,)
    assert contract.sla_default_element == "c"


def test_service_levels_of_the_floe_dialect_are_named_by_their_key() -> None:
    contract = read_text(
        f"{SHORT}slaProperties: {{freshness: {{value: PT6H, element: c}}, availability: 99.9%}}", Dialect.FLOE
    )
    assert contract.slas == (Sla("freshness", "PT6H", element="c"), Sla("availability", "99.9%"))


def test_a_rule_for_the_whole_floe_contract_holds_for_each_table() -> None:
    part = "quality: [{metric: rowCount, mustBeGreaterThan: 0}]\nmodels: {a: {}, b: {}}"
    tables = read_text(SHORT + part, Dialect.FLOE).objects
    assert [table.quality[0].thresholds for table in tables] == [((Threshold.GREATER_THAN, 0),)] * 2


KNOWN = """\
customProperties:
  - {property: %sowner, value: ann}
  - {property: %sproduct, value: shop}
  - {property: %sretention, value: 7 years}
  - {property: %sconsumers, value: [bi, {name: ml, owner: bob, columns: [a]}]}
  - {property: %sdeprecation, value: {announced: "2026-01-03", reason: old}}
  - {property: other, value: 1}
"""


@pytest.mark.parametrize("prefix", ["floe.", ""], ids=["prefixed", "bare"])
def test_custom_properties_that_floe_knows_become_fields(prefix: str) -> None:
    contract = odcs(KNOWN.replace("%s", prefix))
    assert (contract.owner, contract.product, contract.terms) == ("ann", "shop", Terms(retention="7 years"))
    assert contract.consumers == (Consumer("bi"), Consumer("ml", "bob", ("a",)))
    assert contract.deprecation == Deprecation("2026-01-03", reason="old")
    assert [one.property for one in contract.custom] == ["other"]


def test_a_prefixed_custom_property_wins_over_the_bare_one() -> None:
    contract = odcs("customProperties: [{property: owner, value: bare}, {property: floe.owner, value: said}]")
    assert contract.owner == "said"
    assert [one.property for one in contract.custom] == ["owner"]


def test_a_custom_property_of_the_wrong_shape_stays_one() -> None:
    contract = odcs("customProperties: [{property: consumers, value: many}]")
    assert contract.consumers == ()
    assert [(one.property, one.value) for one in contract.custom] == [("consumers", "many")]


def test_terms_leave_the_description_of_the_standard() -> None:
    contract = odcs("description: {purpose: p, usage: u, limitations: l}")
    assert contract.terms == Terms("u", "l")
    assert contract.docs == {"description": {"purpose": "p"}}


def test_numbers_where_text_belongs_keep_their_spelling() -> None:
    assert read_text("schema: t\nversion: 1.10\nfields: []", Dialect.FIELDS).version == "1.10"
