"""Types with their options, limits on values, and what values mean: compared by meaning, not by spelling."""

from __future__ import annotations

from typing import Any

import pytest
from support.builders import column, contract, told

from floe_contracts.contract.model import Dialect, EnumValue

Row = tuple[str, dict[str, Any], dict[str, Any], list[str]]  # what, attributes before, after, kinds


def kinds(old: dict[str, Any], new: dict[str, Any]) -> list[str]:
    lines = told(contract(column("a", **old)), contract(column("a", **new)))
    assert all(line.endswith(" orders.a") for line in lines)
    return [line.split()[0] for line in lines]


WHOLE = {"kind": "integer"}
DATE = {"kind": "date"}
LIST = {"kind": "array"}
BOUNDS: tuple[Row, ...] = (
    ("at least 5 is more than 4 for whole numbers", {**WHOLE, "minimum": 5}, {**WHOLE, "exclusive_minimum": 4}, []),
    (
        "but not for fractions",
        {"kind": "number", "minimum": 5},
        {"kind": "number", "exclusive_minimum": 4},
        ["bound-relaxed"],
    ),
    ("5 is 5.0", {**WHOLE, "maximum": 5}, {**WHOLE, "maximum": 5.0}, []),
    ("4.5 is 5 for whole numbers", {**WHOLE, "minimum": 4.5}, {**WHOLE, "minimum": 5}, []),
    (
        "a limit beside a stronger one says nothing",
        {**WHOLE, "minimum": 5},
        {**WHOLE, "minimum": 5, "exclusive_minimum": 2},
        [],
    ),
    ("lower end up", {**WHOLE, "minimum": 5}, {**WHOLE, "minimum": 6}, ["bound-tightened"]),
    ("lower end gone", {**WHOLE, "minimum": 5}, WHOLE, ["bound-relaxed"]),
    (
        "each end on its own",
        {**WHOLE, "minimum": 1, "maximum": 9},
        {**WHOLE, "minimum": 2, "maximum": 10},
        ["bound-tightened", "bound-relaxed"],
    ),
    (
        "at most to less than",
        {"kind": "number", "maximum": 5},
        {"kind": "number", "exclusive_maximum": 5},
        ["bound-tightened"],
    ),
    ("dates by the calendar", {**DATE, "minimum": "2020-01-01"}, {**DATE, "minimum": "2019-12-31"}, ["bound-relaxed"]),
    (
        "a moment in two zones",
        {"kind": "timestamp", "maximum": "2026-01-01T00:00:00Z"},
        {"kind": "timestamp", "maximum": "2026-01-01T01:00:00+01:00"},
        [],
    ),
    ("times of day", {"kind": "time", "minimum": "08:00"}, {"kind": "time", "minimum": "09:00"}, ["bound-tightened"]),
    ("no date at all", {**DATE, "minimum": "soon"}, {**DATE, "minimum": "later"}, ["bound-incomparable"]),
    ("shortest length zero is none", {}, {"min_length": 0}, []),
    ("longest length zero is a limit", {}, {"max_length": 0}, ["bound-tightened"]),
    ("longer texts", {"max_length": 5}, {"max_length": 9}, ["bound-relaxed"]),
    ("fewer items at least", {**LIST, "min_items": 2}, {**LIST, "min_items": 1}, ["bound-relaxed"]),
    ("fewer items at most", {**LIST, "max_items": 9}, {**LIST, "max_items": 8}, ["bound-tightened"]),
    ("unique items", LIST, {**LIST, "unique_items": True}, ["unique-added"]),
    ("more properties at least", {"kind": "object"}, {"kind": "object", "min_properties": 1}, ["bound-tightened"]),
    (
        "fewer properties at most",
        {"kind": "object", "max_properties": 3},
        {"kind": "object", "max_properties": 2},
        ["bound-tightened"],
    ),
    (
        "multiples of 10 are multiples of 5",
        {**WHOLE, "multiple_of": 5},
        {**WHOLE, "multiple_of": 10},
        ["bound-tightened"],
    ),
    (
        "multiples of a quarter",
        {"kind": "number", "multiple_of": 0.5},
        {"kind": "number", "multiple_of": 0.25},
        ["bound-relaxed"],
    ),
    ("other multiples", {**WHOLE, "multiple_of": 4}, {**WHOLE, "multiple_of": 6}, ["bound-incomparable"]),
    (
        "contents demanded and no longer demanded",
        {"kind": "object", "required_properties": ("x", "y")},
        {"kind": "object", "required_properties": ("z", "x")},
        ["bound-relaxed", "bound-tightened"],
    ),
)
TYPES: tuple[Row, ...] = (
    ("case of a logical type", {"kind": "String"}, {"kind": "string"}, []),
    (
        "logical and physical changed together",
        {"physical_type": "VARCHAR"},
        {"kind": "integer", "physical_type": "INT"},
        ["type-changed"],
    ),
    (
        "logical changed alone",
        {"kind": "date", "physical_type": "TIMESTAMP"},
        {"kind": "timestamp", "physical_type": "TIMESTAMP"},
        ["type-changed"],
    ),
    ("physical said together with another logical", {}, {"kind": "integer", "physical_type": "INT"}, ["type-changed"]),
    ("type changed, so the old format is gone with it", {"format": "uuid"}, {"kind": "integer"}, ["type-changed"]),
    ("width in the format", {**WHOLE, "format": "i32"}, {**WHOLE, "format": "i64"}, ["type-widened"]),
    ("width by default", WHOLE, {**WHOLE, "format": "i32"}, []),
    (
        "width known from the physical type",
        {**WHOLE, "physical_type": "BIGINT"},
        {**WHOLE, "physical_type": "BIGINT", "format": "i64"},
        [],
    ),
    (
        "width in both is one cause",
        {**WHOLE, "physical_type": "INT", "format": "i32"},
        {**WHOLE, "physical_type": "BIGINT", "format": "i64"},
        ["type-widened"],
    ),
    ("sign in the format", {**WHOLE, "format": "i32"}, {**WHOLE, "format": "u32"}, ["type-changed"]),
    (
        "floats in the format",
        {"kind": "number", "format": "f64"},
        {"kind": "number", "format": "f32"},
        ["type-narrowed"],
    ),
    ("case of a format", {"format": "UUID"}, {"format": "uuid"}, []),
    ("case of a date format", {**DATE, "format": "MM"}, {**DATE, "format": "mm"}, ["temporal-format-changed"]),
    (
        "zone by option",
        {"kind": "timestamp", "timezone_": True},
        {"kind": "timestamp", "timezone_": False},
        ["timestamp-zone-changed"],
    ),
    (
        "zone by option, as the type says already",
        {"kind": "timestamp", "physical_type": "timestamptz"},
        {"kind": "timestamp", "physical_type": "timestamptz", "timezone_": True},
        [],
    ),
    (
        "zone by type and option is one cause",
        {"kind": "timestamp", "physical_type": "timestamp_ntz"},
        {"kind": "timestamp", "physical_type": "timestamptz", "timezone_": True},
        ["timestamp-zone-changed"],
    ),
    ("default zone is UTC", {"kind": "timestamp"}, {"kind": "timestamp", "default_timezone": "Etc/UTC"}, []),
    (
        "default zone",
        {"kind": "timestamp"},
        {"kind": "timestamp", "default_timezone": "Europe/Berlin"},
        ["timezone-changed"],
    ),
    (
        "vector options",
        {"kind": "vector", "extras_": {"dimensions": 3}},
        {"kind": "vector", "extras_": {"dimensions": 4}},
        ["vector-shape-changed"],
    ),
    (
        "vector defaults",
        {"kind": "vector"},
        {"kind": "vector", "extras_": {"elementType": "float32", "normalized": False}},
        [],
    ),
)
MEANINGS: tuple[Row, ...] = (
    ("enum in other order", {"enum": (EnumValue("a"), EnumValue("b"))}, {"enum": (EnumValue("b"), EnumValue("a"))}, []),
    ("enum of 1 and 1.0", {"enum": (EnumValue(1),)}, {"enum": (EnumValue(1.0),)}, []),
    (
        "true is not 1",
        {"enum": (EnumValue(1),)},
        {"enum": (EnumValue(True),)},
        ["enum-value-removed", "enum-value-added"],
    ),
    (
        "text is not number",
        {"enum": (EnumValue(1),)},
        {"enum": (EnumValue("1"),)},
        ["enum-value-removed", "enum-value-added"],
    ),
    (
        "an id does not keep a value alive",
        {"enum": (EnumValue("a", id="1"),)},
        {"enum": (EnumValue("b", id="1"),)},
        ["enum-value-removed", "enum-value-added"],
    ),
    ("an empty enum is none", {}, {"enum": ()}, []),
    ("case of a currency", {"unit": "USD"}, {"unit": "usd"}, []),
    ("case of a prefix", {"unit": "mW"}, {"unit": "MW"}, ["unit-changed"]),
    ("names of UTC", {"timezone": "UTC"}, {"timezone": "Etc/UTC"}, []),
    ("zone no longer said", {"timezone": "UTC"}, {}, ["timezone-changed"]),
    ("case of a classification", {"classification": "PII"}, {"classification": "pii"}, []),
    ("phi is not a pii", {"classification": "pii"}, {"classification": "phi"}, ["classification-changed"]),
    (
        "sensitive is above internal",
        {"classification": "internal"},
        {"classification": "sensitive"},
        ["classification-raised"],
    ),
    (
        "identifier is below confidential",
        {"classification": "CONFIDENTIAL"},
        {"classification": "identifier"},
        ["classification-lowered"],
    ),
    (
        "a level outside the order",
        {"classification": "internal"},
        {"classification": "secret"},
        ["classification-changed"],
    ),
    ("kind of personal data", {"pii_type": "email"}, {"pii_type": "phone"}, ["classification-changed"]),
    ("documentation spaced otherwise", {"docs": {"description": "a\n b"}}, {"docs": {"description": "a b"}}, []),
    ("documentation lists are sets", {"docs": {"tags": ["a", "b"]}}, {"docs": {"tags": ["b", "a"]}}, []),
    ("empty documentation is none", {"docs": {"description": ""}}, {}, []),
    (
        "two documents changed are two facts",
        {"docs": {"a": "1", "b": "1"}},
        {"docs": {"a": "2", "b": "2"}},
        ["docs-changed", "docs-changed"],
    ),
    ("stable id", {"id": "1"}, {"id": "2"}, ["docs-changed"]),
)


def options(attributes: dict[str, Any]) -> dict[str, Any]:
    """Attributes with a trailing `_` belong to the options, where the column has a field of the same name."""
    from floe_contracts.contract.model import ValueOptions

    inner = {key[:-1]: attributes[key] for key in attributes if key.endswith("_")}
    rest = {key: value for key, value in attributes.items() if not key.endswith("_")}
    return {**rest, "options": ValueOptions(**inner)} if inner else rest


@pytest.mark.parametrize(("old", "new", "expected"), [row[1:] for row in BOUNDS], ids=[row[0] for row in BOUNDS])
def test_limits_are_compared_by_what_they_accept(old: dict[str, Any], new: dict[str, Any], expected: list[str]) -> None:
    assert kinds(old, new) == expected


@pytest.mark.parametrize(("old", "new", "expected"), [row[1:] for row in TYPES], ids=[row[0] for row in TYPES])
def test_a_type_changes_for_one_cause_once(old: dict[str, Any], new: dict[str, Any], expected: list[str]) -> None:
    assert kinds(options(old), options(new)) == expected


@pytest.mark.parametrize(("old", "new", "expected"), [row[1:] for row in MEANINGS], ids=[row[0] for row in MEANINGS])
def test_values_keep_their_meaning(old: dict[str, Any], new: dict[str, Any], expected: list[str]) -> None:
    assert kinds(old, new) == expected


ONE_WORD: tuple[tuple[str, Dialect, str, list[str]], ...] = (
    ("another dialect spells the logical type as its one word", Dialect.FIELDS, "STRING", []),
    ("so does an alias of it", Dialect.FLOE, "text", []),
    ("a physical type of ODCS is a promise of its own", Dialect.ODCS, "STRING", ["physical-type-added orders.a"]),
    ("another word says more", Dialect.FIELDS, "VARCHAR(20)", ["physical-type-added orders.a"]),
)


@pytest.mark.parametrize(("dialect", "word", "facts"), [row[1:] for row in ONE_WORD], ids=[row[0] for row in ONE_WORD])
def test_a_logical_type_in_another_dialect(dialect: Dialect, word: str, facts: list[str]) -> None:
    new = contract(column("a", physical_type=word), dialect=dialect)
    assert told(contract(column("a"), dialect=Dialect.ODCS), new) == facts
