"""The whole mapping from a contract's table to rules: constraints of columns, keys, and quality rules, in one order."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from ...contract.model import Contract, Property, SchemaObject
from ..names import RulePlace, rule_places
from .check import QualityCheck, SkippedRule, TableRules
from .keys import foreign_key_rules, key_columns, uniqueness_rules
from .library import quality_rules
from .values import value_rules


def rules_of(contract: Contract, table: SchemaObject) -> TableRules:
    """Everything the contract promises about the values of one table, and what cannot be measured with the reason."""
    rules = tuple(_make_ids_unique(_all_rules(contract, table)))
    return TableRules(
        table.name,
        tuple(rule for rule in rules if isinstance(rule, QualityCheck)),
        tuple(rule for rule in rules if isinstance(rule, SkippedRule)),
    )


def _all_rules(contract: Contract, table: SchemaObject) -> Iterator[QualityCheck | SkippedRule]:
    columns = list(rule_places(contract, table))
    demanded = {place.column for place in key_columns(columns)}
    demanded |= {path for place in columns if place.prop for path in _required_fields(place, place.prop)}
    for place in columns:
        if place.prop is not None:
            yield from value_rules(place, place.prop, demanded=place.column in demanded)
    yield from uniqueness_rules(columns)
    yield from foreign_key_rules(contract, table)
    for place in columns:
        if place.prop is not None:
            yield from quality_rules(place, place.prop.quality)
    yield from quality_rules(RulePlace(contract, table), table.quality)


def _required_fields(place: RulePlace, prop: Property) -> Iterator[tuple[str, ...]]:
    """Fields that their struct lists as required (`logicalTypeOptions.required`)."""
    for name in prop.options.required_properties:
        yield (*place.column, name)


def _make_ids_unique(rules: Iterable[QualityCheck | SkippedRule]) -> Iterator[QualityCheck | SkippedRule]:
    """The rules with a number behind an id that came before: history is kept by ids, so each must be unique."""
    seen: dict[str, int] = {}
    for rule in rules:
        seen[rule.id] = seen.get(rule.id, 0) + 1
        yield rule if seen[rule.id] == 1 else replace(rule, id=f"{rule.id}#{seen[rule.id]}")
