"""Listing the parts of a struct, an array or a map whose type names them already is not a change."""

from __future__ import annotations

import pytest
from support.orders import loaded

from floe_contracts.compat.facts import facts_between
from floe_contracts.compat.pairing import contract_of

STRUCT = "STRUCT<x: STRING, y: INT>"


def odcs(kind: str, physical: str, parts: str = "") -> str:
    """A contract with one column of a type."""
    exact = f', physicalType: "{physical}"' if physical else ""
    column = f"{{name: a, logicalType: {kind}{exact}{f', {parts}' if parts else ''}}}"
    head = "apiVersion: v3.2.0\nkind: DataContract\nid: t\nname: t\nversion: 1.0.0\nstatus: active\n"
    return f"{head}schema: [{{name: t, properties: [{column}]}}]\n"


def facts(old: str, new: str) -> list[str]:
    """What differs, as `rule element`."""
    before, after = contract_of(loaded(old)), contract_of(loaded(new))
    return sorted(f"{fact.kind.value} {fact.element}" for fact in facts_between(before, after))


@pytest.mark.parametrize(
    ("kind", "physical", "parts"),
    [
        ("object", STRUCT, "properties: [{name: x, physicalType: STRING}, {name: y, physicalType: INT}]"),
        ("object", STRUCT, "properties: [{name: y, physicalType: integer}, {name: x, physicalType: string}]"),
        ("object", STRUCT, "properties: [{name: x, logicalType: string}, {name: y, logicalType: integer}]"),
        ("object", STRUCT, "properties: [{name: x, logicalType: string, physicalType: STRING}]"),
        ("object", STRUCT, "properties: [{name: x, physicalType: STRING, id: the-x}]"),
        ("object", "ROW(X VARCHAR, Y INT)", "properties: [{name: X, physicalType: VARCHAR}]"),
        (
            "object",
            "STRUCT<a: STRUCT<b: INT>>",
            "properties: [{name: a, logicalType: object, properties: [{name: b, physicalType: INT}]}]",
        ),
        ("object", "STRUCT<a: INT NOT NULL>", "properties: [{name: a, physicalType: INT, required: true}]"),
        ("array", f"ARRAY<{STRUCT}>", "items: {logicalType: object, properties: [{name: x, physicalType: STRING}]}"),
        ("array", "ARRAY<STRING>", "items: {logicalType: string}"),
        (
            "array",
            "ARRAY<MAP<STRING, INT>>",
            "items: {logicalType: map, map: {key: {logicalType: string}, value: {physicalType: INT}}}",
        ),
    ],
)
def test_parts_that_the_type_names(kind: str, physical: str, parts: str) -> None:
    short, long = odcs(kind, physical), odcs(kind, physical, parts)
    assert facts(short, long) == []
    assert facts(long, short) == []


ITEMS = "items: {logicalType: object, physicalType: STRUCT, properties: [%s]}"
X, Y = "{name: x, physicalType: STRING}", "{name: y, physicalType: INT}"
SIDES = "map: {key: {physicalType: STRING}, value: {physicalType: INT}}"
X_IS_INT = "{name: x, physicalType: INT}"


@pytest.mark.parametrize(
    ("kind", "text", "bare", "parts"),
    [
        ("object", STRUCT, "STRUCT", f"properties: [{X}, {Y}]"),
        ("object", "ROW(x VARCHAR)", "ROW", "properties: [{name: x, physicalType: VARCHAR}]"),
        ("array", "ARRAY<INT>", "ARRAY", "items: {physicalType: INT}"),
        ("array", f"ARRAY<{STRUCT}>", "ARRAY", ITEMS % f"{X}, {Y}"),
        ("array", f"ARRAY<{STRUCT}>", "ARRAY<STRUCT>", ITEMS % f"{X}, {Y}"),
        (
            "array",
            "ARRAY<MAP<STRING, INT>>",
            "ARRAY",
            f"items: {{logicalType: map, physicalType: MAP, {SIDES}}}",
        ),
        (
            "object",
            "STRUCT<a: STRUCT<x: STRING>>",
            "STRUCT",
            f"properties: [{{name: a, logicalType: object, physicalType: STRUCT, properties: [{X}]}}]",
        ),
    ],
)
def test_parts_that_move_from_the_type_into_a_list(kind: str, text: str, bare: str, parts: str) -> None:
    short, long = odcs(kind, text), odcs(kind, bare, parts)
    assert facts(short, long) == []
    assert facts(long, short) == []


@pytest.mark.parametrize(
    ("kind", "text", "bare", "parts", "expected"),
    [
        ("object", STRUCT, "STRUCT", f"properties: [{X}]", ["property-removed t.a.y"]),
        ("object", STRUCT, "STRUCT", f"properties: [{X_IS_INT}, {Y}]", ["type-changed t.a.x"]),
        ("object", STRUCT, "STRUCT", "", ["physical-type-removed t.a"]),
        ("object", STRUCT, "", f"properties: [{X}, {Y}]", ["physical-type-removed t.a"]),
        ("array", "ARRAY<INT>", "ARRAY", "items: {physicalType: BIGINT}", ["type-widened t.a[]"]),
        ("array", f"ARRAY<{STRUCT}>", "ARRAY", ITEMS % Y, ["property-removed t.a[].x"]),
        ("array", f"ARRAY<{STRUCT}>", "ARRAY<STRUCT>", ITEMS % Y, ["property-removed t.a[].x"]),
        ("array", f"ARRAY<{STRUCT}>", "ARRAY<STRUCT>", "", ["physical-type-removed t.a[]"]),
    ],
)
def test_what_is_lost_between_the_type_and_the_list(
    kind: str, text: str, bare: str, parts: str, expected: list[str]
) -> None:
    assert facts(odcs(kind, text), odcs(kind, bare, parts)) == expected


@pytest.mark.parametrize(
    ("physical", "parts", "expected"),
    [
        (STRUCT, "properties: [{name: y, physicalType: STRING}]", ["type-changed t.a.y"]),
        (STRUCT, "properties: [{name: y, logicalType: string}]", ["type-changed t.a.y"]),
        (STRUCT, "properties: [{name: z, physicalType: INT}]", ["property-added-optional t.a.z"]),
        (STRUCT, "properties: [{name: y, physicalType: INT, required: true}]", ["property-became-required t.a.y"]),
        (STRUCT, "properties: [{name: y, physicalType: INT, description: The y}]", ["docs-changed t.a.y"]),
        (STRUCT, "properties: [{name: y, physicalType: INT, unique: true}]", ["unique-added t.a.y"]),
    ],
)
def test_what_a_list_says_more_than_the_type(physical: str, parts: str, expected: list[str]) -> None:
    assert facts(odcs("object", physical), odcs("object", physical, parts)) == expected


def test_a_part_that_goes_from_the_type_while_the_others_are_listed() -> None:
    listed = odcs("object", "STRUCT<x: STRING>", "properties: [{name: x, physicalType: STRING}]")
    assert facts(odcs("object", STRUCT), listed) == ["property-removed t.a.y"]


def test_a_part_that_comes_to_the_type_and_to_the_list() -> None:
    wide = "properties: [{name: x, physicalType: STRING}, {name: y, physicalType: INT}, {name: z, physicalType: INT}]"
    assert facts(odcs("object", STRUCT), odcs("object", "STRUCT<x: STRING, y: INT, z: INT>", wide)) == [
        "property-added-optional t.a.z"
    ]


def test_the_floe_dialect_says_the_same() -> None:
    head = "version: 1.0.0\nname: t\nstatus: active\nmodels:\n  t:\n    elements:\n"
    short = f'{head}      a: {{type: "struct<x: string, y: int>"}}\n'
    assert facts(odcs("object", STRUCT), short.replace("name: t", "name: t\nid: t")) == []


@pytest.mark.parametrize(
    ("sides", "expected"),
    [
        ("map: {key: {type: STRING}, value: {type: INT}}", []),
        ("map: {key: {type: string}, value: {type: integer}}", []),
        ("map: {key: {type: VARCHAR}, value: {type: INT4}}", []),
        ("map: {key: {type: STRING}, value: {type: STRING}}", ["type-changed t.a{value}"]),
        ("map: {key: {type: INT}, value: {type: INT}}", ["type-changed t.a{key}"]),
        ("map: {key: {type: STRING}, value: {type: INT, nullable: false}}", ["property-became-required t.a{value}"]),
    ],
)
def test_sides_of_a_map_in_the_fields_dialect(sides: str, expected: list[str]) -> None:
    short, long = (
        f"schema: t\nversion: 1.0.0\nstatus: active\nfields: [{{name: a, type: 'MAP<STRING, INT>'{more}}}]\n"
        for more in ("", f", {sides}")
    )
    assert facts(short, long) == expected
