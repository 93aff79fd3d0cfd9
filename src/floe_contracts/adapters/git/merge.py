"""What a branch would be once it is merged, so that two branches that took the same version are caught before."""

from __future__ import annotations

from . import INDEX, WORKTREE, Repository

# The index becomes a commit that no branch knows; always the same bytes for the same index, so it is stored once.
_NOBODY = {
    f"GIT_{role}_{what}": value
    for role in ("AUTHOR", "COMMITTER")
    for what, value in (("NAME", "floe"), ("EMAIL", "floe@localhost"), ("DATE", "@1 +0000"))
}


def merge_preview(repo: Repository, tip: str, head: str) -> str | None:
    """The tree of a clean merge of the head (a commit or INDEX) into the base branch's tip, to compare with the tip.

    None when the merge has conflicts, which git itself will report, when the head is the work tree, or when git is
    older than 2.38. Tells what comparing with the merge base cannot: that the base branch, too, used this version.
    """
    commit = _index_as_commit(repo) if head == INDEX else None if head == WORKTREE else head
    if commit is None:
        return None
    answer = repo.git.ask("merge-tree", "--write-tree", "--no-messages", tip, commit)
    return answer.out.decode().split()[0] if answer.status == 0 else None


def _index_as_commit(repo: Repository) -> str | None:
    tree = repo.git.ask("write-tree")
    if tree.status != 0 or repo.head is None:
        return None
    parents = [word for parent in (repo.head, *repo.merging) for word in ("-p", parent)]
    git = repo.git.at(repo.top, **_NOBODY)
    made = git.ask("commit-tree", tree.out.decode().strip(), *parents, feed=b"index\n")
    return made.out.decode().strip() if made.status == 0 else None
