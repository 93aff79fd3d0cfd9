"""Every content that a contract file ever had on the base branch, so that a released version keeps its meaning.

All parents of a merge are followed (--full-history) and a merge counts where its result is in none of its parents. The
first-parent line alone would be quicker and would miss what was published before a pull turned the line around.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator
from os.path import dirname, splitext

from ...contract.discovery import SUFFIXES, may_be_contract
from ...frozen import dataclass
from . import Repository
from .objects import RAW, Change, decode, raw_change

MOST_COMMITS = 2_000
_MOST_MOVES = 5
_MOST_SOURCES = 20  # deleted files that one new file may have come from
_MOST_PATHS = 50  # beyond that, git is asked about their folders

# The commits below one that touched some paths, newest first and no more than a limit, with their times.
CommitSource = Callable[[Repository, str, Collection[str], int], "dict[str, int]"]


@dataclass(frozen=True, slots=True)
class HistoricBlob:
    """A content that a path had, and the commit that brought it first."""

    path: str
    oid: str  # empty where the path ended
    commit: str
    time: int  # seconds since 1970


@dataclass(frozen=True, slots=True)
class FileHistory:
    """The contents, newest first; not complete when the clone is shallow or the history longer than was asked for."""

    blobs: tuple[HistoricBlob, ...]
    complete: bool


def touching_commits(repo: Repository, commit: str, paths: Collection[str], limit: int) -> dict[str, int]:
    """The commits that touched the paths, by plumbing; adapters.git.library has the same by GitPython."""
    command = ("rev-list", "--full-history", "--timestamp", f"--max-count={limit}", commit, "--", *sorted(paths))
    pairs = (line.split() for line in repo.git.read(*command).decode().splitlines())
    return {oid: int(time) for time, oid in pairs}


def blob_history(
    repo: Repository,
    commit: str,
    paths: Iterable[str],
    *,
    limit: int = MOST_COMMITS,
    commits: CommitSource = touching_commits,
) -> FileHistory:
    """All contents of the paths in the history of a commit, also under the names they had before a move.

    A file that appears where another of its kind disappears may be that file, moved: its past is told too, however
    different the text. The reader compares contract ids and drops what was another contract.
    """
    blobs: dict[tuple[str, str], HistoricBlob] = {}
    wanted, seen = set(paths), set[str]()
    complete = True
    for _ in range(_MOST_MOVES):
        if not wanted:
            break
        places = wanted if len(wanted) <= _MOST_PATHS else {dirname(path) or "." for path in wanted}
        times = commits(repo, commit, places, limit)
        complete = complete and len(times) < limit
        seen |= wanted
        sources: set[str] = set()
        for oid, changes in list_changes(repo, times):
            for path in wanted & changes.keys():
                change = changes[path]
                if change.new is not None and change.new.kind == "file":
                    blobs[path, change.new.oid] = HistoricBlob(path, change.new.oid, oid, times[oid])
                if change.old is None:
                    sources |= find_sources(change, changes)
        wanted = sources - seen
    newest_first = sorted(blobs.values(), key=lambda blob: (-blob.time, blob.path, blob.oid))
    return FileHistory(tuple(newest_first), complete and not repo.is_shallow())


def find_ended(repo: Repository, commit: str, *, limit: int = MOST_COMMITS) -> set[str]:
    """Files that may have held a contract and that the history of a commit ended somewhere."""
    changes = (changed for _, changed in list_changes(repo, touching_commits(repo, commit, (), limit)))
    return {path for each in changes for path in each if each[path].new is None and may_be_contract(path)}


def list_changes(
    repo: Repository, commits: Iterable[str], *, first_parent: bool = False
) -> Iterator[tuple[str, dict[str, Change]]]:
    """What each commit changed, once for each of its parents, or only against the first."""
    feed = "".join(f"{oid}\n" for oid in commits).encode()
    parents = ("-m", "--first-parent") if first_parent else ("-m",)
    out = repo.git.read("diff-tree", "--stdin", "--root", "-r", *parents, *RAW, feed=feed) if feed else b""
    oid, changes = "", dict[str, Change]()
    fields = iter(decode(out).split("\0"))
    for field in fields:
        if field.startswith(":"):
            change = raw_change(field, next(fields))
            changes[change.path] = change
            continue
        if oid:
            yield oid, changes
        oid, changes = field, {}


def find_sources(added: Change, changes: dict[str, Change]) -> set[str]:
    """The files that may have become this one: the same content elsewhere, else whatever of its kind is gone."""
    kind = _kind_of(added.path)
    gone = [change.old for change in changes.values() if change.new is None and change.old is not None]
    same = {old.path for old in gone if added.new is not None and old.oid == added.new.oid}
    return same or set(sorted(old.path for old in gone if _kind_of(old.path) == kind)[:_MOST_SOURCES])


def _kind_of(path: str) -> str:
    """How a path ends; every way that a contract may end counts as one, since a move may change it."""
    return SUFFIXES[0] if may_be_contract(path) else splitext(path)[1]
