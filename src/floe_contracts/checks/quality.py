"""Judges quality: one violation per rule that is not met, a score from 0 to 100, and the promises about both.

The score is the weighted share of rules met among those that could be measured. A promise about one dimension
(completeness, uniqueness …) is judged by the score of the rules of that dimension.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction

from .. import codes
from ..contract.meaning.exact import spell_number
from ..contract.meaning.quantity import Count, Percent
from ..contract.meaning.sla_kinds import Kind
from ..contract.model import Contract, SchemaObject
from ..results import CheckResult, Finding, Outcome, finding
from . import context_keys as keys
from .measured import DayRows, Failure
from .names import is_column
from .promises.promise import Promise, promises
from .rules.check import QualityCheck, SkippedRule
from .rules.results import RuleResult, broken_rule
from .rules.thresholds import places
from .verdict import PartResult, concluded, errored, judged, not_measured, skipped


@dataclass(frozen=True, slots=True)
class TableQuality:
    """What came of one table; `failure` when nothing of it could be measured."""

    table: SchemaObject
    results: tuple[RuleResult, ...] = ()
    skipped: tuple[SkippedRule, ...] = ()
    rows_of_day: DayRows | Failure | None = None
    failure: Failure | None = None
    how: str = ""  # how it was measured: scans, metadata, parts that were known


def judge_quality(contract: Contract, tables: Iterable[TableQuality]) -> CheckResult:
    """One result over all rules of all tables."""
    tables = tuple(tables)
    parts = [part for one in tables for part in (*_table(one), *_row_floor(contract, one))]
    parts += _service_levels(contract, tables)
    return concluded("quality", contract, parts or [skipped("no_promise")], _context(contract, tables))


def score_of(results: Iterable[RuleResult]) -> Fraction | None:
    """The weighted share of rules met, in percent; None when there is nothing to share."""
    weights = [(Fraction(one.rule.weight), one.status == "pass") for one in results if one.status != "error"]
    total = sum((weight for weight, _ in weights), Fraction(0))
    met = sum((weight for weight, passed in weights if passed), Fraction(0))
    return met * 100 / total if total else None


def coverage_of(tables: Iterable[TableQuality]) -> Fraction | None:
    """The percentage of top-level columns that some rule looked at, whatever it found."""
    columns = covered = 0
    for one in tables:
        names = {prop.name for prop in one.table.properties if is_column(prop)}
        looked_at = {name for result in one.results if result.status != "error" for name in result.rule.columns}
        columns, covered = columns + len(names), covered + len(names & looked_at)
    return Fraction(covered * 100, columns) if columns else None


def _table(one: TableQuality) -> list[PartResult]:
    if one.failure is not None:
        return [errored(one.table.name, one.failure.reason)]
    broken = [broken_rule(result, one.table.name) for result in one.results if result.status == "fail"]
    unread = [_not_measured(result, one.table.name) for result in one.results if result.status == "error"]
    parts = [judged(*broken)] if any(result.status != "error" for result in one.results) else []
    return parts + [PartResult(Outcome.ERRORED, (found,)) for found in unread]


def _not_measured(result: RuleResult, table: str) -> Finding:
    rule = result.rule
    return not_measured(rule.element, f"{rule.name}: {result.reason}", table=table, rule_id=rule.id)


def _row_floor(contract: Contract, one: TableQuality) -> list[PartResult]:
    """Rows of the last complete day; the measurement belongs to the table whose promise it is."""
    floor = next((each for each in promises(contract, one.table) if each.kind is Kind.MIN_ROWS_PER_DAY), None)
    if floor is None or one.failure is not None:
        return []
    if floor.problem or not isinstance(floor.quantity, Count):
        return [errored(one.table.name, floor.problem or "its SLA says no number of rows")]
    if one.rows_of_day is None:
        return [errored(one.table.name, "the rows of the last day were not counted")]
    if isinstance(one.rows_of_day, Failure):
        return [errored(one.table.name, one.rows_of_day.reason)]
    return [judged(*_too_few(one.table, floor.quantity, one.rows_of_day))]


def _too_few(table: SchemaObject, floor: Count, counted: DayRows) -> list[Finding]:
    if counted.rows >= floor.value:
        return []
    found = finding(
        codes.E555,
        "row-floor",
        f"{table.name} has {counted.rows} rows of {counted.day}, SLA is {spell_number(floor.value)} rows per day",
        element=table.name,
        expected=spell_number(floor.value),
        actual=str(counted.rows),
        context=((keys.TABLE, table.name), (keys.DAY, str(counted.day))),
    )
    return [found]


_DIMENSIONS = {
    Kind.QUALITY: "",
    Kind.ACCURACY: "accuracy",
    Kind.COMPLETENESS: "completeness",
    Kind.CONFORMITY: "conformity",
    Kind.CONSISTENCY: "consistency",
    Kind.COVERAGE: "coverage",
    Kind.TIMELINESS: "timeliness",
    Kind.UNIQUENESS: "uniqueness",
    Kind.VALIDITY: "validity",
}


def _service_levels(contract: Contract, tables: Sequence[TableQuality]) -> list[PartResult]:
    """Each promise once, however many tables it is about."""
    about: dict[int, list[tuple[Promise, TableQuality]]] = {}
    for one in tables:
        for promise in promises(contract, one.table):
            if promise.kind in _DIMENSIONS:
                about.setdefault(contract.slas.index(promise.sla), []).append((promise, one))
    return [_service_level(contract, pairs) for pairs in about.values()]


def _service_level(contract: Contract, pairs: list[tuple[Promise, TableQuality]]) -> PartResult:
    promise = pairs[0][0]
    element = promise.element if len(pairs) == 1 else contract.label
    if not isinstance(promise.quantity, Percent):
        return skipped("not_a_percentage") if not promise.problem else errored(element, promise.problem)
    dimension = _DIMENSIONS[promise.kind]
    results = [
        result
        for own, one in pairs
        for result in one.results
        if (not dimension or (result.rule.dimension or "").casefold() == dimension) and _concerns(own, result)
    ]
    score = score_of(results)
    if score is None:
        return skipped("no_rules")
    return judged(*([_below(promise, element, score)] if score < promise.quantity.points else []))


def _concerns(promise: Promise, result: RuleResult) -> bool:
    return promise.column is None or promise.column[0] in result.rule.columns


def _below(promise: Promise, element: str, score: Fraction) -> Finding:
    promised = promise.quantity.text if promise.quantity else ""
    name = _DIMENSIONS[promise.kind] or "quality"
    return finding(
        codes.E554,
        f"{name}-score",
        f"The {name} score of {element} is {places(score, 2)}%, SLA is {promised}",
        element=element,
        expected=promised,
        actual=f"{places(score, 2)}%",
        context=((keys.SLA, promise.sla.property),),
    )


def _context(contract: Contract, tables: Sequence[TableQuality]) -> dict[str, str]:
    results = [result for one in tables for result in one.results]
    passed_over = [each for one in tables for each in one.skipped]
    score, coverage = score_of(results), coverage_of(tables)
    counted = {status: sum(each.status == status for each in results) for status in ("pass", "fail", "error")}
    days = [one.rows_of_day for one in tables if isinstance(one.rows_of_day, DayRows)]
    return {
        keys.HOW: _how(tables),
        keys.STATUS: "" if results or days or any(one.failure for one in tables) else "no_promise",
        keys.SCORE: places(score, 2) if score is not None else "",
        keys.VALUE: places(score, 2) if score is not None else "",
        keys.THRESHOLD: _promised_score(contract),
        keys.RULES: str(counted["pass"] + counted["fail"]),
        keys.RULES_FAILED: str(counted["fail"]),
        keys.RULES_ERRORED: str(counted["error"]),
        keys.RULES_SKIPPED: str(len(passed_over)),
        keys.COVERAGE: places(coverage, 2) if coverage is not None else "",
        keys.ROWS_OF_DAY: str(min(day.rows for day in days)) if days else "",
        keys.DAY: str(days[0].day) if days else "",
        keys.TESTS: _tests(results, passed_over),
    }


def _how(tables: Sequence[TableQuality]) -> str:
    several = len(tables) > 1
    return "; ".join(f"{one.table.name}: {one.how}" if several else one.how for one in tables if one.how)


def _promised_score(contract: Contract) -> str:
    found = [
        one.quantity.points
        for table in contract.objects
        for one in promises(contract, table)
        if one.kind is Kind.QUALITY and isinstance(one.quantity, Percent)
    ]
    return places(max(found), 2) if found else ""


def _tests(results: Sequence[RuleResult], passed_over: Sequence[SkippedRule]) -> str:
    """The rules by name as lineage lists them; skipped ones too, so that nobody believes they ran."""
    tests = [_test(one.rule, one.status) for one in results] + [_test(one, "skip") for one in passed_over]
    return json.dumps(tests, ensure_ascii=False, separators=(",", ":")) if tests else ""


def _test(rule: QualityCheck | SkippedRule, status: str) -> dict[str, str]:
    column = {"column": rule.element} if rule.column else {}
    dimension = {"dimension": rule.dimension} if rule.dimension else {}
    return {"name": rule.name, **column, "status": status, **dimension}
