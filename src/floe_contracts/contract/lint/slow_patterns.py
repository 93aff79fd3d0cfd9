"""Remarks about patterns that can take for ever."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from ...codes import Severity
from ..model import Contract, Pointer, Property, QualityRule
from .remark import Remark

if TYPE_CHECKING:
    from ..meaning.pattern.slowness import Slowness

_STEPS = 2_000_000  # of looking at all patterns of a contract: a few seconds
_Place = tuple[str, Pointer, str]  # a pattern, where it is written, and the element it is about


def slow_pattern_remarks(contract: Contract) -> Iterator[Remark]:
    """A remark for every pattern that can take too long; a contract made to be slow itself is not read to its end."""
    left = _STEPS
    for pattern, at, element in _patterns(contract):
        from ..meaning.pattern.slowness import examine  # only patterns need it

        slowness, steps = examine(pattern)
        left -= steps
        if left < 0:
            return
        if slowness is not None and not slowness.is_bearable and slowness.kind != "unknown":
            yield _remark(slowness, pattern, at, element)


def _patterns(contract: Contract) -> Iterator[_Place]:
    for table in contract.objects:
        yield from _in_rules(table.quality, table.name)
        for path, prop in table.columns():
            if prop.quality or prop.options.pattern is not None:
                yield from _in_column(prop, f"{table.name}.{'.'.join(path)}")


def _in_column(prop: Property, element: str) -> Iterator[_Place]:
    if prop.options.pattern is not None:
        at = prop.options.at
        yield prop.options.pattern, (*at, "pattern") if at else at, element
    yield from _in_rules(prop.quality, element)


def _in_rules(rules: tuple[QualityRule, ...], element: str) -> Iterator[_Place]:
    for rule in rules:
        for holder, at in ((rule.arguments, (*rule.at, "arguments", "pattern")), (rule.extras, (*rule.at, "pattern"))):
            pattern = holder.get("pattern")
            if isinstance(pattern, str):
                yield pattern, at, element


def _remark(slowness: Slowness, pattern: str, at: Pointer, element: str) -> Remark:
    if slowness.kind == "exponential":
        return Remark(
            "pattern-exponential",
            f"the pattern can take exponential time: {slowness.part} can read the same text in more than one way, "
            "and a value that does not match makes a matcher try them all",
            at,
            severity=Severity.WARNING,
            element=element,
            actual=pattern,
            suggestion="Leave one way: no repeat right inside a repeat, and alternatives that begin differently, "
            r"as in \w+(\s\w+)* instead of (\w+\s?)*.",
        )
    return Remark(
        "pattern-slow",
        slowness.reason,
        at,
        severity=Severity.WARNING,
        element=element,
        actual=pattern,
        suggestion="Leave one way to read a text: repeats that cannot meet, as in [^,]*,[^,]* instead of .*,.*.",
    )
