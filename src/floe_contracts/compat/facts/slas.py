"""What changed about service levels: paired by kind and element, compared by what readers can rely on."""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from typing import NamedTuple

from ...contract.meaning.cron import Cron, parse_cron
from ...contract.meaning.references import Renames, follow, resolve_elements
from ...contract.meaning.sla import Kind, SlaMeaning, meanings, uses_default_element
from ...contract.meaning.strictness import compare_slas
from ...contract.meaning.texts import fold
from ...contract.model import Contract, Sla
from ..fact import ElementKind, Fact, FactPlace
from ..kinds import FactKind
from .match import columns_of, match
from .notes import custom_facts, docs_facts, leftover_facts, unknown_facts, word_fact
from .plain import canonical, same, show


class _Promise(NamedTuple):
    """A service level with its meaning; `about` is the element in full, followed through renames on the old side."""

    sla: Sla
    meaning: SlaMeaning
    about: str
    written: str  # the element as the author left it, the default one included
    tables: frozenset[str]  # of the contract, followed through renames too

    @property
    def kind(self) -> str:
        return self.meaning.name

    @property
    def parts(self) -> frozenset[str]:
        """The elements one by one; none for the whole contract."""
        return frozenset(self.about.split(", ")) if self.about else frozenset()

    @property
    def covered(self) -> frozenset[str]:
        """The tables that the promise holds for."""
        return frozenset(_table_of(name, self.tables) for name in self.parts) if self.parts else self.tables


def sla_facts(place: FactPlace, old: Contract, new: Contract, renames: Renames) -> Iterator[Fact]:
    """Facts about all service levels of a contract."""
    if old.slas or new.slas:
        before, after = _promises(old, renames), _promises(new, {})
        matched = match(before, after, _in_full, _by_element, _by_id, _by_kind)
        for promise, other in matched.pairs:
            yield from _pair(_place(place, promise, old, promise.sla, other.sla), promise, other)
        for promise in matched.removed:
            yield _place(place, promise, old, promise.sla, None).fact(
                FactKind.SLA_REMOVED, _text(promise), "", normal=(_normal(promise), "")
            )
        for promise in matched.added:
            yield _place(place, promise, new, None, promise.sla).fact(
                FactKind.SLA_ADDED, "", _text(promise), normal=("", _normal(promise))
            )
    yield from _unused_default(place, old, new, renames)


def _promises(contract: Contract, renames: Renames) -> list[_Promise]:
    tables = frozenset(".".join(follow((table.name,), renames)) for table in contract.objects)
    return [
        _Promise(
            sla,
            meaning,
            resolve_elements(contract, meaning.element, renames),
            sla.element or contract.sla_default_element or "",
            tables,
        )
        for sla, meaning in zip(contract.slas, meanings(contract), strict=True)
    ]


def _in_full(promise: _Promise) -> Hashable:
    return (promise.kind, promise.about, promise.meaning.driver, promise.sla.id or "")


def _by_element(promise: _Promise) -> Hashable:
    return (promise.kind, promise.about)


def _by_id(promise: _Promise) -> Hashable | None:
    return (promise.kind, promise.sla.id) if promise.sla.id else None


def _by_kind(promise: _Promise) -> Hashable:
    return promise.kind


def _place(place: FactPlace, promise: _Promise, contract: Contract, old: Sla | None, new: Sla | None) -> FactPlace:
    spot = place.below(
        ElementKind.SLA,
        promise.kind if promise.meaning.known else promise.sla.property,
        old_at=old.at if old else (),
        new_at=new.at if new else (),
    )
    if promise.meaning.element:
        alone = f"{contract.objects[0].name}." if len(contract.objects) == 1 else ""
        spot = spot.below(ElementKind.SLA_ELEMENT, promise.meaning.element.removeprefix(alone))
        spot = spot.with_columns(*columns_of(contract, promise.meaning.element))
    return spot


def _table_of(name: str, tables: frozenset[str]) -> str:
    ends = (len(name), *(place for place, letter in enumerate(name) if letter == "."))
    return next((name[:end] for end in ends if name[:end] in tables), name)


def _pair(place: FactPlace, old: _Promise, new: _Promise) -> Iterator[Fact]:
    if old.about != new.about and not same(old.written, new.written):
        normal = (old.meaning.element, new.meaning.element)
        texts = (old.written or "the whole contract", new.written or "the whole contract")
        yield place.fact(_element_kind(old, new), *texts, key="element", normal=normal)
    kind = _promise_kind(old, new)
    if kind is not None:
        yield place.fact(kind, _text(old), _text(new), key="value", normal=(_normal(old), _normal(new)))
    yield from _schedule(place, old, new)
    for key, before, after in (
        ("id", old.sla.id, new.sla.id),
        ("driver", old.meaning.driver, new.meaning.driver),
        ("scheduler", fold(old.sla.scheduler), fold(new.sla.scheduler)),
    ):
        yield from word_fact(place, key, before, after, FactKind.SLA_DOCS_CHANGED)
    yield from docs_facts(place, old.sla.docs, new.sla.docs, FactKind.SLA_DOCS_CHANGED)
    yield from custom_facts(place, old.sla.custom, new.sla.custom)
    yield from unknown_facts(place, old.sla.extras, new.sla.extras)
    yield from leftover_facts(place, old.sla, new.sla)


def _element_kind(old: _Promise, new: _Promise) -> FactKind:
    """Whether the promise holds for all that it held for, a table whose clock is named now included, or for others."""
    kept = all(part in new.parts or part in old.tables & new.covered for part in old.parts or old.tables)
    return FactKind.SLA_ELEMENT_ADDED if kept else FactKind.SLA_ELEMENT_CHANGED


def _promise_kind(old: _Promise, new: _Promise) -> FactKind | None:
    """Relaxed, tightened, or not to be compared; None when both promise the same."""
    if old.meaning.extended != new.meaning.extended:
        return FactKind.SLA_INCOMPARABLE
    before, after = old.meaning.quantity, new.meaning.quantity
    if before is None or after is None:
        as_written = same(old.sla.value, new.sla.value) and fold(old.sla.unit) == fold(new.sla.unit)
        return None if as_written and before is after else FactKind.SLA_INCOMPARABLE
    order = compare_slas(new.meaning, old.meaning)
    if order == 0:
        return None
    if order is None:
        return FactKind.SLA_INCOMPARABLE
    return FactKind.SLA_TIGHTENED if order > 0 else FactKind.SLA_RELAXED


def _text(promise: _Promise) -> str:
    value = show([part for part in (promise.sla.value, promise.sla.value_ext) if part is not None])
    return f"{value} {promise.sla.unit}" if promise.sla.unit else value


def _normal(promise: _Promise) -> str:
    quantity = promise.meaning.quantity
    value = quantity.text if quantity is not None else f"{canonical(promise.sla.value)} {fold(promise.sla.unit)}"
    return f"{value} {promise.meaning.extended}".rstrip()


_DUE = frozenset({Kind.FREQUENCY, Kind.FRESHNESS, Kind.TIME_OF_AVAILABILITY})


def _schedule(place: FactPlace, old: _Promise, new: _Promise) -> Iterator[Fact]:
    """When a promise falls due is part of it if the schedule is a cron text; of other schedulers it is a remark."""
    before, after = old.meaning.schedule, new.meaning.schedule
    if before == after:
        return
    kind = _schedule_kind(parse_cron(before)[0], parse_cron(after)[0], before, after)
    if kind is not None and (kind is FactKind.SLA_DOCS_CHANGED or old.meaning.kind not in _DUE):
        yield from word_fact(place, "schedule", before, after, FactKind.SLA_DOCS_CHANGED)
    elif kind is not None and kind is not _promise_kind(old, new):  # the value may be a schedule and say the same
        yield place.at_key("schedule").fact(kind, before, after)


def _schedule_kind(old: Cron | None, new: Cron | None, old_text: str, new_text: str) -> FactKind | None:
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


def _unused_default(place: FactPlace, old: Contract, new: Contract, renames: Renames) -> Iterator[Fact]:
    """A default element that no service level uses promises nothing."""
    if same(old.sla_default_element, new.sla_default_element) or any(map(uses_default_element, (old, new))):
        return
    before = resolve_elements(old, old.sla_default_element or "", renames)
    after = resolve_elements(new, new.sla_default_element or "", {})
    if before != after:
        spot = place.section("sla_default_element").below(ElementKind.CONTRACT, "slaDefaultElement")
        texts = (old.sla_default_element or "", new.sla_default_element or "")
        yield spot.fact(FactKind.SLA_DOCS_CHANGED, *texts)
