"""What changed about service levels: paired by kind and element, compared by what readers can rely on."""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from typing import NamedTuple

from ...contract.meaning.cron import Cron, parse_cron
from ...contract.meaning.quantity import Duration, Quantity, Text, compare
from ...contract.meaning.sla import Kind, SlaMeaning, meanings
from ...contract.model import Contract, Sla
from ..fact import ElementKind, Fact, FactPlace
from ..kinds import FactKind
from .elements import Renames, columns_of, resolved_elements
from .match import match
from .notes import custom_facts, docs_facts, leftover_facts, unknown_facts, word_fact
from .plain import canonical, folded, same, shown


class _Promise(NamedTuple):
    """A service level with its meaning; `about` is the element in full, followed through renames on the old side."""

    sla: Sla
    meaning: SlaMeaning
    about: str
    written: str  # the element as the author left it, the default one included

    @property
    def kind(self) -> str:
        return self.meaning.name


def sla_facts(place: FactPlace, old: Contract, new: Contract, renames: Renames) -> Iterator[Fact]:
    """Facts about all service levels of a contract."""
    if old.slas or new.slas:
        before, after = _promises(old, renames), _promises(new, {})
        found = match(before, after, _in_full, _by_element, _by_id, _by_kind)
        for one, other in found.pairs:
            yield from _pair(_place(place, one, old, one.sla, other.sla), one, other)
        for one in found.removed:
            yield _place(place, one, old, one.sla, None).fact(
                FactKind.SLA_REMOVED, _text(one), "", normal=(_normal(one), "")
            )
        for one in found.added:
            yield _place(place, one, new, None, one.sla).fact(
                FactKind.SLA_ADDED, "", _text(one), normal=("", _normal(one))
            )
    yield from _unused_default(place, old, new, renames)


def _promises(contract: Contract, renames: Renames) -> list[_Promise]:
    return [
        _Promise(
            sla,
            meaning,
            resolved_elements(contract, meaning.element, renames),
            sla.element or contract.sla_default_element or "",
        )
        for sla, meaning in zip(contract.slas, meanings(contract), strict=True)
    ]


def _in_full(one: _Promise) -> Hashable:
    return (one.kind, one.about, one.meaning.driver, one.sla.id or "")


def _by_element(one: _Promise) -> Hashable:
    return (one.kind, one.about)


def _by_id(one: _Promise) -> Hashable | None:
    return (one.kind, one.sla.id) if one.sla.id else None


def _by_kind(one: _Promise) -> Hashable:
    return one.kind


def _place(place: FactPlace, one: _Promise, contract: Contract, old: Sla | None, new: Sla | None) -> FactPlace:
    spot = place.below(
        ElementKind.SLA,
        one.kind if one.meaning.known else one.sla.property,
        old_at=old.at if old else (),
        new_at=new.at if new else (),
    )
    if one.meaning.element:
        alone = f"{contract.objects[0].name}." if len(contract.objects) == 1 else ""
        spot = spot.below(ElementKind.SLA_ELEMENT, one.meaning.element.removeprefix(alone))
        spot = spot.touching(*columns_of(contract, one.meaning.element))
    return spot


def _pair(place: FactPlace, old: _Promise, new: _Promise) -> Iterator[Fact]:
    if old.about != new.about and not same(old.written, new.written):
        normal = (old.meaning.element, new.meaning.element)
        texts = (old.written or "the whole contract", new.written or "the whole contract")
        yield place.fact(FactKind.SLA_ELEMENT_CHANGED, *texts, key="element", normal=normal)
    kind = _moved(old, new)
    if kind is not None:
        yield place.fact(kind, _text(old), _text(new), key="value", normal=(_normal(old), _normal(new)))
    yield from _schedule(place, old, new)
    for key, before, after in (
        ("id", old.sla.id, new.sla.id),
        ("driver", old.meaning.driver, new.meaning.driver),
        ("scheduler", folded(old.sla.scheduler), folded(new.sla.scheduler)),
    ):
        yield from word_fact(place, key, before, after, FactKind.SLA_DOCS_CHANGED)
    yield from docs_facts(place, old.sla.docs, new.sla.docs, FactKind.SLA_DOCS_CHANGED)
    yield from custom_facts(place, old.sla.custom, new.sla.custom)
    yield from unknown_facts(place, old.sla.extras, new.sla.extras)
    yield from leftover_facts(place, old.sla, new.sla)


def _moved(old: _Promise, new: _Promise) -> FactKind | None:
    """Relaxed, tightened, or not to be compared; None when both promise the same."""
    if old.meaning.extended != new.meaning.extended:
        return FactKind.SLA_INCOMPARABLE
    before, after = old.meaning.quantity, new.meaning.quantity
    if before is None or after is None:
        as_written = same(old.sla.value, new.sla.value) and folded(old.sla.unit) == folded(new.sla.unit)
        return None if as_written and before is after else FactKind.SLA_INCOMPARABLE
    if before == after:
        return None
    order = _order(old.meaning.kind, before, after)
    if order == 0:
        return None
    if order is None or not new.meaning.direction.sign:
        return FactKind.SLA_INCOMPARABLE
    return FactKind.SLA_TIGHTENED if order * new.meaning.direction.sign > 0 else FactKind.SLA_RELAXED


def _order(kind: Kind, old: Quantity, new: Quantity) -> int | None:
    """1 when the new quantity is more; data kept without limit are kept longer than any time."""
    if kind is Kind.RETENTION and isinstance(old, Text) and isinstance(new, Duration):
        return -1
    if kind is Kind.RETENTION and isinstance(new, Text) and isinstance(old, Duration):
        return 1
    return compare(new, old)


def _text(one: _Promise) -> str:
    said = shown([part for part in (one.sla.value, one.sla.value_ext) if part is not None])
    return f"{said} {one.sla.unit}" if one.sla.unit else said


def _normal(one: _Promise) -> str:
    quantity = one.meaning.quantity
    said = quantity.text if quantity is not None else f"{canonical(one.sla.value)} {folded(one.sla.unit)}"
    return f"{said} {one.meaning.extended}".rstrip()


_DUE = frozenset({Kind.FREQUENCY, Kind.FRESHNESS, Kind.TIME_OF_AVAILABILITY})


def _schedule(place: FactPlace, old: _Promise, new: _Promise) -> Iterator[Fact]:
    """When a promise falls due is part of it if the schedule is a cron text; of other schedulers it is a remark."""
    before, after = old.meaning.schedule, new.meaning.schedule
    if before == after:
        return
    kind = _sparser(parse_cron(before)[0], parse_cron(after)[0], before, after)
    if kind is not None and (kind is FactKind.SLA_DOCS_CHANGED or old.meaning.kind not in _DUE):
        yield from word_fact(place, "schedule", before, after, FactKind.SLA_DOCS_CHANGED)
    elif kind is not None and not _explains(kind, old, new):
        yield place.at_key("schedule").fact(kind, before, after)


def _sparser(old: Cron | None, new: Cron | None, old_text: str, new_text: str) -> FactKind | None:
    if (old_text and old is None) or (new_text and new is None):
        return FactKind.SLA_DOCS_CHANGED
    if old is None or new is None:
        return FactKind.SLA_RELAXED if new is None else FactKind.SLA_TIGHTENED
    if old == new:
        return None
    gaps = old.longest_gap(), new.longest_gap()
    if gaps[0] == gaps[1]:
        return FactKind.SLA_INCOMPARABLE  # as often, but at other times
    return FactKind.SLA_RELAXED if gaps[1] > gaps[0] else FactKind.SLA_TIGHTENED


def _explains(kind: FactKind, old: _Promise, new: _Promise) -> bool:
    """Whether the value, itself a schedule, has already said the same."""
    return _moved(old, new) is kind


def _unused_default(place: FactPlace, old: Contract, new: Contract, renames: Renames) -> Iterator[Fact]:
    """A default element that no service level uses promises nothing."""
    if same(old.sla_default_element, new.sla_default_element) or any(not sla.element for sla in (*old.slas, *new.slas)):
        return
    before = resolved_elements(old, old.sla_default_element or "", renames)
    after = resolved_elements(new, new.sla_default_element or "", {})
    if before != after:
        spot = place.section("sla_default_element").below(ElementKind.CONTRACT, "slaDefaultElement")
        texts = (old.sla_default_element or "", new.sla_default_element or "")
        yield spot.fact(FactKind.SLA_DOCS_CHANGED, *texts)
