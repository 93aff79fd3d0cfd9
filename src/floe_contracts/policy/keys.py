"""A manifest as flat keys and back: `{("governance", "quality_gates", "threshold"): 80}`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from ..contract.model import Json, Pointer
from ..product.manifest import Manifest
from .table import ROWS, row_of

HEAD = ("apiVersion", "kind", "metadata", "scope", "parent", "registry")  # what a tier is, not what it decides


def keys_of(manifest: Manifest) -> dict[Pointer, Json]:
    """Every key that the manifest writes, in the order of the table."""
    dump = manifest.model_dump(mode="json")
    leaves = dict(_leaves({key: value for key, value in dump.items() if key not in HEAD}, ()))
    places = {id(row): place for place, row in enumerate(ROWS)}
    return dict(sorted(leaves.items(), key=lambda leaf: (places[id(row_of(leaf[0]))], leaf[0])))


def _leaves(value: Json, pointer: Pointer) -> Iterator[tuple[Pointer, Json]]:
    if pointer and row_of(pointer) is not None:
        yield pointer, value
    elif isinstance(value, dict):
        for key, item in value.items():
            yield from _leaves(item, (*pointer, key))
    elif row_of((*pointer, "all")) is not None:  # a coverage over all models
        yield (*pointer, "all"), value
    else:  # the table must know every key of the model; tests/policy/test_table.py holds them together
        raise LookupError(f"no row of the policy table covers {'.'.join(map(str, pointer))}")


def nest(values: Mapping[Pointer, Json]) -> dict[str, Any]:
    """Flat keys as the mapping that a manifest is read from."""
    nested: dict[str, Any] = {}
    for pointer, value in values.items():
        here = nested
        for step in pointer[:-1]:
            here = here.setdefault(str(step), {})
        here[str(pointer[-1])] = value
    return nested
