"""Keys as rules: the primary key, unique columns, and foreign keys to tables of the same contract."""

from __future__ import annotations

import re
from collections.abc import Iterator

from ...contract.model import Contract, Property, Relationship, SchemaObject
from ..measure import DuplicateCount, OrphanCount
from ..names import RulePlace, element_of, find_column, rule_places, weight_of
from .check import QualityCheck, SkippedRule

_OUTSIDE = re.compile(r"#|://|\.ya?ml\b")


def key_columns(places: list[RulePlace]) -> tuple[RulePlace, ...]:
    """The columns of the primary key in their order; those without a position come last, as written."""
    parts = [place for place in places if place.prop is not None and place.prop.primary_key and not place.repeats]
    return tuple(sorted(parts, key=_position))


def _position(place: RulePlace) -> tuple[bool, int]:
    position = place.prop.primary_key_position if place.prop else None
    return position is None, position or 0


def uniqueness_rules(places: list[RulePlace]) -> Iterator[QualityCheck | SkippedRule]:
    """The primary key as a whole, and every column that is unique on its own."""
    key = key_columns(places)
    if key:
        yield _unique("primary_key", key)
    for place in places:
        if place.prop is None or not place.prop.unique or _is_key(place, key):
            continue
        if place.repeats:
            reason = "uniqueness across the items of many rows is not measured; uniqueItems looks inside one row"
            yield SkippedRule(f"{place.id}.unique", "unique", place.element, reason, place.column, "uniqueness")
        else:
            yield _unique("unique", (place,))


def _is_key(place: RulePlace, key: tuple[RulePlace, ...]) -> bool:
    """A key of one column is unique already."""
    return len(key) == 1 and key[0].column == place.column


def _unique(name: str, columns: tuple[RulePlace, ...]) -> QualityCheck:
    first, single = columns[0], len(columns) == 1
    names = ", ".join(place.element for place in columns)
    return QualityCheck(
        id=f"{first.id if single else first.table.name}.{name}",
        name=name,
        element=first.element if single else element_of(first.contract, first.table),
        measure=DuplicateCount(tuple(place.path for place in columns)),
        column=first.column if single else None,
        columns=tuple(dict.fromkeys(place.column[0] for place in columns)),
        dimension="uniqueness",
        weight=max(weight_of(place.prop.custom) for place in columns if place.prop),
        says=f"{names if single else f'({names})'} is unique",
        at=first.prop.at if first.prop and single else first.table.at,
    )


def foreign_key_rules(contract: Contract, table: SchemaObject) -> Iterator[QualityCheck | SkippedRule]:
    """Relationships written at columns and at the table; each needs a target inside the contract."""
    number = 0
    here = RulePlace(contract, table)
    for place in (*rule_places(contract, table), here):
        relationships = place.prop.relationships if place.prop else table.relationships
        for relationship in relationships:
            number += 1
            yield _foreign_key(place, relationship, "foreign_key" if number == 1 else f"foreign_key_{number}")


def _foreign_key(place: RulePlace, relationship: Relationship, name: str) -> QualityCheck | SkippedRule:
    columns = (place,) if place.prop else _columns(place, relationship.source)
    targets = [_target(place, text) for text in relationship.to]
    reason = _why_unusable(relationship, columns, targets)
    if reason or columns is None:
        return SkippedRule(
            f"{place.id}.{name}", "foreign_key", place.element, reason, place.column or None, "consistency"
        )
    ends = [target for target in targets if target]
    return QualityCheck(
        id=f"{place.id}.{name}",
        name="foreign_key",
        element=place.element,
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


def _why_unusable(
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


def _columns(place: RulePlace, names: tuple[str, ...]) -> tuple[RulePlace, ...] | None:
    columns = [_target(place, name) for name in names]
    return None if any(column is None for column in columns) else tuple(column for column in columns if column)


def _target(place: RulePlace, text: str) -> RulePlace | None:
    """The column behind `table.column`, `column` of this table, or `schema/<id>/properties/<id>`."""
    if "/" in text:
        return _by_ids(place.contract, [part for part in text.split("/") if part])
    for table in place.contract.objects:
        for prefix in (table.name, table.physical_name or table.name):
            if text.startswith(f"{prefix}."):
                column = find_column(place.contract, table, text)
                if column:
                    return column
    return find_column(place.contract, place.table, text)


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
