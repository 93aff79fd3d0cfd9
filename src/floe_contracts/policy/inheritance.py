"""The seeds' five policy types as values, and whether a child may stand below a parent."""

from __future__ import annotations

from enum import Enum
from fractions import Fraction
from typing import TypeVar

from ..contract.meaning.exact import number_of
from ..contract.meaning.quantity import parse_percent
from ..frozen import dataclass
from ..product.block import word_of
from ..product.data_contracts import Enforcement
from ..product.words import ClassificationLevel, SqlLinting

ContractEnforcement = Enforcement
Word = TypeVar("Word", bound=Enum)
Number = int | float | str


@dataclass(frozen=True, slots=True)
class Policy:
    """One rule of a tier; only the field of its type counts. A type that nobody knows can be made, not compared."""

    type: str
    level: ClassificationLevel | str | None = None
    threshold: Number | None = None
    minimum_pct: Number | None = None
    enforcement: SqlLinting | Enforcement | str | bool | None = None


def validate_policy_inheritance(parent: Policy, child: Policy) -> bool:
    """Whether the child is as strict as its parent, or stricter; ValueError for types that do not meet."""
    known = ("classification", "quality_gate", "test_coverage", "sql_linting", "contract_enforcement")
    if parent.type not in known:
        raise ValueError(f"Unknown policy type: {parent.type}")
    if child.type != parent.type:
        raise ValueError(f"Unknown policy type: {child.type if child.type not in known else parent.type}")
    return _strictness(child) >= _strictness(parent)


def _strictness(policy: Policy) -> Fraction:
    match policy.type:
        case "classification":
            return _rank(policy, "level", ClassificationLevel, policy.level)
        case "sql_linting":
            return _rank(policy, "enforcement", SqlLinting, policy.enforcement)
        case "contract_enforcement":
            return _rank(policy, "enforcement", Enforcement, policy.enforcement)
        case "quality_gate":
            return _number(policy, "threshold", policy.threshold)
        case _:
            return _number(policy, "minimum_pct", policy.minimum_pct)


def _rank(policy: Policy, name: str, kind: type[Word], value: object) -> Fraction:
    word = word_of(kind)(value)
    if not isinstance(word, kind):
        words = ", ".join(str(member.value) for member in kind)
        raise ValueError(f"Policy {policy.type} needs {name} as one of {words}; it is {value!r}")
    return Fraction(list(kind).index(word))


def _number(policy: Policy, name: str, value: Number | None) -> Fraction:
    number = None if value is None or isinstance(value, bool) else number_of(value)
    if number is None and isinstance(value, str):
        percent, _ = parse_percent(value)
        number = percent.points if percent else None
    if number is None:
        raise ValueError(f"Policy {policy.type} needs {name} as a number; it is {value!r}")
    return number
