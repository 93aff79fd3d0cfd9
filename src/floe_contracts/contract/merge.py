"""Merging two contracts: what somebody wrote wins, and what it leaves open comes from the generated one.

Things with names (tables, columns, servers, service levels …) are merged by name; those that only one side has are
kept. A truth value that is written nowhere is false, so it is always the explicit side's.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Mapping
from dataclasses import fields, is_dataclass
from typing import Any, TypeVar

from ..frozen import replace
from .meaning.sla import meaning
from .model import (
    Consumer,
    Contract,
    CustomProperty,
    Property,
    QualityRule,
    Relationship,
    Role,
    SchemaObject,
    Server,
    Sla,
)

T = TypeVar("T")

_OWN = frozenset({"at", "dialect", "api_version", "enum"})  # always the explicit side's, where it says anything


def merge_contracts(generated: Contract, explicit: Contract) -> Contract:
    """The explicit contract, with what it leaves open taken from the generated one."""
    return _merge(generated, explicit)


def _merge(generated: T, explicit: T) -> T:
    changes: dict[str, Any] = {}
    for each in fields(explicit):  # type: ignore[arg-type]  # only nodes of the model come here
        ours, theirs = getattr(explicit, each.name), getattr(generated, each.name)
        if each.name not in _OWN or ours is None:
            changes[each.name] = _merge_value(each.name, theirs, ours)
    return replace(explicit, **changes)  # type: ignore[type-var]  # as above


def _merge_value(name: str, generated: Any, explicit: Any) -> Any:
    if isinstance(explicit, bool):
        return explicit
    if explicit is None or explicit == "":
        return explicit if generated is None or generated == "" else generated
    if isinstance(explicit, tuple):
        return _merge_lists(name, generated, explicit)
    if isinstance(explicit, Mapping):
        return {**generated, **explicit} if isinstance(generated, Mapping) else explicit
    if is_dataclass(explicit) and type(generated) is type(explicit):
        return _merge(generated, explicit)
    return explicit


def _merge_lists(name: str, generated: Any, explicit: tuple[Any, ...]) -> tuple[Any, ...]:
    """By name where the items have one; tags add up; any other list is taken whole."""
    if not isinstance(generated, tuple):
        return explicit
    sample = (*explicit, *generated)
    key = _KEYS.get(type(sample[0])) if sample else None
    if key is None:
        more = (word for word in generated if word not in explicit)
        return (*explicit, *more) if name == "tags" else explicit or generated
    theirs, ours = _number_items(generated, key), _number_items(explicit, key)
    filled = (_merge(theirs[word], item) if word in theirs else item for word, item in ours.items())
    return (*filled, *(item for word, item in theirs.items() if word not in ours))


def _number_items(items: tuple[Any, ...], key: Callable[[Any], Hashable]) -> dict[Hashable, Any]:
    """Items by key; of several with one key the first pairs with the first, the second with the second."""
    seen: Counter[Hashable] = Counter()
    numbered: dict[Hashable, Any] = {}
    for item in items:
        word = key(item)
        numbered[word, seen[word]] = item
        seen[word] += 1
    return numbered


_KEYS: dict[type, Callable[[Any], Hashable]] = {
    SchemaObject: lambda table: table.name,
    Property: lambda column: column.name,
    Server: lambda server: server.name,
    Role: lambda role: role.name,
    Consumer: lambda consumer: consumer.name,
    CustomProperty: lambda extension: extension.property,
    Sla: lambda sla: (meaning(sla).name, sla.element or "", sla.driver or ""),
    QualityRule: lambda rule: rule.id or rule.name or repr((rule.metric, rule.query, rule.thresholds)),
    Relationship: lambda relationship: (relationship.source, relationship.to),
}
