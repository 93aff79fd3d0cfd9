"""Which fact is which with old and new swapped."""

from __future__ import annotations

from floe_contracts.compat.fact import Fact
from floe_contracts.compat.kinds import FactKind

_PAIRS = (
    ("added", "removed"),
    ("relaxed", "tightened"),
    ("widened", "narrowed"),
    ("widened", "reduced"),
    ("increased", "decreased"),
    ("raised", "lowered"),
    ("earlier", "later"),
    ("nullable", "required"),
)
# Kinds without one opposite: several say the same with the sides swapped.
_SHARED = {
    "property-added-optional": "property",
    "property-added-required": "property",
    "property-removed": "property",
    "status-promoted": "status",
    "status-demoted": "status",
    "status-deprecated": "status",
    "status-sunset": "status",
    "status-retired": "status",
    "status-reactivated": "status",
    "status-changed": "status",
    "object-deprecated": "object-deprecation",
    "object-undeprecated": "object-deprecation",
    "property-deprecated": "property-deprecation",
    "property-undeprecated": "property-deprecation",
    "object-granularity-added": "object-granularity-changed",
    "timezone-added": "timezone-changed",
    "server-format-added": "server-format-changed",
    "server-environment-added": "server-environment-changed",
    "sla-element-added": "sla-element-changed",
    "semantic-type-added": "semantic-type-changed",
    "enum-introduced": "enum",
    "enum-removed": "enum",
    "quality-severity-raised": "quality-severity",
    "quality-severity-lowered": "quality-severity",  # also a word without a rank, on either side
}


_VALUES = {kind.value for kind in FactKind}
_OPPOSITE = {
    value: swapped
    for value in _VALUES
    for pair in _PAIRS
    for word, other in (pair, pair[::-1])
    if word in value and (swapped := value.replace(word, other)) in _VALUES
}


def mirrored(fact: Fact) -> str:
    """The kind of a fact as seen from the other side."""
    return _SHARED.get(fact.kind.value) or _OPPOSITE.get(fact.kind.value, fact.kind.value)


def seen(fact: Fact) -> str:
    """The kind of a fact as it is, but for kinds that share one name."""
    return _SHARED.get(fact.kind.value, fact.kind.value)
