"""`floe.contracts` kept complete while several runs write it, though every catalog lets the last writer win."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress

from .index import index_keys, read_index, split_entry, write_index
from .names import CONTRACTS, Levels, contract_marker, contract_marker_start
from .namespaces import Namespaces
from .protocol import CatalogBusy

_TRIES = 10


def complete_index(namespaces: Namespaces, levels: Levels, product: str, registered: set[str]) -> None:
    """List every version that has a marker; `registered` are those that need no reading.

    Who has written looks once more. A version's marker is there before its maker writes the list, so whoever looks
    last has seen them all, and nobody stops before the list holds what they have seen.
    """
    for _ in range(_TRIES):
        current = namespaces.read(levels) or {}
        listed = read_index(current)
        wanted = {*listed, *registered}
        wanted.update(_entries_beside(namespaces, product, wanted))
        if wanted == listed:
            return
        after = write_index(wanted)
        with suppress(CatalogBusy):  # the quicker writer looks once more too
            namespaces.update(levels, after, [key for key in index_keys(current) if key not in after])


def _entries_beside(namespaces: Namespaces, product: str, known: set[str]) -> Iterator[str]:
    """What is registered for a product besides the versions that are known."""
    markers = {contract_marker(product, *split_entry(entry)) for entry in known}
    start = contract_marker_start(product)
    for name in namespaces.below((CONTRACTS,)):
        if name[-1].startswith(start) and name not in markers:
            owner, _, entry = str((namespaces.read(name) or {}).get("floe.contract.id", "")).partition("/")
            if owner == product and entry:
                yield entry
