"""Two versions of a platform compared: which of its policies become stricter, weaker, or just other."""

from __future__ import annotations

from collections.abc import Iterator
from enum import Enum

from ..contract.model import Json, Pointer
from ..frozen import dataclass
from .compare import PolicyContext, compare_values, level_ranks
from .merge import MergedPolicy, show_value
from .row import KeyRow, Order, Strategy, show_key
from .table import row_of

_LEVELS: Pointer = ("classification_levels",)


class ChangeDirection(str, Enum):
    """What a change means for the products below."""

    STRICTER = "stricter"
    WEAKER = "weaker"
    OTHER = "other"


@dataclass(frozen=True, slots=True)
class PolicyChange:
    """One key before and after; None where no tier writes it."""

    key: str
    before: Json
    after: Json
    direction: ChangeDirection

    def __str__(self) -> str:
        old, new = (show_value(value) if value is not None else "unset" for value in (self.before, self.after))
        return f"{self.direction.value}: {self.key} {old} -> {new}"


def compare_policies(old: MergedPolicy, new: MergedPolicy) -> list[PolicyChange]:
    """Every key that differs: weaker ones first, then stricter ones, then the rest."""
    order = (ChangeDirection.WEAKER, ChangeDirection.STRICTER, ChangeDirection.OTHER)
    return sorted(_changes(old, new), key=lambda change: (order.index(change.direction), change.key))


def _changes(old: MergedPolicy, new: MergedPolicy) -> Iterator[PolicyChange]:
    ranks = level_ranks([*_listed(old.values.get(_LEVELS)), *_listed(new.values.get(_LEVELS))])
    for pointer in {**old.values, **new.values}:
        before, after, row = old.values.get(pointer), new.values.get(pointer), row_of(pointer)
        if row is not None and before != after:
            context = PolicyContext(pointer, old.values, ranks)
            yield PolicyChange(show_key(pointer), before, after, _direction(row, before, after, context))


def _direction(row: KeyRow, before: Json, after: Json, context: PolicyContext) -> ChangeDirection:
    if row.strategy is Strategy.OVERRIDE and row.order is Order.NONE:
        return ChangeDirection.OTHER
    if row.strategy in (Strategy.EXTEND, Strategy.INTERSECT) and row.order is Order.NONE:
        more = _compare_lists(_listed(before), _listed(after))
        if row.strategy is Strategy.INTERSECT:  # an absent list allows everything, a longer one more
            more = 1 if before is None else -1 if after is None else -more
        return _by_sign(more)
    was, becomes = (row.default_of(context.pointer) if value is None else value for value in (before, after))
    if was is None or becomes is None:
        return ChangeDirection.STRICTER if was is None else ChangeDirection.WEAKER
    return _by_sign(compare_values(row, becomes, was, context))


def _compare_lists(before: list[Json], after: list[Json]) -> int:
    """1 when entries are only added, -1 when they are only removed, 0 for both."""
    added = any(item not in before for item in after)
    removed = any(item not in after for item in before)
    return added - removed


def _by_sign(sign: int | None) -> ChangeDirection:
    return (
        ChangeDirection.STRICTER
        if sign and sign > 0
        else ChangeDirection.WEAKER
        if sign and sign < 0
        else ChangeDirection.OTHER
    )


def _listed(value: Json) -> list[Json]:
    return value if isinstance(value, list) else []
