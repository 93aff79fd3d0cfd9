"""Which of two values of a key is stricter, by the order that its row names."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from ..contract.meaning.duration import parse_duration
from ..contract.meaning.quantity import compare
from ..contract.meaning.sla import meaning
from ..contract.meaning.strictness import compare_slas
from ..contract.model import Json, Pointer, Sla
from ..frozen import dataclass, field
from ..product.governance import parse_hours
from ..product.words import ClassificationLevel
from .row import KeyRow, Order

_DAY = 24 * 60


@dataclass(frozen=True, slots=True)
class PolicyContext:
    """What a comparison may need beside the two values: the key, and what all tiers above have decided."""

    pointer: Pointer
    above: Mapping[Pointer, Json] = field(default_factory=dict)
    ranks: Mapping[str, int] = field(default_factory=dict)


def compare_values(row: KeyRow, child: Json, parent: Json, context: PolicyContext) -> int | None:
    """1, 0 or -1 as the child's value is stricter than, as strict as or weaker than the parent's; None: unknown."""
    if child == parent:
        return 0
    return _COMPARISONS[row.order](row, child, parent, context)


def level_ranks(declared: Json) -> dict[str, int]:
    """The rank of every level: floe's four, and those of the tiers."""
    levels = declared if isinstance(declared, list) else []
    own = {str(level["name"]): int(str(level["rank"])) for level in levels if isinstance(level, dict)}
    return {**{level.value: level.rank for level in ClassificationLevel}, **own}


def _sign(child: float, parent: float) -> int:
    return (child > parent) - (child < parent)


def _compare_numbers(_: KeyRow, child: Any, parent: Any, __: PolicyContext) -> int | None:
    return _sign(child, parent)


def _compare_lengths(_: KeyRow, child: Any, parent: Any, __: PolicyContext) -> int | None:
    length, other = parse_duration(child)[0], parse_duration(parent)[0]
    return None if length is None or other is None else compare(length, other)


def _compare_intervals(row: KeyRow, child: Any, parent: Any, context: PolicyContext) -> int | None:
    order = _compare_lengths(row, child, parent, context)
    return None if order is None else -order


def _compare_words(row: KeyRow, child: Any, parent: Any, _: PolicyContext) -> int | None:
    return _sign(row.words.index(child), row.words.index(parent))


def _compare_sets(_: KeyRow, child: Any, parent: Any, __: PolicyContext) -> int | None:
    mine, theirs = set(child), set(parent)
    return 0 if mine == theirs else 1 if mine > theirs else -1


def _compare_levels(_: KeyRow, child: Any, parent: Any, context: PolicyContext) -> int | None:
    rank, other = context.ranks.get(child), context.ranks.get(parent)
    return None if rank is None or other is None else _sign(rank, other)


def _compare_minimums(_: KeyRow, child: Any, parent: Any, context: PolicyContext) -> int | None:
    kind = str(context.pointer[-1])
    return compare_slas(sla_of(kind, child), sla_of(kind, parent))


def sla_of(kind: str, minimum: Any) -> Any:
    """The meaning of one entry of sla_minimums."""
    apart = isinstance(minimum, dict)
    return meaning(Sla(kind, minimum["value"], unit=minimum["unit"]) if apart else Sla(kind, minimum))


def minutes_of(hours: str) -> frozenset[int]:
    """The minutes of the day that a span allows, its last one included; 24:00 is not a minute of any day."""
    span = parse_hours(hours)
    if span is None:
        return frozenset()
    first, last = span
    if first < last:
        return frozenset(range(first, min(last + 1, _DAY)))
    return frozenset((*range(first, _DAY), *range(last + 1)))  # across midnight


def _compare_hours(_: KeyRow, child: Any, parent: Any, __: PolicyContext) -> int | None:
    mine, theirs = minutes_of(child), minutes_of(parent)
    return 0 if mine == theirs else 1 if mine < theirs else -1


def _compare_zones(_: KeyRow, __: Any, ___: Any, context: PolicyContext) -> int | None:
    """Another zone moves the hours that a tier above allows; without such hours it is free."""
    return -1 if (*context.pointer[:-1], "allowed_hours") in context.above else 1


def _compare_register(_: KeyRow, child: Any, __: Any, context: PolicyContext) -> int | None:
    enforced = context.above.get((*context.pointer[:-1], "enforcement")) == "enforce"
    return -1 if enforced and child is True else 1


def _compare_flags(_: KeyRow, child: Any, __: Any, ___: PolicyContext) -> int | None:
    return 1 if child is True else -1


def _no_order(_: KeyRow, __: Any, ___: Any, ____: PolicyContext) -> int | None:
    return None


_COMPARISONS: dict[Order, Callable[[KeyRow, Any, Any, PolicyContext], int | None]] = {
    Order.NONE: _no_order,
    Order.LARGER: _compare_numbers,
    Order.SHORTER: _compare_intervals,
    Order.LONGER: _compare_lengths,
    Order.NARROWER: _compare_hours,
    Order.TRUE: _compare_flags,
    Order.SUPERSET: _compare_sets,
    Order.WORDS: _compare_words,
    Order.LEVEL: _compare_levels,
    Order.SLA: _compare_minimums,
    Order.EQUAL_RANK: _no_order,
    Order.SAME_ZONE: _compare_zones,
    Order.UNDER_ENFORCE: _compare_register,
}
