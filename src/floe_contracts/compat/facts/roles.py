"""What changed about who may read and write: roles by name, access compared as a set of rights."""

from __future__ import annotations

from collections.abc import Iterator

from ...contract.model import Json, Role
from ...contract.source.scalars import text_of
from ..fact import Fact, Part, Place
from ..kinds import FactKind
from .equality import unchanged
from .match import match
from .notes import custom_facts, docs_facts, leftover_facts, word_fact
from .plain import folded, shown

_RIGHTS = {
    **dict.fromkeys(("read", "readonly", "select", "viewer", "r"), frozenset("r")),
    **dict.fromkeys(("write", "writeonly", "insert", "w"), frozenset("w")),
    **dict.fromkeys(("readwrite", "readandwrite", "writeread", "editor", "rw"), frozenset("rw")),
    **dict.fromkeys(("admin", "owner", "full", "all"), frozenset("rwa")),
}


def role_facts(place: Place, old: tuple[Role, ...], new: tuple[Role, ...]) -> Iterator[Fact]:
    """Facts about the roles of a contract or of one server; a role with another name is another role."""
    if unchanged(old, new):
        return
    found = match(old, new, lambda role: role.name)
    for before, after in found.pairs:
        yield from _role(place.below(Part.ROLE, before.name, old_at=before.at, new_at=after.at), before, after)
    for role in found.removed:
        spot = place.below(Part.ROLE, role.name, old_at=role.at)
        yield spot.fact(FactKind.ROLE_REMOVED, _summary(role), "")
    for role in found.added:
        spot = place.below(Part.ROLE, role.name, new_at=role.at)
        yield spot.fact(FactKind.ROLE_ADDED, "", _summary(role))


def roles_from(values: tuple[Json, ...]) -> tuple[Role, ...]:
    """Roles as a server lists them: maps with the name under `role`, or names alone."""
    return tuple(_read(value) for value in values)


def _read(value: Json) -> Role:
    if not isinstance(value, dict):
        return Role(shown(value))
    known = {key: value.get(key) for key in ("role", "access", "id")}
    texts = {key: None if item is None else text_of(item) for key, item in known.items()}
    rest = {key: item for key, item in value.items() if key not in known}
    return Role(texts["role"] or "", texts["access"], texts["id"], docs=rest)


def _summary(role: Role) -> str:
    return f"{role.name} ({role.access})" if role.access else role.name


def _role(place: Place, old: Role, new: Role) -> Iterator[Fact]:
    kind = _access(old.access, new.access)
    if kind is not None:
        yield place.fact(kind, old.access or "", new.access or "", key="access")
    yield from word_fact(place, "id", old.id, new.id, FactKind.ROLE_DOCS_CHANGED)
    yield from docs_facts(place, old.docs, new.docs, FactKind.ROLE_DOCS_CHANGED)
    yield from custom_facts(place, old.custom, new.custom)
    yield from leftover_facts(place, old, new)


def _access(old: str | None, new: str | None) -> FactKind | None:
    before, after = _rights(old), _rights(new)
    if folded(old) == folded(new) or (before and before == after):
        return None
    if before is None or after is None:
        return FactKind.ROLE_ACCESS_CHANGED
    if before < after:
        return FactKind.ROLE_ACCESS_WIDENED
    return FactKind.ROLE_ACCESS_REDUCED if after < before else FactKind.ROLE_ACCESS_CHANGED


def _rights(access: str | None) -> frozenset[str] | None:
    return _RIGHTS.get("".join(letter for letter in folded(access) if letter.isalpha()))
