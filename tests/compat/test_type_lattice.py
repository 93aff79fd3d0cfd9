"""How two types relate, whatever engine spelled them."""

from __future__ import annotations

import pytest

from floe_contracts.compat.fact import Element, ElementKind
from floe_contracts.compat.facts.lattice import TypeChange, compare_type_text

RESPELLED = (
    ("VARCHAR", "varchar"),
    ("DECIMAL(12, 2)", "decimal(12,2)"),
    ("NUMERIC(12,2)", "DECIMAL(12,2)"),
    ("INTEGER", "int"),
    ("BIGINT", "long"),
    ("STRING", "text"),
    ("double precision", "FLOAT64"),
    ("timestamp with time zone", "TIMESTAMPTZ"),
    ("array<int>", "ARRAY< INTEGER >"),
    ("int[]", "array<int>"),
    ("struct<a:int,b:string>", "STRUCT<b: STRING, a: INT>"),
    ("map<string, int>", "MAP<VARCHAR,INTEGER>"),
    ("geography(point, 4326)", "GEOGRAPHY( POINT,4326 )"),
    ("numeric(12", "NUMERIC( 12"),
)


@pytest.mark.parametrize(("old", "new"), RESPELLED, ids=lambda text: text)
def test_a_respelled_type_is_no_change(old: str, new: str) -> None:
    assert compare_type_text(old, new) == compare_type_text(new, old) == ()


# old, new, the kind there, the kind back
ORDERED = (
    ("INT", "BIGINT", "type-widened", "type-narrowed"),
    ("TINYINT", "INT", "type-widened", "type-narrowed"),
    ("INT UNSIGNED", "BIGINT", "type-widened", "type-narrowed"),
    ("FLOAT", "DOUBLE", "type-widened", "type-narrowed"),
    ("DECIMAL(10,2)", "DECIMAL(12,2)", "type-widened", "type-narrowed"),
    ("BINARY(16)", "BINARY", "type-widened", "type-narrowed"),
    ("VARCHAR(20)", "VARCHAR(40)", "string-length-increased", "string-length-decreased"),
    ("VARCHAR(20)", "STRING", "string-length-increased", "string-length-decreased"),
    ("CHAR(2)", "CHAR(3)", "string-length-increased", "string-length-decreased"),
    ("array", "array<int>", "physical-type-added", "physical-type-removed"),
)


@pytest.mark.parametrize(("old", "new", "there", "back"), ORDERED, ids=lambda text: text)
def test_types_of_one_family_have_an_order(old: str, new: str, there: str, back: str) -> None:
    assert kinds(compare_type_text(old, new)) == [there]
    assert kinds(compare_type_text(new, old)) == [back]


UNORDERED = (
    ("INT", "STRING", "type-changed"),
    ("INT", "INT UNSIGNED", "type-changed"),
    ("BIGINT", "DECIMAL(38,0)", "type-changed"),
    ("INT", "DOUBLE", "type-changed"),
    ("DECIMAL", "DECIMAL(12,2)", "type-changed"),
    ("CHAR(10)", "VARCHAR(10)", "type-changed"),
    ("DATE", "TIMESTAMP", "type-changed"),
    ("STRING", "UUID", "type-changed"),
    ("geography", "geometry", "type-changed"),
    ("numeric(12", "numeric(14", "type-changed"),
    ("array<int>", "map<string,int>", "type-changed"),
    ("row(int, text)", "row(text, int)", "type-changed"),
    ("DECIMAL(12,2)", "DECIMAL(12,4)", "decimal-scale-changed"),
    ("DECIMAL(12,2)", "DECIMAL(14,4)", "decimal-scale-changed"),
    ("TIMESTAMP_TZ", "TIMESTAMP_NTZ", "timestamp-zone-changed"),
    ("TIMESTAMP", "TIMESTAMP_NTZ", "timestamp-zone-changed"),
    ("TIMESTAMP(3)", "TIMESTAMP(6)", "timestamp-precision-changed"),
    ("TIME(0)", "TIME(3)", "timestamp-precision-changed"),
    ("VECTOR(768)", "VECTOR(1024)", "vector-shape-changed"),
)


@pytest.mark.parametrize(("old", "new", "kind"), UNORDERED, ids=lambda text: text)
def test_other_differences_are_the_same_from_both_sides(old: str, new: str, kind: str) -> None:
    assert kinds(compare_type_text(old, new)) == kinds(compare_type_text(new, old)) == [kind]


NESTED = (
    ("array<int>", "array<bigint>", ["type-widened t[]"]),
    ("map<string,int>", "map<string,string>", ["type-changed t{value}"]),
    ("map<string,int>", "map<int,int>", ["type-changed t{key}"]),
    ("struct<a:int>", "struct<a:int,b:int>", ["property-added-optional t.b"]),
    ("struct<a:int>", "struct<a:int,b:int not null>", ["property-added-required t.b"]),
    ("struct<a:int,b:int>", "struct<b:int>", ["property-removed t.a"]),
    ("struct<a:int not null>", "struct<a:int>", ["property-became-nullable t.a"]),
    ("struct<a:int>", "struct<a:int not null>", ["property-became-required t.a"]),
    ("array<struct<a:varchar(5)>>", "array<struct<a:varchar(9)>>", ["string-length-increased t[].a"]),
    ("struct<a:int,b:float>", "struct<a:string,b:double>", ["type-changed t.a", "type-widened t.b"]),
)


@pytest.mark.parametrize(("old", "new", "expected"), NESTED, ids=lambda item: item if isinstance(item, str) else "")
def test_a_difference_inside_a_type_is_reported_where_it_is(old: str, new: str, expected: list[str]) -> None:
    base = Element().below(ElementKind.OBJECT, "t")
    assert [
        f"{change.kind.value} {Element((*base.segments, *change.steps))}" for change in compare_type_text(old, new)
    ] == (expected)


def kinds(changes: tuple[TypeChange, ...]) -> list[str]:
    return [change.kind.value for change in changes]
