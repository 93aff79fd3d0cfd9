"""What lint says beyond the schemas: each remark with its rule, severity and line, in the dialects that can say it."""

from __future__ import annotations

import pytest

from floe_contracts.contract.load import Loaded, load

ODCS = """\
apiVersion: v3.1.0
kind: DataContract
id: shop-orders
version: 1.0.0
status: active
schema:
  - name: orders
    properties:
      - name: id
        logicalType: string
"""
FLOE = """\
name: orders
version: 1.0.0
models:
  orders:
    elements:
      id: {type: string}
"""
FIELDS = """\
schema: orders
version: 1.0.0
fields:
  - name: id
    type: string
"""
TEXTS = {"odcs": ODCS, "floe": FLOE, "fields": FIELDS}
NUMBER = "      - name: n\n        logicalType: number\n        logicalTypeOptions: "
SLAS = "slaProperties:\n"
NOTICE = "{announced: '2026-01-01', sunset_date: '2026-01-05', replacement: x}"


def loaded(text: str, path: str = "contracts/orders.yaml") -> Loaded:
    return load(text.encode(), path)


def told(text: str, path: str = "contracts/orders.yaml") -> list[str]:
    """Each finding as `line rule severity`."""
    return [
        f"{item.location.line if item.location else None} {item.rule} {item.severity.value}"
        for item in loaded(text, path).findings
    ]


@pytest.mark.parametrize("dialect", TEXTS)
def test_nothing_to_say(dialect: str) -> None:
    assert told(TEXTS[dialect]) == []


@pytest.mark.parametrize("dialect", TEXTS)
@pytest.mark.parametrize(
    ("version", "fix"),
    [
        ("latest", 'Write three numbers, for instance version: "1.0.0".'),
        ('"2"', 'Write version: "2.0.0".'),
        ("v1.2", 'Write version: "1.2.0".'),
        ('"1.2.3.4"', 'Write version: "1.2.3".'),
        ("2.1.0-01", 'Write version: "2.1.0".'),
        ("2nd", 'Write three numbers, for instance version: "1.0.0".'),
        ('"01.2.3"', 'Write version: "1.2.3".'),
        ("not-a-version", 'Write three numbers, for instance version: "1.0.0".'),
    ],
)
def test_versions(dialect: str, version: str, fix: str) -> None:
    text = TEXTS[dialect].replace("version: 1.0.0", f"version: {version}", 1)
    (found,) = loaded(text).findings
    line = text[: text.index("\nversion")].count("\n") + 2
    assert (found.rule, found.code.id, found.location and found.location.line) == ("version-format", "FLOE-E521", line)
    assert found.suggestions == (fix,)


@pytest.mark.parametrize("dialect", TEXTS)
@pytest.mark.parametrize(
    ("path", "rules"),
    [
        ("contracts/orders.v1.yaml", []),
        ("contracts/orders.v2.yaml", ["version-file-name"]),
        ("contracts/orders.v2.odcs.yaml", ["version-file-name"]),
        ("contracts/v2/orders.yaml", []),
    ],
)
def test_the_name_of_the_file_binds_the_major(dialect: str, path: str, rules: list[str]) -> None:
    assert [item.rule for item in loaded(TEXTS[dialect], path).findings] == rules


REMARKS = {
    # Tables and columns
    "a table twice": (ODCS + "  - name: orders\n    properties: []\n", "11 duplicate-table error"),
    "tables that differ in case": (ODCS + "  - name: Orders\n    properties: []\n", "11 duplicate-table warning"),
    "tables that differ in case, floe": (
        FLOE + "  Orders:\n    elements:\n      id: {type: string}\n",
        "8 duplicate-table warning",
    ),
    "a column twice": (ODCS + "      - name: id\n", "11 duplicate-column error"),
    "a column twice, fields": (FIELDS + "  - {name: id, type: string}\n", "6 duplicate-column error"),
    "a column twice, floe": (FLOE + "      id: {type: string}\n", "7 duplicate-key error"),
    "columns that differ in case": (ODCS + "      - name: ID\n", "11 duplicate-column warning"),
    "columns that differ in case, floe": (FLOE + "      ID: {type: string}\n", "7 duplicate-column warning"),
    "columns that differ in case, fields": (FIELDS + "  - {name: Id, type: string}\n", "6 duplicate-column warning"),
    "a field of a struct twice": (
        ODCS + "      - name: a\n        logicalType: object\n        properties: [{name: x},\n          {name: x}]\n",
        "14 duplicate-column error",
    ),
    "a field of an array's items twice": (
        ODCS + "      - name: a\n        logicalType: array\n        items:\n          logicalType: object\n"
        "          properties: [{name: x},\n            {name: x}]\n",
        "16 duplicate-column error",
    ),
    "a misspelt type": (FIELDS.replace("type: string", "type: STRNG"), "5 type-unknown error"),
    "a misspelt type, floe": (FLOE.replace("type: string", "type: 'decmal(12,2)'"), "6 type-unknown error"),
    "a type that is not closed": (ODCS + "        physicalType: decimal(12,2\n", "11 type-unknown error"),
    # Values
    "bounds the wrong way round": (ODCS + NUMBER + "{minimum: 5, maximum: 4}\n", "13 bounds-empty error"),
    "bounds that leave out their only value": (
        ODCS + NUMBER + "{exclusiveMinimum: 5, maximum: 5}\n",
        "13 bounds-empty error",
    ),
    "bounds that leave out the other end": (
        ODCS + NUMBER + "{minimum: 5, exclusiveMaximum: 5}\n",
        "13 bounds-empty error",
    ),
    "lengths the wrong way round": (
        ODCS + "        logicalTypeOptions: {minLength: 5, maxLength: 4}\n",
        "11 bounds-empty error",
    ),
    "lengths the wrong way round, floe": (
        FLOE.replace("{type: string}", "{type: string, logicalTypeOptions: {minLength: 5, maxLength: 4}}"),
        "6 bounds-empty error",
    ),
    "days the wrong way round": (
        ODCS + NUMBER.replace("number", "date") + "{minimum: '2026-02-01', maximum: '2026-01-31'}\n",
        "13 bounds-empty error",
    ),
    "numbers of items the wrong way round": (
        ODCS + NUMBER.replace("number", "array") + "{minItems: 3, maxItems: 2}\n",
        "13 bounds-empty error",
    ),
    "a pattern that cannot be read": (
        ODCS + "        logicalTypeOptions: {pattern: '[a-'}\n",
        "11 pattern-unreadable error",
    ),
    "a pattern that cannot be read, fields": (FIELDS + "    pattern: '[a-'\n", "6 pattern-unreadable error"),
    "a value listed twice": (FIELDS + "    enum: [a, b,\n      a]\n", "7 duplicate-enum-value error"),
    "a value listed twice, odcs": (
        ODCS.replace("v3.1.0", "v3.2.0") + "        enum:\n          - value: a\n          - {value: a, label: A}\n",
        "13 duplicate-enum-value error",
    ),
    # Quality
    "an id of two rules": (
        ODCS + "        quality:\n          - {id: a, metric: nullValues, mustBe: 0}\n"
        "          - {id: a, metric: nullValues, mustBe: 1}\n",
        "13 duplicate-quality-id error",
    ),
    "an id of two rules of a table": (
        ODCS
        + "    quality:\n      - {id: a, metric: rowCount, mustBe: 0}\n      - {id: a, metric: rowCount, mustBe: 1}\n",
        "13 duplicate-quality-id error",
    ),
    "a range the wrong way round": (
        ODCS + "        quality:\n          - {metric: nullValues, mustBeBetween: [5, 1]}\n",
        "12 threshold-empty error",
    ),
    # Relationships
    "a key into nowhere": (
        ODCS + "        relationships:\n          - to: customers.id\n",
        "12 relationship-unresolved warning",
    ),
    "a key into nowhere, fields": (FIELDS + "    references: customers.id\n", "6 relationship-unresolved warning"),
    "a key from nowhere": (
        ODCS + "    relationships:\n      - {from: orders.idd, to: orders.id}\n",
        "12 relationship-unresolved warning",
    ),
    # Service levels
    "a misspelled SLA": (
        ODCS + SLAS + "  - {property: frshness, value: 6, unit: h}\n",
        "12 sla-property-unknown error",
    ),
    "a misspelled SLA, floe": (FLOE + SLAS + "  frshness: {value: lots}\n", "8 sla-property-unknown error"),
    "an SLA nobody knows": (ODCS + SLAS + "  - {property: wonder, value: 6}\n", "12 sla-property-unknown warning"),
    "an SLA without a meaning": (ODCS + SLAS + "  - {property: latency, value: lots}\n", "12 sla-value error"),
    "an SLA without a meaning, floe": (FLOE + SLAS + "  availability: {value: many}\n", "8 sla-value error"),
    "an SLA without a meaning, fields": (FIELDS + "sla:\n  availability: lots\n", "7 sla-value error"),
    "an SLA that nothing enforces, in words": (
        ODCS + SLAS + "  - {property: generalAvailability, value: Available 24/7}\n",
        "12 sla-value warning",
    ),
    "an SLA that nothing enforces, in words, floe": (
        FLOE + SLAS + "  endOfLife: {value: some day}\n",
        "8 sla-value warning",
    ),
    "an SLA about nothing": (
        ODCS + SLAS + "  - property: latency\n    value: 6\n    unit: h\n    element: orders.idd\n",
        "15 sla-element-unknown error",
    ),
    "an SLA about nothing, floe": (
        FLOE + SLAS + "  freshness: {value: PT6H, element: changed}\n",
        "8 sla-element-unknown error",
    ),
    "SLAs about nothing, fields": (
        FIELDS + "sla:\n  freshness_minutes: 30\n  element: changed\n",
        "8 sla-element-unknown error",
    ),
    "SLAs about nothing by default": (
        ODCS + "slaDefaultElement: orders.at\n" + SLAS + "  - {property: latency, value: 6, unit: h}\n",
        "11 sla-element-unknown error",
    ),
    "an SLA promised twice": (
        ODCS + SLAS + "  - {property: latency, value: 6, unit: h}\n  - {property: latency, value: 7, unit: h}\n",
        "13 duplicate-sla error",
    ),
    "a schedule that cannot be read": (
        ODCS + SLAS + "  - {property: frequency, value: 1, unit: d, scheduler: cron,\n     schedule: '61 * * * *'}\n",
        "13 schedule-unreadable error",
    ),
    # The life of a contract
    "a misspelt status": (ODCS.replace("active", "actve"), "5 status-unknown warning"),
    "a misspelt status, fields": (FIELDS + "status: deprecatd\n", "6 status-unknown warning"),
    "too little notice": (FLOE + f"deprecation: {NOTICE}\n", "7 deprecation-window-short error"),
    "too little notice, fields": (FIELDS + f"deprecation: {NOTICE}\n", "6 deprecation-window-short error"),
    "too little notice, odcs": (
        ODCS + f"customProperties:\n  - property: floe.deprecation\n    value: {NOTICE}\n",
        "13 deprecation-window-short error",
    ),
    "notice that some repositories allow": (
        FLOE + f"deprecation: {NOTICE.replace('01-05', '01-20')}\n",
        "7 deprecation-window-short warning",
    ),
    "a date that is none": (
        FLOE + "deprecation:\n  announced: '2026-01-01'\n  sunset_date: soon\n  replacement: x\n",
        "9 deprecation-date error",
    ),
    "no replacement": (
        FLOE + "deprecation:\n  announced: '2026-01-01'\n  sunset_date: '2026-03-01'\n",
        "8 deprecation-incomplete warning",
    ),
    "no sunset date": (
        FLOE + "deprecation: {announced: '2026-01-01', replacement: x}\n",
        "7 deprecation-incomplete error",
    ),
    "deprecated without a word": (FIELDS + "status: deprecated\n", "6 deprecation-incomplete warning"),
    # Lists
    "a server twice": (
        ODCS + "servers:\n  - {server: a, type: s3, location: x}\n  - {server: a, type: s3, location: x}\n",
        "13 duplicate-server error",
    ),
    "a role twice": (ODCS + "roles:\n  - {role: a}\n  - {role: a}\n", "13 duplicate-role error"),
    "a custom property twice": (
        ODCS + "customProperties:\n  - {property: a, value: 1}\n  - {property: a, value: 2}\n",
        "13 duplicate-custom-property error",
    ),
    "a deprecation with two dates": (
        ODCS
        + "customProperties:\n"
        + "  - {property: floe.deprecation, value: {announced: 2026-01-01, sunset_date: 2027-01-01, replacement: x}}\n"
        + "  - {property: floe.deprecation, value: {announced: 2026-01-01, sunset_date: 2026-02-05, replacement: x}}\n",
        "13 custom-property-contradicts error",
    ),
    "a product by a word that may mean another": (
        ODCS + "dataProduct: a\ncustomProperties:\n  - {property: product, value: b}\n",
        "13 custom-property-contradicts warning",
    ),
    "an extension that cannot be read": (
        ODCS + "customProperties:\n  - {property: floe.owner, value: [a]}\n",
        "12 custom-property-contradicts error",
    ),
    "a consumer twice": (FIELDS + "consumers:\n  - {name: a}\n  - {name: a}\n", "8 duplicate-consumer error"),
    "a consumer of nothing": (
        FLOE + "consumers:\n  - {name: a, columns: [orders.id, idd]}\n",
        "8 consumer-column-unknown warning",
    ),
}


@pytest.mark.parametrize(("text", "expected"), REMARKS.values(), ids=REMARKS)
def test_remarks(text: str, expected: str) -> None:
    assert told(text) == [expected]
    (found,) = loaded(text).findings
    assert found.message
    assert found.suggestions


SILENT = {
    "a status of somebody's own": ODCS.replace("active", "in review"),
    "a status that is not a near miss": ODCS.replace("active", "inactive"),
    "a type of one engine": FIELDS.replace("type: string", "type: Int128"),
    "a type of one engine, in several words": FIELDS.replace("type: string", "type: DOUBLE UNSIGNED"),
    "bounds that meet": ODCS + NUMBER + "{minimum: 5, maximum: 5}\n",
    "bounds of different forms": ODCS + NUMBER.replace("number", "date") + "{minimum: 'NaN', maximum: '2026-01-01'}\n",
    "two infinities": ODCS + NUMBER.replace("number", "date") + "{minimum: 'Infinity', maximum: 'Infinity'}\n",
    "a pattern of another engine's style": ODCS + "        logicalTypeOptions: {pattern: '[[a-z]]'}\n",
    "a text and a number alike": FIELDS + "    enum: ['1', 1]\n",
    "two SLAs of one kind for two columns": ODCS.replace("logicalType: string", "logicalType: timestamp")
    + "      - {name: at, logicalType: timestamp}\n"
    + SLAS
    + "  - {property: freshness, value: 6, unit: h, element: orders.id}\n"
    + "  - {property: freshness, value: 7, unit: h, element: orders.at}\n",
    "a key into this contract": ODCS + "        relationships:\n          - to: orders.id\n",
    "a key into another file": ODCS + "        relationships:\n          - to: customers.yaml#/schema/customers\n",
    "one name in two structs": ODCS
    + "      - {name: a, logicalType: object, properties: [{name: x}]}\n"
    + "      - {name: b, logicalType: object, properties: [{name: x}]}\n",
    "one id of rules of two columns": ODCS
    + "        quality: [{id: a, metric: nullValues, mustBe: 0}]\n"
    + "      - {name: b, quality: [{id: a, metric: nullValues, mustBe: 0}]}\n",
    "a schedule of another scheduler": ODCS
    + SLAS
    + "  - {property: frequency, value: 1, unit: d, scheduler: airflow, schedule: '@daily'}\n",
    "a consumer of a part of a struct": ODCS
    + "      - {name: a, logicalType: object, properties: [{name: x}]}\n"
    + "customProperties:\n  - {property: consumers, value: [{name: c, columns: [a.x]}]}\n",
}


@pytest.mark.parametrize("text", SILENT.values(), ids=SILENT)
def test_nothing_is_said_about(text: str) -> None:
    assert told(text) == []


@pytest.mark.parametrize(
    ("sla", "column", "fix"),
    [
        ("  - {property: frshness, value: 6}\n", 16, "Write freshness."),
        ("  - {property: latency, value: lots}\n", 32, "PT6H, or the value 6 with the unit h"),
        ("  - {property: retention, value: lots}\n", 34, "P7Y"),
        ("  - {property: frequency, value: lots}\n", 34, "(daily)"),
        ("  - {property: availability, value: lots}\n", 37, "99.9%"),
        ("  - {property: throughput, value: lots}\n", 35, "10000"),
        ("  - {property: timeOfAvailability, value: lots}\n", 43, "06:00 UTC"),
        ("  - {property: endOfLife, value: lots}\n", 34, "2026-12-31"),
    ],
)
def test_an_sla_is_told_how_it_is_written(sla: str, column: int, fix: str) -> None:
    (found,) = loaded(ODCS + SLAS + sla).findings
    assert found.location
    assert (found.location.line, found.location.column) == (12, column)
    assert fix in found.suggestions[0]


def test_the_fields_dialect_is_told_no_unit() -> None:
    (found,) = loaded(FIELDS + "sla:\n  latency_p99: lots\n").findings
    assert found.suggestions == ("Write a length of time: PT6H or 6h.",)


def test_a_misspelt_sla_of_a_mapping_is_its_key() -> None:
    (found,) = loaded(FLOE + SLAS + "  frshness: {value: PT6H}\n").findings
    assert found.location
    assert (found.location.line, found.location.column) == (8, 3)


# What other linters let pass: each made a wrong contract look right, or a right one be read as empty.
TRAPS = {
    "columns for properties": ODCS.replace("properties:", "columns:"),
    "requird": ODCS + "        requird: true\n",
    "classifcation": ODCS + "        classifcation: pii\n",
    "nullable": ODCS + "        nullable: false\n",
    "an SLA misspelled and without a meaning": ODCS + SLAS + "  - {property: frshness, value: lots}\n",
    "a column twice": ODCS + "      - name: id\n",
    "no version": ODCS.replace("version: 1.0.0", "version: not-a-version"),
    "foo: bar": "foo: bar\n",
    "a Compose file": "services:\n  web:\n    image: nginx\n",
    "a key twice": ODCS + "status: draft\n",
    "a misspelling in the fields dialect": FIELDS + "    nulable: false\n",
    "a misspelling in the floe dialect": FLOE.replace("type: string", "type: string, requird: true"),
    "an apiVersion that does not exist": ODCS.replace("v3.1.0", "v3.9.0"),
    "a list where a map belongs": ODCS.replace("schema:\n  - name", "schema:\n    name"),
    "several documents": ODCS + "---\n" + ODCS,
    "an empty file": "",
}


@pytest.mark.parametrize("text", TRAPS.values(), ids=TRAPS)
def test_traps_are_errors_with_a_line(text: str) -> None:
    found = loaded(text)
    assert found.contract is None
    errors = [item for item in found.findings if item.severity.value == "error"]
    assert errors
    assert all(item.location and item.location.line for item in errors)


RIGHT = {
    "a rule of 3.0 in a contract of 3.0": ODCS.replace("v3.1.0", "v3.0.2")
    + "        quality: [{type: library, rule: nullCheck, mustBe: 0}]\n",
    "a reference that could be fetched": ODCS
    + "        authoritativeDefinitions: [{type: definition, url: definitions/order-id}]\n",
    "a column called like a key": ODCS + "      - name: quality\n      - name: required\n      - name: __id\n",
}


@pytest.mark.parametrize("text", RIGHT.values(), ids=RIGHT)
def test_what_others_refuse_is_right(text: str) -> None:
    assert told(text) == []
