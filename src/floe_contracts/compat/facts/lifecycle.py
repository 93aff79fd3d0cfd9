"""What changed about the stage of a contract's life: its status and its notice of deprecation."""

from __future__ import annotations

from collections.abc import Iterator

from ...contract.meaning.quantity import date_of
from ...contract.meaning.texts import fold, text
from ...contract.model import Deprecation
from ..fact import ElementKind, Fact, FactPlace
from ..kinds import FactKind
from .notes import docs_facts, label_value, leftover_facts

# A contract without a status is in force. Draft and proposed promise nothing yet, in no order.
_STAGES = {"draft": 0, "proposed": 0, "active": 1, "deprecated": 2, "sunset": 3, "retired": 4}
_ENTERED = {2: FactKind.STATUS_DEPRECATED, 3: FactKind.STATUS_SUNSET, 4: FactKind.STATUS_RETIRED}


def status_facts(place: FactPlace, old: str | None, new: str | None) -> Iterator[Fact]:
    """At most one fact: another status, and which way it went."""
    before, after = fold(old) or "active", fold(new) or "active"
    if before != after:
        kind = _status_kind(_STAGES.get(before), _STAGES.get(after))
        yield place.below(ElementKind.CONTRACT, "status").fact(kind, before, after, key="status")


def _status_kind(before: int | None, after: int | None) -> FactKind:
    if before is None or after is None or before == after:
        return FactKind.STATUS_CHANGED
    if after == 0:
        return FactKind.STATUS_DEMOTED
    if after > before:
        return _ENTERED.get(after, FactKind.STATUS_PROMOTED)
    return FactKind.STATUS_REACTIVATED


def deprecation_facts(place: FactPlace, old: Deprecation | None, new: Deprecation | None) -> Iterator[Fact]:
    """The notice given or taken back, its date moved, or another part of it changed."""
    if old is new:
        return
    spot = place.section("deprecation").below(ElementKind.CONTRACT, "deprecation")
    if old is None or new is None:
        notice = new or old or Deprecation()
        pointed = spot.at(old_at=old.at if old else (), new_at=new.at if new else ())
        kind = FactKind.DEPRECATION_ADDED if new else FactKind.DEPRECATION_REMOVED
        date = f"sunset {notice.sunset_date}" if notice.sunset_date else "no sunset date"
        yield pointed.fact(kind, *(("", date) if new else (date, "")))
        return
    spot = spot.at(old_at=old.at, new_at=new.at)
    yield from _sunset(spot, text(old.sunset_date), text(new.sunset_date))
    for field in ("announced", "replacement", "migration_guide", "reason"):
        before, after = text(getattr(old, field)), text(getattr(new, field))
        if before != after:
            texts = (label_value(field, before), label_value(field, after))
            yield spot.at_key(field).fact(FactKind.DEPRECATION_CHANGED, *texts)
    yield from docs_facts(spot, old.extras, new.extras, FactKind.DEPRECATION_CHANGED)
    yield from leftover_facts(spot, old, new)


def _sunset(place: FactPlace, old: str, new: str) -> Iterator[Fact]:
    if old == new:
        return
    before, after = date_of(old), date_of(new)
    kind = FactKind.DEPRECATION_CHANGED
    if before is not None and after is not None:
        if before == after:
            return
        kind = FactKind.DEPRECATION_SUNSET_EARLIER if after < before else FactKind.DEPRECATION_SUNSET_LATER
    yield place.at_key("sunset_date").fact(kind, old, new)
