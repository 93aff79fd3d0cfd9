"""Which new property is an old one under another name: same type and limits, and a name, place or text that tells."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from ...contract.meaning.texts import compose, fold, text
from ...contract.meaning.typenames import normal_type
from ...contract.model import Property, SchemaObject
from .match import Matched, best_pairs, join_pairs
from .plain import canonical

_ALIKE = 0.7
_OVERLAP = 0.6
_MOST_COMPARED = 2_500  # pairs of names; a table rewritten from scratch is not searched for renames


class _Side(NamedTuple):
    """One list, and for each unmatched item the gap between matched neighbours that it lies in."""

    items: Sequence[Property]
    gaps: dict[
        int, tuple[int, int, int]
    ]  # in the list's order: place -> pair before, pair after, how many left ones before it in the gap


def with_renames(old: Sequence[Property], new: Sequence[Property], matched: Matched[Property]) -> Matched[Property]:
    """The same matches, with every rename made a pair."""
    before = _gaps(old, matched.pairs, 0)
    after = _gaps(new, matched.pairs, 1)
    if len(before.gaps) * len(after.gaps) > _MOST_COMPARED:
        return matched
    removed, added = ({place: index for index, place in enumerate(side.gaps)} for side in (before, after))
    return join_pairs(matched, [(removed[i], added[j]) for i, j in best_pairs(_scores(before, after))])


def _gaps(items: Sequence[Property], pairs: Sequence[tuple[Property, Property]], side: int) -> _Side:
    number = {id(pair[side]): place for place, pair in enumerate(pairs)}
    gaps: dict[int, tuple[int, int, int]] = {}
    last, waiting = -1, []
    for place, item in enumerate(items):
        here = number.get(id(item))
        if here is None:
            waiting.append(place)
            continue
        gaps.update({spot: (last, here, index) for index, spot in enumerate(waiting)})
        last, waiting = here, []
    gaps.update({spot: (last, -1, index) for index, spot in enumerate(waiting)})
    return _Side(items, gaps)


def _scores(old: _Side, new: _Side) -> Iterator[tuple[float, int, int]]:
    old_sizes, new_sizes = _sizes(old), _sizes(new)
    shapes = {j: shape(new.items[j]) for j in new.gaps}
    for i, gap in old.gaps.items():
        mine = shape(old.items[i])
        for j, other in new.gaps.items():
            if shapes[j] != mine:
                continue
            in_place = gap == other and old_sizes[gap[:2]] == new_sizes[other[:2]]
            score = _likeness(old.items[i], new.items[j], in_place)
            if score:
                yield score, i, j


def _sizes(side: _Side) -> dict[tuple[int, int], int]:
    sizes: dict[tuple[int, int], int] = {}
    for first, last, _ in side.gaps.values():
        sizes[first, last] = sizes.get((first, last), 0) + 1
    return sizes


def _likeness(old: Property, new: Property, in_place: bool) -> float:
    """How much speaks for a rename; 0 when nothing does."""
    name = name_likeness(old.name, new.name)
    described = bool(_description(old)) and _description(old) == _description(new)
    stored = bool(text(old.physical_name)) and text(old.physical_name) == text(new.physical_name)
    if name < _ALIKE and not in_place and not described and not stored:
        return 0.0
    return name + (in_place + described + stored) / 2


def _description(prop: Property) -> str:
    description = prop.docs.get("description")
    return description.strip() if isinstance(description, str) else ""


def name_likeness(old: str, new: str) -> float:
    """How alike two names are, from 0 to 1; case, `_` and `-` mean nothing: userId is user_id."""
    first, second = sorted("".join(sign for sign in fold(name) if sign.isalnum()) for name in (old, new))
    if first == second:
        return 1.0
    from difflib import SequenceMatcher  # only needed when columns come and go

    return SequenceMatcher(None, first, second, autojunk=False).ratio()


def shape(prop: Property) -> tuple[object, ...]:
    """Type and limits of a property and of everything below it, without its own name."""
    return (
        fold(prop.logical_type),
        normal_type(prop.physical_type) if prop.physical_type else "",
        prop.required,
        prop.unique,
        prop.primary_key,
        tuple(canonical(item.value) for item in prop.enum or ()),
        repr(prop.options),
        tuple(sorted((compose(child.name), shape(child)) for child in prop.properties)),
        *(shape(side) if side is not None else None for side in (prop.items, prop.map_key, prop.map_value)),
    )


def with_renamed_objects(matched: Matched[SchemaObject]) -> Matched[SchemaObject]:
    """Tables under another name: the same physical name, or mostly the same columns."""
    if len(matched.removed) * len(matched.added) > _MOST_COMPARED:
        return matched
    scores = (
        (score, i, j)
        for i, before in enumerate(matched.removed)
        for j, after in enumerate(matched.added)
        if (score := _table_likeness(before, after)) >= _OVERLAP
    )
    return join_pairs(matched, best_pairs(scores))


def _table_likeness(old: SchemaObject, new: SchemaObject) -> float:
    if text(old.physical_name) and text(old.physical_name) == text(new.physical_name):
        return 2.0
    before, after = _columns(old), _columns(new)
    together = len(before | after)
    return len(before & after) / together + name_likeness(old.name, new.name) / 100 if together else 0.0


def _columns(table: SchemaObject) -> set[tuple[str, str]]:
    return {(compose(prop.name), fold(prop.logical_type)) for prop in table.properties}
