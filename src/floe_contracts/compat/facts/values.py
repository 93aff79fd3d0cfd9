"""What changed about the values a property may hold and what they mean: enum, pattern, unit, zone, classification."""

from __future__ import annotations

from collections.abc import Iterator

from ...contract.meaning.strictness import compare_classifications
from ...contract.meaning.texts import fold, text
from ...contract.meaning.type_options import semantic_name, unit_name, zone_name
from ...contract.model import EnumValue, Json, JsonMap, Property
from ..fact import Fact, FactPlace
from ..kinds import FactKind
from .match import match
from .plain import canonical, changed_keys, show
from .proptypes import options_place


def value_facts(place: FactPlace, old: Property, new: Property) -> Iterator[Fact]:
    """Everything about values but types and bounds."""
    if old.enum or new.enum:
        yield from _enum(place, old.enum or (), new.enum or ())
    yield from _pattern(place, old, new)
    yield from _unit(place, text(old.unit).strip(), text(new.unit).strip())
    yield from _semantic_type(place, semantic_name(old.semantic_type), semantic_name(new.semantic_type))
    if text(old.encrypted_name) != text(new.encrypted_name):
        texts = (old.encrypted_name or "", new.encrypted_name or "")
        yield place.fact(FactKind.PROPERTY_ENCRYPTED_NAME_CHANGED, *texts, key="encrypted_name")
    yield from _timezone(place, old, new)
    if old.classification != new.classification:
        yield from _classification(place, old.classification, new.classification)
    if old.pii_type != new.pii_type:
        yield from _pii(place, old.pii_type, new.pii_type)
    yield from _transform(place, old.transform, new.transform)


def _transform(place: FactPlace, old: JsonMap, new: JsonMap) -> Iterator[Fact]:
    for key in changed_keys(old, new):
        yield place.at_key(key).fact(
            FactKind.TRANSFORM_CHANGED,
            f"{key}: {show(old.get(key))}",
            f"{key}: {show(new.get(key))}",
            normal=(f"{key}: {canonical(old.get(key))}", f"{key}: {canonical(new.get(key))}"),
        )


def _enum(place: FactPlace, old: tuple[EnumValue, ...], new: tuple[EnumValue, ...]) -> Iterator[Fact]:
    if not old or not new:
        kind = FactKind.ENUM_INTRODUCED if new else FactKind.ENUM_REMOVED
        yield place.fact(kind, _list_values(old), _list_values(new), key="enum")
        return
    matched = match(_values_once(old), _values_once(new), lambda item: canonical(item.value))
    for item in matched.removed:
        spot = place.at(old_at=item.at)
        yield spot.fact(FactKind.ENUM_VALUE_REMOVED, show(item.value), "", normal=(canonical(item.value), ""))
    for item in matched.added:
        spot = place.at(new_at=item.at)
        yield spot.fact(FactKind.ENUM_VALUE_ADDED, "", show(item.value), normal=("", canonical(item.value)))
    if not any(item.docs or item.id for item in (*old, *new)):
        return
    documented = _docs_by_value(old), _docs_by_value(new)
    for before, after in matched.pairs:
        old_docs, new_docs = (side[canonical(before.value)] for side in documented)
        if _meanings(old_docs, loose=True) != _meanings(new_docs, loose=True):
            label = show(before.value)
            sides = [(", ".join(map(show, docs)), "".join(_meanings(docs)) or "{}") for docs in (old_docs, new_docs)]
            yield place.at(old_at=before.at, new_at=after.at).fact(
                FactKind.ENUM_DOCS_CHANGED,
                *(f"{label} ({shown})" for shown, _ in sides),
                normal=(label + sides[0][1], label + sides[1][1]),
            )


def _docs_by_value(values: tuple[EnumValue, ...]) -> dict[str, list[dict[str, Json]]]:
    """What is said about each value, wherever it is repeated; in which order has no meaning."""
    docs: dict[str, list[dict[str, Json]]] = {}
    for item in values:
        docs.setdefault(canonical(item.value), []).append({**item.docs, "id": item.id})
    return docs


def _meanings(docs: list[dict[str, Json]], *, loose: bool = False) -> list[str]:
    return sorted({text for each in docs if (text := canonical(each, loose=loose)) != "{}"})


def _values_once(values: tuple[EnumValue, ...]) -> tuple[EnumValue, ...]:
    """The values without repetitions, which add nothing."""
    return tuple({canonical(item.value): item for item in reversed(values)}.values())[::-1]


def _list_values(values: tuple[EnumValue, ...]) -> str:
    return ", ".join(show(item.value) for item in values)


def _pattern(place: FactPlace, old: Property, new: Property) -> Iterator[Fact]:
    if old.options.pattern != new.options.pattern:
        spot = options_place(place, old.options, new.options)
        yield from pattern_facts(spot, text(old.options.pattern), text(new.options.pattern))


def pattern_facts(place: FactPlace, old: str, new: str) -> Iterator[Fact]:
    """At most one fact: another pattern. Nobody can decide which of two accepts more, so every difference shows."""
    if old != new:
        kind = FactKind.PATTERN_CHANGED if old and new else FactKind.PATTERN_ADDED if new else FactKind.PATTERN_REMOVED
        yield place.fact(kind, old, new, key="pattern")


def _unit(place: FactPlace, old: str, new: str) -> Iterator[Fact]:
    if unit_name(old) == unit_name(new):
        return
    kind = FactKind.UNIT_CHANGED if old and new else FactKind.UNIT_ADDED if new else FactKind.UNIT_REMOVED
    yield place.fact(kind, old, new, key="unit")


def _semantic_type(place: FactPlace, old: str, new: str) -> Iterator[Fact]:
    if old != new:
        kind = FactKind.SEMANTIC_TYPE_CHANGED if old else FactKind.SEMANTIC_TYPE_ADDED
        yield place.fact(kind, old, new, key="semantic_type")


def _timezone(place: FactPlace, old: Property, new: Property) -> Iterator[Fact]:
    if old.timezone == new.timezone:
        return
    before, after = old.timezone or "", new.timezone or ""
    normal = (before and zone_name(before), after and zone_name(after))
    if normal[0] != normal[1]:
        kind = FactKind.TIMEZONE_CHANGED if before else FactKind.TIMEZONE_ADDED
        yield place.fact(kind, before, after, key="timezone", normal=normal)


def _classification(place: FactPlace, old: str | None, new: str | None) -> Iterator[Fact]:
    before, after = fold(old), fold(new)
    if before == after:
        return
    if not before or not after:
        kind = FactKind.CLASSIFICATION_ADDED if after else FactKind.CLASSIFICATION_REMOVED
    else:
        kind = _classification_kind(compare_classifications(after, before))
    yield place.fact(kind, old or "", new or "", key="classification", normal=(before, after))


def _classification_kind(order: int | None) -> FactKind:
    if not order:
        return FactKind.CLASSIFICATION_CHANGED
    return FactKind.CLASSIFICATION_RAISED if order > 0 else FactKind.CLASSIFICATION_LOWERED


def _pii(place: FactPlace, old: str | None, new: str | None) -> Iterator[Fact]:
    before, after = fold(old), fold(new)
    if before == after:
        return
    kind = FactKind.CLASSIFICATION_CHANGED
    if not before or not after:
        kind = FactKind.CLASSIFICATION_ADDED if after else FactKind.CLASSIFICATION_REMOVED
    texts = tuple(f"personal data: {word}" if word else "" for word in (before, after))
    yield place.fact(kind, texts[0], texts[1], key="pii_type")
