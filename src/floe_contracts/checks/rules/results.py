"""Each rule against its measured number: met, failed, or not measured, and how that reads."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Literal

from ... import codes
from ...contract.meaning.exact import spell_number
from ...results import Finding
from ...results.facts import FindingFacts
from ..measure import DuplicateCount, InvalidCount, ItemCount, Measure, MissingCount, NullCount, SqlNumber
from ..measured import Failure, Number
from ..names import below_items
from .check import QualityCheck
from .thresholds import passes, round_down, spell_thresholds, to_fraction

Status = Literal["pass", "fail", "error"]


@dataclass(frozen=True, slots=True)
class RuleResult:
    """`value` is what was compared: a count, a percentage, or a query's number."""

    rule: QualityCheck
    status: Status
    value: Fraction | None = None
    whole: Fraction | None = None  # what a percentage is of, or the rows looked at
    reason: str = ""  # why it could not be measured
    lacks: str = ""  # the column that the rule needs and the table does not have


def judge_rules(rules: Iterable[QualityCheck], values: Mapping[Measure, Number | Failure]) -> tuple[RuleResult, ...]:
    """One result per rule, in the order of the rules."""
    return tuple(_judge_rule(rule, values) for rule in rules)


def _judge_rule(rule: QualityCheck, values: Mapping[Measure, Number | Failure]) -> RuleResult:
    numbers: list[Fraction] = []
    for measure in rule.measures:
        value = values.get(measure, Failure("it was not measured"))
        number = None if isinstance(value, Failure) else to_fraction(value)
        if number is None:
            reason = value.reason if isinstance(value, Failure) else "the answer was not a number"
            return RuleResult(rule, "error", reason=reason, lacks=value.lacks if isinstance(value, Failure) else "")
        numbers.append(number)
    compared, whole = numbers[0], numbers[1] if len(numbers) > 1 else None
    if whole is not None:
        compared = compared * 100 / whole if whole else Fraction(0)
    return RuleResult(rule, "pass" if passes(compared, rule.thresholds) else "fail", compared, whole)


def broken_rule(result: RuleResult, table: str) -> Finding:
    """The finding for a rule that is not met; it tells counts, never values."""
    rule = result.rule
    return Finding.of(
        codes.E553,
        rule.name.replace("_", "-") if rule.source == "constraint" else "quality-rule",
        _message(result),
        severity=rule.severity,
        element=rule.element,
        expected=spell_thresholds(rule.thresholds, _unit(rule)),
        actual=_spell_value(result),
        facts=FindingFacts(table=table, rule_id=rule.id, rule_name=rule.name, dimension=rule.dimension or None),
    )


def _message(result: RuleResult) -> str:
    rule = result.rule
    if rule.source == "constraint":
        return f"{rule.says}: {_spell_value(result)} {'breaks' if result.value == 1 else 'break'} it"
    return f"{rule.says}: {_spell_value(result)} found, must be {spell_thresholds(rule.thresholds, _unit(rule))}"


def _spell_value(result: RuleResult) -> str:
    unit = _unit(result.rule)
    unit = unit.removesuffix("s") if result.value == 1 else unit
    return f"{_spell_rounded(result.value, exactly=result.rule.unit != 'percent')} {unit}".strip()


def _spell_rounded(value: Fraction | None, *, exactly: bool) -> str:
    if value is None:
        return "nothing"
    return spell_number(value) if exactly or value.denominator == 1 else round_down(value, 4)


def _unit(rule: QualityCheck) -> str:
    """What the number counts; nobody knows what a query counts."""
    measure = rule.measure
    if rule.unit == "percent":
        return "percent"
    if isinstance(measure, SqlNumber):
        return ""
    if isinstance(measure, DuplicateCount):
        return "values"
    path = measure.path if isinstance(measure, (NullCount, MissingCount, InvalidCount, ItemCount)) else ()
    return "items" if below_items(path) else "rows"
