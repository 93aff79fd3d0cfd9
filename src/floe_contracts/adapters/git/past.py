"""What files held on the base branch itself, newest first; history that a clone lacks is fetched when it is needed.

Only first parents are followed: what a commit of a merged branch held meanwhile was never on the base branch, and must
not pass for a promise that was made there. (history.py follows all parents, because it looks for numbers to avoid.)
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import islice

from ...errors import BaseNotFound
from ...frozen import dataclass
from . import Repository
from .history import MOST_COMMITS, HistoricBlob, find_sources, list_changes
from .names import unshallow_command
from .objects import Match

_MOST_PATHS = 40  # names that one file may have had
_AT_ONCE = 10  # contents read by one git process
_FIRST_COMMITS = 50  # what is looked for mostly stands in them

# Fetches so many commits of the history below a commit.
Deepen = Callable[[Repository, str, int], None]


@dataclass(frozen=True, slots=True)
class PastContent:
    """What a path held from a commit on; nothing where it ended."""

    path: str
    commit: str
    content: bytes | None


def past_contents(repo: Repository, commit: str, path: str, deepen: Deepen | None) -> Iterator[PastContent]:
    """The contents of a file up to a commit, also under the names it had before a move; the first is that commit's own.

    Take no more than you need: history is fetched only when all that is here has been looked at. Without a way to
    fetch, or when the remote refuses, the end of a shallow clone is an error that names the command to run.
    """
    return _read_deeper(repo, commit, path, deepen, lambda: _walk(repo, commit, path, set()))


def past_states(
    repo: Repository, commit: str, chosen: Match, about: str, deepen: Deepen | None
) -> Iterator[PastContent]:
    """The contents and ends of all chosen files up to a commit, through no more commits than MOST_COMMITS.

    It needs no trace from file to file, and so finds what was moved in two steps, or changed places with another.
    `about` is the file that an error names; like past_contents, it fetches what is not here.
    """
    return _read_deeper(repo, commit, about, deepen, lambda: _list_states(repo, commit, chosen))


def _read_deeper(
    repo: Repository, commit: str, path: str, deepen: Deepen | None, find: Callable[[], Iterator[HistoricBlob]]
) -> Iterator[PastContent]:
    from .fetch import DEPTHS

    seen: set[tuple[str, str]] = set()
    yield from _read_unseen(repo, find(), seen)
    for depth in DEPTHS:
        if not _is_cut(repo, commit):
            return
        if deepen is None:
            raise _history_missing(repo, path)
        try:
            deepen(repo, commit, depth)
        except BaseNotFound as reason:
            raise _history_missing(repo, path, f": {reason.message}") from reason
        yield from _read_unseen(repo, find(), seen)
    if _is_cut(repo, commit):
        raise _history_missing(repo, path, ", and beyond that of the remote")


def _is_cut(repo: Repository, commit: str) -> bool:
    """Whether the line of first parents is cut: its last commit here was written with a parent."""
    if not repo.is_shallow():
        return False
    ends = repo.git.read("rev-list", "--first-parent", "--max-parents=0", commit).decode().split()
    return any(end is not None and end.parents for end in repo.commits(ends))


def _history_missing(repo: Repository, path: str, reason: str = "") -> BaseNotFound:
    return BaseNotFound(
        f"this clone is shallow, and what {path} promised before lies beyond its end{reason}",
        fix=unshallow_command(repo),
    )


def _read_unseen(repo: Repository, states: Iterator[HistoricBlob], seen: set[tuple[str, str]]) -> Iterator[PastContent]:
    unseen = (state for state in states if (state.path, state.oid) not in seen)
    while chunk := list(islice(unseen, _AT_ONCE)):
        contents = repo.read_blobs(state.oid for state in chunk if state.oid)
        for state in chunk:
            if (state.path, state.oid) not in seen:
                seen.add((state.path, state.oid))
                yield PastContent(state.path, state.commit, contents[state.oid] if state.oid else None)


def _walk(repo: Repository, commit: str, path: str, names: set[str]) -> Iterator[HistoricBlob]:
    """The contents of a path below a commit; where the file appears, what it was moved from comes first."""
    names.add(path)
    command = ("rev-list", "--first-parent", "--timestamp", commit, "--", path)
    pairs = (line.split() for line in repo.git.read(*command).decode().splitlines())
    times = {oid: int(time) for time, oid in pairs}
    for oid, changes in list_changes(repo, times, first_parent=True):
        change = changes.get(path)
        if change is None:
            continue
        if change.new is not None and change.new.kind == "file":
            yield HistoricBlob(path, change.new.oid, oid, times[oid])
        if change.old is None:
            for source in sorted(find_sources(change, changes) - names):
                if len(names) < _MOST_PATHS and source not in names:
                    yield from _walk(repo, oid, source, names)


def _list_states(repo: Repository, commit: str, chosen: Match) -> Iterator[HistoricBlob]:
    """What the commits below one made of the chosen files; no object id where a file ends."""
    command = ("rev-list", "--first-parent", "--timestamp", f"--max-count={MOST_COMMITS}", commit)
    pairs = [line.split() for line in repo.git.read(*command).decode().splitlines()]
    for part in (pairs[:_FIRST_COMMITS], pairs[_FIRST_COMMITS:]):
        times = {oid: int(time) for time, oid in part}
        for oid, changes in list_changes(repo, times, first_parent=True):
            for path in sorted(path for path in changes if chosen(path)):
                new = changes[path].new
                yield HistoricBlob(path, new.oid if new and new.kind == "file" else "", oid, times[oid])
