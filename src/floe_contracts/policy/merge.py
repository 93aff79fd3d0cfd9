"""Tiers into what holds: every key by the strategy of its row; weakenings are values, and the parent's value stays."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from ..codes import E519
from ..contract.model import Json, Pointer
from ..frozen import dataclass, field
from ..product.manifest import Manifest
from .compare import PolicyContext, compare_values, level_ranks
from .keys import nest
from .row import KeyRow, Order, Strategy, show_key
from .table import row_of
from .tier import Tier, WrittenValue, tiers_of
from .violation import PolicyViolationError, TierWeakening

_HOW_FAR = {  # from the parent's value on; a key of another order takes that value alone
    Order.LARGER: "at least",
    Order.LONGER: "at least",
    Order.WORDS: "at least",
    Order.LEVEL: "at least",
    Order.SUPERSET: "at least",
    Order.SHORTER: "at most",
    Order.NARROWER: "hours within",
    Order.SLA: "at least the strictness of",
}
_LEVELS: Pointer = ("classification_levels",)


@dataclass(frozen=True, slots=True)
class MergedPolicy:
    """What holds after all tiers, who wrote each value, and what a tier tried in vain."""

    values: dict[Pointer, Json] = field(default_factory=dict)
    tiers: tuple[Tier, ...] = ()
    violations: tuple[TierWeakening, ...] = ()

    def manifest(self, last: Manifest) -> Manifest:
        """The merged manifest: head of the last tier, values of all of them."""
        head = last.model_dump(mode="json", include={"apiVersion", "kind", "metadata", "scope", "parent"})
        return Manifest.model_validate({**head, **nest(self.values)}).with_tiers(self.tiers)


def merge_manifests(parent: Manifest, child: Manifest) -> Manifest:
    """The child below its parent; raises PolicyViolationError when the child weakens what the parent set."""
    merged = merge_tiers((*tiers_of(parent), *tiers_of(child)))
    if merged.violations:
        raise PolicyViolationError(merged.violations)
    return merged.manifest(child)


def merge_tiers(tiers: Sequence[Tier]) -> MergedPolicy:
    """All tiers from the top down; a key that a tier may not set keeps the value from above."""
    values: dict[Pointer, Json] = {}
    authors: dict[Pointer, str] = {}
    violations: list[TierWeakening] = []
    for tier in tiers:
        above = dict(values)
        levels = tier.keys.get(_LEVELS)
        ranks = level_ranks([*_listed(above.get(_LEVELS)), *_listed(levels.value if levels else None)])
        for pointer, written in tier.keys.items():
            meeting = _Meeting(tier, written, PolicyContext(pointer, above, ranks), authors.get(pointer, ""))
            value, problem = meeting.resolve()
            violations += [problem] if problem else []
            if problem is None:
                values[pointer] = value
                authors[pointer] = f"{tier.label} at {written.location}" if written.location else tier.label
        violations += _unapproved(values, tier)
    return MergedPolicy(values, tuple(tiers), tuple(violations))


def _listed(value: Json) -> list[Json]:
    return value if isinstance(value, list) else []


@dataclass(frozen=True, slots=True)
class _Meeting:
    """One key of one tier, and what the tiers above say about it."""

    tier: Tier
    written: WrittenValue
    context: PolicyContext
    author: str  # who set the value above

    def resolve(self) -> tuple[Json, TierWeakening | None]:
        """The value that holds from here on, and what is wrong with the one of this tier."""
        row = row_of(self.context.pointer)
        if row is None:
            raise LookupError(f"no row of the policy table covers {show_key(self.context.pointer)}")
        child, parent = self.written.value, self.context.above.get(self.context.pointer)
        absent = self.context.pointer not in self.context.above
        if row.strategy is Strategy.INTERSECT:
            return self._intersect(row, child, None if absent else parent)
        if row.strategy is Strategy.EXTEND:
            return self._extend(row, child, parent)
        if row.order is Order.LEVEL and child not in self.context.ranks:
            known = ", ".join(sorted(self.context.ranks, key=lambda name: self.context.ranks[name]))
            return parent, self._refuse(
                f"{row.name_of(self.context.pointer)} names the level {child}, which no tier declares", known
            )
        if absent and row.order is Order.SAME_ZONE:  # hours without a zone are meant in the usual one
            parent = row.default
        elif absent or row.order is Order.NONE:
            return child, None
        order = compare_values(row, child, parent, self.context)
        if order is not None and order >= 0:
            return child, None
        verb = "weakens" if order is not None else "cannot be compared with"
        message = (
            f"Child {row.name_of(self.context.pointer)} ({show_value(child)}) {verb} parent ({show_value(parent)})"
        )
        return parent, self._refuse(message, show_value(parent), equal=order is None)

    def _intersect(self, row: KeyRow, child: Any, parent: Any) -> tuple[Json, TierWeakening | None]:
        name = row.name_of(self.context.pointer)
        if not child:
            shown = show_key(self.context.pointer)
            return parent, self._refuse(
                f"Child {shown} allows nothing; an empty list is not a choice", show_value(parent)
            )
        outside = sorted(set(child) - set(parent)) if parent is not None else []
        if outside:
            invalid = ", ".join(repr(item) for item in outside)
            message = f"Child {name} must be subset of parent. Invalid: {{{invalid}}}"
            return parent, self._refuse(message, show_value(parent))
        return child, None

    def _extend(self, row: KeyRow, child: Any, parent: Any) -> tuple[Json, TierWeakening | None]:
        whole = _union(_listed(parent), child)
        if row.order is Order.EQUAL_RANK:
            ranks: dict[str, int] = {}
            for level in (item for item in whole if isinstance(item, dict)):
                if ranks.setdefault(level["name"], level["rank"]) != level["rank"]:
                    before = ranks[level["name"]]
                    message = f"Child rank of {level['name']} ({level['rank']}) differs from parent ({before})"
                    return parent, self._refuse(message, str(before))
        return whole, None

    def _refuse(self, message: str, expected: str, *, equal: bool = False) -> TierWeakening:
        key = show_key(self.context.pointer)
        row = row_of(self.context.pointer)
        fix = _advise(row, key, expected, equal) if row is not None and self.author else f"Correct {key}."
        return TierWeakening(
            self.context.pointer,
            message,
            self.tier.label,
            self.written.location,
            expected,
            show_value(self.written.value),
            f"set by {self.author}" if self.author else "",
            fix,
        )


def _advise(row: KeyRow, key: str, expected: str, equal: bool) -> str:
    """What to write instead, so that doing it is right in the order of the key; `equal` where values have no order."""
    if row.strategy is Strategy.INTERSECT:
        return f"Choose from {expected}, or remove {key} to inherit it."
    if row.order is Order.EQUAL_RANK:
        return f"Keep the rank {expected}, or remove the level to inherit it."
    words = f"{_HOW_FAR[row.order]} {expected}" if row.order in _HOW_FAR and not equal else expected
    return f"Set {key} to {words}, or remove it to inherit."


def _union(parent: Iterable[Any], child: Iterable[Any]) -> list[Any]:
    """Parent then child, what is there already dropped."""
    whole: list[Any] = []
    for item in (*parent, *child):
        whole += [item] if item not in whole else []
    return whole


def _unapproved(values: dict[Pointer, Json], tier: Tier) -> Iterator[TierWeakening]:
    """Plugins outside what is approved by now: those of this tier, and inherited ones that it approves no longer."""
    for pointer, approved in values.items():
        if pointer[0] != "approved_plugins":
            continue
        category = str(pointer[1])
        chosen_at: Pointer = ("secrets_backend",) if category == "secrets_backend" else ("plugins", category)
        chosen = values.get(chosen_at)
        name = chosen.get("type") if isinstance(chosen, dict) else chosen
        mine = tier.keys.get(chosen_at) or tier.keys.get(pointer)
        if name is None or mine is None or name in _listed(approved):
            continue
        listed = ", ".join(sorted(str(item) for item in _listed(approved)))
        yield TierWeakening(
            chosen_at,
            f"{category} is {name}, which is not approved",
            tier.label,
            mine.location,
            listed,
            str(name),
            fix=f"Choose one of {listed} for {category}.",
            code=E519,
        )


def show_value(value: Json) -> str:
    """A value in a message: words and numbers as they are, lists in brackets, a level by its name."""
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, list):
        return f"[{', '.join(show_value(item) for item in value)}]"
    if isinstance(value, dict):
        return _show_mapping(value)
    return "nothing" if value is None else str(value)


def _show_mapping(value: dict[str, Json]) -> str:
    if set(value) == {"name", "rank"}:
        return str(value["name"])
    if set(value) <= {"value", "unit"}:
        return " ".join(str(value[key]) for key in ("value", "unit") if key in value)
    return f"{{{', '.join(f'{key}: {show_value(item)}' for key, item in value.items())}}}"
