"""When a run may register, and when it only looks: a pull request must not claim a name or burn a version number."""

from __future__ import annotations

from ..frozen import dataclass

_PULL = "pull request"


@dataclass(frozen=True, slots=True)
class Occasion:
    """What is known about the run."""

    event: str = ""  # of GitHub, or `push` and `pull_request` where another CI says the same; empty outside CI
    ref: str = ""  # what was pushed, as refs/heads/… or refs/tags/…
    default_branch: str = ""
    git: bool = True
    branch: str = ""  # that is checked out
    remote: bool = False
    clean: bool = True


def why_not_register(occasion: Occasion) -> str:
    """Why this run only looks; empty when it may register."""
    if occasion.event:
        return _why_not_in_ci(occasion)
    if not occasion.git:
        return "no git repository"
    if not occasion.branch:
        return "no branch is checked out"
    if occasion.remote and occasion.branch != occasion.default_branch:
        return f"branch {occasion.branch}"
    return "" if occasion.clean else "uncommitted changes"


def _why_not_in_ci(occasion: Occasion) -> str:
    if occasion.event.startswith("pull_request") or occasion.event == "merge_group":
        return _PULL
    if occasion.event != "push":
        return f"event {occasion.event}"
    if occasion.ref.startswith("refs/tags/"):
        return ""
    if not occasion.default_branch:
        return "the default branch is not known"
    branch = occasion.ref.removeprefix("refs/heads/")
    return "" if branch == occasion.default_branch else f"branch {branch}"
