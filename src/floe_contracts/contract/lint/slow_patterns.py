"""Remarks about patterns that can take for ever."""

from __future__ import annotations

from collections.abc import Iterator

from ...codes import Severity
from ..model import Contract, Pointer, Property, QualityRule
from .remark import Remark


def slow_pattern_remarks(contract: Contract) -> Iterator[Remark]:
    """A remark for every pattern that can take exponential time."""
    for table in contract.objects:
        yield from _rules(table.quality, table.name)
        for path, prop in table.columns():
            if prop.quality or prop.options.pattern is not None:
                yield from _column(prop, f"{table.name}.{'.'.join(path)}")


def _column(prop: Property, element: str) -> Iterator[Remark]:
    if prop.options.pattern is not None:
        at = prop.options.at
        yield from _pattern(prop.options.pattern, (*at, "pattern") if at else at, element)
    yield from _rules(prop.quality, element)


def _rules(rules: tuple[QualityRule, ...], element: str) -> Iterator[Remark]:
    for rule in rules:
        for holder, at in ((rule.arguments, (*rule.at, "arguments", "pattern")), (rule.extras, (*rule.at, "pattern"))):
            pattern = holder.get("pattern")
            if isinstance(pattern, str):
                yield from _pattern(pattern, at, element)


def _pattern(pattern: str, at: Pointer, element: str) -> Iterator[Remark]:
    from ..meaning.pattern.ambiguity import exponential_part  # only patterns need it

    part = exponential_part(pattern)
    if part:
        yield Remark(
            "pattern-exponential",
            f"the pattern can take exponential time: {part} can read the same text in more than one way, "
            "and a value that does not match makes a matcher try them all",
            at,
            severity=Severity.WARNING,
            element=element,
            actual=pattern,
            suggestion="Leave one way: no repeat right inside a repeat, and alternatives that begin differently, "
            r"as in \w+(\s\w+)* instead of (\w+\s?)*.",
        )
