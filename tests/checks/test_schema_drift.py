"""Drift between a contract and a table: every probe that other tools miss or call wrongly, and then some."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from support.actual_columns import actual, actuals
from support.builders import column, contract, table
from support.judgements import said, told

from floe_contracts.checks.drift.judge import TableSchema, judge_schema_drift
from floe_contracts.checks.drift.type_match import Reading
from floe_contracts.checks.measured import ActualColumn, Failure
from floe_contracts.contract.meaning.privacy import PrivacyRules
from floe_contracts.contract.model import Contract, Dialect, Property
from floe_contracts.results import CheckResult, Outcome


def drift(props: tuple[Property, ...], found: tuple[ActualColumn, ...], reading: Reading | None = None) -> CheckResult:
    one = contract(table(*props))
    return judge_schema_drift(one, [TableSchema(one.objects[0], found, reading=reading or Reading())])


def _typed(kind: str) -> tuple[Property, ...]:
    return (column("c", None, physical_type=kind),)


def _logical(kind: str, **more: Any) -> tuple[Property, ...]:
    return (column("c", kind, **more),)


# research: what datacontract-cli's Spark check misses.
@pytest.mark.parametrize(
    ("props", "found"),
    [
        pytest.param(_logical("integer"), "double", id="double where integer is promised"),
        pytest.param(_typed("bigint"), "int", id="int against bigint"),
        pytest.param(_typed("decimal(10,2)"), "decimal(12,4)", id="another precision and scale"),
        pytest.param(_typed("decimal(12,4)"), "decimal(10,2)", id="and back"),
        pytest.param(_typed("decimal(10,2)"), "double", id="double against decimal"),
        pytest.param(_typed("timestamp"), "timestamp_ntz", id="timestamp_ntz for timestamp"),
        pytest.param(_typed("timestamp_ntz"), "timestamp", id="timestamp for timestamp_ntz"),
        pytest.param(_typed("varchar(20)"), "varchar(10)", id="a shorter varchar"),
        pytest.param(_logical("timestamp"), "date", id="date for timestamp"),
        pytest.param(_logical("date"), "timestamp", id="timestamp for date"),
        pytest.param(_logical("date"), "string", id="string for date"),
        pytest.param(_logical("string"), "binary", id="binary for string"),
        pytest.param(_logical("array", items=column("", "string")), "array<int>", id="another item type"),
        pytest.param(_logical("object", properties=(column("a"),)), "map<string,string>", id="a map for an object"),
        pytest.param(
            _logical("object", properties=(column("a", "integer"),)), "struct<a:string>", id="a nested change"
        ),
        pytest.param(_typed("map<string,int>"), "map<string,bigint>", id="another map value"),
        pytest.param(_typed("array<struct<a:int>>"), "array<struct<a:bigint>>", id="deep inside a type text"),
        pytest.param(_typed("interval day to second"), "interval year to month", id="another interval"),
        pytest.param(_typed("time(6)"), "string", id="string for time"),
        pytest.param(_typed("variant"), "string", id="string for variant"),
        pytest.param(_logical("string"), "void", id="a column of nothing"),
    ],
)
def test_another_type_is_found(props: tuple[Property, ...], found: str) -> None:
    result = drift(props, (actual("c", found),))
    assert told(result) == ["E530 error"]
    assert (result.outcome, said(result, "schema_drift_detected")) == (Outcome.VIOLATED, "1")


# research: where it raises false alarms.
@pytest.mark.parametrize(
    ("props", "found"),
    [
        pytest.param(_typed("variant"), actuals(c="variant"), id="variant"),
        pytest.param(_typed("time(6)"), actuals(c="time(6)"), id="time"),
        pytest.param((column("a.b", "integer"),), (actual("a.b", "int"),), id="a name with a dot"),
        pytest.param((column("unit price", "number"),), (actual("unit price", "double"),), id="a name with a space"),
        pytest.param((column("select", "string"),), (actual("select", "string"),), id="a reserved word"),
        pytest.param((column("`tick`", "string"),), (actual("`tick`", "string"),), id="a name with backticks"),
        pytest.param((column("größe", "number"),), (actual("größe", "double"),), id="a name beyond ASCII"),
        pytest.param(
            (column("id", "string", physical_name="ID_1"),), (actual("ID_1", "string"),), id="a physical name"
        ),
        pytest.param(
            (column("total", "number", semantic_type="measure"), column("a")), actuals(a="string"), id="a measure"
        ),
        pytest.param(
            (column("mail", encrypted_name="mail_x"),), actuals(mail="string", mail_x="string"), id="an encrypted twin"
        ),
        pytest.param(_logical("object"), actuals(c="struct<a:int>"), id="an object that describes no fields"),
        pytest.param(_logical("array"), actuals(c="array<int>"), id="an array that describes no items"),
    ],
)
def test_what_fits_is_silent(props: tuple[Property, ...], found: tuple[ActualColumn, ...]) -> None:
    result = drift(props, found)
    assert (result.findings, result.outcome) == ((), Outcome.PASSED)
    assert said(result, "schema_drift_detected") == "0"


NESTED = (
    column("order_id", "string", physical_type="varchar(36)"),
    column("amount", "number", physical_type="decimal(12,2)"),
    column("address", "object", properties=(column("city"), column("zip", "integer"))),
    column("lines", "array", items=column("", "object", properties=(column("sku"), column("qty", "integer")))),
    column("attrs", "map", map_key=column("", "string"), map_value=column("", "number")),
    column("raw", None, physical_type="struct<a:int,b:array<string>>"),
)
MADE = actuals(
    order_id="varchar(36)",
    amount="decimal(12,2)",
    address="struct<city:string,zip:int>",
    lines="array<struct<sku:string,qty:bigint>>",
    attrs="map<string,double>",
    raw="struct<a:int,b:array<string>>",
)


def test_a_table_made_from_the_contract_shows_no_drift() -> None:
    assert drift(NESTED, MADE).findings == ()


def _made(**changes: str) -> tuple[ActualColumn, ...]:
    kinds = {one.name: one.spelling for one in MADE}
    return actuals(**{name: kind for name, kind in {**kinds, **changes}.items() if kind})


@pytest.mark.parametrize(
    ("changes", "expected", "element"),
    [
        pytest.param({"amount": ""}, "E531 error", "amount", id="a column is gone"),
        pytest.param({"address": "struct<city:string>"}, "E531 error", "address.zip", id="a nested field is gone"),
        pytest.param(
            {"lines": "array<struct<sku:string>>"}, "E531 error", "lines[].qty", id="a field of items is gone"
        ),
        pytest.param({"lines": "array<struct<qty:int>>"}, "E531 error", "lines[].sku", id="or another"),
        pytest.param({"raw": "struct<a:int>"}, "E531 error", "raw.b", id="a field of a type text is gone"),
        pytest.param({"order_id": "varchar(20)"}, "E530 error", "order_id", id="a shorter text"),
        pytest.param({"amount": "decimal(10,2)"}, "E530 error", "amount", id="another precision"),
        pytest.param({"address": "struct<city:string,zip:string>"}, "E530 error", "address.zip", id="a nested type"),
        pytest.param({"lines": "array<struct<sku:int,qty:int>>"}, "E530 error", "lines[].sku", id="a type in items"),
        pytest.param({"attrs": "map<int,double>"}, "E530 error", "attrs{key}", id="a map's key"),
        pytest.param({"attrs": "map<string,string>"}, "E530 error", "attrs{value}", id="a map's value"),
        pytest.param({"raw": "struct<a:int,b:array<int>>"}, "E530 error", "raw.b[]", id="deep in a type text"),
        pytest.param({"note": "string"}, "E532 info", "note", id="an extra column"),
        pytest.param(
            {"address": "struct<city:string,zip:int,door:int>"}, "E532 info", "address.door", id="an extra field"
        ),
        pytest.param(
            {"lines": "array<struct<sku:string,qty:int,tax:int>>"},
            "E532 info",
            "lines[].tax",
            id="an extra field in items",
        ),
    ],
)
def test_every_single_change_is_found(changes: dict[str, str], expected: str, element: str) -> None:
    result = drift(NESTED, _made(**changes))
    assert (told(result), [item.element for item in result.findings]) == ([expected], [element])


def test_an_extra_column_is_told_and_counted_but_the_check_passes() -> None:
    result = drift((column("a"),), actuals(a="string", b="int"))
    (found,) = result.findings
    assert (result.outcome, said(result, "schema_drift_detected")) == (Outcome.PASSED, "1")
    assert (found.violation_type, found.actual) == ("schema_drift", "int")


def test_both_sides_of_a_wrong_type_are_told_in_their_own_spelling() -> None:
    (found,) = drift(_typed("NUMERIC(12, 2)"), actuals(c="double")).findings
    assert found.message == "c is double, the contract promises NUMERIC(12, 2)"
    assert (found.expected, found.actual, found.violation_type) == ("NUMERIC(12, 2)", "double", "schema_mismatch")


@pytest.mark.parametrize(
    ("prop", "promised"),
    [
        pytest.param(column("c", "string"), "string", id="a logical type"),
        pytest.param(column("c", None, items=column("", "string")), "array", id="what is described inside"),
        pytest.param(column("c", "string", physical_type="TEXT"), "TEXT", id="a physical type before a logical one"),
    ],
)
def test_the_promise_is_told_as_written(prop: Property, promised: str) -> None:
    (found,) = drift((prop,), actuals(c="binary")).findings
    assert found.expected == promised


def test_a_renamed_column_is_guessed() -> None:
    result = drift((column("user_id"),), actuals(userId="string"))
    assert sorted(told(result)) == ["E531 error", "E532 info"]
    missing = next(item for item in result.findings if item.rule == "column-missing")
    assert missing.suggestions == ("The table has userId, which the contract does not name; was it renamed?",)


@pytest.mark.parametrize(
    ("case_sensitive", "expected"),
    [
        pytest.param(False, ["E535 info"], id="Spark reads them as one"),
        pytest.param(True, ["E531 error", "E532 info"], id="unless it is told not to"),
    ],
)
def test_a_difference_in_case(case_sensitive: bool, expected: list[str]) -> None:
    result = drift((column("userid"),), actuals(UserID="string"), reading=Reading(case_sensitive=case_sensitive))
    assert told(result) == expected


def test_a_difference_in_case_alone_is_no_drift() -> None:
    result = drift((column("userid"),), actuals(UserID="string"))
    assert said(result, "schema_drift_detected") == "0"


def test_two_columns_that_differ_in_case_are_told_apart() -> None:
    assert told(drift((column("a"), column("A", "integer")), actuals(A="int", a="string"))) == []
    assert told(drift((column("a"),), actuals(A="int", a="string"))) == ["E532 info"]


def test_names_that_would_confuse_are_quoted() -> None:
    props = (column("a.b", "integer"), column("address", "object", properties=(column("post code"),)))
    result = drift(props, actuals(address="struct<x:int>"))
    assert [item.element for item in result.findings if item.code.id == "FLOE-E531"] == ["`a.b`", "address.`post code`"]


def test_with_several_tables_the_element_names_its_table() -> None:
    one = contract(table(column("a"), name="orders"), table(column("b"), name="lines"))
    schemas = [TableSchema(one.objects[0], ()), TableSchema(one.objects[1], actuals(b="string"))]
    assert [item.element for item in judge_schema_drift(one, schemas).findings] == ["orders.a"]


def test_whether_a_column_may_be_null_is_for_the_data_to_show() -> None:
    assert drift((column("a", required=True),), (actual("a", "string", nullable=True),)).findings == ()


def test_a_type_that_nobody_knows_is_listed_as_not_compared() -> None:
    result = drift((column("place", None, physical_type="geohash"),), actuals(place="string"))
    assert (result.outcome, said(result, "not_compared")) == (Outcome.PASSED, "place")


def test_a_table_that_cannot_be_read_is_errored_and_moves_no_gauge() -> None:
    one = contract()
    result = judge_schema_drift(one, [TableSchema(one.objects[0], Failure("table orders does not exist"))])
    assert (result.outcome, said(result, "schema_drift_detected")) == (Outcome.ERRORED, None)


def test_odcs_3_0_dates_may_be_timestamps() -> None:
    one = Contract("c", "1.0.0", objects=(table(column("d", "date")),), dialect=Dialect.ODCS, api_version="v3.0.2")
    newer = Contract("c", "1.0.0", objects=one.objects, dialect=Dialect.ODCS, api_version="v3.1.0")
    found = actuals(d="timestamp")
    assert judge_schema_drift(one, [TableSchema(one.objects[0], found)]).findings == ()
    assert told(judge_schema_drift(newer, [TableSchema(one.objects[0], found)])) == ["E530 error"]


PERSONAL = [
    pytest.param((column("id"),), {"id": "string", "email": "string"}, ["email"], id="a column"),
    pytest.param((column("id"),), {"id": "string", "EMail": "string"}, ["EMail"], id="in another case"),
    pytest.param((column("id"),), {"id": "string", "who": "struct<email:string>"}, ["who.email"], id="inside one"),
    pytest.param((column("email"),), {"email": "string"}, [], id="declared"),
    pytest.param((column("id"),), {"id": "string", "total": "int"}, [], id="another name"),
    pytest.param((), {"email": "string"}, ["email"], id="a table without columns in the contract"),
]


@pytest.mark.parametrize(("props", "found", "elements"), PERSONAL)
def test_an_undeclared_column_of_personal_data_is_a_warning(
    props: tuple[Property, ...], found: dict[str, str], elements: list[str]
) -> None:
    one = contract(replace(table(column("id")), properties=props))
    schema = TableSchema(one.objects[0], actuals(**found), privacy=PrivacyRules(pii_names=("*email*",)))
    result = judge_schema_drift(one, [schema])
    warned = [item for item in result.findings if item.code.id == "FLOE-E514"]
    assert [item.element for item in warned] == elements
    assert all((item.severity.value, item.rule) == ("warning", "pii-undeclared") for item in warned)
    assert result.outcome is Outcome.PASSED, "a warning of the policy violates no promise"


@pytest.mark.parametrize(
    ("missing", "seen", "severity"),
    [
        pytest.param(True, True, "error", id="it was there before"),
        pytest.param(True, False, "warning", id="nobody ever saw it"),
        pytest.param(False, True, "warning", id="it may be there still"),
    ],
)
def test_a_table_that_was_there_and_is_gone_is_an_error(missing: bool, seen: bool, severity: str) -> None:
    one = contract(column("id"))
    schema = TableSchema(one.objects[0], Failure("Path does not exist", missing=missing), () if seen else None)
    result = judge_schema_drift(one, [schema])
    assert [(item.code.id, item.severity.value) for item in result.findings] == [("FLOE-E560", severity)]
