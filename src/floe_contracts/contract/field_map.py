"""Nodes read and written by table: what a key of a document does to a field of the model, and the way back.

A slot is (field, reader): the reader turns a written value into the field's value, or None when it has the wrong type.
A slot without reader collects the key in a map (`docs`, `transform`); APART marks keys that are handled by code. Keys
that a table does not have land in the map named by `rest`.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Mapping
from typing import Any, TypeAlias

from .model import Json, JsonMap
from .source.scalars import text_of

Slot: TypeAlias = "tuple[str, Callable[[Json], object] | None]"
Table: TypeAlias = "Mapping[str, Slot]"
Fields: TypeAlias = "dict[str, Any]"  # keyword arguments of a node under construction
Node: TypeAlias = "dict[str, Json]"  # a node as it is written

APART: Slot = ("", None)
DOC: Slot = ("docs", None)


def fill(raw: JsonMap, table: Table, rest: str = "extras") -> Fields:
    """Keyword arguments for a model class from a written node; null is the same as absent."""
    fields: Fields = {}
    unknown = (rest, None)
    for key, value in raw.items():
        field, read = table.get(key, unknown)
        if not field or (value is None and field != "extras"):
            continue
        if read is None:
            fields.setdefault(field, {})[key] = value
            continue
        got = read(value)
        if got is not None:
            fields[field] = got
    return fields


def note_denied(fields: Fields) -> Fields:
    """The same arguments with the names of the truth values that are written down as false."""
    if False in fields.values():
        fields["denied"] = tuple(name for name, value in fields.items() if value is False)
    return fields


def spell(
    node: object,
    table: Table,
    blank: object,
    apart: Mapping[str, Json] | None = None,
    *,
    rest: tuple[str, ...] = ("docs", "extras"),
    skip: Container[str] = (),
) -> Node:
    """A model node as written keys in table order, without those that say no more than `blank`.

    What is in `apart` is taken as it is; the maps named by `rest` add the keys that the table does not have.
    """
    written: Node = {}
    for key, slot in table.items():
        value = (
            apart[key] if apart and key in apart else _field_value(node, blank, key, slot) if key not in skip else ...
        )
        if value is not ...:
            written[key] = value
    for name in rest:
        for key, value in getattr(node, name).items():
            if key not in table:
                written.setdefault(key, value)
    return written


def _field_value(node: object, blank: object, key: str, slot: Slot) -> Any:
    """The value to write under a key; an ellipsis when there is none."""
    field, read = slot
    if not field:
        return ...
    value = getattr(node, field)
    if read is None:
        return value.get(key, ...)
    if value == getattr(blank, field):
        return ...
    return list(value) if isinstance(value, tuple) else value


def text(value: Json) -> str | None:
    """Text; numbers and truth values count as the text they were written as."""
    if isinstance(value, str):
        return value
    return None if value is None or isinstance(value, (dict, list)) else text_of(value)


def flag(value: Json) -> bool | None:
    return value if isinstance(value, bool) else None


def whole(value: Json) -> int | None:
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        return None
    return value if isinstance(value, int) else (int(value) if value.is_integer() else None)


def mapping(value: Json) -> dict[str, Json] | None:
    return value if isinstance(value, dict) else None


def texts(value: Json) -> tuple[str, ...] | None:
    if not isinstance(value, list):
        return None
    return tuple(word for word in map(text, value) if word is not None)


def anything(value: Json) -> Json:
    return value


def lower_text(value: Json) -> str | None:
    word = text(value)
    return word.lower() if word is not None else None


def unless(default: Json, read: Callable[[Json], Any]) -> Callable[[Json], Any]:
    """A default that is written out equals an absent key."""
    return lambda value: None if value == default else read(value)
