"""What datacontract-cli measured, in floe's words: the same codes, rules, scores and severities as our own answers."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from ... import codes
from ...checks import context_keys as keys
from ...checks import measure as m
from ...checks.freshness.ages import hours
from ...checks.moments import SECOND, apart, written
from ...checks.names import element_of, find_column
from ...checks.quality import TableQuality, judge_quality
from ...checks.rules.check import QualityCheck, SkippedRule, Thresholds
from ...checks.rules.results import RuleResult
from ...checks.rules.thresholds import exact
from ...checks.verdict import PartResult, by_overrun, concluded, errored, judged, named
from ...codes import Severity
from ...contract.meaning.sla import meaning
from ...contract.meaning.sla_kinds import Kind
from ...contract.model import Contract, SchemaObject, Threshold
from ...results import CheckResult, Finding, finding
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


def drift_result(contract: Contract, found: Iterable[ToolCheck]) -> CheckResult:
    """Columns that are missing or of another type; it never looks for columns that nobody promised."""
    parts, missing = [], set()
    for one in found:
        table = table_of(contract, one)
        if one.type not in SHAPES or table is None or (one.table, one.column) in missing:
            continue
        if one.status == "error":
            parts.append(errored(_element(contract, table, one), _NOT_RUN))
            continue
        gone = one.status == "fail" and one.type == "field_is_present"
        missing |= {(one.table, one.column)} if gone else set()
        parts.append(judged(*([_mismatch(contract, table, one, gone=gone)] if one.status == "fail" else [])))
    differs = any(part.findings for part in parts)
    return concluded("schema_drift", contract, parts, {keys.DRIFT: str(int(differs))} if parts else {})


def _mismatch(contract: Contract, table: SchemaObject, one: ToolCheck, *, gone: bool) -> Finding:
    element = _element(contract, table, one)
    expected, actual = str(one.numbers.get("expected", "")), str(one.numbers.get("actual", ""))
    said = f"{element} is missing" if gone else f"{element} is {actual or 'of another type'}, promised is {expected}"
    return finding(
        codes.E531 if gone else codes.E530,
        "missing-column" if gone else "type-differs",
        said,
        element=element,
        expected=expected or "a column",
        actual=actual or "none",
        context=((keys.TABLE, table.name),),
    )


def quality_result(contract: Contract, found: Sequence[ToolCheck]) -> CheckResult:
    """Its counts, judged and scored like ours. Rows per day are left out: it does not count them."""
    slas = tuple(one for one in contract.slas if meaning(one).kind is not Kind.MIN_ROWS_PER_DAY)
    values = [one for one in found if one.type not in SHAPES]
    tables = []
    for table in contract.objects:
        own = [one for one in values if table_of(contract, one) is table]
        results = tuple(_rule_result(contract, table, one, number) for number, one in enumerate(own) if _ran(one))
        skipped = tuple(_skipped(contract, table, one, number) for number, one in enumerate(own) if not _ran(one))
        tables.append(TableQuality(table, results, skipped))
    return judge_quality(replace(contract, slas=slas), tables)


def _ran(one: ToolCheck) -> bool:
    return one.status != "skip"


def _rule_result(contract: Contract, table: SchemaObject, one: ToolCheck, number: int) -> RuleResult:
    rule = _rule(contract, table, one, number)
    value = exact(one.numbers["value"]) if "value" in one.numbers else None
    if one.status == "error":
        return RuleResult(rule, "error", reason=_NOT_RUN)
    return RuleResult(rule, "pass" if one.status == "pass" else "fail", value)


def _rule(contract: Contract, table: SchemaObject, one: ToolCheck, number: int) -> QualityCheck:
    spot = find_column(contract, table, one.column) if one.column else None
    constraint = _CONSTRAINTS.get(one.type, "")
    element = _element(contract, table, one)
    name = one.rule or constraint or one.type
    return QualityCheck(
        id=f"{table.name}.{one.column or number}.{name}",
        name=name,
        element=element,
        measure=_measure(one),
        column=spot.column if spot else None,
        columns=spot.column[:1] if spot else (),
        dimension=one.dimension or None,
        severity=named(one.severity or None),
        thresholds=_thresholds(str(one.numbers.get("threshold", ""))),
        source="constraint" if constraint else "quality",
        says=f"{element}: {name}",
    )


def _skipped(contract: Contract, table: SchemaObject, one: ToolCheck, number: int) -> SkippedRule:
    rule = _rule(contract, table, one, number)
    return SkippedRule(
        rule.id, rule.name, rule.element, "datacontract-cli does not run it", rule.column, rule.dimension
    )


def _measure(one: ToolCheck) -> m.Measure:
    """Only for the unit that messages name: rows, values, or nothing for a query."""
    path = tuple(one.column.replace("[]", ".[]").split(".")) if one.column else ()
    metric = one.numbers.get("metric", "")
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


def freshness_result(contract: Contract, found: Iterable[ToolCheck]) -> CheckResult:
    """Ages against promises, and the oldest row against a promise of retention, which our own plugin does not check."""
    parts = [
        _age(contract, table, one)
        for one in found
        if (table := table_of(contract, one)) is not None and one.type.startswith("servicelevel_")
    ]
    worst = max(parts, key=lambda part: (bool(part.findings), part.overrun), default=None)
    return concluded("freshness", contract, parts, worst.said if worst else {})


def _age(contract: Contract, table: SchemaObject, one: ToolCheck) -> PartResult:
    element = _element(contract, table, one)
    age_s, allowed_s = one.numbers.get("age_seconds"), one.numbers.get("threshold_seconds")
    if one.status == "error" or not isinstance(allowed_s, int):
        return errored(element, _NOT_RUN)
    kept = one.type == "servicelevel_retention"
    if not isinstance(age_s, int):
        return judged(_too_old(element, table, "no row with a time", allowed_s, kept=kept))
    context = {
        keys.HOW: f"column {one.column} by datacontract-cli",
        keys.THRESHOLD: hours(allowed_s * SECOND),
        keys.VALUE: hours(age_s * SECOND),
    }
    if not kept:
        context[keys.FRESHNESS_SECONDS] = str(max(0, age_s))
    found = [_too_old(element, table, age_s, allowed_s, kept=kept)] if one.status == "fail" else []
    return judged(*found, overrun=age_s * 1000 // max(1, allowed_s), **context)


def _too_old(element: str, table: SchemaObject, age: int | str, allowed_s: int, *, kept: bool) -> Finding:
    limit_us = allowed_s * SECOND
    shown, limit = apart(age * SECOND, limit_us) if isinstance(age, int) else (age, f"{allowed_s} s")
    bad = by_overrun(age, allowed_s) if isinstance(age, int) else Severity.ERROR
    what = "the oldest row" if kept else "data"
    return finding(
        codes.E553 if kept else codes.E550,
        "kept-too-long" if kept else "too-old",
        f"{what.capitalize()} of {element} is {shown} old, SLA is {limit}",
        severity=bad or Severity.WARNING,
        element=element,
        expected=written(limit_us, limit_us),
        actual=written(age * SECOND, limit_us) if isinstance(age, int) else age,
        context=((keys.TABLE, table.name), (keys.SLA, "retention" if kept else "freshness")),
    )


def table_of(contract: Contract, one: ToolCheck) -> SchemaObject | None:
    """The table of a check, by the name that its view had."""
    return next((each for each in contract.objects if view_name(each.name, each.physical_name) == one.table), None)


def _element(contract: Contract, table: SchemaObject, one: ToolCheck) -> str:
    spot = find_column(contract, table, one.column) if one.column else None
    if spot is not None:
        return spot.element
    return element_of(contract, table, tuple(one.column.split("."))) if one.column else table.name
