"""Counts kept per part of a table, so that a re-check costs what changed and not what exists."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import TypeAlias

from ...contract.model import Json
from .protocol import PartitionState

Repeats: TypeAlias = "tuple[int, int]"  # keys that occur more than once, and the rows beyond the first of each
WHOLE = ""  # the name under which a store keeps what belongs to all parts together


@dataclass(frozen=True, slots=True)
class PartState:
    """What was counted in one part of a table: a file, a partition, the additions of a snapshot."""

    part: str
    files: str  # changes whenever the part's content may have changed
    counts: tuple[int | None, ...]  # in the order of the plan's counts; None where it could not be measured
    newest: int | None = None  # of the clock column, in its own unit and with future times
    nulls: int | None = None  # of the clock column


@dataclass(frozen=True, slots=True)
class TableState:
    """The parts of a table as they were last measured, and its repeated keys, which no sum over parts can give."""

    parts: tuple[PartState, ...] = ()
    repeats: tuple[Repeats | None, ...] = ()  # in the order of the plan's key sets, over exactly these parts


@dataclass(frozen=True, slots=True)
class StateComparison:
    """What today's listing says about a kept state."""

    kept: tuple[PartState, ...]  # parts that are unchanged
    fresh: tuple[str, ...]  # parts to measure
    only_added: bool  # nothing was taken away or rewritten, so the known repeats still stand


def compare_state(state: TableState | None, now: Mapping[str, str]) -> StateComparison:
    """Which parts need no second look; `now` has the files of every part that the table has today."""
    known = state.parts if state is not None else ()
    kept = tuple(part for part in known if now.get(part.part) == part.files and None not in part.counts)
    fresh = set(now) - {part.part for part in kept}
    return StateComparison(kept, tuple(sorted(fresh)), only_added=bool(known) and len(kept) == len(known))


def add_counts(parts: Iterable[PartState], width: int) -> tuple[int | None, ...]:
    """The counts of all parts together."""
    sums: list[int | None] = [0] * width
    for part in parts:
        for index, count in enumerate(part.counts):
            before = sums[index]
            sums[index] = None if before is None or count is None else before + count
    return tuple(sums)


def encode_state(state: TableState, table: str, plan_hash: str) -> tuple[PartitionState, ...]:
    """A state as stores keep it: one entry for each part, and one for the repeated keys."""
    repeats: Json = [None if pair is None else [*pair] for pair in state.repeats]
    entries: list[tuple[str, str, Json]] = [(WHOLE, "", repeats)]
    entries += [(part.part, part.files, [list(part.counts), part.newest, part.nulls]) for part in state.parts]
    return tuple(
        PartitionState(table, plan_hash, part, files, json.dumps(value, separators=(",", ":")).encode())
        for part, files, value in entries
    )


def decode_state(entries: Iterable[PartitionState]) -> TableState | None:
    """A state as a store gives it back; None when anything is amiss, because it can always be measured anew."""
    parts, repeats = [], None
    try:
        for entry in entries:
            value = json.loads(entry.state)
            if entry.partition == WHOLE:
                repeats = tuple(None if pair is None else _repeats(pair) for pair in value)
            else:
                counts, newest, nulls = value
                numbers = tuple(_whole(count) for count in counts)
                parts.append(PartState(entry.partition, entry.files, numbers, _whole(newest), _whole(nulls)))
    except (TypeError, ValueError):
        return None
    return None if repeats is None else TableState(tuple(parts), repeats)


def _repeats(value: list[Json]) -> Repeats:
    keys, rows = map(_whole, value)
    if keys is None or rows is None:
        raise ValueError
    return keys, rows


def _whole(value: Json) -> int | None:
    if value is None or (isinstance(value, int) and not isinstance(value, bool)):
        return value
    raise TypeError
