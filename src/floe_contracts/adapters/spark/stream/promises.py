"""The rules and promises that the new rows of a table can answer alone, and the findings on bad and late rows."""

from __future__ import annotations

from .... import codes
from ....checks.measure import RowCount
from ....checks.moments import spell_roughly
from ....checks.promises.promise import Promise, promises
from ....checks.rules.check import SkippedRule, TableRules
from ....checks.rules.constraints import rules_of
from ....checks.rules.readable import judge_readable
from ....checks.rules.results import RuleResult
from ....codes import Severity
from ....contract.meaning.duration import Duration
from ....contract.meaning.phrase import plural
from ....contract.meaning.sla import meaning
from ....contract.meaning.sla_kinds import Kind
from ....contract.model import Contract, SchemaObject, Sla
from ....frozen import replace
from ....monitor.run.plan import TablePlan, plan_rules
from ....results import CheckResult, Finding, Outcome
from ....results.facts import FindingFacts, FreshnessFacts, QualityFacts, StreamFacts
from .totals import BatchCounts

_WHOLE = "the rows of the whole table are counted by the quality job"


def plan_batch(contract: Contract, table: SchemaObject) -> TablePlan:
    """The plan of the table without what a part of it cannot answer."""
    every = rules_of(contract, table)
    whole = [rule for rule in every.rules if rule.measure == RowCount()]
    skipped = (SkippedRule(rule.id, rule.name, rule.element, _WHOLE, rule.column, rule.dimension) for rule in whole)
    rules = tuple(rule for rule in every.rules if rule not in whole)
    return plan_rules(TableRules(every.table, rules, (*every.skipped, *skipped)))


def row_promises(contract: Contract, table: SchemaObject) -> list[Promise]:
    """The promises about time that new rows alone can answer."""
    return [
        promise
        for promise in promises(contract, table)
        if promise.kind is Kind.LATENCY
        or (promise.kind in (Kind.FRESHNESS, Kind.FREQUENCY) and not (promise.schedule or promise.options.group_by))
    ]


def late_promise(contract: Contract, table: SchemaObject, late_us: int | None) -> Promise | None:
    """The promise that says when a row is late, a latency before an age; without one the clock of --late-after."""
    candidates = sorted(row_promises(contract, table), key=lambda promise: promise.kind is not Kind.LATENCY)
    usable = [promise for promise in candidates if isinstance(promise.quantity, Duration) and not promise.problem]
    return usable[0] if usable else (Promise(Kind.FRESHNESS, "freshness", table, table.name) if late_us else None)


def is_floor(sla: Sla) -> bool:
    """Rows of a day are not a property of a batch."""
    return meaning(sla).kind is Kind.MIN_ROWS_PER_DAY


def readable_rules(table: SchemaObject, facts: BatchCounts) -> list[RuleResult]:
    """The rule that every record can be read, where the source can tell."""
    return [] if facts.unreadable is None else [judge_readable(table, facts.unreadable)]


def with_late(
    result: CheckResult, table: SchemaObject, facts: BatchCounts, late: tuple[int, int] | None
) -> CheckResult:
    """Late rows are counted and listed as info: whether they break a promise is for its quantile to say."""
    if late is None:
        return result
    count, allowed_us = late
    findings: tuple[Finding, ...] = ()
    if count:
        allowed = spell_roughly(allowed_us)
        message = f"{count} of {facts.rows} rows of {table.name} came more than {allowed} after their time"
        findings = (
            Finding.of(
                codes.E556,
                "late-rows",
                message,
                severity=Severity.INFO,
                contract=result.contract,
                element=table.name,
                actual=plural(count, "row"),
                facts=FindingFacts(table=table.name),
            ),
        )
    outcome = Outcome.PASSED if result.outcome is Outcome.SKIPPED else result.outcome
    return replace(
        result,
        outcome=outcome,
        findings=(*result.findings, *findings),
        facts=StreamFacts(_of_check(result), late_rows=count),
    )


def with_batch(result: CheckResult, batch: StreamFacts) -> CheckResult:
    """The result with the numbers of its batch beside what its check found."""
    late = result.facts.late_rows if isinstance(result.facts, StreamFacts) else None
    return replace(result, facts=replace(batch, check=_of_check(result), late_rows=late))


def _of_check(result: CheckResult) -> FreshnessFacts | QualityFacts | None:
    facts = result.facts.check if isinstance(result.facts, StreamFacts) else result.facts
    return facts if isinstance(facts, (FreshnessFacts, QualityFacts)) else None
