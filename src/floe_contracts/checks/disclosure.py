"""Whose values may be told or shown: columns that the contract lists and that neither it nor the platform closes."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator

from ..contract.meaning.privacy import PrivacyRules
from ..contract.model import Contract, Property, SchemaObject
from .names import is_column, name_in_table

_USUAL = PrivacyRules()
_OPEN = frozenset({"", "public", "open", "unclassified", "none"})


def is_open(prop: Property, privacy: PrivacyRules = _USUAL) -> bool:
    """Whether a whole column may be shown; anything classified inside closes it."""
    return is_column(prop) and all(_open(part, privacy) for part in _within(prop))


def names_open(properties: Iterable[Property], name: str, privacy: PrivacyRules = _USUAL) -> bool:
    """Whether a column that is named, or a field at a dotted path, may be shown; what nobody lists is closed.

    A name may fit one property by its name and another by its name in the table: then both must be open.
    """
    listed = tuple(properties)
    fitting = _find_named(listed, name)
    if fitting:
        return all(is_open(prop, privacy) for prop in fitting)
    first, dot, rest = name.partition(".")
    outer = _find_named(listed, first) if dot else ()
    return bool(outer) and all(_open(prop, privacy) and names_open(prop.properties, rest, privacy) for prop in outer)


def masked_columns(
    table: SchemaObject, columns: Iterable[str], privacy: PrivacyRules, unmasked: Collection[str] = ()
) -> frozenset[str]:
    """Of the columns that a table really has, those of which no value is shown, but for those that somebody allowed."""
    allowed = {name_in_table(prop).casefold() for name in unmasked for prop in _find_named(table.properties, name)}
    return frozenset(
        column
        for column in columns
        if column.casefold() not in allowed and not names_open(table.properties, column, privacy)
    )


def refused_columns(contract: Contract, unmasked: Iterable[str], platform: PrivacyRules | None) -> dict[str, str]:
    """Columns that settings would open and cannot, each with the reason: a platform's confidential ones, and slips."""
    reasons = {}
    for name in unmasked:
        props = [prop for table in contract.objects for prop in _find_named(table.properties, name)]
        outer = name.partition(".")[0]
        if not props and outer != name and any(_find_named(table.properties, outer) for table in contract.objects):
            reasons[name] = f"a column is masked or shown as a whole: name {outer}"
        elif not props:
            reasons[name] = "the contract has no such column"
        elif platform is not None and any(platform.hides(part) for prop in props for part in _within(prop)):
            reasons[name] = "the platform takes it for CONFIDENTIAL or stricter"
    return reasons


def _find_named(properties: Iterable[Property], name: str) -> tuple[Property, ...]:
    """The properties of that name in any case, as engines find them."""
    wanted = name.casefold()
    return tuple(prop for prop in properties if wanted in (prop.name.casefold(), name_in_table(prop).casefold()))


def _within(prop: Property) -> Iterator[Property]:
    yield prop
    for child in prop.children():
        yield from _within(child)


def _open(prop: Property, privacy: PrivacyRules) -> bool:
    word = (prop.classification or "").strip().casefold()
    return word in _OPEN and not (prop.pii_type or prop.encrypted_name or privacy.hides(prop))


def open_columns(table: SchemaObject, privacy: PrivacyRules = _USUAL) -> tuple[str, ...]:
    """The columns that may be shown; one with anything classified inside is closed as a whole."""
    return tuple(name_in_table(prop) for prop in table.properties if is_open(prop, privacy))
