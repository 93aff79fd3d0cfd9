"""Remarks about tables, columns, value limits, quality rules and relationships."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from ...codes import Severity
from ..model import Contract, Dialect, Property, QualityRule, Relationship, SchemaObject, Threshold
from ..source import text_of
from .arguments import argument_remarks
from .limits import is_above, limit_remarks
from .parts import part_remarks
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
            element = f"{table.name}.{'.'.join(path)}"
            yield from type_remarks(prop, element, contract.dialect)
            yield from part_remarks(prop, element, contract.dialect)
            yield from _property(prop, element, contract.dialect)
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


def _property(prop: Property, element: str, dialect: Dialect) -> Iterator[Remark]:
    if prop.options.at:
        yield from limit_remarks(prop, element, dialect)
    if prop.options.pattern is not None:
        yield from pattern_remarks(prop.options.pattern, (*prop.options.at, "pattern"), element)
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
            if operator in _RANGES and is_above(operand[0], operand[1], open_end=False):
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
