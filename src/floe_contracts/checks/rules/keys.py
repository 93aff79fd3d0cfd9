"""Keys as rules: the primary key, unique columns, and foreign keys to tables of the same contract."""

from __future__ import annotations

import re
from collections.abc import Iterator

from ...contract.model import Contract, Property, Relationship, SchemaObject
from ..measure import DuplicateCount, OrphanCount
from ..names import RulePlace, element_of, find_column, spots, weight_of
from .check import QualityCheck, SkippedRule

_OUTSIDE = re.compile(r"#|://|\.ya?ml\b")


def key_columns(table_spots: list[RulePlace]) -> tuple[RulePlace, ...]:
    """The columns of the primary key in their order; those without a position come last, as written."""
    parts = [spot for spot in table_spots if spot.prop is not None and spot.prop.primary_key and not spot.repeats]
    return tuple(sorted(parts, key=_position))


def _position(spot: RulePlace) -> tuple[bool, int]:
    position = spot.prop.primary_key_position if spot.prop else None
    return position is None, position or 0


def uniqueness_rules(table_spots: list[RulePlace]) -> Iterator[QualityCheck | SkippedRule]:
    """The primary key as a whole, and every column that is unique on its own."""
    key = key_columns(table_spots)
    if key:
        yield _unique("primary_key", key)
    for spot in table_spots:
        if spot.prop is None or not spot.prop.unique or _is_key(spot, key):
            continue
        if spot.repeats:
            reason = "uniqueness across the items of many rows is not measured; uniqueItems looks inside one row"
            yield SkippedRule(f"{spot.id}.unique", "unique", spot.element, reason, spot.column, "uniqueness")
        else:
            yield _unique("unique", (spot,))


def _is_key(spot: RulePlace, key: tuple[RulePlace, ...]) -> bool:
    """A key of one column is unique already."""
    return len(key) == 1 and key[0].column == spot.column


def _unique(name: str, columns: tuple[RulePlace, ...]) -> QualityCheck:
    first, single = columns[0], len(columns) == 1
    names = ", ".join(spot.element for spot in columns)
    return QualityCheck(
        id=f"{first.id if single else first.table.name}.{name}",
        name=name,
        element=first.element if single else element_of(first.contract, first.table),
        measure=DuplicateCount(tuple(spot.path for spot in columns)),
        column=first.column if single else None,
        columns=tuple(dict.fromkeys(spot.column[0] for spot in columns)),
        dimension="uniqueness",
        weight=max(weight_of(spot.prop.custom) for spot in columns if spot.prop),
        says=f"{names if single else f'({names})'} is unique",
        at=first.prop.at if first.prop and single else first.table.at,
    )


def foreign_key_rules(contract: Contract, table: SchemaObject) -> Iterator[QualityCheck | SkippedRule]:
    """Relationships written at columns and at the table; each needs a target inside the contract."""
    number = 0
    here = RulePlace(contract, table)
    for spot in (*spots(contract, table), here):
        relationships = spot.prop.relationships if spot.prop else table.relationships
        for relationship in relationships:
            number += 1
            yield _foreign_key(spot, relationship, "foreign_key" if number == 1 else f"foreign_key_{number}")


def _foreign_key(spot: RulePlace, relationship: Relationship, name: str) -> QualityCheck | SkippedRule:
    columns = (spot,) if spot.prop else _columns(spot, relationship.source)
    targets = [_target(spot, text) for text in relationship.to]
    reason = _unusable(relationship, columns, targets)
    if reason or columns is None:
        return SkippedRule(f"{spot.id}.{name}", "foreign_key", spot.element, reason, spot.column or None, "consistency")
    ends = [target for target in targets if target]
    return QualityCheck(
        id=f"{spot.id}.{name}",
        name="foreign_key",
        element=spot.element,
        measure=OrphanCount(
            tuple(column.path for column in columns), ends[0].table.name, tuple(target.path for target in ends)
        ),
        column=columns[0].column if len(columns) == 1 else None,
        columns=tuple(dict.fromkeys(column.column[0] for column in columns)),
        dimension="consistency",
        weight=weight_of(relationship.custom),
        says=f"every {', '.join(column.element for column in columns)} exists in {', '.join(relationship.to)}",
        at=relationship.at,
    )


def _unusable(
    relationship: Relationship, columns: tuple[RulePlace, ...] | None, targets: list[RulePlace | None]
) -> str:
    if relationship.type.casefold() != "foreignkey":
        return f"only foreign keys can be checked, and this relationship is called {relationship.type!r}"
    if any(_OUTSIDE.search(text) for text in relationship.to):
        return "the other table belongs to another contract"
    if columns is None or any(target is None for target in targets):
        return "it names a column that this contract does not have"
    if len(columns) != len(targets) or not columns:
        return f"{len(columns)} columns point at {len(targets)}"
    if any(column.repeats for column in columns) or any(target and target.repeats for target in targets):
        return "keys inside arrays or maps are not followed"
    if len({target.table.name for target in targets if target}) > 1:
        return "its targets are in different tables"
    return ""


def _columns(spot: RulePlace, names: tuple[str, ...]) -> tuple[RulePlace, ...] | None:
    columns = [_target(spot, name) for name in names]
    return None if any(column is None for column in columns) else tuple(column for column in columns if column)


def _target(spot: RulePlace, text: str) -> RulePlace | None:
    """The column behind `table.column`, `column` of this table, or `schema/<id>/properties/<id>`."""
    if "/" in text:
        return _by_ids(spot.contract, [part for part in text.split("/") if part])
    for table in spot.contract.objects:
        for prefix in (table.name, table.physical_name or table.name):
            if text.startswith(f"{prefix}."):
                column = find_column(spot.contract, table, text)
                if column:
                    return column
    return find_column(spot.contract, spot.table, text)


def _by_ids(contract: Contract, steps: list[str]) -> RulePlace | None:
    steps = [step for step in steps if step not in ("schema", "properties")]
    table = next((table for table in contract.objects if steps and steps[0] in (table.id, table.name)), None)
    if table is None:
        return None
    chain: list[str] = []
    inside: tuple[Property, ...] = table.properties
    for step in steps[1:]:
        prop = next((prop for prop in inside if step in (prop.id, prop.name)), None)
        if prop is None:
            return None
        chain, inside = [*chain, prop.name], prop.properties
    return find_column(contract, table, ".".join(chain)) if chain else None
