"""Remarks on arguments of quality rules that the rule does not read, or cannot: nothing would ever test them.

What ODCS 3.0 writes beside the rule is not an argument: keys that nobody knows are told of there already.
"""

from __future__ import annotations

from collections.abc import Iterator

from ...codes import Severity
from ..meaning.metrics import ARGUMENTS, COLUMN_KEYS, measured_metric
from ..meaning.phrase import closest
from ..model import Json, Pointer, QualityRule
from ..source import text_of
from .remark import Remark

_LIMITS = {
    *("minLength", "maxLength", "minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"),
    *("format", "minItems", "maxItems", "uniqueItems"),
}
_DESCRIBING = {"comment", "description", "link", "note", "reason"}  # nobody expects a test of them
_LISTS = ("validValues", "missingValues")


def argument_remarks(rule: QualityRule, element: str, column: str) -> Iterator[Remark]:
    """A remark for each argument without an effect; `column` is empty for a rule of the table."""
    metric = measured_metric(rule)
    if (rule.type or "library").casefold() != "library" or metric not in ARGUMENTS:
        return
    for key, value in rule.arguments.items():
        at = (*rule.at, "arguments", key)
        if key in ARGUMENTS[metric]:
            yield from _unreadable(rule, key, value, at, element)
        elif not _is_column(metric, key, value, column):
            where = f"{rule.metric} of a column" if column and key in COLUMN_KEYS else str(rule.metric)
            yield Remark(
                "argument-unread",
                f"the metric {where} does not read {key!r}, so nothing tests it",
                at,
                severity=Severity.WARNING if key.casefold() in _DESCRIBING else Severity.ERROR,
                element=element,
                expected=_expected(metric, column),
                actual=key,
                suggestion=_fix(metric, key),
                at_key=True,
            )


def _unreadable(rule: QualityRule, key: str, value: Json, at: Pointer, element: str) -> Iterator[Remark]:
    """A remark on an argument of another type than the rule can use."""
    what, right = ("a list", list) if key in _LISTS else ("text", str)
    if not isinstance(value, right):
        yield Remark(
            "argument-unreadable",
            f"{key} of the metric {rule.metric} is not {what}, so nothing reads it",
            at,
            element=element,
            expected=what,
            actual="a map or list" if isinstance(value, (dict, list)) else text_of(value),
            suggestion=f"Write {key}: [first, second]." if right is list else f"Write the {key} in quotes.",
        )


def _is_column(metric: str, key: str, value: Json, column: str) -> bool:
    """Whether the argument says what the rule is about; a rule that stands at a column is about that column."""
    if key not in COLUMN_KEYS or metric == "rowcount":
        return False
    names = value if isinstance(value, list) else [value]
    return not column or metric == "duplicatevalues" or names == [column]


def _expected(metric: str, column: str) -> str:
    names = list(ARGUMENTS[metric])
    if metric == "duplicatevalues":
        names.append("properties")
    elif metric != "rowcount" and not column:
        names.append("property")
    return " or ".join(names) or "no arguments"


def _fix(metric: str, key: str) -> str:
    if key in COLUMN_KEYS:
        return "Move the rule to the column that it is about." if metric != "rowcount" else "Remove it."
    if metric == "rowcount":
        return "Write the limit as an operator of the rule, for instance mustBeGreaterThan: 0."
    if key in _LIMITS:
        return f"Write {key} into logicalTypeOptions of the column, where quality checks test it."
    meant = closest(key, (*ARGUMENTS[metric], *COLUMN_KEYS))
    if meant is not None:
        return f"Did you mean {meant}?"
    owner = next((name for name, names in ARGUMENTS.items() if key in names), None)
    return f"Write it at a rule with the metric {_SPELLED[owner]}." if owner else "Remove it."


_SPELLED = {"missingvalues": "missingValues", "invalidvalues": "invalidValues"}
