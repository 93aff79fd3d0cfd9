"""A contract held to its parents: what it does not say it inherits, what it says may only be stricter."""

from __future__ import annotations

from collections.abc import Sequence

from ...contract.attributes import Layer, Origin
from ...contract.load import Loaded
from ...contract.meaning.sla import SlaMeaning, meanings
from ...contract.meaning.strictness import RANKS, Ranks
from ...contract.model import Contract, Property, SchemaObject, Sla
from ...contract.underlay import cut_below
from ...frozen import dataclass, replace
from .weakening import WeakerValue, binds, find_weakenings

__all__ = ["ParentContract", "WeakerValue", "find_all_weakenings", "inherit_from", "parent_layers"]


@dataclass(frozen=True, slots=True)
class ParentContract:
    """A contract that others inherit from, and what to call it in a message."""

    contract: Contract
    label: str
    file: Loaded | None = None  # where it is written, for lines


def find_all_weakenings(
    child: Contract, parents: Sequence[ParentContract], ranks: Ranks = RANKS
) -> tuple[WeakerValue, ...]:
    """Every written value of a contract that is weaker than a parent's, each once: the nearest parent speaks first."""
    seen: dict[tuple[str, str], WeakerValue] = {}
    for parent in parents:
        for weakening in find_weakenings(child, parent.contract, parent.label, ranks):
            seen.setdefault((weakening.code.id, weakening.path), weakening)
    return tuple(seen.values())


def parent_layers(child: Contract, parents: Sequence[ParentContract]) -> tuple[Layer, ...]:
    """What a contract inherits, as layers to merge below it, the nearest parent first."""
    layers: list[Layer] = []
    for parent in parents:
        inherited = inherit_from(child, parent.contract)
        layers.append(Layer(Origin.PARENT, inherited))
        child = replace(child, slas=(*child.slas, *inherited.slas))
    return tuple(layers)


def inherit_from(child: Contract, parent: Contract) -> Contract:
    """What a parent adds below a contract: attributes of its tables and columns, service levels, tags and terms.

    Who a contract is, who answers for it and where its data are is never inherited.
    """
    cut = cut_below(parent, child)
    return Contract(
        "",
        "",
        objects=tuple(_without_identity(table) for table in cut.objects),
        slas=_inherited_levels(child, parent),
        terms=parent.terms,
        tags=parent.tags,
    )


def _without_identity(table: SchemaObject) -> SchemaObject:
    return replace(
        table, id=None, physical_name=None, at=(), properties=tuple(_unplaced(column) for column in table.properties)
    )


def _unplaced(column: Property) -> Property:
    """A column that is not written in the child's file, so it has no place there."""
    return replace(
        column,
        id=None,
        physical_name=None,
        at=(),
        properties=tuple(_unplaced(child) for child in column.properties),
        items=_unplaced(column.items) if column.items else None,
        map_key=_unplaced(column.map_key) if column.map_key else None,
        map_value=_unplaced(column.map_value) if column.map_value else None,
    )


def _inherited_levels(child: Contract, parent: Contract) -> tuple[Sla, ...]:
    """The parent's service levels that no level of the child answers to."""
    own = meanings(child)
    return tuple(
        replace(sla, at=(), element=_element_here(sla, level, child))
        for sla, level in zip(parent.slas, meanings(parent), strict=True)
        if _concerns(level, child, parent) and not any(binds(level, mine) for mine in own)
    )


def _concerns(level: SlaMeaning, child: Contract, parent: Contract) -> bool:
    """Whether a parent's level is about this contract: not about a table that only the parent has."""
    table = level.element.partition(".")[0]
    return table not in {each.name for each in parent.objects} or table in {each.name for each in child.objects}


def _element_here(sla: Sla, level: SlaMeaning, child: Contract) -> str | None:
    """The element where the child has it; a level without it is about all of the child's data."""
    known = {name for table in child.objects for name in _names(table)}
    return (level.element if level.element in known else sla.element) if {level.element, sla.element} & known else None


def _names(table: SchemaObject) -> set[str]:
    paths = {".".join(path) for path, _ in table.columns()}
    return {table.name, *paths, *(f"{table.name}.{path}" for path in paths)}
