"""Agreement with `datacontract breaking` on its own rules: each disagreement stands here with its reason."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from support.odcs_pairs import Pair, checked, column, promised, retyped, table

from floe_contracts.compat.facts import facts_between
from floe_contracts.compat.ruleset import make_ruleset
from floe_contracts.contract.load import Loaded
from floe_contracts.results import Bump

KEY = "logicalType: string, primaryKey: true"
STRUCT = "logicalType: object, properties: [{name: zip, logicalType: %s}, {name: city, logicalType: string}]"
FRESH = "{property: freshness, value: %s, unit: %s, element: orders.at}"


def limited(old: str, new: str, kind: str = "number") -> Pair:
    texts = (f", logicalTypeOptions: {{{options}}}" if options else "" for options in (old, new))
    return retyped(*(f"logicalType: {kind}{text}" for text in texts))


PAIRS = {
    "a table is removed": Pair(
        "schema: [{name: a, properties: [{name: x}]}, {name: b, properties: [{name: y}]}]",
        "schema: [{name: a, properties: [{name: x}]}]",
    ),
    "a table is added": Pair(
        "schema: [{name: a, properties: [{name: x}]}]",
        "schema: [{name: a, properties: [{name: x}]}, {name: b, properties: [{name: y}]}]",
    ),
    "a column is removed": Pair(table(column("a"), column("b", "logicalType: date")), table(column("a"))),
    "an optional column is added": Pair(table(column("a")), table(column("a"), column("b", "logicalType: date"))),
    "a required column is added": Pair(
        table(column("a")), table(column("a"), column("b", "logicalType: date, required: true"))
    ),
    "a field of a struct is removed": retyped(
        STRUCT % "string", "logicalType: object, properties: [{name: zip, logicalType: string}]"
    ),
    "a stored name changes": retyped("logicalType: date, physicalName: a", "logicalType: date, physicalName: b"),
    "a column may be null": retyped("logicalType: date, required: true", "logicalType: date"),
    "a column may not be null": retyped("logicalType: date", "logicalType: date, required: true"),
    "a logical type changes": retyped("logicalType: string", "logicalType: integer"),
    "a type in a struct changes": retyped(STRUCT % "string", STRUCT % "integer"),
    "a type in an array changes": retyped(
        "logicalType: array, items: {logicalType: string}", "logicalType: array, items: {logicalType: integer}"
    ),
    "a physical type grows": retyped("physicalType: INT", "physicalType: BIGINT"),
    "a physical type shrinks": retyped("physicalType: BIGINT", "physicalType: INT"),
    "a physical type in another case": retyped('physicalType: "VARCHAR(20)"', 'physicalType: "varchar(20)"'),
    "a physical type with another space": retyped('physicalType: "DECIMAL(12,2)"', 'physicalType: "DECIMAL(12, 2)"'),
    "values are unique": retyped("logicalType: string", "logicalType: string, unique: true"),
    "values may repeat": retyped("logicalType: string, unique: true", "logicalType: string"),
    "a primary key is dropped": Pair(table(column("a", KEY)), table(column("a"))),
    "a primary key is added": Pair(table(column("a")), table(column("a", KEY))),
    "a primary key is widened": Pair(table(column("a", KEY), column("b")), table(column("a", KEY), column("b", KEY))),
    "a pattern is added": limited("", "pattern: ^a", "string"),
    "a pattern is removed": limited("pattern: ^a", "", "string"),
    "a pattern changes": limited("pattern: ^a", "pattern: ^b", "string"),
    "a longest length grows": limited("maxLength: 5", "maxLength: 9", "string"),
    "a longest length shrinks": limited("maxLength: 9", "maxLength: 5", "string"),
    "a least value falls": limited("minimum: 5", "minimum: 0"),
    "a least value rises": limited("minimum: 0", "minimum: 5"),
    "a greatest value is dropped": limited("maximum: 5", ""),
    "a least number of items falls": limited("minItems: 2", "minItems: 1", "array"),
    "an enum value is added": retyped(
        "logicalType: string, enum: [{value: a}]", "logicalType: string, enum: [{value: a}, {value: b}]"
    ),
    "an enum value is removed": retyped(
        "logicalType: string, enum: [{value: a}, {value: b}]", "logicalType: string, enum: [{value: a}]"
    ),
    "an enum is introduced": retyped("logicalType: string", "logicalType: string, enum: [{value: a}]"),
    "an enum is dropped": retyped("logicalType: string, enum: [{value: a}]", "logicalType: string"),
    "a vector has other dimensions": limited("dimensions: 3", "dimensions: 4", "vector"),
    "a foreign key is added": Pair(
        table(column("a")), table(column("a", "logicalType: string, relationships: [{to: other.id}]"))
    ),
    "a foreign key is dropped": Pair(
        table(column("a", "logicalType: string, relationships: [{to: other.id}]")), table(column("a"))
    ),
    "freshness is relaxed": promised(FRESH % (6, "h"), FRESH % (12, "h")),
    "freshness is tightened": promised(FRESH % (12, "h"), FRESH % (6, "h")),
    "freshness in another unit": promised(FRESH % (6, "h"), FRESH % (360, "minutes")),
    "freshness is removed": promised(FRESH % (6, "h")),
    "freshness is added": promised("", FRESH % (6, "h")),
    "a quality rule is added": checked("", "{metric: rowCount, mustBeGreaterThan: 0}"),
    "a quality rule is removed": checked("{metric: rowCount, mustBeGreaterThan: 0}"),
    "a row floor falls": checked(
        "{metric: rowCount, mustBeGreaterThan: 9}", "{metric: rowCount, mustBeGreaterThan: 5}"
    ),
    "a row floor rises": checked(
        "{metric: rowCount, mustBeGreaterThan: 5}", "{metric: rowCount, mustBeGreaterThan: 9}"
    ),
    "a threshold in other words": checked(
        "{metric: rowCount, mustBeGreaterThan: 0}", "{metric: rowCount, mustBeGreaterOrEqualTo: 1}"
    ),
    "a description": retyped("logicalType: string", "logicalType: string, description: Free text"),
    "tags": Pair("tags: [a]", "tags: [a, b]"),
    "defaults are written out": retyped("logicalType: string", "logicalType: string, required: false, unique: false"),
}

SPELLING = "it compares the text of types; case and spaces mean nothing to a database"
GRAIN = "a key says what one row is; gaining one means that rows meant something else, or that nobody could know"
FILTERS = "filters on the value match nothing and reports show zero without an error"
PATTERNS = "it warns; whether one pattern accepts all that another does cannot be decided, so we cannot prove it safe"
NOBODY_YET = "it calls every addition a break for producers; rows without the column, or no rows at all, break nobody"
OLD_ROWS = "the versioning table asks for MAJOR: rows written before cannot have a value"
TIGHTER = "the versioning table calls a tightened type MAJOR, and a pattern is of the same kind"
NEW_VALUES = "the versioning table calls a new value compatible; the report carries a caution"

# our profile: whose view it is compared with, and every pair on which we say the opposite
DISAGREEMENTS: dict[str, tuple[tuple[str, ...], dict[str, str]]] = {
    "consumer": (
        ("consumer",),
        {
            "a physical type in another case": SPELLING,
            "a physical type with another space": SPELLING,
            "a primary key is added": GRAIN,
            "a pattern changes": PATTERNS,
            "an enum value is removed": FILTERS,
        },
    ),
    "full": (
        ("consumer", "producer"),
        {
            "a table is added": NOBODY_YET,
            "an optional column is added": NOBODY_YET,
            "a physical type in another case": SPELLING,
            "a physical type with another space": SPELLING,
            "a pattern changes": PATTERNS,
        },
    ),
    "floe": (
        ("consumer",),
        {
            "a required column is added": OLD_ROWS,
            "a physical type in another case": SPELLING,
            "a physical type with another space": SPELLING,
            "a primary key is added": GRAIN,
            "a pattern is added": TIGHTER,
            "a pattern changes": PATTERNS,
            "an enum value is added": NEW_VALUES,
            "an enum value is removed": FILTERS,
        },
    ),
}

Breaks = Callable[[Pair, str], bool]


@pytest.fixture(scope="module")
def theirs() -> Breaks:
    """Whether `datacontract breaking` fails in a perspective; without its own validation, which ours replaces."""
    pytest.importorskip("datacontract")
    from datacontract.data_contract import DataContract
    from open_data_contract_standard.model import OpenDataContractStandard

    def contract(side: Loaded) -> Any:
        model = OpenDataContractStandard.model_validate(side.document.value)
        return DataContract(data_contract=model, inline_references=False)

    def breaks(pair: Pair, perspective: str) -> bool:
        old, new = pair.loaded()
        return bool(contract(old).breaking(contract(new), perspective=perspective).is_breaking)

    return breaks


def ours(pair: Pair, profile: str) -> bool:
    old, new = (side.contract for side in pair.loaded())
    assert old is not None
    assert new is not None
    rules = make_ruleset(profile)
    return any(rules.cost(fact.kind) is Bump.MAJOR for fact in facts_between(old, new))


@pytest.mark.parametrize("name", PAIRS)
@pytest.mark.parametrize("profile", DISAGREEMENTS)
def test_we_agree_unless_the_table_says_why_not(theirs: Breaks, name: str, profile: str) -> None:
    perspectives, reasons = DISAGREEMENTS[profile]
    pair = PAIRS[name]
    they_break = any(theirs(pair, perspective) for perspective in perspectives)
    assert (ours(pair, profile) is not they_break) is (name in reasons)
