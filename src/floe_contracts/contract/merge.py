"""Merging contracts by presence: what the upper side says wins, and what it does not mention comes from the lower one.

Things with names (tables, columns, servers, service levels …) are merged by name; those that only one side has are
kept. A truth value counts as said when it is true, or when false is written down.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import is_dataclass
from typing import Any, TypeVar

from ..frozen import dataclass, replace
from .attributes import ITEM_KEYS, Layer, Provenance, is_blank, node_fields, trace_origins
from .meaning.sla import element_in_full, meaning
from .meaning.typenames import logical_for
from .model import Contract, Dialect, Pointer, Property, SchemaObject, Sla

T = TypeVar("T")

_OWN = frozenset({"at", "dialect", "api_version", "enum"})  # always the explicit side's, where it says anything


@dataclass(frozen=True, slots=True)
class Merged:
    """Several layers as one contract; `layers` are the same with its names for tables."""

    contract: Contract
    layers: tuple[Layer, ...]

    @property
    def provenance(self) -> Provenance:
        """Which layer each attribute comes from; worked out when somebody asks."""
        return trace_origins(self.contract, self.layers)


@dataclass(frozen=True, slots=True)
class Override:
    """A truth value that the explicit contract denies although the generated one has it."""

    element: str  # `customers.email`
    attribute: str  # as ODCS spells it
    explicit_at: Pointer
    generated_at: Pointer


def merge_contracts(generated: Contract, explicit: Contract) -> Contract:
    """The explicit contract, with what it leaves open taken from the generated one."""
    return _merge(align_tables(generated, explicit), explicit)


def merge_layers(layers: Sequence[Layer]) -> Merged:
    """All layers as one contract; the first ones win."""
    contract, aligned = layers[0].contract, [layers[0]]
    for layer in layers[1:]:
        aligned.append(replace(layer, contract=align_tables(layer.contract, contract)))
        contract = _merge(aligned[-1].contract, contract)
    return Merged(contract, tuple(aligned))


def align_tables(generated: Contract, explicit: Contract) -> Contract:
    """The generated contract with the explicit one's name for its table, where each has only one: they are the same."""
    if len(generated.objects) != 1 or len(explicit.objects) != 1:
        return generated
    mine, theirs = generated.objects[0], explicit.objects[0]
    if mine.name == theirs.name:
        return generated
    levels = tuple(replace(sla, element=_rename(sla.element, generated, mine, theirs)) for sla in generated.slas)
    return replace(generated, objects=(replace(mine, name=theirs.name),), slas=levels)


def _rename(element: str | None, contract: Contract, mine: SchemaObject, theirs: SchemaObject) -> str | None:
    if not element:
        return element
    names = element_in_full(element, contract).split(", ")
    return ", ".join(theirs.name + name.removeprefix(mine.name) for name in names)


def find_overrides(generated: Contract, explicit: Contract) -> tuple[Override, ...]:
    """The truth values of the generated contract that the explicit one denies in writing."""
    below = {
        (table.name, path): column
        for table in align_tables(generated, explicit).objects
        for path, column in table.columns()
    }
    return tuple(
        Override(
            ".".join((table.name, *path)),
            word,
            (*column.at, "nullable" if word == "required" and explicit.dialect is Dialect.FIELDS else word),
            (*below[table.name, path].at, word),
        )
        for table in explicit.objects
        for path, column in table.columns()
        for field, word in _TRUTHS.items()
        if field in column.denied and (table.name, path) in below and getattr(below[table.name, path], field)
    )


_TRUTHS = {
    "required": "required",
    "unique": "unique",
    "primary_key": "primaryKey",
    "partitioned": "partitioned",
    "critical": "criticalDataElement",
    "deprecated": "deprecated",
}


def _merge(generated: T, explicit: T) -> T:
    changes: dict[str, Any] = {}
    kind: type = type(explicit)
    for name, default in node_fields(kind):
        ours, theirs = getattr(explicit, name), getattr(generated, name)
        if ours is theirs:
            continue
        if name in _OWN:
            changes[name] = theirs if ours is None else ours
        elif isinstance(ours, bool) and default is False:
            changes[name] = ours or (theirs and name not in getattr(explicit, "denied", ()))
        elif name == "denied":
            changes[name] = (*ours, *(word for word in theirs if word not in ours and not getattr(explicit, word)))
        else:
            changes[name] = _merge_value(name, theirs, ours)
    if isinstance(explicit, Property) and isinstance(generated, Property):
        changes |= _settle(generated, explicit, changes)
    return replace(explicit, **changes) if changes else explicit  # type: ignore[type-var]  # a node of the model


def _settle(generated: Property, explicit: Property, changes: Mapping[str, Any]) -> dict[str, Any]:
    """What no longer fits in a merged column: a type, limits and a place in the key that were overruled."""
    logical = changes.get("logical_type", explicit.logical_type)
    physical = changes.get("physical_type", explicit.physical_type)
    settled: dict[str, Any] = {"any_width": (explicit if explicit.physical_type else generated).any_width}
    if not _fits(physical, logical) and explicit.logical_type and not explicit.physical_type:
        settled["physical_type"] = None
    elif not _fits(physical, logical) and explicit.physical_type and not explicit.logical_type:
        settled["logical_type"] = logical = logical_for(explicit.physical_type)
    if generated.logical_type and logical and generated.logical_type != logical:
        kept = ("options", "enum", "properties", "items", "map_key", "map_value")
        settled |= {name: getattr(explicit, name) for name in kept}
    for truth, place in (("primary_key", "primary_key_position"), ("partitioned", "partition_position")):
        if not changes.get(truth, getattr(explicit, truth)):
            settled[place] = getattr(explicit, place)
    return settled


def _fits(physical: str | None, logical: str | None) -> bool:
    implied = logical_for(physical) if physical else None
    return implied is None or logical is None or implied == logical


def _merge_value(name: str, generated: Any, explicit: Any) -> Any:
    if is_blank(explicit):
        return explicit if is_blank(generated) else generated
    if isinstance(explicit, tuple):
        return _merge_lists(name, generated, explicit)
    if isinstance(explicit, Mapping):
        return _merge_maps(generated, explicit) if isinstance(generated, Mapping) else explicit
    if is_dataclass(explicit) and type(generated) is type(explicit):
        return _merge(generated, explicit)
    return explicit


def _merge_maps(generated: Mapping[str, Any], explicit: Mapping[str, Any]) -> dict[str, Any]:
    return {**generated, **{key: _merge_value(key, generated.get(key), value) for key, value in explicit.items()}}


def _merge_lists(name: str, generated: Any, explicit: tuple[Any, ...]) -> tuple[Any, ...]:
    """By name where the items have one; tags add up; any other list is taken whole."""
    if not isinstance(generated, tuple) or not generated:
        return explicit
    key = ITEM_KEYS.get(type(explicit[0]))
    if key is None:
        return (*explicit, *(word for word in generated if word not in explicit)) if name == "tags" else explicit
    theirs, ours = _number_items(generated, key), _number_items(explicit, key)
    if name == "slas":
        theirs = _pair_levels(theirs, ours)
    filled = (_merge(theirs[word], item) if word in theirs else item for word, item in ours.items())
    return (*filled, *(item for word, item in theirs.items() if word not in ours))


def _pair_levels(theirs: dict[Hashable, Sla], ours: dict[Hashable, Sla]) -> dict[Hashable, Sla]:
    """The same service levels, those of one kind that only one side ties to an element under the other side's key."""
    left = Counter(_kind(sla) for word, sla in theirs.items() if word not in ours)
    single = {
        _kind(sla): word
        for word, sla in ours.items()
        if word not in theirs
        and left[_kind(sla)] == 1
        and sum(_kind(other) == _kind(sla) for key, other in ours.items() if key not in theirs) == 1
    }
    paired: dict[Hashable, Sla] = {}
    for word, sla in theirs.items():
        other = single.get(_kind(sla)) if word not in ours else None
        loose = other is not None and not (sla.element and ours[other].element)
        paired[other if loose else word] = sla
    return paired


def _kind(sla: Sla) -> tuple[str, str]:
    return meaning(sla).name, sla.driver or ""


def _number_items(items: tuple[Any, ...], key: Callable[[Any], Hashable]) -> dict[Hashable, Any]:
    """Items by key; of several with one key the first pairs with the first, the second with the second."""
    seen: Counter[Hashable] = Counter()
    numbered: dict[Hashable, Any] = {}
    for item in items:
        word = key(item)
        numbered[word, seen[word]] = item
        seen[word] += 1
    return numbered
