"""floe.lock: `floe platform lock`, the only way in which an entry changes, and the entries that compile adds."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from ..adapters.files.references import lock_beside
from ..adapters.files.write import write_whole
from ..frozen import dataclass
from ..product.lock import FILE, LockEntry, LockFile, lock_text
from .policy import describe_first, find_start, load_policy

if TYPE_CHECKING:
    from ..adapters.process.console import Console


@dataclass(frozen=True, slots=True)
class LockChange:
    """An entry before and after; an empty digest where there is none."""

    reference: str
    before: str
    after: str

    def __str__(self) -> str:
        if self.before == self.after:
            return f"{self.reference} {self.after} (unchanged)"
        if not self.after:
            return f"{self.reference} {self.before} (removed, nothing refers to it)"
        return f"{self.reference} {self.after} ({f'was {self.before}' if self.before else 'added'})"


def plan_lock(path: str, refs: Sequence[str], *, update: bool, allow_http: Sequence[str] = ()) -> list[LockChange]:
    """Every entry that floe.lock beside a file should have; other bytes than the locked ones only with `update`."""
    loaded = load_policy(path, refs, relock=update, allow_http=allow_http)
    if not loaded.chain.whole:
        fix = "Run `floe policy check`, which lists everything; nothing is locked before."
        raise describe_first(loaded.findings, f"the manifests above {path} cannot be read", fix)
    lock = lock_beside(path)
    known = {reference: entry.digest for reference, entry in lock.references.items()} if lock else {}
    resolved = loaded.references.resolved
    wanted = resolved if update else {**known, **resolved}
    return [
        LockChange(reference, known.get(reference, ""), wanted.get(reference, ""))
        for reference in sorted({*known, *wanted})
    ]


def write_lock(path: str, entries: Mapping[str, str]) -> str:
    """floe.lock beside a file with these entries, whatever else it says kept; its path."""
    lock = lock_beside(path) or LockFile(version=1)
    written = {reference: LockEntry(digest=digest).model_dump() for reference, digest in entries.items()}
    place = os.path.join(os.path.dirname(path), FILE)
    kept = lock.model_dump(mode="json", exclude_unset=True)
    write_whole(place, lock_text(LockFile.model_validate({**kept, "references": written, "version": 1})))
    return place


def show_lock(
    console: Console, given: str | None, refs: Sequence[str], *, update: bool, allow_http: Sequence[str] = ()
) -> int:
    """`floe platform lock` from path to exit code."""
    from ..adapters.process.output import say

    path = find_start(given)
    changes = plan_lock(path, refs, update=update, allow_http=allow_http)
    if not changes:
        say(f"{path} has nothing to lock: a path inside the repository is read as it is.")
        return 0
    for change in changes:
        say(str(change))
    if any(change.before != change.after for change in changes):
        place = write_lock(path, {change.reference: change.after for change in changes if change.after})
        console.note(f"Written to {place}.")
    return 0
