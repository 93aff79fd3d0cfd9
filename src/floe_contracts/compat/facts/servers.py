"""What changed about where the data is: servers by name, or by place when only the name is new."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator

from ...contract.meaning.rights import roles_from
from ...contract.meaning.systems import coordinates_of, hide_login, system_of, written_coordinates
from ...contract.meaning.texts import fold, text
from ...contract.model import Server
from ..fact import ElementKind, Fact, FactPlace
from ..kinds import FactKind
from .match import match
from .notes import custom_facts, docs_facts, leftover_facts, role_facts, word_fact
from .plain import canonical, changed_keys, show, unchanged

_FORMAT = frozenset({"format", "delimiter", "encoding", "compression", "header", "quote", "escape"})


def server_facts(place: FactPlace, old: tuple[Server, ...], new: tuple[Server, ...]) -> Iterator[Fact]:
    """Facts about all servers of a contract."""
    if unchanged(old, new):
        return
    matched = match(old, new, lambda server: (server.name, fold(server.environment)), lambda server: server.name, _spot)
    for before, after in matched.pairs:
        yield from _server(
            place.below(ElementKind.SERVER, before.name, old_at=before.at, new_at=after.at), before, after
        )
    for server in matched.removed:
        spot = place.below(ElementKind.SERVER, server.name, old_at=server.at)
        yield spot.fact(FactKind.SERVER_REMOVED, _summary(server), "", normal=(canonical(_spot(server)), ""))
    for server in matched.added:
        spot = place.below(ElementKind.SERVER, server.name, new_at=server.at)
        yield spot.fact(FactKind.SERVER_ADDED, "", _summary(server), normal=("", canonical(_spot(server))))


def _spot(server: Server) -> Hashable:
    return (system_of(server.type), canonical(coordinates_of(server)))


def _summary(server: Server) -> str:
    return f"{server.type} {_show(server, server.coordinates)}".strip()


def _show(server: Server, keys: Iterable[str]) -> str:
    """Coordinates as a report may repeat them, which goes further than the file: without logins."""
    values = {key: server.coordinates.get(key) for key in keys}
    return show({key: hide_login(value) if isinstance(value, str) else value for key, value in values.items()})


def _server(place: FactPlace, old: Server, new: Server) -> Iterator[Fact]:
    if text(old.name) != text(new.name):
        yield place.fact(FactKind.SERVER_RENAMED, old.name, new.name)
    if system_of(old.type) != system_of(new.type):
        yield place.fact(FactKind.SERVER_TYPE_CHANGED, old.type, new.type, key="type")
    if fold(old.environment) != fold(new.environment):
        texts = (old.environment or "", new.environment or "")
        kind = FactKind.SERVER_ENVIRONMENT_CHANGED if texts[0].strip() else FactKind.SERVER_ENVIRONMENT_ADDED
        yield place.fact(kind, *texts, key="environment")
    yield from _coordinates(place, old, new)
    yield from role_facts(place, roles_from(old.roles), roles_from(new.roles))
    yield from word_fact(place, "id", old.id, new.id, FactKind.SERVER_DOCS_CHANGED)
    yield from docs_facts(place, old.docs, new.docs, FactKind.SERVER_DOCS_CHANGED)
    yield from custom_facts(place, old.custom, new.custom)
    yield from leftover_facts(place, old, new)


def _coordinates(place: FactPlace, old: Server, new: Server) -> Iterator[Fact]:
    read = coordinates_of if system_of(old.type) == system_of(new.type) else written_coordinates
    before, after = read(old), read(new)
    keys = list(changed_keys(before, after))
    formats = [key for key in keys if key in _FORMAT]
    first_time = not before.get("format") and not any(before.get(key) for key in formats)
    for kind, chosen in (
        (FactKind.SERVER_LOCATION_CHANGED, [key for key in keys if key not in _FORMAT]),
        (FactKind.SERVER_FORMAT_ADDED if first_time else FactKind.SERVER_FORMAT_CHANGED, formats),
    ):
        if chosen:
            sides = [{key: side.get(key) for key in chosen} for side in (before, after)]
            shown = [_show(side, chosen) for side in (old, new)]
            yield place.at_key(chosen[0]).fact(kind, *shown, normal=(canonical(sides[0]), canonical(sides[1])))
