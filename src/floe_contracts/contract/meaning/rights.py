"""Roles and what they may do, in one spelling."""

from __future__ import annotations

from ..model import Json, Role
from ..source.scalars import text_of
from .texts import fold

_RIGHTS = {
    **dict.fromkeys(("read", "readonly", "select", "viewer", "r"), frozenset("r")),
    **dict.fromkeys(("write", "writeonly", "insert", "w"), frozenset("w")),
    **dict.fromkeys(("readwrite", "readandwrite", "writeread", "editor", "rw"), frozenset("rw")),
    **dict.fromkeys(("admin", "owner", "full", "all"), frozenset("rwa")),
}


def roles_from(values: tuple[Json, ...]) -> tuple[Role, ...]:
    """Roles as a server lists them: maps with the name under `role`, or names alone."""
    return tuple(_read(value) for value in values)


def _read(value: Json) -> Role:
    if not isinstance(value, dict):
        return Role(", ".join(map(text_of, value)) if isinstance(value, list) else text_of(value or ""))
    known = {key: value.get(key) for key in ("role", "access", "id")}
    texts = {key: None if item is None else text_of(item) for key, item in known.items()}
    rest = {key: item for key, item in value.items() if key not in known}
    return Role(texts["role"] or "", texts["access"], texts["id"], docs=rest)


def rights_of(access: str | None) -> frozenset[str] | None:
    """What a word for access allows; None for a word without a common meaning."""
    return _RIGHTS.get("".join(letter for letter in fold(access) if letter.isalpha()))


def team_members(team: Json) -> Json:
    """The team in the form of ODCS 3.1, with the list under `members`; 3.0 has the list alone."""
    return {"members": team} if isinstance(team, list) and team else team
