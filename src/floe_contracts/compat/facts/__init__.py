"""The facts between two versions of a contract: everything that changed in meaning, and nothing that did not."""

from __future__ import annotations

from collections.abc import Iterator

from ...contract.meaning.references import Renames
from ...contract.meaning.texts import compose, text
from ...contract.model import Contract
from ..fact import ElementKind, Fact, FactPlace
from ..kinds import FactKind
from .notes import custom_facts, docs_facts, leftover_facts, people_facts, unknown_facts
from .objects import object_facts
from .plain import unchanged

_IDENTITY = (
    ("name", FactKind.CONTRACT_NAME_CHANGED),
    ("domain", FactKind.CONTRACT_DOMAIN_CHANGED),
    ("product", FactKind.CONTRACT_PRODUCT_CHANGED),
    ("tenant", FactKind.TENANT_CHANGED),
    ("parent", FactKind.PARENT_CHANGED),
)


def facts_between(old: Contract, new: Contract) -> tuple[Fact, ...]:
    """Every change from `old` to `new`, in the order in which a contract is read; none when they mean the same.

    The version is left to the verdict, and dialect and apiVersion are spellings, so none of them is a fact.
    """
    if old is new:
        return ()
    place = FactPlace(old_dialect=old.dialect, new_dialect=new.dialect)
    return tuple(_walk(place, old, new))


def _walk(place: FactPlace, old: Contract, new: Contract) -> Iterator[Fact]:
    yield from _identity(place, old, new)
    yield from _life(place, old, new)
    objects, renames = object_facts(place, old, new)
    yield from objects
    yield from _slas(place, old, new, renames)
    yield from _servers(place, old, new)
    yield from people_facts(place, old, new)
    yield from _notes(place, old, new)


# Most changes touch one section; importing the others late is worth a tenth of a commit hook's time.
def _life(place: FactPlace, old: Contract, new: Contract) -> Iterator[Fact]:
    if old.status != new.status or not unchanged(old.deprecation, new.deprecation):
        from .lifecycle import deprecation_facts, status_facts

        yield from status_facts(place, old.status, new.status)
        yield from deprecation_facts(place, old.deprecation, new.deprecation)


def _slas(place: FactPlace, old: Contract, new: Contract, renames: Renames) -> Iterator[Fact]:
    if old.sla_default_element != new.sla_default_element or not unchanged(old.slas, new.slas):
        from .slas import sla_facts

        yield from sla_facts(place.section("slas"), old, new, renames)


def _servers(place: FactPlace, old: Contract, new: Contract) -> Iterator[Fact]:
    if not unchanged((old.servers, old.roles), (new.servers, new.roles)):
        from .notes import role_facts
        from .servers import server_facts

        yield from server_facts(place.section("servers"), old.servers, new.servers)
        yield from role_facts(place.section("roles"), old.roles, new.roles)


def _identity(place: FactPlace, old: Contract, new: Contract) -> Iterator[Fact]:
    if (old.id and new.id and old.id != new.id) or (bool(old.id) != bool(new.id) and old.key != new.key):
        # An id that only repeats the name is not kept by readers, so the key decides whether one came or went.
        spot = place.below(ElementKind.CONTRACT, "id")
        yield spot.fact(FactKind.CONTRACT_ID_CHANGED, old.id or "", new.id or "", key="id")
    for field, kind in _IDENTITY:
        before, after = text(getattr(old, field)), text(getattr(new, field))
        if before != after:
            yield place.below(ElementKind.CONTRACT, field).fact(kind, before, after, key=field)


def _notes(place: FactPlace, old: Contract, new: Contract) -> Iterator[Fact]:
    if old.tags != new.tags:
        before, after = ({compose(tag) for tag in tags} for tags in (old.tags, new.tags))
        if before != after:
            texts = (", ".join(sorted(before)), ", ".join(sorted(after)))
            yield place.below(ElementKind.CONTRACT, "tags").fact(FactKind.TAGS_CHANGED, *texts, key="tags")
    yield from docs_facts(place, old.docs, new.docs)
    yield from custom_facts(place, old.custom, new.custom)
    yield from unknown_facts(place, old.extras, new.extras)
    yield from leftover_facts(place, old, new)
