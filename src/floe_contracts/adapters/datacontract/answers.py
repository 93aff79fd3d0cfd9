"""What datacontract-cli measured, in floe's words: the same codes, rules, scores and severities as our own answers."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from ... import codes
from ...checks import measure as m
from ...checks.freshness.ages import hours
from ...checks.moments import SECOND, spell_apart, write_length
from ...checks.names import element_of, find_column
from ...checks.quality import TableQuality, judge_quality
from ...checks.rules.check import QualityCheck, SkippedRule, Thresholds
from ...checks.rules.results import RuleResult
from ...checks.rules.thresholds import to_fraction
from ...checks.verdict import PartResult, conclude, errored_part, measured_part, rate_overrun, read_severity
from ...codes import Severity
from ...contract.meaning.sla import meaning
from ...contract.meaning.sla_kinds import Kind
from ...contract.model import Contract, SchemaObject, Threshold
from ...results import CheckResult, Finding
from ...results.facts import DriftFacts, FindingFacts, FreshnessFacts
from .runs import ToolCheck, view_name

SHAPES = frozenset({"field_is_present", "field_type", "field_physical_type"})  # about columns, not about values
_NOT_RUN = "datacontract-cli could not run it"
_CONSTRAINTS = {  # its types of checks and the names of our rules
    "field_required": "not_null",
    "field_primary_key_required": "not_null",
    "field_unique": "unique",
    "field_primary_key_unique": "primary_key",
    "primary_key_unique": "primary_key",
    "field_regex": "pattern",
    "field_enum": "enum",
    "field_min_length": "min_length",
    "field_max_length": "max_length",
    "field_minimum": "minimum",
    "field_maximum": "maximum",
    "field_not_equal": "not_equal",
    "field_min_items": "min_items",
    "field_max_items": "max_items",
    "field_unique_items": "unique_items",
    "field_relationships": "foreign_key",
}
_OPERATORS = {
    "=": Threshold.MUST_BE,
    "!=": Threshold.MUST_NOT_BE,
    ">": Threshold.GREATER_THAN,
    ">=": Threshold.GREATER_OR_EQUAL,
    "<": Threshold.LESS_THAN,
    "<=": Threshold.LESS_OR_EQUAL,
}


def drift_result(contract: Contract, checks: Iterable[ToolCheck]) -> CheckResult:
    """Columns that are missing or of another type; it never looks for columns that nobody promised."""
    parts, missing = [], set()
    for check in checks:
        table = table_of(contract, check)
        if check.type not in SHAPES or table is None or (check.table, check.column) in missing:
            continue
        if check.status == "error":
            parts.append(errored_part(_element(contract, table, check), _NOT_RUN))
            continue
        gone = check.status == "fail" and check.type == "field_is_present"
        missing |= {(check.table, check.column)} if gone else set()
        parts.append(measured_part(*([_mismatch(contract, table, check, gone=gone)] if check.status == "fail" else [])))
    differs = any(part.findings for part in parts)
    return conclude("schema_drift", contract, parts, DriftFacts(schema_drift_detected=differs) if parts else None)


def _mismatch(contract: Contract, table: SchemaObject, check: ToolCheck, *, gone: bool) -> Finding:
    element = _element(contract, table, check)
    expected, actual = str(check.numbers.get("expected", "")), str(check.numbers.get("actual", ""))
    message = f"{element} is missing" if gone else f"{element} is {actual or 'of another type'}, promised is {expected}"
    return Finding.of(
        codes.E531 if gone else codes.E530,
        "missing-column" if gone else "type-differs",
        message,
        element=element,
        expected=expected or "a column",
        actual=actual or "none",
        facts=FindingFacts(table=table.name),
    )


def quality_result(contract: Contract, checks: Sequence[ToolCheck]) -> CheckResult:
    """Its counts, judged and scored like ours. Rows per day are left out: it does not count them."""
    slas = tuple(sla for sla in contract.slas if meaning(sla).kind is not Kind.MIN_ROWS_PER_DAY)
    values = [check for check in checks if check.type not in SHAPES]
    tables = []
    for table in contract.objects:
        own = [check for check in values if table_of(contract, check) is table]
        results = tuple(
            _rule_result(contract, table, check, number) for number, check in enumerate(own) if _was_run(check)
        )
        skipped = tuple(
            _skipped_rule(contract, table, check, number) for number, check in enumerate(own) if not _was_run(check)
        )
        tables.append(TableQuality(table, results, skipped))
    return judge_quality(replace(contract, slas=slas), tables)


def _was_run(check: ToolCheck) -> bool:
    return check.status != "skip"


def _rule_result(contract: Contract, table: SchemaObject, check: ToolCheck, number: int) -> RuleResult:
    rule = _rule(contract, table, check, number)
    value = to_fraction(check.numbers["value"]) if "value" in check.numbers else None
    if check.status == "error":
        return RuleResult(rule, "error", reason=_NOT_RUN)
    return RuleResult(rule, "pass" if check.status == "pass" else "fail", value)


def _rule(contract: Contract, table: SchemaObject, check: ToolCheck, number: int) -> QualityCheck:
    spot = find_column(contract, table, check.column) if check.column else None
    constraint = _CONSTRAINTS.get(check.type, "")
    element = _element(contract, table, check)
    name = check.rule or constraint or check.type
    return QualityCheck(
        id=f"{table.name}.{check.column or number}.{name}",
        name=name,
        element=element,
        measure=_measure(check),
        column=spot.column if spot else None,
        columns=spot.column[:1] if spot else (),
        dimension=check.dimension or None,
        severity=read_severity(check.severity or None),
        thresholds=_thresholds(str(check.numbers.get("threshold", ""))),
        source="constraint" if constraint else "quality",
        says=f"{element}: {name}",
    )


def _skipped_rule(contract: Contract, table: SchemaObject, check: ToolCheck, number: int) -> SkippedRule:
    rule = _rule(contract, table, check, number)
    return SkippedRule(
        rule.id, rule.name, rule.element, "datacontract-cli does not run it", rule.column, rule.dimension
    )


def _measure(check: ToolCheck) -> m.Measure:
    """Only for the unit that messages name: rows, values, or nothing for a query."""
    path = tuple(check.column.replace("[]", ".[]").split(".")) if check.column else ()
    metric = check.numbers.get("metric", "")
    if metric == "duplicate_count":
        return m.DuplicateCount((path,))
    if metric == "custom_sql":
        return m.SqlNumber("")
    return m.NullCount(path) if path else m.RowCount()


def _thresholds(text: str) -> Thresholds:
    operator, _, rest = text.partition(" ")
    if operator in _OPERATORS:
        return ((_OPERATORS[operator], rest),)
    word, between, limits = text.partition("between ")
    if not between:
        return ()
    least, _, most = limits.partition(" and ")
    return ((Threshold.NOT_BETWEEN if word.strip() == "not" else Threshold.BETWEEN, [least, most]),)


def freshness_result(contract: Contract, checks: Iterable[ToolCheck]) -> CheckResult:
    """Ages against promises, and the oldest row against a promise of retention, which our own plugin does not check."""
    parts = [
        _age(contract, table, check)
        for check in checks
        if (table := table_of(contract, check)) is not None and check.type.startswith("servicelevel_")
    ]
    worst = max(parts, key=lambda part: (bool(part.findings), part.overrun), default=None)
    order = ("key", "version", "how", "threshold", "value")
    return conclude("freshness", contract, parts, worst.freshness if worst else None, order)


def _age(contract: Contract, table: SchemaObject, check: ToolCheck) -> PartResult:
    element = _element(contract, table, check)
    age_s, allowed_s = check.numbers.get("age_seconds"), check.numbers.get("threshold_seconds")
    if check.status == "error" or not isinstance(allowed_s, int):
        return errored_part(element, _NOT_RUN)
    kept = check.type == "servicelevel_retention"
    if not isinstance(age_s, int):
        return measured_part(_too_old(element, table, "no row with a time", allowed_s, kept=kept))
    facts = FreshnessFacts(
        freshness_seconds=None if kept else max(0, age_s),
        how=f"column {check.column} by datacontract-cli",
        threshold=hours(allowed_s * SECOND),
        value=hours(age_s * SECOND),
    )
    findings = [_too_old(element, table, age_s, allowed_s, kept=kept)] if check.status == "fail" else []
    return measured_part(*findings, overrun=age_s * 1000 // max(1, allowed_s), freshness=facts)


def _too_old(element: str, table: SchemaObject, age: int | str, allowed_s: int, *, kept: bool) -> Finding:
    limit_us = allowed_s * SECOND
    shown, limit = spell_apart(age * SECOND, limit_us) if isinstance(age, int) else (age, f"{allowed_s} s")
    bad = rate_overrun(age, allowed_s) if isinstance(age, int) else Severity.ERROR
    what = "the oldest row" if kept else "data"
    return Finding.of(
        codes.E553 if kept else codes.E550,
        "kept-too-long" if kept else "too-old",
        f"{what.capitalize()} of {element} is {shown} old, SLA is {limit}",
        severity=bad or Severity.WARNING,
        element=element,
        expected=write_length(limit_us, limit_us),
        actual=write_length(age * SECOND, limit_us) if isinstance(age, int) else age,
        facts=FindingFacts(table=table.name, sla="retention" if kept else "freshness"),
    )


def table_of(contract: Contract, check: ToolCheck) -> SchemaObject | None:
    """The table of a check, by the name that its view had."""
    return next(
        (table for table in contract.objects if view_name(table.name, table.physical_name) == check.table), None
    )


def _element(contract: Contract, table: SchemaObject, check: ToolCheck) -> str:
    spot = find_column(contract, table, check.column) if check.column else None
    if spot is not None:
        return spot.element
    return element_of(contract, table, tuple(check.column.split("."))) if check.column else table.name
