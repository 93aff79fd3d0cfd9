"""Judges quality: one violation per rule that is not met, a score from 0 to 100, and the promises about both.

The score is the weighted share of rules met among those that could be measured. A promise about one dimension
(completeness, uniqueness …) is judged by the score of the rules of that dimension.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction

from .. import codes
from ..contract.meaning.exact import spell_number
from ..contract.meaning.quantity import Count, Percent
from ..contract.meaning.sla_kinds import Kind
from ..contract.model import Contract, SchemaObject
from ..results import CheckResult, Finding, Outcome
from ..results.facts import FindingFacts, QualityFacts, RuleFact
from .measured import DayRows, Failure
from .names import is_column
from .promises.promise import Promise, promises
from .rules.check import QualityCheck, SkippedRule
from .rules.results import RuleResult, broken_rule
from .rules.thresholds import round_down
from .verdict import PartResult, conclude, errored_part, measured_part, not_measured, skipped_part


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
    parts = [part for table in tables for part in (*_judge_table(table), *_judge_row_floor(contract, table))]
    parts += _judge_service_levels(contract, tables)
    return conclude("quality", contract, parts or [skipped_part()], _facts(contract, tables))


def score_of(results: Iterable[RuleResult]) -> Fraction | None:
    """The weighted share of rules met, in percent; None when there is nothing to share."""
    weights = [
        (Fraction(result.rule.weight), result.status == "pass") for result in results if result.status != "error"
    ]
    total = sum((weight for weight, _ in weights), Fraction(0))
    met = sum((weight for weight, passed in weights if passed), Fraction(0))
    return met * 100 / total if total else None


def coverage_of(tables: Iterable[TableQuality]) -> Fraction | None:
    """The percentage of top-level columns that some rule looked at, whatever it found."""
    columns = covered = 0
    for table in tables:
        names = {prop.name for prop in table.table.properties if is_column(prop)}
        looked_at = {name for result in table.results if result.status != "error" for name in result.rule.columns}
        columns, covered = columns + len(names), covered + len(names & looked_at)
    return Fraction(covered * 100, columns) if columns else None


def _judge_table(table: TableQuality) -> list[PartResult]:
    if table.failure is not None:
        return [errored_part(table.table.name, table.failure.reason)]
    name = table.table.name
    broken = [broken_rule(result, name) for result in table.results if result.status == "fail"]
    unread = _not_measured([result for result in table.results if result.status == "error"], name)
    parts = [measured_part(*broken)] if any(result.status != "error" for result in table.results) else []
    return parts + [PartResult(Outcome.ERRORED, (item,)) for item in unread]


def _not_measured(results: list[RuleResult], table: str) -> list[Finding]:
    """One finding for each cause: a column that is gone takes all of its rules along, and they are named."""
    by_cause: dict[tuple[str, str], list[QualityCheck]] = {}
    for result in results:
        by_cause.setdefault((result.lacks or result.rule.element, result.reason), []).append(result.rule)
    findings = []
    for (cause, reason), rules in by_cause.items():
        elements = {rule.element for rule in rules}
        element = elements.pop() if len(elements) == 1 else cause
        names = ", ".join(dict.fromkeys(rule.name for rule in rules))
        facts = FindingFacts(table=table, rule_id=rules[0].id if len(rules) == 1 else None)
        findings.append(not_measured(element, f"{names}: {reason}", facts))
    return findings


def _judge_row_floor(contract: Contract, table: TableQuality) -> list[PartResult]:
    """The verdict on the rows of the last complete day, where the table has a promise about them."""
    name = table.table.name
    floor = next((each for each in promises(contract, table.table) if each.kind is Kind.MIN_ROWS_PER_DAY), None)
    if floor is None or table.failure is not None:
        return []
    if floor.problem or not isinstance(floor.quantity, Count):
        return [errored_part(name, floor.problem or "its SLA says no number of rows")]
    if table.rows_of_day is None:
        return [errored_part(name, "the rows of the last day were not counted")]
    if isinstance(table.rows_of_day, Failure):
        return [errored_part(name, table.rows_of_day.reason)]
    return [measured_part(*_too_few(table.table, floor.quantity, table.rows_of_day))]


def _too_few(table: SchemaObject, floor: Count, counted: DayRows) -> list[Finding]:
    if counted.rows >= floor.value:
        return []
    few = Finding.of(
        codes.E555,
        "row-floor",
        f"{table.name} has {counted.rows} rows of {counted.day}, SLA is {spell_number(floor.value)} rows per day",
        element=table.name,
        expected=spell_number(floor.value),
        actual=str(counted.rows),
        facts=FindingFacts(table=table.name, day=str(counted.day)),
    )
    return [few]


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


def _judge_service_levels(contract: Contract, tables: Sequence[TableQuality]) -> list[PartResult]:
    """The verdict on each promise about scores, once however many tables it is about."""
    about: dict[int, list[tuple[Promise, TableQuality]]] = {}
    for table in tables:
        for promise in promises(contract, table.table):
            if promise.kind in _DIMENSIONS:
                about.setdefault(contract.slas.index(promise.sla), []).append((promise, table))
    return [_judge_service_level(contract, pairs) for pairs in about.values()]


def _judge_service_level(contract: Contract, pairs: list[tuple[Promise, TableQuality]]) -> PartResult:
    promise = pairs[0][0]
    element = promise.element if len(pairs) == 1 else contract.label
    if not isinstance(promise.quantity, Percent):
        return skipped_part() if not promise.problem else errored_part(element, promise.problem)
    dimension = _DIMENSIONS[promise.kind]
    results = [
        result
        for own, table in pairs
        for result in table.results
        if (not dimension or (result.rule.dimension or "").casefold() == dimension) and _concerns(own, result)
    ]
    score = score_of(results)
    if score is None:
        return skipped_part()
    return measured_part(*([_low_score(promise, element, score)] if score < promise.quantity.points else []))


def _concerns(promise: Promise, result: RuleResult) -> bool:
    return promise.column is None or promise.column[0] in result.rule.columns


def _low_score(promise: Promise, element: str, score: Fraction) -> Finding:
    promised = promise.quantity.text if promise.quantity else ""
    name = _DIMENSIONS[promise.kind] or "quality"
    return Finding.of(
        codes.E554,
        f"{name}-score",
        f"The {name} score of {element} is {round_down(score, 2)}%, SLA is {promised}",
        element=element,
        expected=promised,
        actual=f"{round_down(score, 2)}%",
        facts=FindingFacts(sla=promise.sla.property),
    )


def _facts(contract: Contract, tables: Sequence[TableQuality]) -> QualityFacts:
    results = [result for table in tables for result in table.results]
    skipped = [rule for table in tables for rule in table.skipped]
    days = [table.rows_of_day for table in tables if isinstance(table.rows_of_day, DayRows)]
    checked = bool(results or days or any(table.failure for table in tables))
    score = _round(score_of(results))
    failed = sum(result.status == "fail" for result in results)
    errored = sum(result.status == "error" for result in results)
    return QualityFacts(
        how=_how(tables),
        status=() if checked else ("no_promise",),
        score=score,
        value=score,
        threshold=_round(_promised_score(contract)),
        rules=len(results) - errored,
        rules_failed=failed,
        rules_errored=errored,
        rules_skipped=len(skipped),
        coverage=_round(coverage_of(tables)),
        rows_of_day=min(day.rows for day in days) if days else None,
        day=str(days[0].day) if days else "",
        # Skipped rules too, so that nobody believes they ran.
        tests=(
            *(_rule_fact(result.rule, result.status) for result in results),
            *(_rule_fact(rule, "skip") for rule in skipped),
        ),
    )


def _round(percent: Fraction | None) -> Decimal | None:
    return None if percent is None else Decimal(round_down(percent, 2))


def _how(tables: Sequence[TableQuality]) -> str:
    several = len(tables) > 1
    return "; ".join(f"{table.table.name}: {table.how}" if several else table.how for table in tables if table.how)


def _promised_score(contract: Contract) -> Fraction | None:
    scores = [
        promise.quantity.points
        for table in contract.objects
        for promise in promises(contract, table)
        if promise.kind is Kind.QUALITY and isinstance(promise.quantity, Percent)
    ]
    return max(scores, default=None)


def _rule_fact(rule: QualityCheck | SkippedRule, status: str) -> RuleFact:
    return RuleFact(rule.name, status, rule.element if rule.column else "", rule.dimension or "")
