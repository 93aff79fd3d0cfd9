"""What any node may carry beside its meaning: documentation, stable id, declared extensions, unknown keys."""

from __future__ import annotations

from collections.abc import Iterator

from ...contract.model import CustomProperty, Json, JsonMap
from ..fact import ElementKind, Fact, FactPlace
from ..kinds import FactKind
from .equality import LEFTOVER, unchanged
from .match import match
from .plain import canonical, changed_keys, same, shown, text


def docs_facts(place: FactPlace, old: JsonMap, new: JsonMap, kind: FactKind = FactKind.DOCS_CHANGED) -> Iterator[Fact]:
    """One fact per documentation key that changed."""
    for key in changed_keys(old, new, loose=True):
        yield _noted(place, key, old.get(key), new.get(key), kind)


def word_fact(
    place: FactPlace, key: str, old: str | None, new: str | None, kind: FactKind = FactKind.DOCS_CHANGED
) -> Iterator[Fact]:
    """A fact about a single documentary text, such as a stable id."""
    if text(old) != text(new):
        yield _noted(place, key, old, new, kind)


def _noted(place: FactPlace, key: str, old: Json, new: Json, kind: FactKind) -> Fact:
    spot = place.at_key(key)
    normal = (canonical(old, loose=True), canonical(new, loose=True))
    if not place.element.segments:
        return spot.below(ElementKind.CONTRACT, key).fact(kind, shown(old), shown(new), normal=normal)
    normal = (f"{key}: {normal[0]}", f"{key}: {normal[1]}")
    return spot.fact(kind, _labelled(key, old), _labelled(key, new), normal=normal)


def _labelled(key: str, value: Json) -> str:
    said = shown(value)
    return f"{key}: {said}" if said else ""


def custom_facts(place: FactPlace, old: tuple[CustomProperty, ...], new: tuple[CustomProperty, ...]) -> Iterator[Fact]:
    """Declared extensions, matched by their name."""
    if unchanged(old, new):
        return
    found = match(old, new, lambda item: item.property)
    for before, after in found.pairs:
        if not same(before.value, after.value) or not same(before.docs, after.docs, loose=True):
            spot = place.below(ElementKind.CUSTOM, before.property, old_at=before.at, new_at=after.at)
            if same(before.value, after.value):
                yield spot.fact(FactKind.CUSTOM_PROPERTY_CHANGED, shown(dict(before.docs)), shown(dict(after.docs)))
            else:
                normal = (canonical(before.value), canonical(after.value))
                yield spot.fact(
                    FactKind.CUSTOM_PROPERTY_CHANGED, shown(before.value), shown(after.value), normal=normal
                )
    for item in found.removed:
        spot = place.below(ElementKind.CUSTOM, item.property, old_at=item.at)
        yield spot.fact(FactKind.CUSTOM_PROPERTY_CHANGED, shown(item.value) or "null", "")
    for item in found.added:
        spot = place.below(ElementKind.CUSTOM, item.property, new_at=item.at)
        yield spot.fact(FactKind.CUSTOM_PROPERTY_CHANGED, "", shown(item.value) or "null")


def unknown_facts(place: FactPlace, old: JsonMap, new: JsonMap) -> Iterator[Fact]:
    """Keys that no schema knows; nobody can say what they mean, so every change shows."""
    for key in changed_keys(old, new):
        spot = place.at_key(key).below(ElementKind.UNKNOWN, key)
        normal = (canonical(old.get(key)), canonical(new.get(key)))
        yield spot.fact(FactKind.UNKNOWN_FIELD_CHANGED, shown(old.get(key)), shown(new.get(key)), normal=normal)


def leftover_facts(place: FactPlace, old: object, new: object) -> Iterator[Fact]:
    """The safety net: fields of the model that no comparison covers yet still never change in silence."""
    for name in LEFTOVER[old.__class__]:
        before, after = getattr(old, name), getattr(new, name)
        if before != after:
            yield place.below(ElementKind.UNKNOWN, name).fact(FactKind.UNKNOWN_FIELD_CHANGED, repr(before), repr(after))
