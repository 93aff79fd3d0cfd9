"""What the policy table says about one key: how two tiers meet, which value is stricter, what is usual."""

from __future__ import annotations

from enum import Enum

from ..contract.model import Json, Pointer
from ..frozen import dataclass


class Strategy(str, Enum):
    """What becomes of a key that both tiers write."""

    OVERRIDE = "OVERRIDE"
    EXTEND = "EXTEND"
    INTERSECT = "INTERSECT"
    OVERRIDE_IF_STRICTER = "OVERRIDE_IF_STRICTER"


class Order(str, Enum):
    """Which of two values is stricter, as the docs say it."""

    NONE = "–"
    LARGER = "larger"
    SHORTER = "shorter"
    LONGER = "longer"
    NARROWER = "narrower hours"
    TRUE = "true cannot become false"
    SUPERSET = "more tests; an empty list for a layer that had tests is weaker"
    WORDS = "later in the order"
    LEVEL = "higher level"
    SLA = "the direction of the service level; a kind without one must be equal"
    EQUAL_RANK = "a level keeps its rank"
    SAME_ZONE = "must be equal where a tier above limits the hours"
    UNDER_ENFORCE = "under enforce it may only go from true to false"


@dataclass(frozen=True, slots=True)
class KeyRow:
    """One key, or all keys of a pattern; `*` stands for a name, of `names` where they are limited."""

    key: str
    strategy: Strategy
    meaning: str
    order: Order = Order.NONE
    words: tuple[str, ...] = ()
    names: tuple[str, ...] = ()
    default: Json = None
    label: str = ""  # what messages call it; the key itself when empty

    @property
    def path(self) -> Pointer:
        return tuple(self.key.split("."))

    def covers(self, pointer: Pointer) -> bool:
        """Whether a key is this one, or one of its pattern."""
        path = self.path
        return len(path) == len(pointer) and all(
            step == part or (step == "*" and (not self.names or part in self.names))
            for step, part in zip(path, pointer, strict=True)
        )

    def name_of(self, pointer: Pointer) -> str:
        """What a message calls a key of this row."""
        return self.label or show_key(pointer)

    def default_of(self, pointer: Pointer) -> Json:
        """What holds when no tier says anything."""
        if isinstance(self.default, dict) and "*" in self.path:
            return self.default.get(str(pointer[-1]))
        return self.default


def show_key(pointer: Pointer) -> str:
    """A key as people write it; a coverage over all models is a number, so its layer `all` is not shown."""
    shown = pointer[:-1] if pointer[-2:] == ("minimum_test_coverage", "all") else pointer
    return ".".join(str(part) for part in shown)
