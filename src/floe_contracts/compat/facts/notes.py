"""What any node may carry beside its meaning: documentation, stable id, declared extensions, unknown keys."""

from __future__ import annotations

from collections.abc import Iterator

from ...contract.model import CustomProperty, Json, JsonMap
from ..fact import ElementKind, Fact, FactPlace
from ..kinds import FactKind
from .equality import LEFTOVER, unchanged
from .match import match
from .plain import canonical, changed_keys, same, show, text


def docs_facts(place: FactPlace, old: JsonMap, new: JsonMap, kind: FactKind = FactKind.DOCS_CHANGED) -> Iterator[Fact]:
    """One fact per documentation key that changed."""
    for key in changed_keys(old, new, loose=True):
        yield _note(place, key, old.get(key), new.get(key), kind)


def word_fact(
    place: FactPlace, key: str, old: str | None, new: str | None, kind: FactKind = FactKind.DOCS_CHANGED
) -> Iterator[Fact]:
    """A fact about a single documentary text, such as a stable id."""
    if text(old) != text(new):
        yield _note(place, key, old, new, kind)


def _note(place: FactPlace, key: str, old: Json, new: Json, kind: FactKind) -> Fact:
    spot = place.at_key(key)
    normal = (canonical(old, loose=True), canonical(new, loose=True))
    if not place.element.segments:
        return spot.below(ElementKind.CONTRACT, key).fact(kind, show(old), show(new), normal=normal)
    normal = (f"{key}: {normal[0]}", f"{key}: {normal[1]}")
    return spot.fact(kind, label_value(key, old), label_value(key, new), normal=normal)


def label_value(key: str, value: Json) -> str:
    """`key: value` for people; empty when there is no value."""
    words = show(value)
    return f"{key}: {words}" if words else ""


def custom_facts(place: FactPlace, old: tuple[CustomProperty, ...], new: tuple[CustomProperty, ...]) -> Iterator[Fact]:
    """Facts about declared extensions, paired by name."""
    if unchanged(old, new):
        return
    matched = match(old, new, lambda item: item.property)
    for before, after in matched.pairs:
        if not same(before.value, after.value) or not same(before.docs, after.docs, loose=True):
            spot = place.below(ElementKind.CUSTOM, before.property, old_at=before.at, new_at=after.at)
            if same(before.value, after.value):
                yield spot.fact(FactKind.CUSTOM_PROPERTY_CHANGED, show(dict(before.docs)), show(dict(after.docs)))
            else:
                normal = (canonical(before.value), canonical(after.value))
                yield spot.fact(FactKind.CUSTOM_PROPERTY_CHANGED, show(before.value), show(after.value), normal=normal)
    for item in matched.removed:
        spot = place.below(ElementKind.CUSTOM, item.property, old_at=item.at)
        yield spot.fact(FactKind.CUSTOM_PROPERTY_CHANGED, show(item.value) or "null", "")
    for item in matched.added:
        spot = place.below(ElementKind.CUSTOM, item.property, new_at=item.at)
        yield spot.fact(FactKind.CUSTOM_PROPERTY_CHANGED, "", show(item.value) or "null")


def unknown_facts(place: FactPlace, old: JsonMap, new: JsonMap) -> Iterator[Fact]:
    """Facts about keys that no schema knows; nobody can say what they mean, so every change shows."""
    for key in changed_keys(old, new):
        spot = place.at_key(key).below(ElementKind.UNKNOWN, key)
        normal = (canonical(old.get(key)), canonical(new.get(key)))
        yield spot.fact(FactKind.UNKNOWN_FIELD_CHANGED, show(old.get(key)), show(new.get(key)), normal=normal)


def leftover_facts(place: FactPlace, old: object, new: object) -> Iterator[Fact]:
    """Facts about fields that no comparison covers yet: the safety net, so that nothing changes in silence."""
    for name in LEFTOVER[old.__class__]:
        before, after = getattr(old, name), getattr(new, name)
        if before != after:
            yield place.below(ElementKind.UNKNOWN, name).fact(FactKind.UNKNOWN_FIELD_CHANGED, repr(before), repr(after))
