"""The gate in GitLab's and Azure's pipelines: the base that their variables name, in checkouts as they make them."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest
from support.git_sandbox import Clone, Sandbox
from support.running import Floe
from support.toy_contracts import PATH, orders, with_coupon, without_total


@dataclass(frozen=True)
class Request:
    """A merge request whose target has moved on, and the pipeline that checks it."""

    checkout: Clone
    left: str
    target: str
    head: str
    merge: str


@pytest.fixture
def request_of(tmp_path: Path) -> Callable[[str, str], Request]:
    (tmp_path / "sandbox").mkdir()
    sandbox = Sandbox(tmp_path / "sandbox")

    def make(change: str, checked_out: str) -> Request:
        origin = sandbox.init("origin")
        left = origin.commit({PATH: orders()})
        origin.switch("feature", "main")
        head = origin.commit({PATH: change})
        origin.switch("main")
        target = origin.commit({"contracts/other.yaml": orders().replace("shop.orders", "shop.other")})
        origin.git("checkout", "--quiet", "--detach", target)
        merge = origin.merge(head)
        origin.git("update-ref", "refs/merge-requests/7/head", {"head": head, "merge": merge}[checked_out])
        origin.git("config", "uploadpack.allowAnySHA1InWant", "true")
        checkout = sandbox.init("checkout")
        checkout.git("remote", "add", "origin", origin.url)
        checkout.git("fetch", "--quiet", "--depth=1", "origin", "+refs/merge-requests/7/head:refs/pipelines/1")
        checkout.git("checkout", "--quiet", "--detach", "refs/pipelines/1")
        return Request(checkout, left, target, head, merge)

    return make


def gitlab(request: Request, head: str, **more: str) -> dict[str, str]:
    return {
        "GITLAB_CI": "true",
        "CI_COMMIT_SHA": head,
        "CI_MERGE_REQUEST_TARGET_BRANCH_NAME": "main",
        "CI_MERGE_REQUEST_DIFF_BASE_SHA": request.left,
        **more,
    }


def run(floe: Floe, monkeypatch: pytest.MonkeyPatch, folder: Path, environ: dict[str, str]) -> tuple[int, str, str]:
    for name in ("GITHUB_EVENT_NAME", "GITHUB_EVENT_PATH", "GITLAB_CI", "TF_BUILD"):
        monkeypatch.delenv(name, raising=False)
    for name, value in environ.items():
        monkeypatch.setenv(name, value)
    monkeypatch.chdir(folder)
    ran = floe("gate", "--format", "json")
    report = json.loads(ran.out)
    return ran.code, report["context"]["base"], ran.err


@pytest.mark.parametrize(
    ("change", "code"),
    [(without_total(), 1), (with_coupon("1.1.0"), 0), (with_coupon(), 1)],
    ids=["break", "right", "no version"],
)
@pytest.mark.parametrize("kind", ["merge request", "merged result", "azure"])
def test_a_request_is_compared_with_where_it_left(
    floe: Floe,
    monkeypatch: pytest.MonkeyPatch,
    request_of: Callable[[str, str], Request],
    change: str,
    code: int,
    kind: str,
) -> None:
    made = request_of(change, "head" if kind == "merge request" else "merge")
    environ = {
        "merge request": gitlab(made, made.head),
        "merged result": gitlab(made, made.merge, CI_MERGE_REQUEST_SOURCE_BRANCH_SHA=made.head),
        "azure": {
            "TF_BUILD": "True",
            "SYSTEM_PULLREQUEST_TARGETBRANCH": "refs/heads/main",
            "SYSTEM_PULLREQUEST_SOURCECOMMITID": made.head,
        },
    }[kind]
    base = made.left if kind == "merge request" else made.target
    assert run(floe, monkeypatch, made.checkout.path, environ)[:2] == (code, base)


def test_a_push_to_the_default_branch_is_compared_with_what_was_there(
    floe: Floe, monkeypatch: pytest.MonkeyPatch, request_of: Callable[[str, str], Request]
) -> None:
    made = request_of(without_total(), "merge")
    environ = {
        "GITLAB_CI": "true",
        "CI_COMMIT_SHA": made.merge,
        "CI_COMMIT_BEFORE_SHA": made.target,
        "CI_COMMIT_BRANCH": "main",
        "CI_DEFAULT_BRANCH": "main",
    }
    assert run(floe, monkeypatch, made.checkout.path, environ)[:2] == (1, made.target)


def test_code_quality_marks_the_line(
    floe: Floe, monkeypatch: pytest.MonkeyPatch, request_of: Callable[[str, str], Request]
) -> None:
    made = request_of(without_total(), "head")
    for name, value in gitlab(made, made.head).items():
        monkeypatch.setenv(name, value)
    monkeypatch.chdir(made.checkout.path)
    (issue,) = json.loads(floe("gate", "--format", "gitlab").out)
    assert (issue["severity"], issue["location"]["path"]) == ("critical", PATH)
