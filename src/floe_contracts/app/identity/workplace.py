"""Where a run happens: which repository is at work, and whether it may register, as CI and git say."""

from __future__ import annotations

import os
from collections.abc import Mapping
from urllib.parse import urlsplit

from ...adapters.git import Repository, open_repository
from ...adapters.git.names import remote_of
from ...adapters.git.objects import decode
from ...adapters.process.environment import ci_event
from ...errors import FloeError
from ...frozen import dataclass
from ...identity.occasion import Occasion
from ...identity.repository import normalise_repository

_LOCK = "floe.lock"


@dataclass(frozen=True, slots=True)
class Workplace:
    """The repository at work as `host/path`, empty when unknown; and what decides about registering."""

    top: str
    repository: str
    occasion: Occasion


def find_workplace(folder: str, environ: Mapping[str, str] | None = None) -> Workplace:
    """The workplace of the product in a folder."""
    environ = os.environ if environ is None else environ
    try:
        repo: Repository | None = open_repository(folder or ".", environ)
    except FloeError:
        repo = None
    top = repo.top if repo else folder or "."
    remote = _remote_address(repo) if repo else ""
    if environ.get("GITHUB_EVENT_NAME"):
        event = ci_event(environ)
        ref = environ.get("GITHUB_REF", "") or (event.ref if event else "")
        host = urlsplit(environ.get("GITHUB_SERVER_URL", "") or "https://github.com").netloc
        name = environ.get("GITHUB_REPOSITORY", "")
        occasion = Occasion(environ["GITHUB_EVENT_NAME"], ref, event.default_branch if event else "")
        return Workplace(top, normalise_repository(f"https://{host}/{name}") if name else remote, occasion)
    if environ.get("GITLAB_CI"):
        return Workplace(top, normalise_repository(environ.get("CI_PROJECT_URL", "")) or remote, _gitlab(environ))
    if environ.get("TF_BUILD") and repo:
        name = normalise_repository(environ.get("BUILD_REPOSITORY_URI", "")) or remote
        return Workplace(top, name, _azure(environ, repo))
    return Workplace(top, remote, _local(repo, folder) if repo else Occasion(git=False))


def _gitlab(environ: Mapping[str, str]) -> Occasion:
    if environ.get("CI_MERGE_REQUEST_IID") or "request" in environ.get("CI_PIPELINE_SOURCE", ""):
        return Occasion("pull_request")
    tag, branch = environ.get("CI_COMMIT_TAG", ""), environ.get("CI_COMMIT_BRANCH", "")
    ref = f"refs/tags/{tag}" if tag else f"refs/heads/{branch}"
    return Occasion("push", ref, environ.get("CI_DEFAULT_BRANCH", ""))


def _azure(environ: Mapping[str, str], repo: Repository) -> Occasion:
    """A build of Azure Pipelines: it checks out no branch, names the one that it builds, and not the default one."""
    ref = environ.get("BUILD_SOURCEBRANCH", "")
    if environ.get("SYSTEM_PULLREQUEST_TARGETBRANCH") or ref.startswith("refs/pull/"):
        return Occasion("pull_request")
    remote = remote_of(repo)
    default = _default_branch(repo, remote, ref.removeprefix("refs/heads/")) if remote else ""
    return Occasion("push", ref, default)


def _local(repo: Repository, folder: str) -> Occasion:
    branch = (repo.branch or "").removeprefix("refs/heads/")
    remote = remote_of(repo)
    default = _default_branch(repo, remote, branch) if remote else branch
    return Occasion(
        "", "", default, True, branch, remote is not None, repo.head is not None and _is_clean(repo, folder)
    )


def _is_clean(repo: Repository, folder: str) -> bool:
    """Whether no tracked file of the product differs from the commit, apart from floe.lock."""
    place = os.path.realpath(folder or ".")
    listed = repo.git.read("status", "--porcelain", "--no-renames", "-z", "--untracked-files=no", "--", place)
    paths = [entry[3:] for entry in decode(listed).split("\0") if entry]
    return all(os.path.basename(path) == _LOCK for path in paths)


def _default_branch(repo: Repository, remote: str, branch: str) -> str:
    """The branch of the remote's HEAD; where the clone does not know it, the usual names."""
    answer = repo.git.ask("symbolic-ref", "--quiet", f"refs/remotes/{remote}/HEAD")
    if answer.status == 0:
        return decode(answer.out).strip().removeprefix(f"refs/remotes/{remote}/")
    usual = [name for name in ("main", "master") if repo.resolve(f"refs/remotes/{remote}/{name}")]
    return usual[0] if usual else branch if branch in ("main", "master") else ""


def _remote_address(repo: Repository) -> str:
    remote = remote_of(repo)
    if remote is None:
        return ""
    answer = repo.git.ask("remote", "get-url", remote)
    return normalise_repository(decode(answer.out).strip()) if answer.status == 0 else ""
