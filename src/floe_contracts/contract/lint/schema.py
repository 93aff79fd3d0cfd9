"""Remarks about tables, columns, value limits, quality rules and relationships."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from ...codes import Severity
from ..model import Contract, Json, Property, QualityRule, Relationship, SchemaObject, Threshold, ValueOptions
from ..source import text_of
from .arguments import argument_remarks
from .patterns import pattern_remarks
from .remark import Remark
from .time_formats import time_format_remarks
from .types import type_remarks

_RANGES = frozenset({Threshold.BETWEEN, Threshold.NOT_BETWEEN})
_EXTERNAL = re.compile(r"#|://|\.ya?ml\b")


def schema_remarks(contract: Contract) -> Iterator[Remark]:
    """All remarks about the schema part."""
    yield from _find_duplicates(contract.objects, "table", "")
    columns = {table.name: {".".join(path) for path, _ in table.columns()} for table in contract.objects}
    for table in contract.objects:
        yield from _columns(table.properties, table.name)
        yield from _quality(table.quality, table.name)
        for relationship in table.relationships:
            yield from _relationship(relationship, table, columns)
        for path, prop in table.columns():
            yield from type_remarks(prop, f"{table.name}.{'.'.join(path)}", contract.dialect)
            yield from _property(prop, f"{table.name}.{'.'.join(path)}")
            for relationship in prop.relationships:
                yield from _relationship(relationship, table, columns)


def _find_duplicates(items: Iterable[SchemaObject] | Iterable[Property], what: str, inside: str) -> Iterator[Remark]:
    exact: set[str] = set()
    folded: dict[str, str] = {}
    for item in items:
        element = f"{inside}.{item.name}" if inside else item.name
        if item.name in exact:
            yield Remark(
                f"duplicate-{what}",
                f"the {what} {item.name!r} is written twice",
                item.at,
                element=element,
                suggestion="Remove one of them, or give it the name it really has.",
            )
        elif item.name.casefold() in folded:
            yield Remark(
                f"duplicate-{what}",
                f"the {what}s {folded[item.name.casefold()]!r} and {item.name!r} differ only in case",
                item.at,
                severity=Severity.WARNING,
                element=element,
                suggestion="Spark and most warehouses read them as one; rename one of them.",
            )
        exact.add(item.name)
        folded.setdefault(item.name.casefold(), item.name)


def _columns(properties: tuple[Property, ...], inside: str) -> Iterator[Remark]:
    yield from _find_duplicates(properties, "column", inside)
    for prop in properties:
        for child in _containers(prop):
            yield from _columns(child.properties, f"{inside}.{prop.name}")


def _containers(prop: Property) -> Iterator[Property]:
    """The property and its unnamed children (items, map sides), whose own fields live in one scope each."""
    yield prop
    for child in (prop.items, prop.map_key, prop.map_value):
        if child is not None:
            yield from _containers(child)


def _property(prop: Property, element: str) -> Iterator[Remark]:
    if prop.options.at:
        yield from _options(prop.options, element)
    if prop.enum is not None:
        seen: set[tuple[bool, str]] = set()
        for value in prop.enum:
            text = (isinstance(value.value, str), text_of(value.value))
            if text in seen:
                yield Remark(
                    "duplicate-enum-value",
                    f"the value {text[1]!r} is listed twice",
                    value.at,
                    element=element,
                    suggestion="Remove one of them.",
                )
            seen.add(text)
    yield from time_format_remarks(prop, element)
    yield from _quality(prop.quality, element, prop.name)


def _options(options: ValueOptions, element: str) -> Iterator[Remark]:
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
        if low is not None and high is not None and _is_above(low, high, open_end):
            yield Remark(
                "bounds-empty",
                f"no value can be {_side(low_name, low, 'least')} and {_side(high_name, high, 'most')}",
                options.at,
                element=element,
                suggestion=f"Swap {low_name} and {high_name}, or correct one of them.",
            )
    if options.pattern is not None:
        yield from pattern_remarks(options.pattern, (*options.at, "pattern"), element)


def _side(name: str, limit: Json, word: str) -> str:
    if name.startswith("exclusive"):
        return f"{'above' if word == 'least' else 'below'} {text_of(limit)} ({name})"
    return f"at {word} {text_of(limit)} ({name})"


def _is_above(low: Json, high: Json, open_end: bool) -> bool:
    from decimal import Decimal  # only limits need it

    try:
        first, second = Decimal(text_of(low)), Decimal(text_of(high))
        return first > second or (open_end and first == second)
    except ArithmeticError:  # dates and times as text: ISO 8601 sorts as text when both have one form
        same_form = isinstance(low, str) and isinstance(high, str) and len(low) == len(high)
        return same_form and (str(low) > str(high) or (open_end and low == high))


def _quality(rules: tuple[QualityRule, ...], element: str, column: str = "") -> Iterator[Remark]:
    ids: set[str] = set()
    for rule in rules:
        if rule.id is not None:
            if rule.id in ids:
                yield Remark(
                    "duplicate-quality-id",
                    f"two quality rules here have the id {rule.id!r}",
                    rule.at,
                    element=element,
                    suggestion="Give each rule an id of its own; versions are compared by it.",
                )
            ids.add(rule.id)
        yield from argument_remarks(rule, element, column)
        yield from _rule_patterns(rule, element)
        for operator, operand in rule.thresholds:
            if not isinstance(operand, list) or len(operand) != 2:
                continue
            if operator in _RANGES and _is_above(operand[0], operand[1], open_end=False):
                yield Remark(
                    "threshold-empty",
                    f"{operator.value} goes from {text_of(operand[0])} down to {text_of(operand[1])}",
                    rule.at,
                    element=element,
                    suggestion="Write the smaller number first.",
                )


def _rule_patterns(rule: QualityRule, element: str) -> Iterator[Remark]:
    for holder, at in ((rule.arguments, (*rule.at, "arguments", "pattern")), (rule.extras, (*rule.at, "pattern"))):
        if isinstance(pattern := holder.get("pattern"), str):
            yield from pattern_remarks(pattern, at, element)


def _relationship(relationship: Relationship, table: SchemaObject, columns: dict[str, set[str]]) -> Iterator[Remark]:
    for what, names in (("from", relationship.source), ("to", relationship.to)):
        for name in names:
            if _EXTERNAL.search(name) or "/" in name or _names_something(name, table, columns):
                continue  # a path by stable ids is checked by its form; the standard lets it leave this document
            yield Remark(
                "relationship-unresolved",
                f"the relationship's {what!r} names {name!r}, which is not in this document",
                relationship.at,
                severity=Severity.WARNING,
                element=f"{table.name}",
                expected="table.column of this contract, or a reference to another file",
                actual=name,
                suggestion="Correct the name, or write the full reference of the other contract.",
            )


def _names_something(name: str, table: SchemaObject, columns: dict[str, set[str]]) -> bool:
    first, _, rest = name.partition(".")
    return (first in columns and (not rest or rest in columns[first])) or name in columns[table.name]
