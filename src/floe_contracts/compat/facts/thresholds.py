"""How two sets of accepted numbers relate, so that limits are compared by what they let through."""

from __future__ import annotations

from enum import Enum

from ...contract.meaning.accepted import Accepted
from ...contract.meaning.metrics import unit_of
from ...contract.meaning.rule_limits import accepted_values, accepts_only_zero
from ...contract.model import Json, QualityRule
from .plain import canonical


class SetRelation(Enum):
    """What a new set of accepted values is to the old one."""

    EQUAL = "equal"
    NARROWER = "narrower"
    WIDER = "wider"
    INCOMPARABLE = "incomparable"


def relation(old: Accepted, new: Accepted) -> SetRelation:
    """What `new` is to `old`."""
    if old == new:
        return SetRelation.EQUAL
    if new.is_inside(old):
        return SetRelation.NARROWER
    return SetRelation.WIDER if old.is_inside(new) else SetRelation.INCOMPARABLE


def compare_thresholds(old: QualityRule, new: QualityRule) -> SetRelation:
    """What the new rule lets through compared with the old one."""
    before, after = accepted_values(old), accepted_values(new)
    if before is None or after is None:
        return _as_written(old, new)
    if unit_of(old) == unit_of(new):
        return relation(before, after)
    # None at all is none at all in every unit; nothing else can be compared without knowing the rows.
    return (
        SetRelation.EQUAL
        if accepts_only_zero(old, before) and accepts_only_zero(new, after)
        else SetRelation.INCOMPARABLE
    )


def threshold_text(rule: QualityRule) -> str:
    """For people: `mustBeLessThan 5 percent`."""
    parts = [f"{operator.value} {_operand(operand)}" for operator, operand in rule.thresholds]
    return " and ".join(parts) + (f" {rule.unit}" if rule.unit and parts else "")


def _operand(value: Json) -> str:
    if isinstance(value, list):
        return " and ".join(_operand(item) for item in value)
    return canonical(value).strip("'")


def _as_written(old: QualityRule, new: QualityRule) -> SetRelation:
    """The relation of thresholds without an order (texts, truth values); no threshold lets everything through."""
    sides = [
        sorted((operator.value, canonical(operand)) for operator, operand in rule.thresholds) for rule in (old, new)
    ]
    if sides[0] == sides[1] and unit_of(old) == unit_of(new):
        return SetRelation.EQUAL
    if not sides[0] or not sides[1]:
        return SetRelation.NARROWER if sides[1] else SetRelation.WIDER
    return SetRelation.INCOMPARABLE
