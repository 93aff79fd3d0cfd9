"""What changed about the people around the data: owner, team, support, price, terms, consumers."""

from __future__ import annotations

from collections.abc import Iterator

from ...contract.model import Consumer, Contract, Json, Terms
from ..fact import Fact, Part, Place
from ..kinds import FactKind
from .equality import unchanged
from .match import match
from .notes import docs_facts, leftover_facts
from .plain import canonical, same, shown, spaced, text


def people_facts(place: Place, old: Contract, new: Contract) -> Iterator[Fact]:
    """Everything that concerns persons and agreements rather than data."""
    if text(old.owner) != text(new.owner):
        spot = place.below(Part.CONTRACT, "owner")
        yield spot.fact(FactKind.OWNER_CHANGED, old.owner or "", new.owner or "", key="owner")
    yield from _group(place, "team", FactKind.TEAM_CHANGED, _members(old.team), _members(new.team))
    yield from _group(place, "support", FactKind.SUPPORT_CHANGED, old.support, new.support)
    yield from _group(place, "price", FactKind.PRICE_CHANGED, old.price, new.price)
    yield from _terms(place, old.terms, new.terms)
    yield from consumer_facts(place.section("consumers"), old.consumers, new.consumers)


def _members(team: Json) -> Json:
    """ODCS 3.0 lists members; 3.1 puts the list under `members`."""
    return {"members": team} if isinstance(team, list) and team else team


def _group(place: Place, field: str, kind: FactKind, old: Json, new: Json) -> Iterator[Fact]:
    if old is not new and not same(old, new, loose=True):
        normal = (canonical(old, loose=True), canonical(new, loose=True))
        yield place.below(Part.CONTRACT, field).fact(kind, shown(old), shown(new), key=field, normal=normal)


def _terms(place: Place, old: Terms, new: Terms) -> Iterator[Fact]:
    if unchanged(old, new):
        return
    spot = place.at(old_at=old.at, new_at=new.at).below(Part.CONTRACT, "terms")
    for field in ("usage", "limitations", "retention"):
        before, after = spaced(getattr(old, field) or ""), spaced(getattr(new, field) or "")
        if before != after:
            yield spot.at_key(field).fact(FactKind.TERMS_CHANGED, _labelled(field, before), _labelled(field, after))
    yield from docs_facts(spot, old.extras, new.extras, FactKind.TERMS_CHANGED)
    yield from leftover_facts(spot, old, new)


def _labelled(field: str, said: str) -> str:
    return f"{field}: {said}" if said else ""


def consumer_facts(place: Place, old: tuple[Consumer, ...], new: tuple[Consumer, ...]) -> Iterator[Fact]:
    """Registered readers, by name."""
    if unchanged(old, new):
        return
    found = match(old, new, lambda consumer: consumer.name)
    for before, after in found.pairs:
        told = _told(before), _told(after)
        if not same(told[0], told[1], loose=True):
            spot = place.below(Part.CONSUMER, before.name, old_at=before.at, new_at=after.at)
            yield spot.fact(FactKind.CONSUMER_CHANGED, shown(told[0]), shown(told[1]))
        yield from leftover_facts(place.below(Part.CONSUMER, before.name), before, after)
    for one in found.removed:
        spot = place.below(Part.CONSUMER, one.name, old_at=one.at)
        yield spot.fact(FactKind.CONSUMER_REMOVED, one.name, "")
    for one in found.added:
        spot = place.below(Part.CONSUMER, one.name, new_at=one.at)
        yield spot.fact(FactKind.CONSUMER_ADDED, "", one.name)


def _told(one: Consumer) -> dict[str, Json]:
    return {"owner": one.owner, "columns": list(one.columns), **one.docs}
