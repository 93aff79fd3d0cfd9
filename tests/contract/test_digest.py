"""Digests: golden vectors that may never change, what leaves a hash alone, and what must change it."""

from __future__ import annotations

import json
import random
from dataclasses import replace
from types import ModuleType

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from floe_contracts.contract.digest import canonical_content, canonical_schema, content_hash, schema_hash
from floe_contracts.contract.digest.canonical import exact, mapping
from floe_contracts.contract.model import (
    Contract,
    CustomProperty,
    Json,
    Property,
    SchemaObject,
    Server,
    Sla,
    ValueOptions,
)
from floe_contracts.contract.read import fields as fields_dialect
from floe_contracts.contract.read import floe, odcs
from floe_contracts.contract.source import read_document

ODCS = """\
apiVersion: v3.1.0
kind: DataContract
id: orders
name: orders
version: 2.1.0
status: active
schema:
  - name: orders
    properties:
      - {name: order_id, logicalType: string, physicalType: STRING, required: true, primaryKey: true}
      - {name: status, logicalType: string, physicalType: STRING, required: true,
         customProperties: [{property: floe.enum, value: [pending, shipped]}]}
      - {name: revenue, logicalType: number, physicalType: "NUMERIC(12,2)",
         customProperties: [{property: unit, value: usd}]}
      - {name: email, logicalType: string, physicalType: STRING, classification: pii,
         logicalTypeOptions: {format: email}}
      - {name: created_at, logicalType: timestamp, physicalType: TIMESTAMP, required: true}
slaProperties:
  - {property: freshness, value: 30, unit: m, element: orders.created_at}
  - {property: availability, value: 99.9, unit: percent, element: orders.created_at}
customProperties:
  - {property: floe.owner, value: sales@example.com}
  - {property: consumers, value: [billing, mart]}
"""
FLOE = """\
apiVersion: v3.0.2
kind: DataContract
id: orders
name: orders
version: 2.1.0
status: active
owner: sales@example.com
consumers: [mart, billing]
models:
  orders:
    elements:
      created_at: {type: TIMESTAMP, required: true}
      email: {type: STRING, format: email, classification: PII, required: false}
      order_id: {type: STRING, required: true, primaryKey: true, unique: false}
      revenue: {type: "decimal(12, 2)", unit: USD}
      status: {type: STRING, required: true, enum: [shipped, pending]}
slaProperties:
  availability: {value: "99.9%", element: created_at}
  freshness: {value: PT30M, element: created_at}
"""
FIELDS = """\
schema: orders
id: orders
version: "2.1.0"
status: active
owner: sales@example.com
consumers:
  - mart
  - billing
fields:
  - {name: order_id, type: STRING, nullable: false, primary_key: true}
  - {name: status, type: STRING, nullable: false, enum: [pending, shipped]}
  - {name: revenue, type: "NUMERIC(12,2)", nullable: true, unit: USD}
  - {name: email, type: STRING, format: email, classification: pii}
  - {name: created_at, type: TIMESTAMP, nullable: false}
sla:
  element: created_at
  freshness_minutes: 30
  availability: 99.9%
"""


def _read(text: str, dialect: ModuleType = odcs) -> Contract:
    value = read_document(text.encode()).value
    assert isinstance(value, dict)
    contract = dialect.read(value)
    assert isinstance(contract, Contract)
    return contract


@pytest.mark.parametrize(
    ("text", "dialect"),
    [
        pytest.param(ODCS, odcs, id="odcs"),
        pytest.param(FLOE, floe, id="floe"),
        pytest.param(FIELDS, fields_dialect, id="fields"),
    ],
)
def test_golden_vectors(text: str, dialect: ModuleType) -> None:
    contract = _read(text, dialect)
    assert schema_hash(contract) == "sha256:8a7e8fdf62b9754bed09a39191e11d9a659ab1be3817813a3d76aff19fae1959"
    assert content_hash(contract) == "sha256:30051f9454df259765e077db8d45b62f30698bbd3946f1cd8580b1472298becc"


def test_golden_bytes() -> None:
    prop = Property("größe", logical_type="integer", required=True, options=ValueOptions(minimum=0.0, maximum=250))
    contract = Contract("c", "1.0.0", objects=(SchemaObject("t", properties=(prop,)),), slas=(Sla("fr", "x"),))
    assert canonical_schema(contract).decode() == (
        '{"canon":"floe/schema/v2","objects":[{"name":"t","properties":[{"logicalType":"integer","name":"größe",'
        '"options":{"maximum":"-inf=..<251","minimum":"0=..=inf"},"required":true}]}],'
        '"slas":[{"name":"fr","value":"x"}]}'
    )
    assert canonical_content(contract).startswith(b'{"canon":"floe/content/v2","contractName":"c",')


RICH = """\
apiVersion: v3.2.0
kind: DataContract
id: rich
name: rich
version: 1.0.0
status: active
domain: sales
tags: [a, b]
description: {purpose: Everything at once, usage: Anything}
servers:
  - {server: prod, type: postgres, host: db, port: 5432, database: d, schema: s}
team: {members: [{username: ann}, {username: bob}]}
roles: [{role: reader, access: read}]
schema:
  - name: orders
    physicalName: tbl_orders
    physicalType: table
    dataGranularityDescription: one row per order
    description: All orders
    quality:
      - {id: q1, type: library, metric: rowCount, mustBeGreaterThan: 100, severity: error}
      - {type: sql, query: "SELECT  1", mustBe: 0}
    relationships:
      - {from: [orders.customer, orders.region], to: [customers.id, customers.region]}
    properties:
      - {name: id, logicalType: integer, physicalType: BIGINT, primaryKey: true, primaryKeyPosition: 1, required: true}
      - {name: region, logicalType: string, physicalType: VARCHAR(20), primaryKey: true, primaryKeyPosition: 2}
      - {name: customer, logicalType: integer, classification: internal, description: Who}
      - name: lines
        logicalType: array
        items:
          logicalType: object
          properties:
            - {name: sku, logicalType: string, logicalTypeOptions: {maxLength: 12, pattern: "^[A-Z]+$"}}
            - {name: price, logicalType: number, physicalType: "DECIMAL(12, 2)", logicalTypeOptions: {minimum: 0}}
      - name: attrs
        logicalType: map
        map: {key: {logicalType: string}, value: {logicalType: integer}}
      - {name: state, logicalType: string, enum: [{value: open}, {value: shut, label: Shut}]}
      - {name: day, logicalType: date, partitioned: true, partitionKeyPosition: 1}
slaProperties:
  - {property: freshness, value: 6, unit: h, element: orders.day}
  - {property: retention, value: 3, unit: y}
  - {property: timeOfAvailability, value: "09:00-08:00", driver: regulatory}
  - {property: bananas, value: 5, unit: kg}
"""


@pytest.mark.parametrize(
    ("old", "new"),
    [
        pytest.param("version: 1.0.0", "version: 1.0.1", id="version"),
        pytest.param("VARCHAR(20)", "character varying( 20 )", id="type respelled"),
        pytest.param("DECIMAL(12, 2)", "numeric(12,2)", id="decimal respelled"),
        pytest.param("BIGINT", "long", id="integer respelled"),
        pytest.param(
            "{property: freshness, value: 6, unit: h,", "{property: freshness, value: PT6H,", id="ISO duration"
        ),
        pytest.param(
            "{property: freshness, value: 6, unit: h,", "{property: freshness, value: 360, unit: m,", id="minutes"
        ),
        pytest.param("value: 3, unit: y", "value: 36, unit: months", id="years in months"),
        pytest.param("property: retention", "property: RE", id="synonym of a service level"),
        pytest.param("09:00-08:00", "17:00 UTC", id="time in UTC"),
        pytest.param("element: orders.day", "element: day", id="bare element"),
        pytest.param("minimum: 0", "minimum: 0.0", id="number respelled"),
        pytest.param("mustBeGreaterThan: 100", "mustBeGreaterThan: 1e2", id="exponent"),
        pytest.param(
            "customer, logicalType: integer", "customer, logicalType: integer, required: false", id="default said"
        ),
        pytest.param("name: customer,", "name: customer, physicalName: customer, unique: false,", id="defaults said"),
        pytest.param("classification: internal", "classification: Internal", id="case of a classification"),
        pytest.param("tags: [a, b]", "tags: [b, a]", id="order of tags"),
        pytest.param("[{username: ann}, {username: bob}]", "[{username: bob}, {username: ann}]", id="order of people"),
        pytest.param(
            "from: [orders.customer, orders.region], to: [customers.id, customers.region]",
            "from: [orders.region, orders.customer], to: [customers.region, customers.id]",
            id="order of key pairs",
        ),
        pytest.param('"SELECT  1"', '"SELECT\\n1"', id="spacing of a query"),
        pytest.param("apiVersion: v3.2.0", "apiVersion: v3.1.0", id="version of the standard"),
        pytest.param("partitionKeyPosition: 1", "partitionKeyPosition: 2", id="place of the only partition column"),
        pytest.param("primaryKeyPosition: 2", "primaryKeyPosition: 7", id="places with the same order"),
        pytest.param("severity: error", "severity: error, unit: rows", id="default unit of a rule"),
        pytest.param("port: 5432", 'port: "5432"', id="quoted port"),
        pytest.param("description: All orders", "description: |\n      All\n      orders\n", id="YAML style"),
    ],
)
def test_both_hashes_stay(old: str, new: str) -> None:
    before, after = _read(RICH), _edited(old, new)
    assert canonical_content(after) == canonical_content(before)
    assert schema_hash(after) == schema_hash(before)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        pytest.param("All orders", "Every order", id="description of a table"),
        pytest.param("description: Who", "description: The buyer", id="description of a column"),
        pytest.param("label: Shut", "label: Closed", id="label of a value"),
        pytest.param("purpose: Everything", "purpose: A lot", id="purpose"),
        pytest.param("usage: Anything", "usage: Nothing", id="terms"),
        pytest.param("status: active", "status: deprecated", id="status"),
        pytest.param("host: db", "host: db2", id="server"),
        pytest.param("username: ann", "username: amy", id="people"),
        pytest.param("access: read", "access: write", id="role"),
        pytest.param("tags: [a, b]", "tags: [a]", id="tags"),
        pytest.param("domain: sales", "domain: shop", id="domain"),
        pytest.param("id: q1, type", "id: q2, type", id="id of a rule"),
        pytest.param("name: customer,", "name: customer, deprecated: true,", id="deprecation of a column"),
        pytest.param("name: customer,", "name: customer, businessName: Buyer,", id="business name"),
        pytest.param("name: customer,", "name: customer, transformLogic: x + 1,", id="transformation"),
        pytest.param("name: customer,", "name: customer, customProperties: [{property: x, value: 1}],", id="extension"),
    ],
)
def test_only_the_content_hash_changes(old: str, new: str) -> None:
    before, after = _read(RICH), _edited(old, new)
    assert schema_hash(after) == schema_hash(before)
    assert content_hash(after) != content_hash(before)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        pytest.param("name: customer,", "name: Customer,", id="case of a column name"),
        pytest.param("name: orders", "name: sales_orders", id="name of a table"),
        pytest.param("tbl_orders", "tbl_sales", id="physical name"),
        pytest.param("physicalType: table", "physicalType: view", id="kind of table"),
        pytest.param("one row per order", "one row per line", id="granularity"),
        pytest.param("VARCHAR(20)", "VARCHAR(30)", id="length"),
        pytest.param("customer, logicalType: integer", "customer, logicalType: number", id="logical type"),
        pytest.param("primaryKeyPosition: 1, required: true", "primaryKeyPosition: 1", id="required"),
        pytest.param("primaryKeyPosition: 1", "primaryKeyPosition: 3", id="order of the key"),
        pytest.param("classification: internal", "classification: public", id="classification"),
        pytest.param("classification: internal", "encryptedName: secret", id="encryption"),
        pytest.param("maxLength: 12", "maxLength: 13", id="limit deep in an array"),
        pytest.param("^[A-Z]+$", "^[A-Z]*$", id="pattern"),
        pytest.param("minimum: 0", "exclusiveMinimum: 0", id="bound"),
        pytest.param("value: {logicalType: integer}", "value: {logicalType: string}", id="map value"),
        pytest.param("{value: open}, ", "", id="enum value"),
        pytest.param("{value: open}", "{value: 1}", id="enum value of another type"),
        pytest.param("partitioned: true, partitionKeyPosition: 1", "partitioned: false", id="partition"),
        pytest.param("mustBeGreaterThan: 100", "mustBeGreaterThan: 99", id="threshold"),
        pytest.param("severity: error", "severity: warning", id="severity"),
        pytest.param("mustBeGreaterThan: 100", "mustBeGreaterThan: 100, unit: percent", id="unit of a rule"),
        pytest.param("metric: rowCount", "metric: nullValues", id="metric"),
        pytest.param('"SELECT  1"', '"SELECT 2"', id="query"),
        pytest.param(
            "to: [customers.id, customers.region]", "to: [customers.region, customers.id]", id="key pairs crossed"
        ),
        pytest.param("value: 6, unit: h", "value: 7, unit: h", id="service level"),
        pytest.param("element: orders.day", "element: orders.customer", id="element of a service level"),
        pytest.param("driver: regulatory", "driver: analytics", id="driver"),
        pytest.param("value: 5, unit: kg", "value: 5, unit: g", id="unknown service level"),
        pytest.param(
            "name: customer,", "name: customer, customProperties: [{property: floe.x, value: 1}],", id="floe's own"
        ),
    ],
)
def test_both_hashes_change(old: str, new: str) -> None:
    before, after = _read(RICH), _edited(old, new)
    assert schema_hash(after) != schema_hash(before)
    assert content_hash(after) != content_hash(before)


@settings(max_examples=40)
@given(st.randoms(use_true_random=False))
def test_order_of_keys_and_of_keyed_lists_has_no_meaning(chance: random.Random) -> None:
    value = read_document(RICH.encode()).value
    shuffled = read_document(json.dumps(_shuffled(value, chance)).encode()).value
    assert isinstance(shuffled, dict)
    assert canonical_content(odcs.read(shuffled)) == canonical_content(_read(RICH))


def test_columns_are_ordered_where_files_have_no_names() -> None:
    one, two = Property("a"), Property("b")
    by_name = Contract("c", "1.0.0", objects=(SchemaObject("t", properties=(one, two)),))
    swapped = replace(by_name, objects=(SchemaObject("t", properties=(two, one)),))
    csv = (Server("files", "s3", coordinates={"format": "csv"}),)
    assert schema_hash(by_name) == schema_hash(swapped)
    assert schema_hash(replace(by_name, servers=csv)) != schema_hash(replace(swapped, servers=csv))


def test_a_foreign_key_at_its_column_is_the_one_at_its_table() -> None:
    at_table = RICH.replace(
        "[orders.customer, orders.region], to: [customers.id, customers.region]", "customer, to: customers.id"
    )
    at_column = RICH.replace(
        "    relationships:\n      - {from: [orders.customer, orders.region], to: [customers.id, customers.region]}\n",
        "",
    ).replace("name: customer,", "name: customer, relationships: [{to: customers.id}],")
    assert canonical_content(_read(at_table)) == canonical_content(_read(at_column))


def test_an_extension_that_is_written_twice_counts_in_any_order() -> None:
    first, second = CustomProperty("floe.weight", 1), CustomProperty("floe.weight", 2)
    contract, turned, single = (
        Contract("orders", "1.0.0", custom=custom) for custom in ((first, second), (second, first), (second,))
    )
    assert schema_hash(contract) == schema_hash(turned) != schema_hash(single)


def test_characters_composed_either_way_are_two_names_and_one_text() -> None:
    """Data knows a column by its letters; a text says the same in both forms."""
    forms = "gr\u00f6", "gro\u0308"
    names = {schema_hash(Contract("c", "1.0.0", objects=(SchemaObject(name),))) for name in forms}
    texts = {content_hash(Contract("c", "1.0.0", domain=text)) for text in forms}
    assert (len(names), len(texts)) == (2, 1)


RULED = "apiVersion: v3.2.0\nkind: DataContract\nid: o\nname: o\nversion: 1.0.0\nstatus: active\nschema:\n- name: o\n"
RULE = "metric: invalidValues, arguments: {validValues: [a, b]}, mustBe: 0"


@pytest.mark.parametrize(
    ("before", "after"),
    [
        pytest.param(RULE, f"{RULE}, severity: error", id="the severity that is meant anyway"),
        pytest.param(RULE, RULE.replace("[a, b]", "[b, a]"), id="valid values in another order"),
        pytest.param(RULE, RULE.replace("[a, b]", "[a, b, a]"), id="a valid value twice"),
        pytest.param(RULE, RULE.replace("mustBe: 0", "mustBeLessThan: 1"), id="another way to say none"),
        pytest.param(RULE, f"{RULE}, unit: percent", id="none, in percent"),
        pytest.param("metric: rowCount, mustNotBe: 0", "metric: rowCount, mustBeGreaterThan: 0", id="at least one row"),
        pytest.param(
            "metric: duplicateValues, arguments: {properties: [x, y]}, mustBe: 0",
            "metric: duplicateValues, arguments: {properties: [y, x]}, mustBe: 0",
            id="columns of a rule in another order",
        ),
    ],
)
def test_a_rule_in_other_words_has_the_same_hashes(before: str, after: str) -> None:
    sides = [_read(f"{RULED}  quality:\n  - {{type: library, {rule}}}\n") for rule in (before, after)]
    assert schema_hash(sides[0]) == schema_hash(sides[1])
    assert content_hash(sides[0]) == content_hash(sides[1])


COLUMN = "name: c, logicalType: integer"


@pytest.mark.parametrize(
    ("before", "after"),
    [
        pytest.param(COLUMN, f"{COLUMN}, logicalTypeOptions: {{format: i32}}", id="the width that is meant anyway"),
        pytest.param(
            f"{COLUMN}, logicalTypeOptions: {{minimum: 5}}",
            f"{COLUMN}, logicalTypeOptions: {{exclusiveMinimum: 4}}",
            id="at least 5",
        ),
        pytest.param(COLUMN, f"{COLUMN}, semanticType: column", id="a column, said aloud"),
        pytest.param(
            f"{COLUMN}, enum: [{{value: 1}}]", f"{COLUMN}, enum: [{{value: 1}}, {{value: 1}}]", id="a value twice"
        ),
    ],
)
def test_a_column_in_other_words_has_the_same_hashes(before: str, after: str) -> None:
    sides = [_read(f"{RULED}  properties:\n  - {{{column}}}\n") for column in (before, after)]
    assert schema_hash(sides[0]) == schema_hash(sides[1])
    assert content_hash(sides[0]) == content_hash(sides[1])


@pytest.mark.parametrize(
    ("before", "after"),
    [
        pytest.param("status: active\n", "", id="a status that is meant anyway"),
        pytest.param("- name: o\n", "- name: o\n  physicalType: table\n", id="a table, said aloud"),
    ],
)
def test_a_contract_in_other_words_has_the_same_hashes(before: str, after: str) -> None:
    sides = [_read(RULED), _read(RULED.replace(before, after))]
    assert content_hash(sides[0]) == content_hash(sides[1])


@pytest.mark.parametrize(
    ("value", "text"),
    [
        pytest.param({"b": 1, "a": [None, True]}, '{"a":[null,true],"b":{"number":"1"}}', id="sorted keys"),
        pytest.param('\u20ac$\u000f\nA\'B"\\\\"/', '"\u20ac$\\u000f\\nA\'B\\"\\\\\\\\\\"/"', id="escapes of RFC 8785"),
        pytest.param(2**70, '{"number":"1180591620717411303424"}', id="integers of any size"),
        pytest.param(-0.0, '{"number":"0"}', id="no negative zero"),
        pytest.param(1e-7, '{"number":"0.0000001"}', id="no exponents"),
        pytest.param({}, "{}", id="empty object"),
    ],
)
def test_canonical_json(value: Json, text: str) -> None:
    assert exact(value) == text


def test_keys_sort_by_utf_16_code_units() -> None:
    keys = ["\r", "1", "\u0080", "\u00f6", "\u20ac", "\U0001f600", "\uff21"]  # by code point the last two would swap
    found = mapping(dict.fromkeys(reversed(keys), "0"))
    assert [key for key in found.replace("\\r", "\r") if key in keys] == keys


def _edited(old: str, new: str) -> Contract:
    assert RICH.count(old) >= 1, old
    return _read(RICH.replace(old, new))


_ORDERED = ("from", "to")


def _shuffled(value: Json, chance: random.Random) -> Json:
    if isinstance(value, dict):
        keys = list(value)
        chance.shuffle(keys)
        return {key: value[key] if key in _ORDERED else _shuffled(value[key], chance) for key in keys}
    if isinstance(value, list):
        items = [_shuffled(item, chance) for item in value]
        chance.shuffle(items)
        return items
    return value
