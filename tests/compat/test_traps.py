"""Changes that other gates get wrong: by text comparison, by paths glued with dots, by lists keyed too coarsely.

The rows come from a study of `datacontract breaking` 1.2.8, which says "no changes", "info" or "error" wrongly on many.
"""

from __future__ import annotations

import pytest
from support.odcs_pairs import Pair, checked, column, promised, retyped, table

from floe_contracts.compat.ruleset import make_ruleset
from floe_contracts.compat.verdict import GatePolicy, judge
from floe_contracts.results import Bump

KEY = "logicalType: string, primaryKey: true"
STRUCT = "logicalType: object, properties: [{name: zip, logicalType: %s}, {name: city, logicalType: string}]"
PAIR = "relationships: [{id: fk, from: [orders.%s, orders.%s], to: [other.a, other.b]}], "
V30 = "apiVersion: v3.0.2\n"

MAJOR = {
    "a column is removed": Pair(table(column("a"), column("b", "logicalType: number")), table(column("a"))),
    "a column is renamed": Pair(table(column("user_id"), column("b")), table(column("userId"), column("b"))),
    "a table is removed": Pair(
        "schema: [{name: a, properties: [{name: x}]}, {name: b, properties: [{name: y}]}]",
        "schema: [{name: a, properties: [{name: x}]}]",
    ),
    "a field of a struct is removed": retyped(
        STRUCT % "string", "logicalType: object, properties: [{name: zip, logicalType: string}]"
    ),
    "a struct is flattened": Pair(
        table(column("id"), column("s", STRUCT % "string")), table(column("id"), column("zip"), column("city"))
    ),
    "a type changes": retyped("logicalType: string", "logicalType: integer"),
    "a type in a struct changes": retyped(STRUCT % "string", STRUCT % "integer"),
    "a type in an array changes": retyped(
        "logicalType: array, items: {logicalType: string}", "logicalType: array, items: {logicalType: integer}"
    ),
    "a type in a struct in an array changes": retyped(
        f"logicalType: array, items: {{{STRUCT % 'string'}}}", f"logicalType: array, items: {{{STRUCT % 'integer'}}}"
    ),
    "the value of a map changes": retyped(
        "logicalType: map, map: {key: {logicalType: string}, value: {logicalType: string}}",
        "logicalType: map, map: {key: {logicalType: string}, value: {logicalType: integer}}",
    ),
    "the key of a map changes": retyped(
        "logicalType: map, map: {key: {logicalType: string}, value: {logicalType: string}}",
        "logicalType: map, map: {key: {logicalType: integer}, value: {logicalType: string}}",
    ),
    "a precision shrinks": retyped('physicalType: "DECIMAL(12,2)"', 'physicalType: "DECIMAL(10,2)"'),
    "a date becomes a timestamp": retyped("logicalType: date", "logicalType: timestamp"),
    "a required column is added": Pair(
        table(column("a")), table(column("a"), column("b", "logicalType: date, required: true"))
    ),
    "NOT NULL becomes nullable": retyped("logicalType: date, required: true", "logicalType: date, required: false"),
    "the line `required` is deleted": retyped("logicalType: date, required: true", "logicalType: date"),
    "text gets the format uuid": retyped(
        "logicalType: string", "logicalType: string, logicalTypeOptions: {format: uuid}"
    ),
    "freshness, in another unit": promised(
        "{property: freshness, value: 6, unit: h}", "{property: freshness, value: 400, unit: minutes}"
    ),
    "freshness, as a duration": promised("{property: freshness, value: PT6H}", "{property: freshness, value: PT12H}"),
    "freshness, days and hours": promised("{property: freshness, value: P1D}", "{property: freshness, value: PT36H}"),
    "freshness, a fraction of an hour": promised(
        "{property: freshness, value: 1.25, unit: h}", "{property: freshness, value: 1.75, unit: h}"
    ),
    "freshness, a bare element": promised(
        "{property: freshness, value: 6, unit: h, element: at}",
        "{property: freshness, value: 7, unit: h, element: at}",
    ),
    "freshness, the element is a whole table": promised(
        "{property: freshness, value: 6, unit: h, element: orders}",
        "{property: freshness, value: 7, unit: h, element: orders}",
    ),
    "freshness, the table's name has a dot": Pair(
        table(column("at", "logicalType: timestamp"), name="shop.orders")
        + "\nslaProperties: [{property: freshness, value: 6, unit: h, element: shop.orders.at}]",
        table(column("at", "logicalType: timestamp"), name="shop.orders")
        + "\nslaProperties: [{property: freshness, value: 7, unit: h, element: shop.orders.at}]",
    ),
    "two freshness promises, the first relaxed": promised(
        "{property: freshness, value: 1, unit: h, element: orders.at}, "
        "{property: freshness, value: 9, unit: h, element: orders.placed}",
        "{property: freshness, value: 5, unit: h, element: orders.at}, "
        "{property: freshness, value: 9, unit: h, element: orders.placed}",
    ),
    "availability is lowered": promised(
        "{property: availability, value: 99.9, unit: percent}", "{property: availability, value: 99.0, unit: percent}"
    ),
    "availability is removed": promised("{property: availability, value: 99.9, unit: percent}"),
    "latency is raised": promised("{property: latency, value: 4, unit: h}", "{property: latency, value: 6, unit: h}"),
    "latency is removed": promised("{property: latency, value: 4, unit: h}"),
    "frequency is lowered": promised(
        "{property: frequency, value: 1, unit: h}", "{property: frequency, value: 1, unit: d}"
    ),
    "retention is shortened": promised(
        "{property: retention, value: 3, unit: y}", "{property: retention, value: 30, unit: months}"
    ),
    "an enum value is removed": retyped(
        "logicalType: string, enum: [{value: a}, {value: b}]", "logicalType: string, enum: [{value: a}]"
    ),
    "a quality rule is removed": checked("{metric: rowCount, mustBeGreaterThan: 0}"),
    "a threshold is loosened": checked(
        "{metric: duplicateValues, mustBeLessThan: 1, unit: percent, arguments: {properties: [x]}}",
        "{metric: duplicateValues, mustBeLessThan: 5, unit: percent, arguments: {properties: [x]}}",
    ),
    "a row floor is lowered": checked(
        "{metric: rowCount, mustBeGreaterThan: 1000}", "{metric: rowCount, mustBeGreaterThan: 10}"
    ),
    "a row floor in the words of ODCS 3.0 is lowered": checked(
        "{rule: rowCount, mustBeGreaterThan: 1000}", "{rule: rowCount, mustBeGreaterThan: 10}", V30
    ),
    "a rule of another engine is removed": checked(
        "{type: custom, engine: soda, implementation: 'duplicate_count(x) = 0'}"
    ),
    "a rule that only warns is removed": checked("{metric: rowCount, mustBeGreaterThan: 0, severity: warning}"),
    "the primary key is dropped": Pair(table(column("a", KEY)), table(column("a"))),
    "the primary key is widened": Pair(table(column("a", KEY), column("b")), table(column("a", KEY), column("b", KEY))),
    "a foreign key is dropped": Pair(
        table(column("a", "logicalType: string, relationships: [{to: other.id}]")), table(column("a"))
    ),
    "the columns of a composite foreign key swap": Pair(
        table(column("a"), column("b"), more=PAIR % ("a", "b")), table(column("a"), column("b"), more=PAIR % ("b", "a"))
    ),
    "a column that begins with __ is removed": Pair(
        table(column("a"), column("__op", "logicalType: boolean")), table(column("a"))
    ),
    "a column that begins with __ changes its type": Pair(
        table(column("__source_ts_ms", "logicalType: integer")), table(column("__source_ts_ms", "logicalType: string"))
    ),
    "a column called quality changes its type": Pair(
        table(column("quality", "logicalType: integer")), table(column("quality", "logicalType: string"))
    ),
    "a column called quality may be null": Pair(
        table(column("quality", "logicalType: string, required: true")), table(column("quality"))
    ),
    "a column called required is removed": Pair(
        table(column("a"), column("required", "logicalType: boolean")), table(column("a"))
    ),
    "a field below a column called required is removed": Pair(
        table(column("required", STRUCT % "string")),
        table(column("required", "logicalType: object, properties: [{name: zip, logicalType: string}]")),
    ),
    "a column with a dot in its name is removed": Pair(
        table(column("a"), column("b.c", "logicalType: number")), table(column("a"))
    ),
    "a classification is lowered": retyped(
        "logicalType: string, classification: restricted", "logicalType: string, classification: public"
    ),
    "a number must be a multiple of something else": retyped(
        "logicalType: number, logicalTypeOptions: {multipleOf: 5}",
        "logicalType: number, logicalTypeOptions: {multipleOf: 7}",
    ),
    "a server moves": Pair(
        "servers: [{server: p, type: kafka, host: a}]",
        "servers: [{server: p, type: kafka, host: b}]",
    ),
}
MINOR = {
    "an optional column is added": Pair(table(column("a")), table(column("a"), column("b", "logicalType: number"))),
    "a table is added": Pair(
        "schema: [{name: a, properties: [{name: x}]}]",
        "schema: [{name: a, properties: [{name: x}]}, {name: b, properties: [{name: y}]}]",
    ),
    "an enum value is added": retyped(
        "logicalType: string, enum: [{value: a}]", "logicalType: string, enum: [{value: a}, {value: b}]"
    ),
    "a valid value is added": checked(
        "{metric: invalidValues, mustBe: 0, arguments: {validValues: [a]}}",
        "{metric: invalidValues, mustBe: 0, arguments: {validValues: [a, b]}}",
    ),
    "nullable becomes NOT NULL": retyped("logicalType: date", "logicalType: date, required: true"),
    "freshness is tightened": promised(
        "{property: freshness, value: 6, unit: h}", "{property: freshness, value: 30, unit: minutes}"
    ),
    "availability is raised": promised(
        "{property: availability, value: 99.0, unit: percent}", "{property: availability, value: 99.9, unit: percent}"
    ),
    "a service level is added": promised("", "{property: latency, value: 4, unit: h}"),
    "a quality rule is added": checked("", "{metric: rowCount, mustBeGreaterThan: 0}"),
    "a threshold is tightened": checked(
        "{metric: rowCount, mustBeGreaterThan: 10}", "{metric: rowCount, mustBeGreaterThan: 1000}"
    ),
    "a column is marked deprecated": retyped("logicalType: string", "logicalType: string, deprecated: true"),
    "a text may be longer": retyped('physicalType: "VARCHAR(20)"', 'physicalType: "varchar(40)"'),
    "a column called quality becomes required": Pair(
        table(column("quality")), table(column("quality", "logicalType: string, required: true"))
    ),
}
PATCH = {
    "a description": retyped("logicalType: string", "logicalType: string, description: Free text"),
    "people": Pair("team: {members: [{username: anna}]}", "team: {members: [{username: ben}]}"),
    "tags": Pair("tags: [gold]", "tags: [gold, eu]"),
    "examples": retyped("logicalType: string", "logicalType: string, examples: [a]"),
    "a business name": retyped("logicalType: string", "logicalType: string, businessName: X"),
}
NONE = {
    "VARCHAR becomes varchar": retyped('physicalType: "VARCHAR(20)"', 'physicalType: "varchar(20)"'),
    "DECIMAL(12, 2) becomes decimal(12,2)": retyped('physicalType: "DECIMAL(12, 2)"', 'physicalType: "decimal(12,2)"'),
    "an alias of the same type": retyped("physicalType: BIGINT", "physicalType: long"),
    "a count that must be 0 and one that may be at most 0": checked(
        "{metric: duplicateValues, mustBe: 0, arguments: {properties: [x]}}",
        "{metric: duplicateValues, mustBeLessOrEqualTo: 0, arguments: {properties: [x]}}",
    ),
    "defaults are written out": retyped(
        "logicalType: string", "logicalType: string, required: false, unique: false, primaryKey: false"
    ),
    "columns in another order": Pair(table(column("a"), column("b")), table(column("b"), column("a"))),
    "columns that begin with __ in another order": Pair(
        table(column("a"), column("__op")), table(column("__op"), column("a"))
    ),
    "two freshness promises in another order": promised(
        "{property: freshness, value: PT1H, element: at}, {property: freshness, value: PT9H, element: placed}",
        "{property: freshness, value: PT9H, element: placed}, {property: freshness, value: PT1H, element: at}",
    ),
    "the same duration in two spellings": promised(
        "{property: freshness, value: PT90M}", "{property: freshness, value: 1.5, unit: h}"
    ),
    "whole numbers above 4 and from 5 on": retyped(
        "logicalType: integer, logicalTypeOptions: {exclusiveMinimum: 4}",
        "logicalType: integer, logicalTypeOptions: {minimum: 5}",
    ),
}
ROWS = [
    pytest.param(pair, bump, id=f"{bump.value}: {name}")
    for bump, rows in ((Bump.MAJOR, MAJOR), (Bump.MINOR, MINOR), (Bump.PATCH, PATCH), (Bump.NONE, NONE))
    for name, pair in rows.items()
]


@pytest.mark.parametrize(("pair", "bump"), ROWS)
def test_a_change_needs_exactly_this_bump(pair: Pair, bump: Bump) -> None:
    result = judge(*pair.loaded(), GatePolicy(make_ruleset()))
    assert result.version is not None
    told = [f"{item.rule} {item.element}" for item in result.findings]
    assert result.version.required is bump, told


def test_the_table_is_as_long_as_the_study() -> None:
    assert len(ROWS) >= 79
