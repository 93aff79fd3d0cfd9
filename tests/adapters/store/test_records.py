"""What is written into a store is read back as it was, field by field."""

from __future__ import annotations

import json
from dataclasses import fields, replace
from decimal import Decimal
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from floe_contracts.adapters.store import records
from floe_contracts.adapters.store.result_record import read_result, result_record
from floe_contracts.checks.measured import ActualColumn
from floe_contracts.codes import CODES, Code, Severity, ViolationType
from floe_contracts.contract.meaning.typenames import TypeExpr
from floe_contracts.contract.meaning.typewords import Family, Zone
from floe_contracts.monitor.store.protocol import Claim, RuleCount, SeriesTotals, SlotOutcome, Violation
from floe_contracts.monitor.store.slots import SlotKey
from floe_contracts.results import Bump, CheckResult, Disposition, Finding, Location, Outcome, Reader, VersionStep
from floe_contracts.results.facts import read_finding
from floe_contracts.results.facts import read_result as read_facts

TEXT = st.text(max_size=12)  # with NUL, quotes and whatever Unicode has
TIME = st.integers(-(2**62), 2**62)
NUMBER = st.decimals(allow_nan=False, allow_infinity=False)
KEYS = TEXT | st.sampled_from(("key", "how", "status", "value", "rules", "up", "batch", "slot", "repeated", "tests"))
SAID = TEXT | st.sampled_from(("1", "off", "6.50"))
PAIRS = st.lists(st.tuples(KEYS, SAID), max_size=4, unique_by=lambda pair: pair[0])
TEXTS = st.lists(TEXT, max_size=2).map(tuple)
KEY = SlotKey("shop", "orders", 1, "freshness", 60, 120)

FINDINGS = st.builds(
    lambda pairs, **fields: read_finding(Finding(**fields), pairs),
    PAIRS,
    code=st.sampled_from(sorted(CODES.values(), key=lambda one: one.id)),
    rule=TEXT,
    message=TEXT,
    severity=st.sampled_from(Severity),
    contract=TEXT,
    element=TEXT,
    location=st.none() | st.builds(Location, TEXT, st.none() | st.integers(1, 9), st.none() | st.integers(1, 9)),
    expected=TEXT,
    actual=TEXT,
    suggestions=TEXTS,
    bump=st.sampled_from(Bump),
    standing=st.sampled_from(Disposition),
    fingerprint=TEXT,
)
STEPS = st.builds(
    VersionStep,
    st.none() | TEXT,
    st.none() | TEXT,
    st.sampled_from(Bump),
    st.sampled_from(Bump),
    st.none() | TEXT,
    TEXT,
)
RESULTS = st.builds(
    lambda pairs, **fields: read_facts(CheckResult(**fields), pairs),
    PAIRS,
    check=TEXT | st.sampled_from(("freshness", "quality", "availability", "schema_drift", "lifecycle")),
    contract=TEXT,
    outcome=st.sampled_from(Outcome),
    path=TEXT,
    findings=st.lists(FINDINGS, max_size=3).map(tuple),
    version=st.none() | STEPS,
    readers=st.lists(st.builds(Reader, TEXT, TEXT, TEXTS, st.booleans()), max_size=2).map(tuple),
)
VIOLATIONS = st.builds(Violation, st.sampled_from(ViolationType), st.sampled_from(Severity), TEXT, TIME)
RULES = st.builds(RuleCount, st.integers(0, 99), st.integers(0, 99))
GAUGES = st.lists(st.tuples(TEXT, NUMBER), max_size=3).map(tuple)
OUTCOMES = st.builds(
    SlotOutcome,
    claim=st.builds(Claim, st.just(KEY), st.integers(1, 9), TEXT, TIME),
    result=RESULTS,
    as_of_us=TIME,
    label=TEXT,
    version=TEXT,
    seconds=NUMBER,
    published=st.booleans(),
    violations=st.lists(VIOLATIONS, max_size=3).map(tuple),
    gauges=GAUGES,
    first_us=st.none() | TIME,
    rules=st.none() | RULES,
)
TYPES = st.recursive(
    st.builds(
        TypeExpr, st.sampled_from(Family), st.lists(st.integers(0, 99), max_size=2).map(tuple), st.just(()), TEXT
    ),
    lambda inner: st.builds(
        TypeExpr,
        st.sampled_from(Family),
        st.just(()),
        st.lists(st.tuples(TEXT, inner), max_size=2).map(tuple),
        TEXT,
        st.sampled_from(Zone),
        st.booleans(),
        st.booleans(),
    ),
    max_leaves=4,
)
COLUMNS = st.recursive(
    st.builds(ActualColumn, TEXT, TYPES, st.booleans(), st.just(()), TEXT),
    lambda inner: st.builds(ActualColumn, TEXT, TYPES, st.booleans(), st.lists(inner, max_size=2).map(tuple), TEXT),
    max_leaves=4,
)
COUNTERS = st.dictionaries(st.tuples(st.sampled_from(ViolationType), st.sampled_from(Severity)), st.integers(0, 99))
TOTALS = st.builds(
    SeriesTotals,
    label=TEXT,
    version=TEXT,
    counters=COUNTERS,
    gauges=st.dictionaries(TEXT, NUMBER, max_size=3),
    durations=st.lists(st.integers(0, 9), max_size=13).map(tuple),
    duration_sum=NUMBER,
    rules=RULES,
    errors=st.integers(0, 9),
    last_run_us=st.none() | TIME,
    last_done_us=st.none() | TIME,
    interval_us=TIME,
    state=st.none() | st.sampled_from(Outcome),
    since_us=st.none() | TIME,
    as_of_us=st.none() | TIME,
    published=st.booleans(),
)


@given(OUTCOMES)
def test_an_outcome(outcome: SlotOutcome) -> None:
    text, gauges = records.outcome_text(outcome), records.gauges_text(outcome.gauges)
    assert records.read_outcome(KEY, text, gauges) == outcome


@given(RESULTS)
def test_a_result_is_plain_json(result: CheckResult) -> None:
    assert read_result(json.loads(json.dumps(result_record(result), allow_nan=False))) == result


@given(TOTALS)
def test_totals(totals: SeriesTotals) -> None:
    assert records.read_totals(records.totals_text(totals)) == totals


def test_totals_as_they_were_written_before_moments_were_known() -> None:
    written = json.loads(records.totals_text(SeriesTotals(gauges={"age": Decimal(1)}, last_run_us=7)))
    del written["as_of_us"], written["published"]
    written["gauges"] = [["age", "1", 7]]
    found = records.read_totals(json.dumps(written))
    assert (found.gauges, found.as_of_us, found.published) == ({"age": Decimal(1)}, 7, True)


def test_totals_and_outcomes_as_they_were_written_before_rules_were_counted() -> None:
    totals = json.loads(records.totals_text(SeriesTotals(rules=RuleCount(3, 1))))
    outcome = SlotOutcome(Claim(KEY, 1, "t", 0), CheckResult("quality", "orders", Outcome.PASSED), 0)
    written = json.loads(records.outcome_text(replace(outcome, rules=RuleCount(3, 1))))
    del totals["rules"], written["rules"]
    assert records.read_totals(json.dumps(totals)).rules == RuleCount()
    assert records.read_outcome(KEY, json.dumps(written), "[]").rules is None


@given(st.lists(COLUMNS, max_size=3).map(tuple))
def test_columns(columns: tuple[ActualColumn, ...]) -> None:
    assert records.read_columns(records.columns_text(columns)) == columns


@pytest.mark.parametrize("value", ["8.50", "1E+30", "-0", "0.1"])
def test_numbers_stay_as_they_were_written(value: str) -> None:
    ((_, found),) = records.read_gauges(records.gauges_text((("age", Decimal(value)),)))
    assert str(found) == value


def test_a_code_that_is_gone_is_still_shown() -> None:
    retired = Code("FLOE-E499", "Once known", Severity.ERROR, "", "")
    result = CheckResult("quality", "orders", Outcome.VIOLATED, findings=(Finding(retired, "r", "m", Severity.ERROR),))
    (found,) = read_result(result_record(result)).findings
    assert (found.code.id, found.severity, found.message) == ("FLOE-E499", Severity.ERROR, "m")


# Written as the pairs of `context`.
IN_CONTEXT = {"facts", "extra", "key", "contract_version", "run", "order"}


@pytest.mark.parametrize(
    ("kind", "written"),
    [
        (CheckResult, result_record(CheckResult("c", "k", Outcome.PASSED))),
        (SeriesTotals, json.loads(records.totals_text(SeriesTotals()))),
    ],
    ids=["result", "totals"],
)
def test_no_field_is_left_out(kind: Any, written: dict[str, object]) -> None:
    assert set(written) - {"context"} == {field.name for field in fields(kind)} - IN_CONTEXT


def test_every_field_of_a_finding_is_written() -> None:
    one = Finding(CODES["FLOE-E550"], "r", "m", Severity.ERROR)
    (written,) = result_record(replace(CheckResult("c", "k", Outcome.PASSED), findings=(one,)))["findings"]
    assert set(written) - {"context"} == {field.name for field in fields(Finding)} - IN_CONTEXT
