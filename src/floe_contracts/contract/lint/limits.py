"""Remarks about limits on values: ranges that nothing fits into, and ends that cannot be compared with the values."""

from __future__ import annotations

import re
from collections.abc import Iterator

from ...codes import Severity
from ..meaning.day import parse_day
from ..meaning.exact import number_of
from ..model import Dialect, Json, Property, ValueOptions
from ..source import text_of
from .remark import Remark

_NUMBERS = frozenset({"integer", "number"})
_DAYS = frozenset({"date", "timestamp"})
_ORDERLESS = frozenset({"array", "boolean", "map", "object", "vector"})
_DAY = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")
_INFINITE = frozenset({"nan", "inf", "infinity", ".nan", ".inf"})  # floats have them, and days of some platforms


def limit_remarks(prop: Property, element: str, dialect: Dialect) -> Iterator[Remark]:
    """Remarks about the limits that are written at a column."""
    yield from _find_empty(prop.options, element)
    logical = (prop.logical_type or "").casefold()
    if dialect is Dialect.ODCS and logical in _NUMBERS:
        return  # the standard's own schema takes numbers alone
    for name, value in _ends(prop.options):
        if value is not None and text_of(value).strip().lstrip("+-").casefold() not in _INFINITE:
            yield from _look_at(prop, logical, name, value, element)


def _ends(options: ValueOptions) -> tuple[tuple[str, Json], ...]:
    return (
        ("minimum", options.minimum),
        ("maximum", options.maximum),
        ("exclusiveMinimum", options.exclusive_minimum),
        ("exclusiveMaximum", options.exclusive_maximum),
    )


def _look_at(prop: Property, logical: str, name: str, value: Json, element: str) -> Iterator[Remark]:
    text, severity = text_of(value).strip(), Severity.ERROR
    if logical in _ORDERLESS:
        message, expected = f"{name} limits nothing, because a value of type {logical} is never above another", ""
        advice, severity = f"Remove {name}.", Severity.WARNING
    elif logical in _NUMBERS and number_of(text) is None:
        message, expected = f"{name} {text!r} cannot be compared with a number", "a number"
        advice = "Write a number, or correct the type."
    elif logical in _DAYS and parse_day(value)[0] is None:
        message, expected = f"{name} {text!r} cannot be compared with a {logical}", "a day such as 2026-02-03"
        advice = "Write a day that exists, year first." if _DAY.fullmatch(text) else f"Write {expected[2:]}."
        severity = Severity.ERROR if _DAY.fullmatch(text) else Severity.WARNING  # platforms have forms of their own
    else:
        return
    at = (*prop.options.at, name)
    yield Remark(
        "bound-unreadable", message, at, severity, element=element, expected=expected, actual=text, suggestion=advice
    )


def _find_empty(options: ValueOptions, element: str) -> Iterator[Remark]:
    pairs = (
        ("minimum", options.minimum, "maximum", options.maximum, False),
        ("exclusiveMinimum", options.exclusive_minimum, "maximum", options.maximum, True),
        ("minimum", options.minimum, "exclusiveMaximum", options.exclusive_maximum, True),
        ("exclusiveMinimum", options.exclusive_minimum, "exclusiveMaximum", options.exclusive_maximum, True),
        ("minLength", options.min_length, "maxLength", options.max_length, False),
        ("minItems", options.min_items, "maxItems", options.max_items, False),
        ("minProperties", options.min_properties, "maxProperties", options.max_properties, False),
    )
    for low_name, low, high_name, high, open_end in pairs:
        if low is not None and high is not None and is_above(low, high, open_end):
            yield Remark(
                "bounds-empty",
                f"no value can be {_side(low_name, low, 'least')} and {_side(high_name, high, 'most')}",
                options.at,
                element=element,
                suggestion=f"Swap {low_name} and {high_name}, or correct one of them.",
            )


def _side(name: str, limit: Json, word: str) -> str:
    if name.startswith("exclusive"):
        return f"{'above' if word == 'least' else 'below'} {text_of(limit)} ({name})"
    return f"at {word} {text_of(limit)} ({name})"


def is_above(low: Json, high: Json, open_end: bool) -> bool:
    """Whether one end lies above the other, or on it where an end is open; false where that is not known."""
    from decimal import Decimal  # only limits need it

    try:
        first, second = Decimal(text_of(low)), Decimal(text_of(high))
        return first > second or (open_end and first == second)
    except ArithmeticError:  # dates and times as text: ISO 8601 sorts as text when both have one form
        same_form = isinstance(low, str) and isinstance(high, str) and len(low) == len(high)
        return same_form and (str(low) > str(high) or (open_end and low == high))
