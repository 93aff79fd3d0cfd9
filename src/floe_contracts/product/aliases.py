"""Keys that may be written in another place: each is moved to its own before anything is read.

A key in the wrong place is read with a warning, an alias without; both places with different values are an error.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Literal

from ..contract.model import Json, JsonMap, Pointer
from ..contract.source.scalars import plain
from ..frozen import dataclass, field, replace
from .block import read_percentage
from .reference import looks_like_reference


@dataclass(frozen=True, slots=True)
class Move:
    """One place that is read as another; `*` stands for every item of a list."""

    written: Pointer
    own: Pointer
    misplaced: bool = False
    unless_reference: bool = False  # a text that refers to a manifest is meant where it stands


@dataclass(frozen=True, slots=True)
class Canonical:
    """A file's keys in their own places, and where each moved one is really written."""

    value: dict[str, Json]
    origins: dict[Pointer, Pointer] = field(default_factory=dict)
    clashes: tuple[Move, ...] = ()
    misplaced: tuple[Move, ...] = ()

    def written(self, pointer: Pointer) -> Pointer:
        """Where the file holds what the canonical value has at a pointer."""
        for length in range(len(pointer), 0, -1):
            origin = self.origins.get(pointer[:length])
            if origin is not None:
                return (*origin, *pointer[length:])
        return pointer


_GATES: Pointer = ("governance", "quality_gates")
_COVERAGE: Pointer = (*_GATES, "minimum_test_coverage")
MANIFEST_MOVES = (
    Move(("metadata", "scope"), ("scope",), misplaced=True),
    Move(("metadata", "parent"), ("parent",), misplaced=True),
    *(Move(("quality_gates", key), (*_GATES, key)) for key in ("threshold", "block_on_failure", "required_tests")),
    Move(("quality_gates", "minimum_test_coverage"), _COVERAGE),
    *(
        Move((*above, "test_coverage", key), _COVERAGE)
        for above in ((), ("governance",), _GATES, ("quality_gates",))
        for key in ("min", "minimum_pct")
    ),
)
PLATFORM_KEYS = (
    *("plugins", "compute", "orchestrator", "catalog", "semantic_layer", "ingestion", "secrets_backend"),
    *("shared_services", "catalog_namespace", "registration", "data_architecture", "governance", "quality_gates"),
    *("test_coverage", "classification_levels", "classification_categories", "pii_names", "naming_conventions"),
    *("approved_plugins", "approved_sources", "sla_minimums", "data_contracts", "identity"),
)
OVERRIDES = "platform_keys"  # where a product's keys of the platform are kept, for the enforcer to refuse
PRODUCT_MOVES = (
    *(Move((key,), ("metadata", key), misplaced=True) for key in ("owner", "repository")),
    Move(("domain",), ("metadata", "domain"), misplaced=True, unless_reference=True),
    Move(("output_ports", "*", "columns"), ("output_ports", "*", "schema")),
    Move(("output_ports", "*", "slaProperties"), ("output_ports", "*", "sla")),
    *(Move((key,), (OVERRIDES, key)) for key in PLATFORM_KEYS),
)


def canonicalise(value: JsonMap, moves: Sequence[Move]) -> Canonical:
    """The keys in their own places; the value itself is not touched."""
    result: dict[str, Any] = _copy(value)
    origins: dict[Pointer, Pointer] = {}
    clashes: list[Move] = []
    misplaced: list[Move] = []
    for move in (single for several in moves for single in _expand(several, result)):
        present, item = _take(result, move)
        if not present:
            continue
        fate = _put(result, move.own, item)
        if fate == "put":
            origins[move.own] = move.written
        clashes += [replace(move, own=origins.get(move.own, move.own))] if fate == "clash" else []
        misplaced += [move] if move.misplaced else []
    return Canonical(result, origins, tuple(clashes), tuple(misplaced))


def canonical_or_raise(value: Any, moves: Sequence[Move]) -> Any:
    """The same for a model's validator, which knows no lines."""
    if not isinstance(value, Mapping):
        return value
    canonical = canonicalise(value, moves)
    for clash in canonical.clashes:
        raise ValueError(explain_clash(clash))
    return canonical.value


def explain_clash(move: Move) -> str:
    return f"{dotted(move.written)} and {dotted(move.own)} are the same setting and have different values"


def dotted(pointer: Pointer) -> str:
    return ".".join(str(part) for part in pointer)


def _expand(move: Move, value: Mapping[str, Any]) -> list[Move]:
    if "*" not in move.written:
        return [move]
    at = move.written.index("*")
    items = value.get(str(move.written[0]))
    count = len(items) if isinstance(items, list) else 0
    return [
        Move((*move.written[:at], index, *move.written[at + 1 :]), (*move.own[:at], index, *move.own[at + 1 :]))
        for index in range(count)
    ]


def _copy(value: Any) -> Any:
    if isinstance(value, Mapping):
        return {key: _copy(item) for key, item in value.items()}
    return [_copy(item) for item in value] if isinstance(value, (list, tuple)) else value


def _take(value: dict[str, Any], move: Move) -> tuple[bool, Any]:
    """The value at the other place, removed from there with every mapping that it leaves empty."""
    chain: list[tuple[Any, Any]] = []
    here: Any = value
    for step in move.written:
        inside = step in here if isinstance(here, dict) else isinstance(here, list) and isinstance(step, int)
        if not inside:
            return False, None
        chain.append((here, step))
        here = here[step]
    if move.unless_reference and not (isinstance(here, str) and not looks_like_reference(here)):
        return False, None
    for above, step in reversed(chain):
        if isinstance(above, dict) and (above is chain[-1][0] or not above[step]):
            del above[step]
        else:
            break
    return True, here


def _put(value: dict[str, Any], own: Pointer, item: Any) -> Literal["put", "same", "clash"]:
    """Whether the value took its place, or the same one or another one stands there already."""
    here: Any = value
    for step in own[:-1]:
        here = here.setdefault(step, {}) if isinstance(here, dict) else here[step]
        if not isinstance(here, (dict, list)):
            return "clash"
    last = own[-1]
    if isinstance(here, dict) and last not in here:
        here[last] = item
        return "put"
    return "same" if _mean_the_same(here[last], item) else "clash"


def _mean_the_same(value: Any, other: Any) -> bool:
    """Equal as they are written, or as percentages: 80 and 80% are one value."""
    if plain(value) == plain(other):
        return True
    try:
        return read_percentage(value) == read_percentage(other)
    except ValueError:
        return False
