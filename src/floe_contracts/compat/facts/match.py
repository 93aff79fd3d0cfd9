"""Which item of an old list is which item of the new one, and names of tables and columns inside other texts."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Sequence
from typing import Generic, TypeVar

from ...contract.meaning.references import path_of
from ...contract.model import Contract
from ...frozen import compared, dataclass
from ..fact import Column
from .plain import canonical

Item = TypeVar("Item")


@dataclass(frozen=True, slots=True)
class Matched(Generic[Item]):
    """Pairs in the order of the old list, and what has no partner."""

    pairs: tuple[tuple[Item, Item], ...] = ()
    removed: tuple[Item, ...] = ()
    added: tuple[Item, ...] = ()


def match(old: Sequence[Item], new: Sequence[Item], *keys: Callable[[Item], Hashable | None]) -> Matched[Item]:
    """Pair items whose keys are equal, trying the keys in turn; None is not a key.

    Where several items share a key, equal ones belong together and the rest pair in their order.
    """
    if not old or not new:
        return Matched((), tuple(old), tuple(new))
    partner: dict[int, int] = {}
    left_old, left_new = list(range(len(old))), list(range(len(new)))
    for key in keys:
        if not left_old or not left_new:
            break
        waiting, wanted = _by_key(new, left_new, key), _by_key(old, left_old, key)
        for name, places in wanted.items():
            partner.update(_pair_places(old, new, places, waiting.get(name, [])))
        left_old = [place for place in left_old if place not in partner]
        taken = set(partner.values())
        left_new = [place for place in left_new if place not in taken]
    return Matched(
        tuple((old[place], new[partner[place]]) for place in sorted(partner)),
        tuple(old[place] for place in left_old),
        tuple(new[place] for place in left_new),
    )


def join_pairs(matched: Matched[Item], pairs: Sequence[tuple[int, int]]) -> Matched[Item]:
    """The same matches with more pairs, each given by its places in `removed` and `added`."""
    taken_old, taken_new = {i for i, _ in pairs}, {j for _, j in pairs}
    return Matched(
        (*matched.pairs, *((matched.removed[i], matched.added[j]) for i, j in pairs)),
        tuple(item for i, item in enumerate(matched.removed) if i not in taken_old),
        tuple(item for j, item in enumerate(matched.added) if j not in taken_new),
    )


def _by_key(
    items: Sequence[Item], places: list[int], key: Callable[[Item], Hashable | None]
) -> dict[Hashable, list[int]]:
    by_key: dict[Hashable, list[int]] = {}
    for place in places:
        name = key(items[place])
        if name is not None:
            by_key.setdefault(name, []).append(place)
    return by_key


def _pair_places(old: Sequence[Item], new: Sequence[Item], wanted: list[int], waiting: list[int]) -> dict[int, int]:
    if len(wanted) == 1 and len(waiting) == 1:
        return {wanted[0]: waiting[0]}
    meant: dict[str, list[int]] = {}
    for place in waiting:
        meant.setdefault(_essence(new[place]), []).append(place)
    chosen: dict[int, int] = {}
    for place in wanted:
        equal = meant.get(_essence(old[place]))
        if equal:
            chosen[place] = equal.pop(0)
    rest = [place for place in wanted if place not in chosen]
    free = sorted(place for places in meant.values() for place in places)
    return {**chosen, **dict(zip(rest, free, strict=False))}


def _essence(value: object) -> str:
    """One text per meaning of a node, whatever the order of its lists."""
    names = compared(type(value))
    if names:
        return repr([_essence(getattr(value, name)) for name in names])
    if isinstance(value, (tuple, list, frozenset)):
        return repr(sorted(map(_essence, value)))
    return canonical(value, loose=True)


def best_pairs(scores: Iterable[tuple[float, int, int]]) -> list[tuple[int, int]]:
    """Pairs of places, best score first, each place once. The order of ties is the same with the sides swapped."""
    chosen: dict[int, int] = {}
    taken: set[int] = set()
    for _, old, new in sorted(scores, key=lambda item: (-item[0], item[1] + item[2], abs(item[1] - item[2]))):
        if old not in chosen and new not in taken:
            chosen[old] = new
            taken.add(new)
    return sorted(chosen.items())


def columns_of(contract: Contract, names: str) -> tuple[Column, ...]:
    """The top-level columns that a list of elements names; all columns of a table that it names whole."""
    columns: list[Column] = []
    for name in names.split(","):
        path = path_of(contract, name.strip())
        if path is not None and len(path) > 1:
            columns.append((path[0], path[1]))
        elif path is not None:
            columns += [
                (table.name, prop.name)
                for table in contract.objects
                if table.name == path[0]
                for prop in table.properties
            ]
    return tuple(dict.fromkeys(columns))
