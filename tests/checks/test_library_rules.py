"""Quality rules of the standard, version by version: what each measures, or why it is skipped."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

import pytest
from support.builders import column, contract, table

from floe_contracts.checks import measure as m
from floe_contracts.checks.rules.check import QualityCheck, TableRules
from floe_contracts.checks.rules.constraints import rules_of
from floe_contracts.checks.rules.library import fill_query
from floe_contracts.codes import Severity
from floe_contracts.contract.model import CustomProperty, QualityRule, Threshold

AMOUNT = ("amount",)
NONE = ((Threshold.MUST_BE, 0),)


def _at_column(rule: QualityRule) -> TableRules:
    one = contract(table(column(quality=(rule,)), column("other")))
    return rules_of(one, one.objects[0])


def _at_table(rule: QualityRule) -> TableRules:
    one = contract(table(column(), column("other"), quality=(rule,)))
    return rules_of(one, one.objects[0])


def library(metric: str, thresholds: Any = NONE, **more: Any) -> QualityRule:
    return QualityRule("library", metric=metric, thresholds=thresholds, **more)


def sql(query: str | None = "SELECT count(*) FROM {object}", thresholds: Any = NONE, **more: Any) -> QualityRule:
    return QualityRule("sql", query=query, thresholds=thresholds, **more)


@pytest.mark.parametrize(
    ("rule", "measure"),
    [
        pytest.param(library("nullValues"), m.NullCount(AMOUNT), id="nullValues"),
        pytest.param(library("missingValues"), m.MissingCount(AMOUNT), id="missingValues without a list"),
        pytest.param(
            library("missingValues", arguments={"missingValues": [None, "", "N/A"]}),
            m.MissingCount(AMOUNT, ("", "N/A")),
            id="missingValues: null always is one",
        ),
        pytest.param(
            library("invalidValues", arguments={"validValues": ["kg", "lb"]}),
            m.InvalidCount(AMOUNT, m.OneOf(("kg", "lb"))),
            id="invalidValues by a list",
        ),
        pytest.param(
            library("invalidValues", arguments={"pattern": "[A-Z]+"}),
            m.InvalidCount(AMOUNT, m.Matches("[A-Z]+")),
            id="invalidValues by a pattern",
        ),
        pytest.param(
            library("invalidValues", arguments={"validValues": ["A"], "pattern": "[A-Z]+"}),
            m.InvalidCount(AMOUNT, m.AllOf((m.OneOf(("A",)), m.Matches("[A-Z]+")))),
            id="invalidValues by both",
        ),
        pytest.param(library("duplicateValues"), m.DuplicateCount((AMOUNT,)), id="duplicateValues"),
        pytest.param(
            library("duplicateValues", arguments={"properties": ["amount", "other"]}),
            m.DuplicateCount((AMOUNT, ("other",))),
            id="duplicateValues with others",
        ),
        pytest.param(
            library("duplicateValues", unit="percent"),
            m.DuplicateCount((AMOUNT,), count_rows=True),
            id="duplicateValues in percent counts rows",
        ),
        pytest.param(library("rowCount"), m.RowCount(), id="rowCount"),
        pytest.param(library("duplicateCount"), m.DuplicateCount((AMOUNT,)), id="3.0: duplicateCount"),
        pytest.param(library("nullCheck", ()), m.NullCount(AMOUNT), id="3.0: nullCheck"),
        pytest.param(library("notNull", ()), m.NullCount(AMOUNT), id="3.0: notNull"),
        pytest.param(
            library("validValues", (), extras={"validValues": ["pounds"]}),
            m.InvalidCount(AMOUNT, m.OneOf(("pounds",))),
            id="3.0: validValues beside the rule",
        ),
        pytest.param(library("uniqueCheck"), m.DuplicateCount((AMOUNT,)), id="3.0: uniqueCheck"),
        pytest.param(
            sql("SELECT max({property}) FROM {object}"),
            m.SqlNumber("SELECT max({property}) FROM {object}", AMOUNT),
            id="sql at a column",
        ),
    ],
)
def test_a_rule_at_a_column(rule: QualityRule, measure: m.Measure) -> None:
    (found,) = _at_column(rule).rules
    assert (found.measure, found.source) == (measure, "quality")


@pytest.mark.parametrize(
    ("rule", "measure", "column_of"),
    [
        pytest.param(library("rowCount"), m.RowCount(), None, id="rowCount"),
        pytest.param(sql(), m.SqlNumber("SELECT count(*) FROM {object}"), None, id="sql"),
        pytest.param(
            library("duplicateValues", arguments={"properties": ["amount", "other"]}),
            m.DuplicateCount((AMOUNT, ("other",))),
            None,
            id="duplicateValues of a combination",
        ),
        pytest.param(
            library("nullValues", extras={"column": "amount"}), m.NullCount(AMOUNT), AMOUNT, id="a named column"
        ),
        pytest.param(
            library("nullValues", arguments={"property": "AMOUNT"}), m.NullCount(AMOUNT), AMOUNT, id="in another case"
        ),
    ],
)
def test_a_rule_at_the_table(rule: QualityRule, measure: m.Measure, column_of: tuple[str, ...] | None) -> None:
    (found,) = _at_table(rule).rules
    assert (found.measure, found.column) == (measure, column_of)


@pytest.mark.parametrize(
    ("rule", "reason"),
    [
        pytest.param(QualityRule("text"), "it is written for people, and nothing can run it", id="text"),
        pytest.param(
            QualityRule("custom", engine="soda"), "it is a check of soda, which only that engine can run", id="custom"
        ),
        pytest.param(
            library("freshness"), "'freshness' is not a metric of the standard's library", id="another metric"
        ),
        pytest.param(library("nullValues"), "a rule at the table must say which column it is about", id="which column"),
        pytest.param(
            library("duplicateValues"),
            "it does not say which columns; write arguments: {properties: [...]}",
            id="which columns",
        ),
        pytest.param(
            library("duplicateValues", arguments={"properties": ["nope"]}),
            "'nope' is not a column of orders",
            id="no column",
        ),
        pytest.param(
            library("invalidValues", extras={"column": "amount"}),
            "it says neither validValues nor a pattern",
            id="no test",
        ),
        pytest.param(
            library("rowCount", unit="percent"), "rows are not a percentage of anything", id="percent of rows"
        ),
        pytest.param(library("rowCount", unit="bytes"), "'bytes' is neither rows nor percent", id="another unit"),
        pytest.param(
            library("rowCount", ()),
            "it does not say what the number must be, for instance mustBe: 0",
            id="no threshold",
        ),
        pytest.param(
            library("rowCount", ((Threshold.MUST_BE, "many"),)),
            "mustBe compares with something that is not a number",
            id="a word",
        ),
        pytest.param(
            library("rowCount", ((Threshold.BETWEEN, [1]),)),
            "mustBeBetween compares with something that is not a number",
            id="half a range",
        ),
        pytest.param(sql(None), "it has no query", id="sql without a query"),
        pytest.param(sql(" "), "it has no query", id="sql of nothing"),
        pytest.param(
            sql("SELECT ${LIMIT} FROM ${table}"),
            "its query has the variable LIMIT, and nothing gives it a value",
            id="an open variable",
        ),
    ],
)
def test_a_rule_that_cannot_run_is_skipped_with_a_reason(rule: QualityRule, reason: str) -> None:
    found = _at_table(rule)
    assert (found.rules, [one.reason for one in found.skipped]) == ((), [reason])


def test_a_rule_below_an_array_counts_items() -> None:
    rule = library("nullValues", unit="percent")
    one = contract(column("lines", "array", items=column("", "object", properties=(column("sku", quality=(rule,)),))))
    (found,) = rules_of(one, one.objects[0]).rules
    path = ("lines", "[]", "sku")
    assert (found.measure, found.of) == (m.NullCount(path), m.ItemCount(path))


@pytest.mark.parametrize(
    "rule",
    [
        pytest.param(library("duplicateValues"), id="duplicates"),
        pytest.param(sql("SELECT 1"), id="sql"),
    ],
)
def test_some_rules_make_no_sense_below_an_array(rule: QualityRule) -> None:
    one = contract(column("tags", "array", items=column("", quality=(rule,))))
    found = rules_of(one, one.objects[0])
    assert (len(found.rules), len(found.skipped)) == (0, 1)


def _first(rule: QualityRule) -> QualityCheck:
    return _at_column(rule).rules[0]


def test_a_rule_keeps_what_its_author_said() -> None:
    rule = library(
        "nullValues",
        ((Threshold.LESS_THAN, 5),),
        id="few-nulls",
        name="few nulls",
        unit="percent",
        severity="warning",
        dimension="accuracy",
        custom=(CustomProperty("floe.weight", 2),),
    )
    found = _first(rule)
    assert (found.id, found.name, found.says) == ("orders.amount.few-nulls", "few nulls", "few nulls")
    assert (found.severity, found.dimension, found.weight) == (Severity.WARNING, "accuracy", Decimal(2))
    assert (found.unit, found.of, found.thresholds) == ("percent", m.RowCount(), ((Threshold.LESS_THAN, 5),))


def test_without_a_word_from_its_author_a_rule_is_an_error_of_its_metrics_dimension() -> None:
    found = _first(library("duplicateValues"))
    assert (found.severity, found.dimension, found.weight) == (Severity.ERROR, "uniqueness", Decimal(1))


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        pytest.param("SELECT 1 FROM {object}", "SELECT 1 FROM `t`", id="object"),
        pytest.param("SELECT max(${column}) FROM ${table};", "SELECT max(`c`) FROM `t`", id="dollars, and a semicolon"),
        pytest.param("SELECT { Property } FROM {schema}", "SELECT `c` FROM `t`", id="spaces and case"),
        pytest.param("SELECT '{other}' FROM orders", "SELECT '{other}' FROM orders", id="other braces stay"),
    ],
)
def test_a_query_gets_its_names(query: str, expected: str) -> None:
    assert fill_query(query, "`t`", "`c`") == expected
