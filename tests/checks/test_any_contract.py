"""Laws that hold for every contract: judges never fail, a table made from a contract has no drift, ids are unique."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st
from support.actual_columns import actual
from support.judgements import NOW, at
from support.strategies import contracts

from floe_contracts.checks.drift.judge import TableSchema, judge_schema_drift
from floe_contracts.checks.drift.type_match import expand_type
from floe_contracts.checks.freshness.judge import MeasuredPromise, judge_freshness
from floe_contracts.checks.lifecycle import judge_lifecycle
from floe_contracts.checks.measured import ITEM, KEY, VALUE, ActualColumn, Clock, Failure
from floe_contracts.checks.names import is_column, name_in_table
from floe_contracts.checks.promises.promise import clock_of, promises
from floe_contracts.checks.quality import TableQuality, judge_quality
from floe_contracts.checks.rules.constraints import rules_of
from floe_contracts.checks.rules.results import judge_rules
from floe_contracts.contract.model import Contract, Property, SchemaObject
from floe_contracts.results import Outcome

any_contract = given(contracts())
few = settings(max_examples=25)

_MADE_OF = {
    "string": "string",
    "boolean": "boolean",
    "integer": "bigint",
    "number": "double",
    "date": "date",
    "time": "time(6)",
    "timestamp": "timestamp",
    "object": "struct<x:int>",
    "array": "array<string>",
    "map": "map<string,string>",
    "vector": "array<float>",
}


def _made(prop: Property, name: str) -> ActualColumn:
    """The column that a person would create for a property."""
    prop = expand_type(prop)
    kind = prop.physical_type or _MADE_OF.get(prop.logical_type or _shape(prop), "string")
    level = actual(name, _zoned(prop, kind))
    return ActualColumn(name, level.type, True, tuple(_inside(prop)) or level.children, level.spelling)


def _shape(prop: Property) -> str:
    return "object" if prop.properties else "array" if prop.items else "map" if prop.map_key or prop.map_value else ""


def _zoned(prop: Property, kind: str) -> str:
    return "timestamp_ntz" if kind.casefold() == "timestamp" and prop.options.timezone is False else kind


def _inside(prop: Property) -> Iterator[ActualColumn]:
    for child in prop.properties:
        if is_column(child):
            yield _made(child, name_in_table(child))
    for label, side in ((ITEM, prop.items), (KEY, prop.map_key), (VALUE, prop.map_value)):
        if side is not None:
            yield _made(side, label)


def _table(table: SchemaObject) -> tuple[ActualColumn, ...]:
    return tuple(
        {name_in_table(prop): _made(prop, name_in_table(prop)) for prop in table.properties if is_column(prop)}.values()
    )


def _distinct(props: tuple[Property, ...]) -> bool:
    """Whether no two columns of one struct share a name in the table, in any case; such a table cannot exist."""
    names = [name_in_table(prop).casefold() for prop in props if is_column(prop)]
    deeper = all(_distinct(child.properties) for prop in props for child in (prop, *_sides(prop)))
    return len(names) == len(set(names)) and deeper


def _sides(prop: Property) -> Iterator[Property]:
    for side in (prop.items, prop.map_key, prop.map_value):
        if side is not None:
            yield side
            yield from _sides(side)


@few
@any_contract
def test_a_table_made_from_the_contract_has_no_drift(contract: Contract) -> None:
    tables = [table for table in contract.objects if _distinct(table.properties)]
    result = judge_schema_drift(contract, [TableSchema(table, _table(table), _table(table)) for table in tables])
    assert [item.message for item in result.findings] == []


@few
@any_contract
def test_rule_ids_are_unique_in_a_table(contract: Contract) -> None:
    for table in contract.objects:
        found = rules_of(contract, table)
        ids = [rule.id for rule in found.rules] + [rule.id for rule in found.skipped]
        assert len(ids) == len(set(ids))
        assert all(hash(measure) is not None for rule in found.rules for measure in rule.measures)


NUMBERS = st.one_of(
    st.integers(0, 10), st.decimals(allow_nan=True), st.floats(), st.none(), st.just(Failure("division by zero"))
)


@few
@given(contracts(), st.data())
def test_whatever_was_measured_gives_a_result(contract: Contract, data: Any) -> None:
    tables = []
    for table in contract.objects:
        found = rules_of(contract, table)
        values = {measure: data.draw(NUMBERS) for rule in found.rules for measure in rule.measures}
        tables.append(TableQuality(table, judge_rules(found.rules, values), found.skipped))
    result = judge_quality(contract, tables)
    score = dict(result.context).get("score")
    assert score is None or 0 <= float(score) <= 100


@few
@given(contracts(), st.one_of(st.none(), st.integers(-(10**18), at(NOW))))
def test_every_promise_is_judged_or_said_to_be_unreadable(contract: Contract, last_us: int | None) -> None:
    for table in contract.objects:
        own = [promise for promise in promises(contract, table) if promise.check == "freshness"]
        for promise in own:
            clock_of(contract, promise, None)
        answers = [MeasuredPromise(promise, Clock(last_us, "by scan", at(NOW), 1, 0, 0)) for promise in own]
        result = judge_freshness(contract, answers, as_of_us=at(NOW))
        assert (result.outcome is Outcome.SKIPPED) or own


@few
@any_contract
def test_every_contract_has_a_stage(contract: Contract) -> None:
    assert "stage" in dict(judge_lifecycle(contract, date(2026, 1, 1)).context)
