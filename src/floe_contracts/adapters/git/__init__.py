"""Reads a git repository with plumbing commands: revisions, the files in them, what changed, and their bytes.

A revision is a commit id, `INDEX`, `WORKTREE`, or None for the empty tree. Paths are relative to the top of the work
tree, with forward slashes; bytes that are not UTF-8 survive as surrogates.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable, Mapping, Sequence

from ...errors import FloeError, UsageError
from ...frozen import dataclass, replace
from .command import Git, failure_of, git_at
from .objects import RAW, Change, Match, TreeEntry, decode, everything, index_entries, raw_changes, tree_entries

TYPE_CHECKING = False  # see adapters.git.command
if TYPE_CHECKING:
    from .objects import Commit

INDEX = "index"
WORKTREE = "worktree"
_MOST_FOLDERS = 500  # words of one command

_OID = re.compile(r"(?:[0-9a-f]{40}|[0-9a-f]{64})\Z")
_EMPTY_BLOBS = frozenset(
    {"e69de29bb2d1d6434b8b29ae775ad8c2e48c5391", "473a0f4c3be8a93681a267e3b1e9a7dcda1185436fe141f7749120a303721813"}
)


@dataclass(frozen=True, slots=True)
class Repository:
    """A work tree and its repository."""

    git: Git
    top: str
    git_dir: str
    head: str | None  # None until the first commit
    branch: str | None = None  # as refs/heads/…; None when HEAD is detached or has no commit
    upstream: str | None = None  # as refs/remotes/… or refs/heads/…
    merging: tuple[str, ...] = ()  # the other parents of the commit in the making

    def resolve(self, ref: str) -> str | None:
        """The commit id a name stands for, or None; a name that could be read as an option is refused."""
        answer = self.git.ask("rev-parse", "--verify", "--quiet", "--end-of-options", f"{check_ref(ref)}^{{commit}}")
        return answer.out.decode().strip() if answer.status == 0 else None

    def commits(self, oids: Sequence[str]) -> list[Commit | None]:
        """The commit objects, None for those that this clone does not hold."""
        from .objects import read_commits

        return read_commits(self.git, oids)

    def merge_bases(self, commit: str, *others: str) -> tuple[str, ...]:
        """Every best common ancestor of a commit and the (imagined) merge of the others; several after criss-cross."""
        if {*others} == {commit}:  # a branch without a commit of its own, as before every first commit
            return (commit,)
        answer = self.git.ask("merge-base", "--all", commit, *others)
        if answer.status > 1:
            raise failure_of("merge-base", answer.err, self.top)
        return tuple(sorted(answer.out.decode().split()))

    def is_shallow(self) -> bool:
        """Whether history was cut; asked anew each time, because a fetch changes it."""
        return self.git.read("rev-parse", "--is-shallow-repository").strip() == b"true"

    def files(self, revision: str | None, match: Match = everything, *, links: bool = False) -> dict[str, TreeEntry]:
        """The matching paths of a revision, in order, by one git process; with `links` every symbolic link too."""
        if revision is None:
            return {}
        if revision == WORKTREE:
            from .worktree import worktree_files

            return worktree_files(self, match, links=links)
        if revision == INDEX:
            out = self.git.read("ls-files", "--stage", "-z", "--full-name")
            entries = self._drop_intended(index_entries(out, match, links=links))
        else:
            out = self.git.read("ls-tree", "-r", "-z", "--full-tree", revision)
            entries = list(tree_entries(out, match, links=links))
        return {entry.path: entry for entry in sorted(entries, key=lambda entry: entry.path)}

    def changes(
        self, old: str | None, new: str, match: Match = everything, *, links: bool = False
    ) -> tuple[Change, ...]:
        """The matching paths that differ between two revisions, in order; equal trees cost a few milliseconds."""
        if old is None:
            return tuple(Change(path, None, entry) for path, entry in self.files(new, match, links=links).items())
        if new == WORKTREE:
            from .worktree import worktree_changes

            return worktree_changes(self, old, match, links=links)
        if new == INDEX:
            out = self.git.read("diff-index", "--cached", "--ita-invisible-in-index", *RAW, old, "--")
        else:
            out = self.git.read("diff-tree", "-r", *RAW, old, new, "--")
        changes = raw_changes(out, match, links=links)
        return tuple(changes[path] for path in sorted(changes))

    def read(self, entries: Iterable[TreeEntry]) -> dict[str, bytes]:
        """Path to content of the regular files among the entries, all blobs by one git process."""
        files = [entry for entry in entries if entry.kind == "file"]
        stored = [entry for entry in files if entry.oid]
        blobs = self.read_blobs([entry.oid for entry in stored])
        contents = {entry.path: blobs[entry.oid] for entry in stored}
        if len(stored) < len(files):
            from .worktree import read_worktree_file

            contents |= {entry.path: read_worktree_file(self.top, entry.path) for entry in files if not entry.oid}
        return contents

    def search(self, words: Iterable[str], revision: str, entries: Iterable[TreeEntry]) -> set[str] | None:
        """Paths of a revision that hold a word, among them those of the entries; None where git cannot look."""
        folders = {entry.path.rpartition("/")[0] or entry.path for entry in entries}
        if revision == WORKTREE or len(folders) > _MOST_FOLDERS:
            return None
        looked = [part for word in words for part in ("-e", word)]
        where = ("--cached", *looked) if revision == INDEX else (*looked, revision)
        options = ("--files-with-matches", "--null", "--text", "--fixed-strings", "--no-color", "--threads=1")
        answer = self.git.at(self.top).ask("grep", *options, *where, "--", *sorted(folders))
        if answer.status not in (0, 1):
            return None
        prefix = "" if revision == INDEX else f"{revision}:"
        return {decode(name).removeprefix(prefix) for name in answer.out.split(b"\0")}

    def read_blobs(self, oids: Iterable[str], counted: Callable[[int], None] = lambda size: None) -> dict[str, bytes]:
        """Object id to content; what is longer than a contract may be is cut (see GitObject).

        `counted` is given the bytes read so far, and may raise.
        """
        from .objects import read_objects

        wanted = list(dict.fromkeys(oids))
        blobs: dict[str, bytes] = {}
        size = 0
        for oid, item in zip(wanted, read_objects(self.git, wanted), strict=True):
            if item is None or item.kind != "blob":
                raise FloeError(
                    f"the file content {oid} is not in this clone",
                    fix="Run `git fetch --refetch` to get it, or clone without --filter; `git fsck` finds damage.",
                )
            blobs[oid] = item.content
            size += len(item.content)
            counted(size)
        return blobs

    def _drop_intended(self, entries: Iterable[TreeEntry]) -> list[TreeEntry]:
        """The entries less those only meant to be added (`git add --intent-to-add`): a commit leaves them out."""
        staged = list(entries)
        if any(entry.oid in _EMPTY_BLOBS for entry in staged):
            out = self.git.read("diff-files", "-z", "--name-only", "--diff-filter=A")
            intended = set(decode(out).split("\0"))
            staged = [entry for entry in staged if entry.path not in intended]
        return staged


def open_repository(folder: str = ".", environ: Mapping[str, str] | None = None) -> Repository:
    """The repository around a folder, found from the folder itself whatever GIT_DIR says."""
    environ = os.environ if environ is None else environ
    git = git_at(folder, environ)
    answer = git.ask(
        *("rev-parse", "--is-bare-repository", "--absolute-git-dir", "--show-toplevel"),
        *("HEAD", "--symbolic-full-name", "HEAD", "@{upstream}"),  # git prints what it can and stops at what it cannot
    )
    lines = decode(answer.out).split("\n")[:-1]
    if len(lines) < 3:
        raise failure_of("rev-parse", answer.err, os.path.abspath(folder))
    git_dir, top = lines[1], lines[2]
    head, branch, upstream = (*lines[3:6], "", "", "")[:3]
    repo = Repository(
        git.at(top),
        top,
        git_dir,
        head if is_oid(head) else None,
        branch if branch.startswith("refs/") else None,
        upstream if upstream.startswith("refs/") else None,
    )
    return _with_hook_state(repo, environ)


def check_ref(ref: str) -> str:
    """The name itself, unless git could take it for something else than a revision."""
    if not ref or ref.startswith("-") or not ref.isprintable():
        raise UsageError(
            f"{ref!r} cannot be the name of a revision",
            fix="Name a branch, a tag or a commit; a name that begins with '-' can be written as refs/heads/-name.",
        )
    return ref


def is_oid(text: str) -> bool:
    """Whether the text is a full object id, of SHA-1 or SHA-256."""
    return _OID.match(text) is not None


def _with_hook_state(repo: Repository, environ: Mapping[str, str]) -> Repository:
    """The repository with what git tells the hooks it runs: which index to read, and what is being merged."""
    repo = replace(repo, merging=_oids_in(os.path.join(repo.git_dir, "MERGE_HEAD")))
    index = os.path.join(repo.top, environ.get("GIT_INDEX_FILE", ""))  # git means it from the top of the work tree
    if not os.path.isfile(index):
        return repo
    place = os.path.realpath(os.path.dirname(index))
    if place != os.path.realpath(repo.git_dir) and os.path.exists(os.path.join(place, "HEAD")):
        return repo  # it is the index of another repository, whose hook started us
    heads = (name.removeprefix("GITHEAD_") for name in environ if name.startswith("GITHEAD_"))
    announced = tuple(sorted(oid for oid in heads if is_oid(oid)))  # pre-merge-commit runs before MERGE_HEAD is written
    return replace(repo, git=repo.git.at(repo.top, GIT_INDEX_FILE=index), merging=repo.merging or announced)


def _oids_in(path: str) -> tuple[str, ...]:
    try:
        with open(path, encoding="ascii") as file:
            return tuple(line for line in file.read().split() if is_oid(line))
    except (OSError, UnicodeDecodeError):
        return ()
