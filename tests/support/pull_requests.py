"""Pull requests as a runner meets them: an origin with a test merge, and the checkout that actions/checkout leaves."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from support.fake_github import FakeGithub, PullRequest
from support.git_sandbox import Clone, Sandbox

NUMBER = 7
Files = dict[str, str | None]
Object = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Scene:
    """A pull request from `feature` to `main`; `merge` is the commit that GitHub offers for testing."""

    origin: Clone
    checkout: Clone
    base: str
    head: str
    merge: str
    fork: str = ""

    def event(self) -> Object:
        """The payload of `pull_request`."""
        owner = self.fork or "acme"
        return {
            "number": NUMBER,
            "repository": {"default_branch": "main", "full_name": "acme/toy"},
            "pull_request": {
                "number": NUMBER,
                "labels": [],
                "head": {"ref": "feature", "sha": self.head, "repo": {"full_name": f"{owner}/toy"}},
                "base": {"ref": "main", "sha": self.base, "repo": {"full_name": "acme/toy"}},
            },
        }

    def finished(self) -> Object:
        """The payload of the `workflow_run` that follows."""
        owner = {"login": self.fork or "acme"}
        return {
            "repository": {"default_branch": "main", "full_name": "acme/toy"},
            "workflow_run": {
                "event": "pull_request",
                "head_sha": self.head,
                "head_branch": "feature",
                "head_repository": {"owner": owner, "full_name": f"{owner['login']}/toy"},
            },
        }

    def tell(self, github: FakeGithub) -> None:
        """Let GitHub know this state of the pull request."""
        patches = {name: self._patch(name) for name in self._diff("--name-only").split("\n") if name}
        github.pulls[NUMBER] = PullRequest(NUMBER, self.head, self.fork or "acme", patches=patches)
        for line in self.origin.git("log", "--all", "--format=%H %P").split("\n"):
            commit, *parents = line.split()
            github.parents[commit] = parents
        github.branches["main"] = self.origin.git("rev-list", self.base).split()

    def _patch(self, name: str) -> str:
        text = self._diff("--", name)
        return text[text.index("@@") :] if "@@" in text else ""

    def _diff(self, *more: str) -> str:
        return self.origin.git("diff", f"{self.base}...{self.head}", *more)


def pull_request(
    sandbox: Sandbox, before: Files, change: Files, *, meanwhile: Files | None = None, depth: int = 2, name: str = "one"
) -> Scene:
    """One commit on a branch, perhaps others on main meanwhile, merged for testing and checked out."""
    origin = sandbox.init(f"{name}/origin")
    base = origin.commit(before)
    origin.switch("feature", "main")
    head = origin.commit(change)
    origin.switch("main")
    if meanwhile:
        base = origin.commit(meanwhile)
    return _merged(sandbox, origin, base, head, depth, name)


def pushed(sandbox: Sandbox, scene: Scene, change: Files, name: str) -> Scene:
    """The pull request after one more commit."""
    scene.origin.switch("feature")
    head = scene.origin.commit(change)
    return replace(_merged(sandbox, scene.origin, scene.base, head, 2, name), fork=scene.fork)


def _merged(sandbox: Sandbox, origin: Clone, base: str, head: str, depth: int, name: str) -> Scene:
    origin.git("checkout", "--quiet", "--detach", base)
    merge = origin.merge(head)
    origin.git("update-ref", f"refs/pull/{NUMBER}/merge", merge)
    origin.git("config", "uploadpack.allowAnySHA1InWant", "true")  # as GitHub does
    return Scene(origin, checked_out(sandbox, origin, merge, depth, name), base, head, merge)


def checked_out(sandbox: Sandbox, origin: Clone, commit: str, depth: int, name: str) -> Clone:
    """What actions/checkout leaves behind: one commit, detached, with `depth` commits of history (0: all)."""
    clone = sandbox.init(f"{name}/toy")
    clone.git("remote", "add", "origin", origin.url)
    wanted = [f"--depth={depth}"] if depth else []
    refs = [] if depth else ["+refs/heads/*:refs/remotes/origin/*"]
    clone.git("fetch", "--quiet", "--no-tags", *wanted, "origin", f"+{commit}:refs/remotes/pull/{NUMBER}/merge", *refs)
    clone.git("checkout", "--quiet", "--detach", commit)
    clone.git("remote", "set-url", "origin", "https://github.com/acme/toy")  # from which act takes the name
    clone.git("config", "test.origin", origin.url)
    return clone
