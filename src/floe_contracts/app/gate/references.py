"""References to manifests that a change moves: what a product or a domain stands on before and after it."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence

from ...adapters.git.objects import TreeEntry
from ...adapters.process.environment import utc_today
from ...contract.discovery import PRODUCT
from ...contract.source import read_document
from .request import GateRequest, find_revisions
from .view import GateView, list_views

LOCK = "floe.lock"
_MANIFEST = "manifest.yaml"
_KEYS = {PRODUCT: ("platform", "domain"), _MANIFEST: ("parent",)}


def changes_references(path: str) -> bool:
    """Whether a file of this name may refer to a manifest, or lock such a reference."""
    return path.rpartition("/")[2] in (LOCK, *_KEYS)


def note_references(view: GateView) -> list[str]:
    """A line for every reference that the change adds, removes or moves."""
    notes: list[str] = []
    for change in view.code:
        if changes_references(change.path):
            before, after = (_references(view, side) for side in (change.old, change.new))
            notes += _compare(change.path, before, after)
    return notes


def _compare(path: str, before: Mapping[str, str], after: Mapping[str, str]) -> Iterator[str]:
    from ...product.reference import hide_user  # it brings pydantic, and most changes move no reference

    for key in sorted({*before, *after}):
        old, new = (hide_user(side.get(key, "")) for side in (before, after))
        if old and new and old != new:
            yield f"{path}: {key} was {old} and becomes {new}."
        elif new and not old:
            yield f"{path}: {key} is new: {new}."
        elif old and not new:
            yield f"{path}: {key} is removed: {old}."


def _references(view: GateView, entry: TreeEntry | None) -> dict[str, str]:
    """What a file refers to: key and reference, in floe.lock reference and digest."""
    data = view.repo.read([entry]).get(entry.path) if entry and entry.kind == "file" else None
    value = read_document(data).value if data else None
    if entry is None or not isinstance(value, dict):
        return {}
    name = entry.path.rpartition("/")[2]
    if name == LOCK:
        listed = value.get("references")
        items = listed.items() if isinstance(listed, dict) else ()
        return {str(key): str(item["digest"]) for key, item in items if isinstance(item, dict) and "digest" in item}
    values = {key: value.get(key) for key in _KEYS[name]}
    texts = {key: item.get("ref") if isinstance(item, dict) else item for key, item in values.items()}
    return {key: text for key, text in texts.items() if isinstance(text, str)}


def moved_references(folders: Sequence[str]) -> list[tuple[str, str, str]]:
    """Path, old and new reference of every product in these folders whose platform differs from the base's."""
    revisions = find_revisions(GateRequest())
    wanted = {os.path.realpath(os.path.join(folder, PRODUCT)) for folder in folders}
    moved = []
    for view in list_views(GateRequest(), utc_today(), revisions):
        for change in view.code:
            place = os.path.realpath(os.path.join(view.repo.top, change.path))
            if place not in wanted or not change.old or not change.new:
                continue
            before, after = (_references(view, side) for side in (change.old, change.new))
            old, new = (next(iter(side.values()), "") for side in (before, after))
            if old and new and old != new:
                moved.append((change.path, old, new))
    return list(dict.fromkeys(moved))
