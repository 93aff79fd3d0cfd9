"""Counts kept per part of a table, so that a re-check costs what changed and not what exists."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from ..contract.model import Json, JsonMap

Repeats = tuple[int, int]  # keys that occur more than once, and the rows beyond the first of each


@dataclass(frozen=True, slots=True)
class PartState:
    """What was counted in one part: a file, a partition, a snapshot's additions.

    `part` names the part so that other content has another name, for instance a path with size and time.
    """

    part: str
    counts: tuple[int | None, ...]  # in the order of the plan's counts; None where it could not be measured
    newest: int | None = None  # of the clock column, in its own unit and with future times
    nulls: int | None = None  # of the clock column


@dataclass(frozen=True, slots=True)
class TableState:
    """The parts of a table as they were last measured, and its repeated keys, which no sum over parts can give."""

    plan_hash: str
    parts: tuple[PartState, ...] = ()
    repeats: tuple[Repeats | None, ...] = ()  # in the order of the plan's key sets, over exactly these parts

    @property
    def names(self) -> frozenset[str]:
        return frozenset(one.part for one in self.parts)


@dataclass(frozen=True, slots=True)
class Comparison:
    """What a listing of today says about a kept state."""

    kept: tuple[PartState, ...]  # parts that are unchanged
    fresh: tuple[str, ...]  # parts to measure
    only_added: bool  # nothing was taken away, so the known repeats still stand


def compare(state: TableState | None, plan_hash: str, parts_now: Iterable[str]) -> Comparison:
    """Which parts need no second look; a state of another plan is worth nothing."""
    now = frozenset(parts_now)
    known = state.parts if state is not None and state.plan_hash == plan_hash else ()
    kept = tuple(one for one in known if one.part in now and None not in one.counts)
    fresh = now - {one.part for one in kept}
    return Comparison(kept, tuple(sorted(fresh)), only_added=bool(known) and len(kept) == len(known))


def total(parts: Iterable[PartState], width: int) -> tuple[int | None, ...]:
    """The counts of all parts together."""
    sums: list[int | None] = [0] * width
    for one in parts:
        for index, count in enumerate(one.counts):
            before = sums[index]
            sums[index] = None if before is None or count is None else before + count
    return tuple(sums)


def to_json(state: TableState) -> JsonMap:
    """Plain values for a store."""
    return {
        "plan_hash": state.plan_hash,
        "parts": [[one.part, list(one.counts), one.newest, one.nulls] for one in state.parts],
        "repeats": [None if one is None else list(one) for one in state.repeats],
    }


def from_json(value: Mapping[str, Json]) -> TableState | None:
    """A state as a store gave it back; None for anything else, because a state can always be measured anew."""
    try:
        return TableState(
            plan_hash=_text(value["plan_hash"]),
            parts=tuple(_part(one) for one in _list(value["parts"])),
            repeats=tuple(None if one is None else _pair(one) for one in _list(value["repeats"])),
        )
    except (KeyError, TypeError, ValueError):
        return None


def _part(value: Json) -> PartState:
    part, counts, newest, nulls = _list(value)
    return PartState(_text(part), tuple(_count(one) for one in _list(counts)), _count(newest), _count(nulls))


def _pair(value: Json) -> Repeats:
    keys, rows = (_count(one) for one in _list(value))
    if keys is None or rows is None:
        raise ValueError
    return keys, rows


def _count(value: Json) -> int | None:
    if value is None or (isinstance(value, int) and not isinstance(value, bool)):
        return value
    raise TypeError


def _list(value: Json) -> list[Json]:
    if isinstance(value, list):
        return value
    raise TypeError


def _text(value: Json) -> str:
    if isinstance(value, str):
        return value
    raise TypeError
