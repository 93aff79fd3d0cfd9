"""Where a contract went that is gone from the globs: the same text, or the same contract, somewhere else."""

from __future__ import annotations

from collections.abc import Iterable

from ...adapters.git.objects import TreeEntry
from ...compat.gate import as_base
from ...compat.pairing import line_of
from ...contract.discovery import may_be_contract
from ...contract.load import Loaded, load
from ...contract.mention import look_for
from .sides import Sides
from .view import GateView

_MOST_FILES = 200  # that are read to find the contract


def find_moved(view: GateView, sides: Sides) -> dict[str, str]:
    """By the path of a contract that is gone, the path that holds it now and that no glob matches."""
    lines = {line_of(item) for item in sides.new.values()}
    gone = [item for path, item in sides.old.items() if path not in sides.new and line_of(as_base(item)) not in lines]
    if not gone:
        return {}
    known = {change.path for change in sides.changes}
    places = [
        change.new
        for change in view.repo.changes(view.old, view.revisions.head)
        if change.path not in known and change.new is not None and change.new.kind == "file"
    ]
    return {item.path: place for item in gone if (place := _find_place(item, places, sides, view))}


def _find_place(item: Loaded, places: Iterable[TreeEntry], sides: Sides, view: GateView) -> str:
    text = next((change.old.oid for change in sides.changes if change.path == item.path and change.old), "")
    same = [entry.path for entry in places if entry.oid and entry.oid == text]
    if same:
        return same[0]
    key = contract.key if (contract := as_base(item).contract) else ""
    likely = [entry for entry in places if may_be_contract(entry.path)][:_MOST_FILES]
    may_hold = look_for((key,))
    for path, content in view.repo.read(likely).items() if key else ():
        there = load(content, path).contract if may_hold(content) else None
        if there is not None and there.key == key:
            return path
    return ""
