"""What changed about a property's type, from its logical and physical type and their options: one fact per cause."""

from __future__ import annotations

from collections.abc import Iterator

from ...contract.meaning.texts import fold, text
from ...contract.meaning.type_options import TEMPORAL, VECTOR, implied_width, width_range, zone_kept, zone_name
from ...contract.meaning.typenames import Zone, normal_type
from ...contract.model import Json, Property, ValueOptions
from ..fact import Fact, FactPlace
from ..kinds import FactKind
from .lattice import TypeChange, compare_ranges, compare_type_text
from .plain import canonical, changed_keys, show


def type_changes(place: FactPlace, old: Property, new: Property) -> tuple[TypeChange, ...]:
    """Differences between the types themselves; those with steps are inside the text of the physical type."""
    if old.logical_type == new.logical_type and old.physical_type == new.physical_type:
        return ()
    before, after = fold(old.logical_type), fold(new.logical_type)
    if before and after and before != after:
        normal = (f"{before} {_normal(old)}", f"{after} {_normal(new)}")
        key = "logical_type" if old.physical_type == new.physical_type else "physical_type"
        return (TypeChange(FactKind.TYPE_CHANGED, *_type_labels(old, new), normal=normal, key=key),)
    return (*_physical(place, old, new), *_logical(before, after))


def _type_labels(old: Property, new: Property) -> tuple[str, str]:
    """Both types as written, with the physical one behind the logical one where that says more on either side."""
    full = any(side.physical_type and fold(side.logical_type) != fold(side.physical_type) for side in (old, new))
    before, after = (_type_label(side, full) for side in (old, new))
    return before, after


def _type_label(prop: Property, full: bool) -> str:
    if full and prop.physical_type:
        return f"{prop.logical_type} ({prop.physical_type})"
    return prop.physical_type or prop.logical_type or ""


def _normal(prop: Property) -> str:
    return normal_type(prop.physical_type) if prop.physical_type else ""


def _physical(place: FactPlace, old: Property, new: Property) -> tuple[TypeChange, ...]:
    before, after = text(old.physical_type).strip(), text(new.physical_type).strip()
    if before and after:
        return compare_type_text(before, after)
    if before == after or _is_spelled_out(place, old, before or after):
        return ()
    kind = FactKind.PHYSICAL_TYPE_ADDED if after else FactKind.PHYSICAL_TYPE_REMOVED
    return (TypeChange(kind, before, after),)


def _is_spelled_out(place: FactPlace, old: Property, physical: str) -> bool:
    """Whether another dialect only spells `logicalType: integer` as its one word: `type: integer`, `INTEGER`, `int`."""
    other_dialect = place.old_dialect is not place.new_dialect
    return other_dialect and bool(old.logical_type) and normal_type(physical) == normal_type(fold(old.logical_type))


def _logical(before: str, after: str) -> tuple[TypeChange, ...]:
    if bool(before) == bool(after):
        return ()
    kind = FactKind.LOGICAL_TYPE_ADDED if after else FactKind.LOGICAL_TYPE_REMOVED
    return (TypeChange(kind, before, after, key="logical_type"),)


def option_type_facts(
    place: FactPlace, old: Property, new: Property, changes: tuple[TypeChange, ...]
) -> Iterator[Fact]:
    """Options that belong to the type: format, time zone, vector shape. What the type change explains is left out."""
    kinds = {change.kind for change in changes if not change.steps}
    if FactKind.TYPE_CHANGED in kinds:
        return
    spot = options_place(place, old.options, new.options)
    for fact in (*_format(spot, old, new), *_zone(spot, old, new)):
        if fact.kind not in kinds:
            yield fact
    yield from _default_zone(spot, old.options, new.options)
    yield from _vector(spot, old.options, new.options)


def options_place(place: FactPlace, old: ValueOptions, new: ValueOptions) -> FactPlace:
    """Where the limits are written; the property itself on a side that has none."""
    return place.at(old_at=old.at, new_at=new.at) if old.at or new.at else place


def _format(place: FactPlace, old: Property, new: Property) -> Iterator[Fact]:
    before, after = text(old.options.format).strip(), text(new.options.format).strip()
    if before == after:
        return
    logical = fold(new.logical_type or old.logical_type)
    if logical in TEMPORAL:
        yield place.fact(FactKind.TEMPORAL_FORMAT_CHANGED, before, after, key="format")
        return
    if before.casefold() == after.casefold():
        return
    known = width_range(before or implied_width(old), logical), width_range(after or implied_width(new), logical)
    if known[0] and known[1]:
        kind = compare_ranges(known[0], known[1])
    else:
        kind = (
            FactKind.FORMAT_CHANGED if before and after else FactKind.FORMAT_ADDED if after else FactKind.FORMAT_REMOVED
        )
    if kind is not None:
        yield place.fact(kind, before, after, key="format", normal=(before.casefold(), after.casefold()))


def _zone(place: FactPlace, old: Property, new: Property) -> Iterator[Fact]:
    before, after = old.options.timezone, new.options.timezone
    if before is not after and zone_kept(old) is not zone_kept(new):
        shown_as = {True: Zone.WITH.value, False: Zone.WITHOUT.value, None: ""}
        yield place.fact(FactKind.TIMESTAMP_ZONE_CHANGED, shown_as[before], shown_as[after], key="timezone_option")


def _default_zone(place: FactPlace, old: ValueOptions, new: ValueOptions) -> Iterator[Fact]:
    before, after = zone_name(old.default_timezone), zone_name(new.default_timezone)
    if before != after:
        old_text, new_text = old.default_timezone or "UTC", new.default_timezone or "UTC"
        yield place.fact(FactKind.TIMEZONE_CHANGED, old_text, new_text, key="default_timezone", normal=(before, after))


def _vector(place: FactPlace, old: ValueOptions, new: ValueOptions) -> Iterator[Fact]:
    if not old.extras and not new.extras:
        return
    before: dict[str, Json] = {key: old.extras.get(key, default) for key, default in VECTOR.items()}
    after: dict[str, Json] = {key: new.extras.get(key, default) for key, default in VECTOR.items()}
    for key in changed_keys(before, after):
        yield place.at_key(key).fact(
            FactKind.VECTOR_SHAPE_CHANGED,
            f"{key} {show(before[key])}",
            f"{key} {show(after[key])}",
            normal=(f"{key} {canonical(before[key])}", f"{key} {canonical(after[key])}"),
        )


def other_options(options: ValueOptions) -> dict[str, Json]:
    """Option keys that have no meaning here."""
    return {key: value for key, value in options.extras.items() if key not in VECTOR}
