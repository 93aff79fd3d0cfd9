"""What the machinery around a run says in environment variables (CI events, tokens, ranges, slots), and the clock."""

from __future__ import annotations

from collections.abc import Mapping

from ...codes import HOME
from ...errors import FloeError
from ...frozen import dataclass, field

TYPE_CHECKING = False  # see adapters.git.command

if TYPE_CHECKING:
    from datetime import date, datetime


_GITHUB = "https://github.com"
_ENDS_A_LINK = frozenset(" \"'`<>()[]{}|\\^?#")  # in Markdown, HTML, or because an anchor follows


@dataclass(frozen=True, slots=True)
class CiEvent:
    """What an event says about the commits involved; a fact it does not know is empty."""

    name: str
    head_sha: str = ""
    base_sha: str = ""  # of a pull request only a hint: it is a tip, and stale after a re-run or a new target
    base_ref: str = ""  # the name of the branch to merge into
    before: str = ""  # what the pushed branch pointed to; zeros when it is new
    ref: str = ""  # what was pushed, as refs/heads/…
    forced: bool = False
    default_branch: str = ""


@dataclass(frozen=True, slots=True)
class FetchAccess:
    """A token, and the only server it may be shown to."""

    server_url: str
    token: str = field(repr=False)


@dataclass(frozen=True, slots=True)
class HookRange:
    """The commits pre-commit was asked about: what is checked, and the base if a person named it."""

    head: str
    base: str | None


def ci_event(environ: Mapping[str, str]) -> CiEvent | None:
    """The event that started this GitHub workflow, GitLab pipeline or Azure pipeline; None elsewhere."""
    return _github_event(environ) or _gitlab_event(environ) or _azure_event(environ)


def _github_event(environ: Mapping[str, str]) -> CiEvent | None:
    name, path = environ.get("GITHUB_EVENT_NAME"), environ.get("GITHUB_EVENT_PATH")
    if not name or not path:
        return None
    import json

    try:
        with open(path, "rb") as file:
            payload = json.load(file)
    except (OSError, ValueError) as error:
        raise FloeError(
            f"the event that started this workflow cannot be read from {path}",
            fix="GITHUB_EVENT_PATH must name a JSON file; unset it to compare as on a developer's machine.",
        ) from error
    return event_from(name, payload if isinstance(payload, dict) else {})


def _gitlab_event(environ: Mapping[str, str]) -> CiEvent | None:
    """A merge request, or a push to a branch; a merged result names its second parent as the source's commit."""
    if environ.get("GITLAB_CI") != "true":
        return None
    head = environ.get("CI_COMMIT_SHA", "")
    base_sha, target = (environ.get(f"CI_MERGE_REQUEST_{name}", "") for name in ("DIFF_BASE_SHA", "TARGET_BRANCH_NAME"))
    if target:
        source = environ.get("CI_MERGE_REQUEST_SOURCE_BRANCH_SHA", "")
        return CiEvent("merge_request", head_sha=source or head, base_sha=base_sha, base_ref=target)
    if not environ.get("CI_COMMIT_BRANCH"):
        return None
    return CiEvent(
        "push",
        head_sha=head,
        before=environ.get("CI_COMMIT_BEFORE_SHA", ""),
        ref=f"refs/heads/{environ['CI_COMMIT_BRANCH']}",
        default_branch=environ.get("CI_DEFAULT_BRANCH", ""),
    )


def _azure_event(environ: Mapping[str, str]) -> CiEvent | None:
    """A pull request, which Azure Pipelines checks out merged with its target."""
    target = environ.get("SYSTEM_PULLREQUEST_TARGETBRANCH", "").removeprefix("refs/heads/")
    if environ.get("TF_BUILD") != "True" or not target:
        return None
    return CiEvent("pull_request", head_sha=environ.get("SYSTEM_PULLREQUEST_SOURCECOMMITID", ""), base_ref=target)


def event_from(name: str, payload: Mapping[str, object]) -> CiEvent:
    """The part of a webhook payload that decides what to compare with."""
    default_branch = _text(payload, "repository", "default_branch")
    if "pull_request" in payload:
        return CiEvent(
            name,
            head_sha=_text(payload, "pull_request", "head", "sha"),
            base_sha=_text(payload, "pull_request", "base", "sha"),
            base_ref=_text(payload, "pull_request", "base", "ref"),
            default_branch=default_branch,
        )
    if "merge_group" in payload:
        return CiEvent(
            name,
            head_sha=_text(payload, "merge_group", "head_sha"),
            base_sha=_text(payload, "merge_group", "base_sha"),
            base_ref=_text(payload, "merge_group", "base_ref").removeprefix("refs/heads/"),
            default_branch=default_branch,
        )
    return CiEvent(
        name,
        head_sha=_text(payload, "after"),
        before=_text(payload, "before"),
        ref=_text(payload, "ref"),
        forced=payload.get("forced") is True,
        default_branch=default_branch,
    )


def ci_access(environ: Mapping[str, str]) -> FetchAccess | None:
    """The token a workflow gave us, for fetching a commit that a shallow checkout lacks."""
    token = environ.get("GITHUB_TOKEN", "").strip()
    return FetchAccess(environ.get("GITHUB_SERVER_URL") or _GITHUB, token) if token else None


def pre_commit_range(environ: Mapping[str, str]) -> HookRange | None:
    """What `pre-commit run --from-ref A --to-ref B` or a push asks about; None for an ordinary commit.

    Before a push, git's from-ref is the branch as the remote has it. It would blame the branch for whatever was merged
    into it since, so only the head is taken and the base is chosen as usual.
    """
    head = environ.get("PRE_COMMIT_TO_REF")
    if not head:
        return None
    return HookRange(head, None if "PRE_COMMIT_REMOTE_NAME" in environ else environ.get("PRE_COMMIT_FROM_REF"))


def _text(payload: Mapping[str, object], *keys: str) -> str:
    value: object = payload
    for key in keys:
        value = value.get(key) if isinstance(value, Mapping) else None
    return value if isinstance(value, str) else ""


# Airflow sets these for everything that a task starts; the first is Airflow 3's, the second Airflow 2's.
_SLOTS = ("FLOE_SLOT", "AIRFLOW_CTX_LOGICAL_DATE", "AIRFLOW_CTX_EXECUTION_DATE")


def slot_from(environ: Mapping[str, str]) -> str:
    """The moment that the run stands for; empty when unset, and the clock decides."""
    return next((text for name in _SLOTS if (text := environ.get(name, "").strip())), "")


def run_id_from(environ: Mapping[str, str]) -> str:
    """The orchestrator's run; two DAGs on one schedule have runs of the same name, so the DAG is part of it."""
    own = environ.get("FLOE_RUN_ID", "").strip()
    dag, run = (environ.get(f"AIRFLOW_CTX_{name}", "").strip() for name in ("DAG_ID", "DAG_RUN_ID"))
    return own or (f"{dag}/{run}" if dag and run else run)


def site_from(environ: Mapping[str, str]) -> str:
    """Where the documentation is published; the links of pages, comments and alerts begin with it."""
    address = environ.get("FLOE_SITE_URL", "").strip().rstrip("/")
    if not address:
        return HOME
    plain = address.isascii() and address.isprintable() and not set(address) & _ENDS_A_LINK
    if not plain or not address.startswith(("https://", "http://", "file:///")):
        raise FloeError(
            "FLOE_SITE_URL is not the address of a site",
            fix=f"Write an address such as {HOME}, without spaces, quotes, brackets, `?` and `#`, or unset it.",
        )
    return address


def utc_now() -> datetime:
    """The moment, in UTC."""
    from datetime import datetime, timezone

    return datetime.now(timezone.utc)


def utc_today() -> date:
    """The day in UTC, whatever zone the machine is set to."""
    return utc_now().date()
