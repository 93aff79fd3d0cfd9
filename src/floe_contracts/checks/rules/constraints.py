"""The whole mapping from a contract's table to rules: constraints of columns, keys, and quality rules, in one order."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from ...contract.model import Contract, Property, SchemaObject
from ..names import RulePlace, spots
from .check import QualityCheck, SkippedRule, TableRules
from .keys import foreign_key_rules, key_columns, uniqueness_rules
from .library import quality_rules
from .values import value_rules


def rules_of(contract: Contract, table: SchemaObject) -> TableRules:
    """Everything the contract promises about the values of one table, and what cannot be measured with the reason."""
    rules = tuple(_with_own_ids(_all_rules(contract, table)))
    return TableRules(
        table.name,
        tuple(rule for rule in rules if isinstance(rule, QualityCheck)),
        tuple(rule for rule in rules if isinstance(rule, SkippedRule)),
    )


def _all_rules(contract: Contract, table: SchemaObject) -> Iterator[QualityCheck | SkippedRule]:
    columns = list(spots(contract, table))
    demanded = {spot.column for spot in key_columns(columns)}
    demanded |= {path for spot in columns if spot.prop for path in _demanded(spot, spot.prop)}
    for spot in columns:
        if spot.prop is not None:
            yield from value_rules(spot, spot.prop, demanded=spot.column in demanded)
    yield from uniqueness_rules(columns)
    yield from foreign_key_rules(contract, table)
    for spot in columns:
        if spot.prop is not None:
            yield from quality_rules(spot, spot.prop.quality)
    yield from quality_rules(RulePlace(contract, table), table.quality)


def _demanded(spot: RulePlace, prop: Property) -> Iterator[tuple[str, ...]]:
    """Fields that their struct lists as required (`logicalTypeOptions.required`)."""
    for name in prop.options.required_properties:
        yield (*spot.column, name)


def _with_own_ids(rules: Iterable[QualityCheck | SkippedRule]) -> Iterator[QualityCheck | SkippedRule]:
    """Names are not unique in every contract; ids must be, because history is kept by them."""
    seen: dict[str, int] = {}
    for rule in rules:
        seen[rule.id] = seen.get(rule.id, 0) + 1
        yield rule if seen[rule.id] == 1 else replace(rule, id=f"{rule.id}#{seen[rule.id]}")
