"""What changed beside the meaning of data: documentation, extensions and unknown keys, people, roles and terms."""

from __future__ import annotations

from collections.abc import Iterator

from ...contract.meaning.rights import rights_of, team_members
from ...contract.meaning.texts import collapse_spaces, fold, text
from ...contract.model import Consumer, Contract, CustomProperty, Json, JsonMap, Role, Terms
from ..fact import ElementKind, Fact, FactPlace
from ..kinds import FactKind
from .match import match
from .plain import LEFTOVER, canonical, changed_keys, same, show, unchanged


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


def people_facts(place: FactPlace, old: Contract, new: Contract) -> Iterator[Fact]:
    """Facts about persons and agreements rather than data."""
    if text(old.owner) != text(new.owner):
        spot = place.below(ElementKind.CONTRACT, "owner")
        yield spot.fact(FactKind.OWNER_CHANGED, old.owner or "", new.owner or "", key="owner")
    yield from _group(place, "team", FactKind.TEAM_CHANGED, team_members(old.team), team_members(new.team))
    yield from _group(place, "support", FactKind.SUPPORT_CHANGED, old.support, new.support)
    yield from _group(place, "price", FactKind.PRICE_CHANGED, old.price, new.price)
    yield from _terms(place, old.terms, new.terms)
    yield from consumer_facts(place.section("consumers"), old.consumers, new.consumers)


def _group(place: FactPlace, field: str, kind: FactKind, old: Json, new: Json) -> Iterator[Fact]:
    if old is not new and not same(old, new, loose=True):
        normal = (canonical(old, loose=True), canonical(new, loose=True))
        yield place.below(ElementKind.CONTRACT, field).fact(kind, show(old), show(new), key=field, normal=normal)


def _terms(place: FactPlace, old: Terms, new: Terms) -> Iterator[Fact]:
    if unchanged(old, new):
        return
    spot = place.at(old_at=old.at, new_at=new.at).below(ElementKind.CONTRACT, "terms")
    for field in ("usage", "limitations", "retention"):
        before, after = collapse_spaces(getattr(old, field) or ""), collapse_spaces(getattr(new, field) or "")
        if before != after:
            texts = (label_value(field, before), label_value(field, after))
            yield spot.at_key(field).fact(FactKind.TERMS_CHANGED, *texts)
    yield from docs_facts(spot, old.extras, new.extras, FactKind.TERMS_CHANGED)
    yield from leftover_facts(spot, old, new)


def consumer_facts(place: FactPlace, old: tuple[Consumer, ...], new: tuple[Consumer, ...]) -> Iterator[Fact]:
    """Facts about the registered readers, paired by name."""
    if unchanged(old, new):
        return
    matched = match(old, new, lambda consumer: consumer.name)
    for before, after in matched.pairs:
        fields = _fields_of(before), _fields_of(after)
        if not same(fields[0], fields[1], loose=True):
            spot = place.below(ElementKind.CONSUMER, before.name, old_at=before.at, new_at=after.at)
            yield spot.fact(FactKind.CONSUMER_CHANGED, show(fields[0]), show(fields[1]))
        yield from leftover_facts(place.below(ElementKind.CONSUMER, before.name), before, after)
    for reader in matched.removed:
        spot = place.below(ElementKind.CONSUMER, reader.name, old_at=reader.at)
        yield spot.fact(FactKind.CONSUMER_REMOVED, reader.name, "")
    for reader in matched.added:
        spot = place.below(ElementKind.CONSUMER, reader.name, new_at=reader.at)
        yield spot.fact(FactKind.CONSUMER_ADDED, "", reader.name)


def _fields_of(consumer: Consumer) -> dict[str, Json]:
    return {"owner": consumer.owner, "columns": list(consumer.columns), **consumer.docs}


def role_facts(place: FactPlace, old: tuple[Role, ...], new: tuple[Role, ...]) -> Iterator[Fact]:
    """Facts about the roles of a contract or of one server; a role with another name is another role."""
    if unchanged(old, new):
        return
    matched = match(old, new, lambda role: role.name)
    for before, after in matched.pairs:
        yield from _role(place.below(ElementKind.ROLE, before.name, old_at=before.at, new_at=after.at), before, after)
    for role in matched.removed:
        spot = place.below(ElementKind.ROLE, role.name, old_at=role.at)
        yield spot.fact(FactKind.ROLE_REMOVED, _summary(role), "")
    for role in matched.added:
        spot = place.below(ElementKind.ROLE, role.name, new_at=role.at)
        yield spot.fact(FactKind.ROLE_ADDED, "", _summary(role))


def _summary(role: Role) -> str:
    return f"{role.name} ({role.access})" if role.access else role.name


def _role(place: FactPlace, old: Role, new: Role) -> Iterator[Fact]:
    kind = _access(old.access, new.access)
    if kind is not None:
        yield place.fact(kind, old.access or "", new.access or "", key="access")
    yield from word_fact(place, "id", old.id, new.id, FactKind.ROLE_DOCS_CHANGED)
    yield from docs_facts(place, old.docs, new.docs, FactKind.ROLE_DOCS_CHANGED)
    yield from custom_facts(place, old.custom, new.custom)
    yield from leftover_facts(place, old, new)


def _access(old: str | None, new: str | None) -> FactKind | None:
    before, after = rights_of(old), rights_of(new)
    if fold(old) == fold(new) or (before and before == after):
        return None
    if before is None or after is None:
        return FactKind.ROLE_ACCESS_CHANGED
    if before < after:
        return FactKind.ROLE_ACCESS_WIDENED
    return FactKind.ROLE_ACCESS_REDUCED if after < before else FactKind.ROLE_ACCESS_CHANGED
