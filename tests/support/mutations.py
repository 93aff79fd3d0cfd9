"""Single changes to a contract that change its meaning, wherever they are made."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, fields, is_dataclass, replace
from typing import Any

from hypothesis import strategies as st

from floe_contracts.contract.meaning.sla import meaning
from floe_contracts.contract.meaning.sla_kinds import ON_COLUMNS
from floe_contracts.contract.model import (
    Consumer,
    Contract,
    CustomProperty,
    EnumValue,
    Property,
    QualityRule,
    Relationship,
    Role,
    SchemaObject,
    Server,
    Sla,
    Threshold,
    ValueOptions,
)

FRESH = "zz mutated"  # a text that no strategy makes
NEW_ITEMS: dict[tuple[type, str], Any] = {
    (Contract, "objects"): SchemaObject(FRESH),
    (Contract, "slas"): Sla(FRESH, FRESH),
    (Contract, "servers"): Server(FRESH, FRESH),
    (Contract, "roles"): Role(FRESH),
    (Contract, "consumers"): Consumer(FRESH),
    (Contract, "tags"): FRESH,
    (Consumer, "columns"): FRESH,
    (Server, "roles"): {"role": FRESH},
    (Property, "enum"): EnumValue(FRESH),
    (ValueOptions, "required_properties"): FRESH,
    (QualityRule, "thresholds"): (Threshold.MUST_BE, 987654321),
    (Relationship, "to"): FRESH,
    (Relationship, "source"): FRESH,
}
BY_FIELD: dict[str, Any] = {
    "custom": CustomProperty(FRESH, FRESH),
    "properties": Property(FRESH),
    "quality": QualityRule("sql", name=FRESH, query=FRESH),
    "relationships": Relationship((FRESH,)),
}
SINGLE = {"items": Property(""), "map_key": Property(""), "map_value": Property("")}
UNWEIGHED = frozenset({"version", "dialect", "api_version", "at", "any_width", "denied", "type_word"})


@dataclass(frozen=True)
class Spot:
    """A node of a contract: the fields and places that lead to it."""

    steps: tuple[tuple[str, int | None], ...]
    node: Any


def spots(node: Any, steps: tuple[tuple[str, int | None], ...] = ()) -> Iterator[Spot]:
    """Every node, the contract itself first."""
    yield Spot(steps, node)
    for field in fields(node):
        value = getattr(node, field.name)
        if is_dataclass(value):
            yield from spots(value, (*steps, (field.name, None)))
        elif isinstance(value, tuple):
            for place, item in enumerate(value):
                if is_dataclass(item):
                    yield from spots(item, (*steps, (field.name, place)))


def put(node: Any, steps: tuple[tuple[str, int | None], ...], changed: Any) -> Any:
    """The whole with another node at a spot."""
    if not steps:
        return changed
    (name, place), *rest = steps
    value = getattr(node, name)
    if place is None:
        return replace(node, **{name: put(value, tuple(rest), changed)})
    inner = put(value[place], tuple(rest), changed)
    return replace(node, **{name: (*value[:place], inner, *value[place + 1 :])})


def changed_values(node: Any, name: str) -> list[Any]:
    """Other values of one field, each with another meaning than the present one."""
    value = getattr(node, name)
    if isinstance(value, bool):
        return [not value]
    if isinstance(value, dict):
        return [{**value, FRESH: FRESH}]
    if name in SINGLE:
        return [SINGLE[name]] if value is None else [None]
    new = NEW_ITEMS.get((type(node), name), BY_FIELD.get(name))
    if new is not None:
        held = value or ()
        return [(*held, new), *([held[1:]] if held and _is_said(held[0]) else [])]
    return _scalars(type(node), name, value)


def _is_said(item: Any) -> bool:
    return item not in ("", {}, {"role": ""})


NUMBERS = frozenset({"min_length", "max_length", "min_items", "max_items", "min_properties", "max_properties"})
# Stronger than any other limit, because a weak limit beside a stronger one says nothing.
LIMITS = {
    "minimum": 10**60,
    "exclusive_minimum": 10**60,
    "maximum": -(10**60),
    "exclusive_maximum": -(10**60),
    "multiple_of": 123_456_789_123_456_789,
}


def _scalars(node: type, name: str, value: Any) -> list[Any]:
    if name in NUMBERS:
        return [(value or 0) + 1000]
    if name in LIMITS:
        return [LIMITS[name]]
    if node is ValueOptions and name == "timezone":
        return [value is not True]
    if name.endswith("_position"):
        return []  # has a meaning only beside others; tests/compat/test_facts_keys.py
    if name in ("deprecation", "terms", "options"):
        return []  # their own fields are changed instead
    return [FRESH]


def is_silent(spot: Spot, name: str) -> bool:
    """Fields that say nothing where they stand."""
    node = spot.node
    if name in UNWEIGHED:
        return True
    if isinstance(node, Property) and name == "name":
        return not node.name  # items and map sides have none
    if isinstance(node, Sla) and name == "unit":
        return isinstance(node.value, str)  # a text has its unit inside, or is none
    if isinstance(node, Sla) and name == "element":
        return meaning(node).kind not in ON_COLUMNS  # nothing is measured on it
    return isinstance(node, ValueOptions) and name == "timezone"  # may repeat what the physical type says


@st.composite
def mutations(draw: st.DrawFn, contract: Contract) -> tuple[str, Contract]:
    """A random single change: what it is, and the contract after it."""
    spot = draw(st.sampled_from(list(spots(contract))))
    names = [field.name for field in fields(spot.node) if not is_silent(spot, field.name)]
    choices = [(name, value) for name in names for value in changed_values(spot.node, name)]
    name, value = draw(st.sampled_from(choices))
    told = "/".join(f"{step}[{place}]" if place is not None else step for step, place in (*spot.steps, (name, None)))
    return f"{told} = {value!r}", put(contract, spot.steps, replace(spot.node, **{name: value}))
