"""Symbolic links of a revision followed inside of it: what they lead to counts, as if it lay where the link lies.

Nothing outside of the revision is ever read: a link that leaves the repository, that ends nowhere or that goes round in
a circle leads to nothing.
"""

from __future__ import annotations

import os
from bisect import bisect_left
from collections.abc import Iterator, Mapping

from ...errors import FloeError
from ...frozen import dataclass, field
from . import WORKTREE, Repository
from .objects import Match, TreeEntry, decode

_MOST_HOPS = 40  # links on the way to one file, as the kernel counts them
_MOST_STEPS = 200_000  # files looked at behind all links of a revision
_PROBES = ("x.yaml", "x.yml")  # whether files of a folder would be contracts


@dataclass(frozen=True, slots=True)
class LinkedFiles:
    """The files that links lead to, by their own paths, and the links that lead nowhere."""

    files: Mapping[str, TreeEntry] = field(default_factory=dict)
    by: Mapping[str, str] = field(default_factory=dict)  # path of a file: the link that leads there
    dead: frozenset[str] = frozenset()


def follow_links(repo: Repository, revision: str | None, wanted: Match) -> LinkedFiles:
    """What is reached through links at wanted paths; dead are the links at such paths that reach nothing."""
    entries = repo.files(revision)
    tree = _LinkTree(entries, _read_links(repo, revision, entries))
    by: dict[str, str] = {}
    dead = set()
    for link in tree.links:
        end = tree.resolve(link)
        if end is None or not tree.holds(end):
            dead |= {link} if any(map(wanted, (link, *(f"{link}/{name}" for name in _PROBES)))) else set()
            continue
        for shown, path in tree.files_behind(link, end):
            if wanted(shown):
                by.setdefault(path, link)
    return LinkedFiles({path: entries[path] for path in sorted(by)}, by, frozenset(dead))


@dataclass(slots=True)
class _LinkTree:
    """All files of a revision, and the texts of its links."""

    entries: Mapping[str, TreeEntry]
    links: Mapping[str, str]
    steps: int = 0
    _paths: list[str] = field(default_factory=list)

    def resolve(self, path: str) -> str | None:
        """Where a path ends when every link on the way is followed; the top is empty, None is nowhere."""
        waiting = path.split("/")[::-1]
        place: list[str] = []
        hops = 0
        while waiting:
            name = waiting.pop()
            if name == ".." and not place:
                return None
            if name in ("", ".", ".."):
                place = place[:-1] if name == ".." else place
                continue
            text = self.links.get("/".join((*place, name)))
            if text is None:
                place.append(name)
                continue
            hops += 1
            if hops > _MOST_HOPS or text.startswith("/"):
                return None
            waiting += text.split("/")[::-1]
        return "/".join(place)

    def holds(self, path: str) -> bool:
        """Whether a file or a folder is there."""
        entry = self.entries.get(path)
        return entry.kind == "file" if entry else next(self._below(path), None) is not None

    def files_behind(self, link: str, end: str, depth: int = 0) -> Iterator[tuple[str, str]]:
        """The files that a link shows, as it shows them and by their own paths; a folder that holds the link: none."""
        if end in self.entries:
            yield link, end
            return
        inside = f"{end}/" if end else ""
        if link.startswith(inside) or depth > _MOST_HOPS:
            return
        for path in self._below(end):
            self._count_step()
            shown = f"{link}/{path[len(inside) :]}"
            further = self.resolve(path) if path in self.links else None
            if further is not None and self.holds(further):
                yield from self.files_behind(shown, further, depth + 1)
            elif self.entries[path].kind == "file":
                yield shown, path

    def _count_step(self) -> None:
        self.steps += 1
        if self.steps > _MOST_STEPS:
            raise FloeError(
                f"the symbolic links of this repository show more than {_MOST_STEPS} files",
                fix="Remove links to folders that hold links to others.",
            )

    def _below(self, folder: str) -> Iterator[str]:
        self._paths = self._paths or sorted(self.entries)
        inside = f"{folder}/" if folder else ""
        for path in self._paths[bisect_left(self._paths, inside) :]:
            if not path.startswith(inside):
                return
            yield path


def _read_links(repo: Repository, revision: str | None, entries: Mapping[str, TreeEntry]) -> dict[str, str]:
    links = [entry for entry in entries.values() if entry.kind == "symlink"]
    if revision == WORKTREE:
        texts = {entry.path: _read_link(os.path.join(repo.top, entry.path)) for entry in links}
        return {path: text for path, text in texts.items() if text}
    blobs = repo.read_blobs(entry.oid for entry in links)
    return {entry.path: decode(blobs[entry.oid]) for entry in links}


def _read_link(path: str) -> str:
    try:
        return os.readlink(path).replace(os.sep, "/")
    except OSError:  # a file behind a folder that is a link; the folder is one of the links
        return ""
