"""Quality: one violation per broken rule, the arithmetic of the score, and promises about both."""

from __future__ import annotations

import json
from dataclasses import replace
from datetime import date
from decimal import Decimal
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.builders import column, contract, table
from support.judgements import at, said, sla, told
from support.rule_samples import one_result as _one
from support.rule_samples import quality, rule

from floe_contracts.checks.measured import DayRows, Failure
from floe_contracts.checks.moments import last_complete_day
from floe_contracts.checks.quality import TableQuality, judge_quality, score_of
from floe_contracts.checks.rules.check import SkippedRule
from floe_contracts.checks.rules.results import RuleResult
from floe_contracts.codes import Severity
from floe_contracts.contract.model import Contract, Sla
from floe_contracts.results import Outcome


def test_each_broken_rule_is_one_violation_with_its_own_severity_and_dimension() -> None:
    results = (
        _one(1, name="not_null", dimension="completeness"),
        _one(1, name="few", severity=Severity.WARNING, source="quality"),
        _one(0, name="fine"),
    )
    result = quality(*results)
    assert sorted(told(result)) == ["E553 error", "E553 warning"]
    assert {item.violation_type for item in result.findings} == {"quality_violation"}
    first = next(item for item in result.findings if item.severity is Severity.ERROR)
    assert (first.rule, dict(first.context)["dimension"]) == ("not-null", "completeness")
    assert dict(first.context)["rule_id"] == "orders.amount.not_null"


def test_a_broken_rule_of_severity_info_is_told_and_the_check_passes() -> None:
    result = quality(_one(1, severity=Severity.INFO))
    assert (told(result), result.outcome) == (["E553 info"], Outcome.PASSED)


@pytest.mark.parametrize(
    ("rules", "score"),
    [
        pytest.param([(1, "pass")], "100", id="all met"),
        pytest.param([(1, "fail")], "0", id="none met"),
        pytest.param([(1, "pass"), (1, "fail")], "50", id="half"),
        pytest.param([(3, "pass"), (1, "fail")], "75", id="weights count"),
        pytest.param([("0.5", "pass"), ("0.5", "pass"), (1, "fail")], "50", id="also below one"),
        pytest.param([(1, "pass"), (9, "error")], "100", id="errored rules are left out"),
        pytest.param([(1, "pass"), (0, "fail")], "100", id="no weight, no share"),
        pytest.param([(1, "pass"), (1, "pass"), (1, "fail")], "200/3", id="thirds stay exact"),
        pytest.param([(1, "error")], None, id="nothing could be measured"),
        pytest.param([], None, id="no rules"),
    ],
)
def test_the_score_is_the_weighted_share_of_rules_met(rules: list[tuple[Any, Any]], score: str | None) -> None:
    results = [RuleResult(rule(weight=Decimal(weight)), status) for weight, status in rules]
    assert score_of(results) == (None if score is None else Fraction(score))


@pytest.mark.parametrize(
    ("met", "broken", "printed"),
    [
        pytest.param(2, 1, "66.66", id="two thirds"),
        pytest.param(99_999, 1, "99.99", id="nearly all is never 100"),
        pytest.param(3, 0, "100.00", id="all"),
    ],
)
def test_the_score_is_printed_rounded_down(met: int, broken: int, printed: str) -> None:
    results = (RuleResult(rule(weight=Decimal(met)), "pass"), RuleResult(rule(weight=Decimal(broken)), "fail"))
    assert said(quality(*results), "score") == printed


def test_errored_rules_are_said_and_not_scored() -> None:
    result = quality(_one(0), _one(Failure("division by zero"), name="ratio"))
    assert (result.outcome, told(result)) == (Outcome.ERRORED, ["E560 warning"])
    assert (said(result, "score"), said(result, "rules_errored")) == ("100.00", "1")
    assert result.findings[0].message == "amount could not be measured: ratio: division by zero"


def test_rules_that_one_cause_took_along_are_one_finding() -> None:
    gone = [RuleResult(rule(name=name), "error", reason="id is not in the table") for name in ("not_null", "unique")]
    other = RuleResult(rule(name="pattern"), "error", reason="Java cannot read the pattern")
    result = judge_quality(contract(table(column("id"))), [TableQuality(table(column("id")), (*gone, other))])
    assert [item.message.partition("measured: ")[2] for item in result.findings] == [
        "not_null, unique: id is not in the table",
        "pattern: Java cannot read the pattern",
    ]


def test_a_struct_that_is_gone_is_one_finding_for_all_of_its_fields() -> None:
    gone = [
        RuleResult(replace(rule(name=name), element=element), "error", reason="of is not in the table", lacks="of")
        for name, element in (("not_null", "of.a"), ("range", "of.a"), ("pattern", "of.b"))
    ]
    result = judge_quality(contract(table(column("id"))), [TableQuality(table(column("id")), tuple(gone))])
    assert [item.message for item in result.findings] == [
        "of could not be measured: not_null, range, pattern: of is not in the table"
    ]


def test_a_table_that_could_not_be_read_is_errored() -> None:
    result = quality(failure=Failure("table orders does not exist"))
    assert (result.outcome, said(result, "score")) == (Outcome.ERRORED, None)


def test_a_contract_without_rules_is_skipped() -> None:
    result = quality()
    assert (result.outcome, said(result, "status")) == (Outcome.SKIPPED, "no_promise")


@pytest.mark.parametrize(
    ("promised", "expected"),
    [
        pytest.param(sla("quality", 50, element=None), [], id="exactly the score"),
        pytest.param(sla("quality", "50.01%", element=None), ["E554 error"], id="just above it"),
        pytest.param(sla("quality", 0.9, element=None), ["E554 error"], id="as a share"),
        pytest.param(sla("completeness", 100, element=None), [], id="the rules of that dimension are met"),
        pytest.param(sla("uniqueness", 100, element=None), ["E554 error"], id="those of this one are not"),
        pytest.param(sla("accuracy", 100, element=None), [], id="a dimension without rules"),
        pytest.param(sla("quality", 100, element="orders.amount"), ["E554 error"], id="of one column"),
        pytest.param(sla("quality", 100, element="orders.note"), [], id="of a column without rules"),
    ],
)
def test_a_promised_score(promised: Sla, expected: list[str]) -> None:
    results = (_one(0, dimension="completeness"), _one(1, name="unique", dimension="uniqueness"))
    result = quality(*results, slas=(promised,))
    assert [line for line in told(result) if line.startswith("E554")] == expected


def test_a_missed_score_is_told_beside_the_rules() -> None:
    result = quality(_one(0), _one(1, name="unique"), slas=(sla("quality", 99, element=None),))
    assert sorted(told(result)) == ["E553 error", "E554 error"]
    below = next(item for item in result.findings if item.code.id == "FLOE-E554")
    assert below.message == "The quality score of orders is 50.00%, SLA is 99%"
    assert said(result, "threshold") == "99.00"


def _shop(results: dict[str, tuple[RuleResult, ...]], *slas: Sla) -> tuple[Contract, list[TableQuality]]:
    one = contract(table(column(), name="orders"), table(column(), name="lines"), slas=slas)
    return one, [TableQuality(each, results.get(each.name, ())) for each in one.objects]


def test_the_score_is_over_all_rules_of_all_tables() -> None:
    one, tables = _shop({"orders": (_one(0),), "lines": (_one(1), _one(0, name="b"), _one(0, name="c"))})
    assert said(judge_quality(one, tables), "score") == "75.00"


def test_a_promise_about_the_contract_is_judged_once() -> None:
    promised = sla("quality", 99, element=None)
    one, tables = _shop({"orders": (_one(0),), "lines": (_one(1),)}, promised)
    assert [line for line in told(judge_quality(one, tables)) if "E554" in line] == ["E554 error"]


FLOOR = sla("min_rows_per_day", 10000, element=None)
DAY = date(2026, 1, 2)


@pytest.mark.parametrize(
    ("rows", "expected"),
    [
        pytest.param(DayRows(DAY, 10001), [], id="more"),
        pytest.param(DayRows(DAY, 10000), [], id="exactly"),
        pytest.param(DayRows(DAY, 9999), ["E555 error"], id="one too few"),
        pytest.param(DayRows(DAY, 0), ["E555 error"], id="none"),
        pytest.param(Failure("no clock"), ["E560 warning"], id="not counted"),
        pytest.param(None, ["E560 warning"], id="not asked"),
    ],
)
def test_the_last_complete_day_needs_its_rows(rows: Any, expected: list[str]) -> None:
    assert told(quality(_one(0), slas=(FLOOR,), rows_of_day=rows)) == expected


def test_a_floor_that_is_no_number_is_said() -> None:
    result = quality(_one(0), slas=(sla("min_rows_per_day", "many", element=None),), rows_of_day=DayRows(DAY, 7))
    assert (result.outcome, told(result)) == (Outcome.ERRORED, ["E560 warning"])


def test_the_promised_score_is_that_of_quality_alone() -> None:
    assert said(quality(_one(0), slas=(sla("completeness", 80, element=None),)), "threshold") is None


def test_the_message_names_the_day() -> None:
    (found,) = quality(slas=(FLOOR,), rows_of_day=DayRows(DAY, 7)).findings
    assert found.message == "orders has 7 rows of 2026-01-02, SLA is 10000 rows per day"
    assert found.violation_type == "quality_violation"


@pytest.mark.parametrize(
    ("now", "day"),
    [
        pytest.param("2026-01-03 00:00", "2026-01-02", id="at midnight the day before is complete"),
        pytest.param("2026-01-03 23:59", "2026-01-02", id="and stays the last one all day"),
        pytest.param("2026-03-01 12:00", "2026-02-28", id="across a month"),
    ],
)
def test_the_last_complete_day_is_counted_in_utc(now: str, day: str) -> None:
    assert str(last_complete_day(at(now))) == day


@pytest.mark.parametrize(
    ("results", "coverage"),
    [
        pytest.param((), "0.00", id="none"),
        pytest.param((_one(0),), "50.00", id="one of two columns"),
        pytest.param((_one(1), _one(0, name="x")), "50.00", id="a column counts once, met or not"),
        pytest.param((_one(0), _one(0, name="k", columns=("amount", "note"))), "100.00", id="a rule over both"),
        pytest.param((_one(Failure("x")),), "0.00", id="a rule that did not run looked at nothing"),
    ],
)
def test_coverage_is_the_share_of_columns_with_an_executed_rule(results: Any, coverage: str) -> None:
    assert said(quality(*results, rows_of_day=DayRows(DAY, 1), slas=(FLOOR,)), "coverage") == coverage


def test_the_context_lists_every_rule_for_lineage() -> None:
    passed_over = SkippedRule("orders.quality_1", "people decide", "orders", "text")
    result = quality(_one(0, dimension="completeness"), _one(1, name="unique"), skipped=(passed_over,))
    assert json.loads(said(result, "tests") or "") == [
        {"name": "not_null", "column": "amount", "status": "pass", "dimension": "completeness"},
        {"name": "unique", "column": "amount", "status": "fail"},
        {"name": "people decide", "status": "skip"},
    ]
    assert said(result, "rules_skipped") == "1"


STATUSES = st.sampled_from(["pass", "fail", "error"])
WEIGHTS = st.decimals(0, 1000, places=3)


@given(st.lists(st.tuples(WEIGHTS, STATUSES), max_size=20))
def test_a_score_lies_between_nothing_and_all(rules: list[tuple[Decimal, Any]]) -> None:
    score = score_of([RuleResult(rule(weight=weight), status) for weight, status in rules])
    assert score is None or 0 <= score <= 100


@given(st.lists(st.tuples(WEIGHTS, STATUSES), max_size=20), WEIGHTS)
def test_one_more_rule_met_never_lowers_the_score(rules: list[tuple[Decimal, Any]], weight: Decimal) -> None:
    results = [RuleResult(rule(weight=each), status) for each, status in rules]
    before, after = score_of(results), score_of([*results, RuleResult(rule(weight=weight), "pass")])
    assert before is None or (after is not None and after >= before)
