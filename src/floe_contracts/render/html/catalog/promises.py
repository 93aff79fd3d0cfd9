"""What a column promises, in words: allowed values, bounds, and every rule with its threshold."""

from __future__ import annotations

import re
from collections.abc import Iterator

from ....compat.facts.thresholds import threshold_text
from ....contract.meaning.phrase import plural
from ....contract.model import EnumValue, Property, QualityRule, ValueOptions
from ....contract.source.scalars import text_of
from ..board.words import pill
from ..markup import code, tag, text

_MOST_VALUES = 20
_WORD_START = re.compile(r"(?<=[a-z])(?=[A-Z])")
_BOUNDS = (
    ("at least", "minimum"),
    ("more than", "exclusive_minimum"),
    ("at most", "maximum"),
    ("less than", "exclusive_maximum"),
    ("a multiple of", "multiple_of"),
)
_SIZES = (("characters", "min_length", "max_length"), ("items", "min_items", "max_items"))


def promises(prop: Property) -> str:
    """The marks of a column, and a line for each promise about its values."""
    words = [
        *(["primary key"] if prop.primary_key else []),
        *(["required"] if prop.required and not prop.primary_key else []),
        *(["unique"] if prop.unique else []),
        *([f"format {prop.options.format}"] if prop.options.format else []),
        *([f"in {prop.unit}"] if prop.unit else []),
    ]
    marks = [pill(word, "idle") for word in words]
    marks += [pill(prop.classification, "info")] if prop.classification else []
    marks += [pill("deprecated", "warning")] if prop.deprecated else []
    lines = [*_values(prop.enum), *_bounds(prop.options), *(rule_line(rule) for rule in prop.quality)]
    return " ".join(marks) + "".join(tag("p", line, class_="small") for line in lines)


def rule_line(rule: QualityRule) -> str:
    """A rule by its name or metric, with what it must be."""
    name = rule.name or rule.metric or rule.query or f"{rule.type} rule"
    limit = _WORD_START.sub(" ", threshold_text(rule)).lower() if rule.thresholds else ""
    return f"{code(name)} {text(limit)}".strip()


def _values(enum: tuple[EnumValue, ...] | None) -> Iterator[str]:
    if enum is None:
        return
    shown = " ".join(code(text_of(each.value)) for each in enum[:_MOST_VALUES])
    more = f" and {plural(len(enum) - _MOST_VALUES, 'other')}" if len(enum) > _MOST_VALUES else ""
    yield f"allowed: {shown}{more}" if enum else "no value is allowed"


def _bounds(options: ValueOptions) -> Iterator[str]:
    bounds = [(word, getattr(options, name)) for word, name in _BOUNDS]
    parts = [f"{word} {text(text_of(value))}" for word, value in bounds if value is not None]
    if parts:
        yield " and ".join(parts)
    for noun, least, most in _SIZES:
        low, high = getattr(options, least), getattr(options, most)
        if low is not None or high is not None:
            yield f"{_span(low, high)} {noun}"
    if options.pattern:
        yield f"matches {code(options.pattern)}"


def _span(low: int | None, high: int | None) -> str:
    if low is None or high is None:
        return f"at least {low}" if high is None else f"at most {high}"
    return f"exactly {low}" if low == high else f"{low} to {high}"
