"""Why a key has its value: one line per tier that writes it, and what holds in the end."""

from __future__ import annotations

from collections.abc import Iterator

from ..contract.meaning.phrase import close_names, did_you_mean
from ..contract.meaning.sla import meaning
from ..contract.model import Json, Pointer, Sla
from ..errors import UsageError
from ..product.aliases import MANIFEST_MOVES
from .merge import MergedPolicy, show_value
from .row import KeyRow, show_key
from .table import ROWS, row_of

_COVERAGE = ("minimum_test_coverage",)


def explain_key(key: str, merged: MergedPolicy) -> list[str]:
    """The lines for one key, or for every key below it; an unknown key raises UsageError with what was meant."""
    pointers = list(_meant(key, merged))
    if not pointers:
        raise UsageError(f"no manifest can set '{key}'", fix=_suggest(key))
    return [line for pointer in pointers for line in _lines(pointer, merged)]


def effective_value(pointer: Pointer, merged: MergedPolicy) -> Json:
    """What holds for a key: as the tiers say, else as is usual."""
    if pointer in merged.values:
        return merged.values[pointer]
    row = row_of(pointer)
    return row.default_of(pointer) if row and not _by_layer(pointer, merged) else None


def _by_layer(pointer: Pointer, merged: MergedPolicy) -> bool:
    """Whether tiers name a coverage by layer instead of the one over all models, whose default then does not hold."""
    return pointer[-2:-1] == _COVERAGE and any(key[:-1] == pointer[:-1] for key in merged.values)


def all_keys(merged: MergedPolicy) -> list[Pointer]:
    """Every key that a tier writes or that has a usual value, in the order of the table."""
    keys: list[Pointer] = []
    for row in ROWS:
        written = [pointer for pointer in merged.values if row.covers(pointer)]
        usual = [pointer for pointer in _usual_keys(row) if not _by_layer(pointer, merged)]
        keys += [*written, *(pointer for pointer in usual if pointer not in written)]
    return keys


def _usual_keys(row: KeyRow) -> list[Pointer]:
    if "*" not in row.path:
        return [] if row.default is None else [row.path]
    names = list(row.default) if isinstance(row.default, dict) else []
    return [(*row.path[:-1], name) for name in names]


def _meant(key: str, merged: MergedPolicy) -> Iterator[Pointer]:
    """The keys that a text means: itself, by an alias, or all that are written below it."""
    pointer = _canonical(tuple(part for part in key.strip().split(".") if part))
    if row_of(pointer) is not None:
        yield pointer
        return
    if pointer[-1:] == _COVERAGE:
        overall: Pointer = (*pointer, "all")
        yield from [overall] if overall in merged.values or not _by_layer(overall, merged) else []
        yield from (other for other in merged.values if other[:-1] == pointer and other[-1] != "all")
        return
    below = [other for other in all_keys(merged) if other[: len(pointer)] == pointer]
    yield from below
    if not below:  # a block that no tier writes and that has nothing usual is known all the same
        yield from (row.path for row in ROWS if pointer and row.path[: len(pointer)] == pointer)
        yield from _around(pointer, merged)


def _around(pointer: Pointer, merged: MergedPolicy) -> Iterator[Pointer]:
    """The key whose value holds a part that some tier writes, such as the type of a plugin."""
    for length in range(len(pointer) - 1, 0, -1):
        key, part = pointer[:length], pointer[length:]
        written = (tier.keys[key].value for tier in merged.tiers if key in tier.keys)
        if row_of(key) is not None and any(_holds(value, part) for value in written):
            yield key


def _holds(value: Json, part: Pointer) -> bool:
    return not part or (isinstance(value, dict) and part[0] in value and _holds(value[str(part[0])], part[1:]))


def _canonical(pointer: Pointer) -> Pointer:
    for move in MANIFEST_MOVES:
        if pointer[: len(move.written)] == move.written and not move.misplaced:
            return (*move.own, *pointer[len(move.written) :])
    if pointer == ("test_coverage",):
        return ("governance", "quality_gates", *_COVERAGE)
    if pointer[:1] == ("quality_gates",):
        return ("governance", *pointer)
    if pointer[:1] == ("sla_minimums",) and len(pointer) == 2:
        return ("sla_minimums", meaning(Sla(str(pointer[1]), "")).name)
    return pointer


def _lines(pointer: Pointer, merged: MergedPolicy) -> Iterator[str]:
    written = [(tier, tier.keys[pointer]) for tier in merged.tiers if pointer in tier.keys]
    holds, key = effective_value(pointer, merged), show_key(pointer)
    if not written:
        source = "default, no tier sets it" if holds is not None else "no tier sets it"
        yield f"{key}: {show_value(holds)}  {source}  effective"
        return
    for place, (tier, value) in enumerate(written, 1):
        where = f"  {value.location}" if value.location else ""
        last = place == len(written)
        end = "" if not last else "  effective" if value.value == holds else f"  effective: {show_value(holds)}"
        yield f"{key}: {show_value(value.value)}  {tier.label}{where}{end}"


def _suggest(key: str) -> str:
    names = [row.key.removesuffix(".*") for row in ROWS]
    blocks = sorted({".".join(name.split(".")[: depth + 1]) for name in names for depth in range(name.count(".") + 1)})
    ends: dict[str, str] = {}
    for name in blocks:
        ends.setdefault(name.rpartition(".")[2], name)
    by_end = [ends[end] for end in close_names(key.rpartition(".")[2], ends, cutoff=0.75)]
    close = close_names(key, blocks, cutoff=0.85) or by_end or close_names(key, blocks)
    return did_you_mean(*(f"'{name}'" for name in close), otherwise="docs/policy.md lists every key.")
