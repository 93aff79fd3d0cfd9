"""What changed in a table since the last check, and whether that breaks readers."""

from __future__ import annotations

import pytest
from support.actual_columns import actual, actuals
from support.builders import column, contract, table
from support.judgements import said, told

from floe_contracts.checks.drift.judge import TableSchema, judge_schema_drift
from floe_contracts.checks.measured import ActualColumn
from floe_contracts.results import CheckResult, Outcome

PROMISED = contract(
    table(
        column("id", "integer", required=True),
        column("amount", "number"),
        column("note", "string"),
        column("address", "object", properties=(column("city"),)),
    )
)
LAST = actuals(id="int", amount="double", note="varchar(10)", address="struct<city:string,door:int>", extra="int")


def _since(now: tuple[ActualColumn, ...], last: tuple[ActualColumn, ...] = LAST) -> CheckResult:
    return judge_schema_drift(PROMISED, [TableSchema(PROMISED.objects[0], now, last)])


def _now(**changes: str) -> tuple[ActualColumn, ...]:
    kinds = {one.name: one.spelling for one in LAST}
    return actuals(**{name: kind for name, kind in {**kinds, **changes}.items() if kind})


def _changes(result: CheckResult) -> list[str]:
    return [
        f"{item.code.id[-4:]} {item.rule} {item.element}" for item in result.findings if item.code.id[-2:] in "3334"
    ]


@pytest.mark.parametrize(
    ("changes", "expected"),
    [
        pytest.param({}, [], id="nothing changed"),
        pytest.param({"id": "bigint"}, ["E533 column-retyped id"], id="a larger number breaks readers"),
        pytest.param({"amount": "decimal(10,2)"}, ["E533 column-retyped amount"], id="another kind of number"),
        pytest.param({"note": "varchar(20)"}, ["E534 column-retyped note"], id="a longer text does not"),
        pytest.param({"note": "string"}, ["E534 column-retyped note"], id="nor one without a limit"),
        pytest.param({"note": "varchar(5)"}, ["E533 column-retyped note"], id="a shorter one does"),
        pytest.param({"note": "char(20)"}, ["E533 column-retyped note"], id="a text that is padded now"),
        pytest.param({"extra": ""}, ["E534 column-removed extra"], id="one without a promise was removed"),
        pytest.param({"extra": "string"}, ["E534 column-retyped extra"], id="one without a promise changed"),
        pytest.param({"more": "string"}, ["E534 column-added more"], id="a column was added"),
        pytest.param(
            {"address": "struct<city:string>"}, ["E534 column-removed address.door"], id="a field without a promise"
        ),
    ],
)
def test_a_change_since_the_last_check(changes: dict[str, str], expected: list[str]) -> None:
    assert _changes(_since(_now(**changes))) == expected


@pytest.mark.parametrize(
    ("changes", "expected", "change"),
    [
        pytest.param({"note": "int"}, "E530 note", "note changed its type from varchar(10) to int", id="a number now"),
        pytest.param({"amount": ""}, "E531 amount", "amount was removed", id="a promised column was removed"),
        pytest.param(
            {"address": "struct<door:int>"}, "E531 address.city", "address.city was removed", id="a promised field"
        ),
    ],
)
def test_what_is_wrong_and_new_is_one_finding(changes: dict[str, str], expected: str, change: str) -> None:
    told = [item for item in _since(_now(**changes)).findings if item.code.id[-4:] != "E532"]
    assert [f"{item.code.id[-4:]} {item.element}" for item in told] == [expected]
    assert told[0].suggestions[-1] == f"{change} since the last check."


def test_a_breaking_change_is_an_error_of_its_own_kind() -> None:
    result = _since(_now(amount="decimal(10,2)"))
    (found,) = [item for item in result.findings if item.rule == "column-retyped"]
    assert (found.violation_type, result.outcome) == ("breaking_change", Outcome.VIOLATED)
    assert found.message == "amount changed its type from double to decimal(10,2) since the last check"
    assert (found.expected, found.actual) == ("double", "decimal(10,2)")


def test_a_column_that_now_is_what_the_contract_says_is_only_told() -> None:
    result = _since(_now(), last=_now(amount="string"))
    assert _changes(result) == ["E534 column-retyped amount"]
    assert (result.outcome, said(result, "schema_drift_detected")) == (Outcome.PASSED, "1")


@pytest.mark.parametrize(
    ("name", "was", "now", "expected"),
    [
        pytest.param("id", False, True, ["E533 error"], id="a required column lost its constraint"),
        pytest.param("note", False, True, ["E534 info"], id="an optional one did"),
        pytest.param("id", True, False, ["E534 info"], id="a constraint was added"),
    ],
)
def test_a_constraint_of_the_table_changed(name: str, was: bool, now: bool, expected: list[str]) -> None:
    kind = {"id": "int", "note": "string"}[name]
    one = contract(table(column("id", "integer", required=True), column("note")))
    other = actual("note" if name == "id" else "id", "string" if name == "id" else "int")
    tables = TableSchema(
        one.objects[0], (actual(name, kind, nullable=now), other), (actual(name, kind, nullable=was), other)
    )
    assert told(judge_schema_drift(one, [tables])) == expected


def test_the_first_check_has_nothing_to_compare_with() -> None:
    assert _changes(judge_schema_drift(PROMISED, [TableSchema(PROMISED.objects[0], LAST)])) == []


def test_another_case_is_no_change() -> None:
    upper = tuple(ActualColumn(one.name.upper(), one.type, one.nullable, one.children, one.spelling) for one in LAST)
    assert _changes(_since(upper)) == []
