"""Everything around the tables of an ODCS or floe contract: identity, people, promises, places.

ODCS demands an `id`. A contract of another dialect that has none is written with its key (domain/name, or name) as
`id`; so an `id` that equals that key is read as absent, in every dialect. The key is the same either way.
"""

from __future__ import annotations

from ..field_map import Fields, fill, text
from ..keys import CONTRACT
from ..model import Contract, Dialect, Json, JsonMap, SchemaObject, Terms
from .customs import Known, absorb, read_customs, read_text
from .parts import read_consumers, read_deprecation, read_list, read_role, read_server, read_slas, read_terms

_KEYS = {**CONTRACT, "dataProduct": CONTRACT["product"]}
_OWNERS = frozenset(("owner", "data owner", "dataowner", "product owner", "data product owner"))


def read_envelope(raw: JsonMap, dialect: Dialect, objects: tuple[SchemaObject, ...]) -> Contract:
    """The whole contract, given its tables."""
    fields: Fields = {"name": "", "version": "", **fill(raw, _KEYS)}
    _add_parts(fields, raw)
    absorb(fields, KNOWN, read_customs(raw, ()))
    _add_terms(fields, raw.get("description"))
    fields.setdefault("owner", owner_in(fields.get("team")))
    fields["id"] = own_id(fields.get("id"), fields.get("domain"), fields["name"])
    return Contract(**fields, objects=objects, dialect=dialect)


def own_id(written: str | None, domain: str | None, name: str) -> str | None:
    """The id as written, unless it only repeats the key that the contract has without it."""
    return written if written and written != Contract(name, "", domain=domain).key else None


def owner_in(team: Json) -> str | None:
    """The user name of the first present member whose role is owner."""
    members = team.get("members") if isinstance(team, dict) else None
    for member in members if isinstance(members, list) else ():
        if isinstance(member, dict) and str(member.get("role")).casefold() in _OWNERS and not member.get("dateOut"):
            return text(member.get("username"))
    return None


def _add_parts(fields: Fields, raw: JsonMap) -> None:
    if "slaProperties" in raw:
        fields["slas"] = read_slas(raw["slaProperties"], ("slaProperties",))
    if "servers" in raw:
        fields["servers"] = read_list(raw["servers"], ("servers",), read_server)
    if "roles" in raw:
        fields["roles"] = read_list(raw["roles"], ("roles",), read_role)
    if isinstance(raw.get("consumers"), list):
        fields["consumers"] = read_consumers(raw["consumers"], ("consumers",))
    if isinstance(raw.get("deprecation"), dict):
        fields["deprecation"] = read_deprecation(raw["deprecation"], ("deprecation",))
    if isinstance(raw.get("terms"), dict):
        fields["terms"] = read_terms(raw["terms"], ("terms",))
    team = raw.get("team")
    if team and isinstance(team, (dict, list)):
        fields["team"] = {"members": team} if isinstance(team, list) else team  # a plain list is how 3.0 wrote it


def _add_terms(fields: Fields, description: Json) -> None:
    """ODCS keeps the terms of use in its description; what is left of that is documentation."""
    documentation: dict[str, Json] = {"purpose": description} if isinstance(description, str) else {}
    if isinstance(description, dict):
        documentation = {key: value for key, value in description.items() if value is not None}
    at = ("description",) if isinstance(description, dict) else ()
    terms: Terms = fields.get("terms", Terms())
    texts = {"usage": terms.usage, "limitations": terms.limitations}
    for key, word in texts.items():
        if word is None and isinstance(documentation.get(key), str):
            texts[key] = str(documentation.pop(key))
    retention = fields.pop("retention", terms.retention)
    fields["terms"] = Terms(**texts, retention=retention, extras=terms.extras, at=terms.at or at)
    if documentation:
        fields.setdefault("docs", {})["description"] = documentation


KNOWN: Known = {
    "owner": ("owner", read_text),
    "product": ("product", read_text),
    "retention": ("retention", read_text),
    "terms": ("terms", read_terms),
    "consumers": ("consumers", read_consumers),
    "deprecation": ("deprecation", read_deprecation),
    "parent": ("parent", read_text),
}
