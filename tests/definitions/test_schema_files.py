"""Avro, JSON Schema and StructType files held to a contract: what is told, and at which line."""

from __future__ import annotations

import pytest

from floe_contracts.contract.load import load
from floe_contracts.definitions.comparison import compare_definition
from floe_contracts.definitions.definition import Definition, Gap
from floe_contracts.definitions.schema_files import read_schema_file

CONTRACT = """apiVersion: v3.1.0
kind: DataContract
id: events
name: events
version: 1.0.0
status: active
schema:
  - name: events
    properties:
      - {name: user_id, logicalType: integer, physicalType: bigint, required: true}
      - {name: event_ts, logicalType: timestamp}
      - {name: amount, logicalType: number}
      - name: place
        logicalType: object
        properties:
          - {name: city, logicalType: string}
"""
AVRO = """{"type": "record", "name": "E", "fields": [
  {"name": "user_id", "type": "long"},
  {"name": "event_ts", "type": ["null", {"type": "long", "logicalType": "timestamp-micros"}]},
  {"name": "amount", "type": {"type": "bytes", "logicalType": "decimal", "precision": 10, "scale": 2}},
  {"name": "place", "type": ["null", {"type": "record", "name": "P", "fields": [
    {"name": "city", "type": "string"}]}]}
]}"""
JSON_SCHEMA = """{"type": "object", "required": ["user_id"],
 "$defs": {"place": {"type": "object", "properties": {
   "city": {"type": "string"}}}},
 "properties": {
  "user_id": {"type": "integer"},
  "event_ts": {"type": ["string", "null"], "format": "date-time"},
  "amount": {"type": "number"},
  "place": {"$ref": "#/$defs/place"}
 }}"""
SPARK = """{"type": "struct", "fields": [
  {"name": "user_id", "type": "long", "nullable": false, "metadata": {}},
  {"name": "event_ts", "type": "timestamp", "nullable": true, "metadata": {}},
  {"name": "amount", "type": "decimal(10,2)", "nullable": true, "metadata": {}},
  {"name": "place", "type": {"type": "struct", "fields": [
    {"name": "city", "type": "string", "nullable": true, "metadata": {}}]}, "nullable": true, "metadata": {}}
]}"""
FILES = {"avro": AVRO, "json_schema": JSON_SCHEMA, "spark": SPARK}


def judge(kind: str, text: str) -> list[str]:
    contract = load(CONTRACT.encode(), "events.odcs.yaml").contract
    assert contract is not None
    definition = read_schema_file(kind, text.encode(), "schema.json")
    assert isinstance(definition, Definition), definition
    findings = compare_definition(contract, contract.objects[0], definition)
    shown = ((item, item.location.line if item.location else 0) for item in findings)
    return [f"{item.code.id[5:]} {item.element}:{line}" for item, line in shown if item.blocks]


@pytest.mark.parametrize("kind", FILES)
def test_a_file_that_keeps_the_promise_is_silent(kind: str) -> None:
    assert judge(kind, FILES[kind]) == []


@pytest.mark.parametrize(
    ("kind", "old", "new", "expected"),
    [
        ("avro", '"user_id"', '"userId"', ["E531 user_id:2"]),
        ("avro", '"type": "long"}', '"type": ["null", "long"]}', ["E536 user_id:2"]),
        ("avro", '"type": "long"}', '"type": "string"}', ["E530 user_id:2"]),
        ("avro", '"city"', '"town"', ["E531 place.city:1"]),
        ("avro", '"name": "user_id"', '"name": "userId", "aliases": ["user_id"]', ["E531 user_id:2"]),
        ("json_schema", '"user_id": {"type"', '"userId": {"type"', ["E531 user_id:5"]),
        ("json_schema", '"required": ["user_id"]', '"required": []', ["E536 user_id:5"]),
        ("json_schema", '{"type": "integer"}', '{"type": ["integer", "null"]}', ["E536 user_id:5"]),
        ("json_schema", '{"type": "integer"}', '{"type": "boolean"}', ["E530 user_id:5"]),
        ("spark", '"user_id"', '"userId"', ["E531 user_id:2"]),
        ("spark", '"nullable": false', '"nullable": true', ["E536 user_id:2"]),
        ("spark", '"type": "long"', '"type": "string"', ["E530 user_id:2"]),
    ],
)
def test_what_breaks_a_promise_is_told_at_its_line(kind: str, old: str, new: str, expected: list[str]) -> None:
    assert judge(kind, FILES[kind].replace(old, new, 1)) == expected


@pytest.mark.parametrize(
    ("kind", "text"),
    [
        ("avro", "[]"),
        ("avro", '{"type": "enum", "name": "x", "symbols": []}'),
        ("json_schema", '{"$ref": "https://example.com/x.json"}'),
        ("json_schema", '{"properties": {"a": {"type": "string"}}, "allOf": [{"$ref": "https://example.com/x.json"}]}'),
        ("spark", '{"type": "array"}'),
        ("spark", "not json: ["),
    ],
)
def test_what_the_file_does_not_say_cannot_be_told(kind: str, text: str) -> None:
    definition = read_schema_file(kind, text.encode(), "schema.json")
    assert isinstance(definition, Gap) or not definition.complete


ORDER = """{{"type": "object", "required": ["user_id", "event_ts"], "$defs": {{"id": {{"type": "integer"}}}},
 "properties": {{"event_ts": {{"type": "string", "format": "date-time"}},
  "user_id": {}}}}}"""
# What a property says without a type of its own, and what is told of it beside a base where it was an integer.
UNTYPED: dict[str, tuple[str, list[str]]] = {
    "one of some values": ('{"enum": [1, 2]}', []),
    "one of them null": ('{"enum": [1, null]}', ["E536 user_id:3"]),
    "values of another type": ('{"enum": ["a", "b"]}', ["E530 user_id:3"]),
    "a value": ('{"const": 7}', []),
    "a type or null": ('{"anyOf": [{"type": "integer"}, {"type": "null"}]}', ["E536 user_id:3"]),
    "another type or null": (
        '{"oneOf": [{"type": "string"}, {"type": "null"}]}',
        ["E530 user_id:3"],
    ),
    "two types": ('{"anyOf": [{"type": "integer"}, {"type": "string"}]}', []),
    "a reference in a list of one": ('{"allOf": [{"$ref": "#/$defs/id"}]}', []),
    "parts of which each says a bit": ('{"allOf": [{"$ref": "#/$defs/id"}, {"minimum": 1}]}', []),
    "another file": ('{"$ref": "https://example.com/x.json"}', []),
    "nothing": ("{}", []),
    "a list of itself": ('{"anyOf": [{"$ref": "#/properties/user_id"}]}', []),
}


@pytest.mark.parametrize("name", UNTYPED)
def test_a_property_without_a_type_says_it_by_what_it_may_be(name: str) -> None:
    text, expected = UNTYPED[name]
    before = read_schema_file("json_schema", ORDER.format('{"type": "integer"}').encode(), "schema.json")
    after = read_schema_file("json_schema", ORDER.format(text).encode(), "schema.json")
    contract = load(CONTRACT.encode(), "e.odcs.yaml").contract
    assert contract is not None
    assert isinstance(before, Definition)
    assert isinstance(after, Definition)
    findings = compare_definition(contract, contract.objects[0], after, before)
    places = ((item, item.location.line if item.location else 0) for item in findings)
    assert [
        f"{item.code.id[5:]} {item.element}:{line}" for item, line in places if item.blocks and "user" in item.element
    ] == expected
