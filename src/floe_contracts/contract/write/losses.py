"""What a conversion lost: everything the contract says that its new form, read back, does not."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import fields, is_dataclass
from typing import Any, Final

from ...frozen import replace
from .. import keys
from ..meaning.references import resolve_elements
from ..meaning.sla import meaning
from ..meaning.typenames import normal_type
from ..model import Contract, CustomProperty, Property, SchemaObject, Sla, Terms, ValueOptions
from ..read.customs import full_name

_TABLES: Final = {
    Contract: keys.CONTRACT,
    SchemaObject: keys.OBJECT,
    Property: keys.PROPERTY,
    ValueOptions: keys.OPTIONS,
}
_WORDS: Final = {
    (kind, slot[0]): key for kind, table in _TABLES.items() for key, slot in table.items() if slot[1] is not None
}
_OTHER_WORDS: Final = {
    "custom": "customProperties",
    "map_key": "map.key",
    "map_value": "map.value",
    "properties": "columns",
}
_NAMED: Final = (SchemaObject, Property)


def losses(before: Contract, after: Contract) -> tuple[str, ...]:
    """One entry per thing lost, as `table.column: key`; a difference that only adds is not a loss."""
    return tuple(dict.fromkeys(_node(before, after, "")))


def _node(before: Any, after: Any, where: str) -> Iterator[str]:
    for field in fields(before):
        old, new = getattr(before, field.name), getattr(after, field.name)
        if not field.compare or _same(field.name, old, new) or old is None or old is False or old == () or old == {}:
            continue
        if field.name == "id" and isinstance(before, Contract) and before.key == after.key:
            continue  # written as another part of the key
        if field.name == "slas":
            yield from _service_levels(before, after)
        elif isinstance(old, tuple) and old and isinstance(old[0], _NAMED):
            yield from _compare_by_name(old, new, where)
        elif isinstance(old, Mapping) and isinstance(new, Mapping):
            yield from (_entry(where, key) for key, value in old.items() if new.get(key) != value)
        elif is_dataclass(old) and new is not None:
            inside = where if isinstance(old, (ValueOptions, Terms)) else f"{where}.{_word(before, field.name)}"
            yield from _node(old, new, inside)
        else:
            yield _entry(where, _word(before, field.name))


def _same(field: str, old: Any, new: Any) -> bool:
    if field == "physical_type" and old and new:
        return normal_type(old) == normal_type(new)
    return bool(old == new)


def _compare_by_name(before: tuple[Any, ...], after: tuple[Any, ...], where: str) -> Iterator[str]:
    named = {item.name: item for item in after}
    for item in before:
        path = f"{where}.{item.name}" if where else item.name
        if item.name in named:
            yield from _node(item, named[item.name], path)
        else:
            yield path


def _service_levels(before: Contract, after: Contract) -> Iterator[str]:
    """Compared by meaning, because a dialect may write six hours as 360 minutes."""
    promises = {(meaning(sla).name, meaning(sla).quantity): sla for sla in reversed(after.slas)}
    for old in before.slas:
        where = f"slaProperties.{old.property}"
        new = promises.get((meaning(old).name, meaning(old).quantity))
        if new is None:
            yield where
            continue
        same_element = old.element in (None, new.element) or _about(before, old) == _about(after, new)
        element = new.element if same_element else old.element
        custom = new.custom if _in_full(old.custom) == _in_full(new.custom) else old.custom
        alike = replace(old, property=new.property, value=new.value, unit=new.unit, element=element, custom=custom)
        yield from _node(alike, new, where)


def _about(contract: Contract, level: Sla) -> frozenset[str]:
    """What a level is measured on, whichever of a column's names says it."""
    names = resolve_elements(contract, level.element or contract.sla_default_element or "", {})
    return frozenset(names.split(", "))


def _in_full(customs: tuple[CustomProperty, ...]) -> tuple[CustomProperty, ...]:
    return tuple(replace(extension, property=full_name(extension.property)) for extension in customs)


def _word(node: object, field: str) -> str:
    return _WORDS.get((type(node), field)) or _OTHER_WORDS.get(field, field)


def _entry(where: str, word: str) -> str:
    return f"{where}: {word}" if where else word
