"""Custom properties: the declared extensions, and the ones through which floe says what ODCS has no key for.

`floe.<key>` (the bare spelling is read too) fills a field of the model. `floe.extras` is a map of keys that the dialect
refuses at this place; they are read as if they had been written there.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Mapping
from typing import Any, TypeAlias

from ..field_map import Fields, Node, fill, spell
from ..keys import CUSTOM
from ..model import CustomProperty, Json, JsonMap, Pointer

PREFIX = "floe."
EXTRAS = "floe.extras"

Known: TypeAlias = "Mapping[str, tuple[str, Callable[[Json, Pointer], Any]]]"  # key: (field, reader)

_BLANK = CustomProperty("")
_FULL_ONLY = frozenset({"parent"})  # a word that others use for something else


def overlay(raw: JsonMap) -> JsonMap:
    """The node with the keys from its `floe.extras`; maps are joined, everything else is replaced."""
    customs = raw.get("customProperties")
    if not isinstance(customs, list):
        return raw
    for index, item in enumerate(customs):
        moved = item.get("value") if isinstance(item, dict) and item.get("property") == EXTRAS else None
        if isinstance(moved, dict):
            # The hole keeps the positions of the others, which their pointers count.
            joined: Node = {**raw, "customProperties": [*customs[:index], None, *customs[index + 1 :]]}
            for key, value in moved.items():
                native = joined.get(key)
                joined[key] = {**native, **value} if isinstance(native, dict) and isinstance(value, dict) else value
            return joined
    return raw


def read_customs(raw: JsonMap, at: Pointer) -> tuple[CustomProperty, ...]:
    """The declared extensions of a node."""
    customs = raw.get("customProperties")
    if not isinstance(customs, list):
        return ()
    inside = (*at, "customProperties")
    return tuple(
        CustomProperty(**{"property": "", **fill(item, CUSTOM, rest="docs")}, at=(*inside, index))
        for index, item in enumerate(customs)
        if isinstance(item, dict)
    )


def absorb(fields: Fields, known: Known, customs: tuple[CustomProperty, ...]) -> None:
    """Turn the extensions floe knows into fields; the rest becomes `custom`. What the node itself says wins.

    Text that explains such an extension stays in `docs`, under `customProperties` and the key.
    """
    left = list(customs)
    for prefix in (PREFIX, ""):
        for custom in tuple(left):
            key = known_key(custom.property, known) if custom.property.startswith(prefix) else ""
            if not key or (field := known[key][0]) in fields:
                continue
            value = known[key][1](custom.value, (*custom.at, "value"))
            if value is None:
                continue
            fields[field] = value
            left.remove(custom)
            if custom.docs:
                fields.setdefault("docs", {}).setdefault("customProperties", {})[key] = custom.docs
    if left:
        fields["custom"] = tuple(left)


def known_key(name: str, known: Known) -> str:
    """What a custom property of this name would say; empty when floe does not read it."""
    key = name.removeprefix(PREFIX)
    return key if key in known and (key != name or key not in _FULL_ONLY) else ""


def full_name(name: str) -> str:
    """An extension of floe's by its full name; the bare spelling means the same."""
    return name if name.startswith(PREFIX) else PREFIX + name


def read_text(value: Json, _at: Pointer) -> str | None:
    """Reads a custom property that must be text."""
    return value if isinstance(value, str) else None


def write_customs(
    customs: tuple[CustomProperty, ...], known: JsonMap | None = None, docs: JsonMap | None = None
) -> Node:
    """The key `customProperties`, with what floe knows first, or nothing."""
    notes = _notes(docs or {})
    written: list[Json] = [
        {"property": PREFIX + key, "value": value, **notes.get(key, {})} for key, value in (known or {}).items()
    ]
    written += [
        spell(extension, CUSTOM, _BLANK, {"property": extension.property, "value": extension.value}, rest=("docs",))
        for extension in customs
    ]
    return {"customProperties": written} if written else {}


def divide(known: JsonMap, native: Container[str], docs: JsonMap) -> tuple[Node, Node]:
    """Of what floe knows, the keys the dialect has itself and those that become custom properties; null is nothing.

    A key with a note of its own is always a custom property, because only there the note has a place.
    """
    notes = _notes(docs)
    given: Node = {key: value for key, value in known.items() if value is not None}
    own: Node = {key: value for key, value in given.items() if key in native and key not in notes}
    return own, {key: value for key, value in given.items() if key not in own}


def _notes(docs: JsonMap) -> dict[str, dict[str, Json]]:
    notes = docs.get("customProperties")
    return {key: note for key, note in notes.items() if isinstance(note, dict)} if isinstance(notes, dict) else {}
