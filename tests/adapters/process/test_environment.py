"""What is read from the environment of GitHub workflows and of pre-commit."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from support.git_sandbox import Clone, Sandbox

from floe_contracts.adapters.git.base import changed_since, choose_base
from floe_contracts.adapters.process.environment import (
    CiEvent,
    FetchAccess,
    HookRange,
    ci_access,
    ci_event,
    event_from,
    pre_commit_range,
    site_from,
)
from floe_contracts.codes import E520, HOME, publish_site_at
from floe_contracts.errors import FloeError

PULL = {"pull_request": {"head": {"sha": "aa"}, "base": {"sha": "bb", "ref": "release/1"}}}
GROUP = {"merge_group": {"head_sha": "aa", "base_sha": "bb", "base_ref": "refs/heads/main"}}
PUSH = {"before": "bb", "after": "aa", "ref": "refs/heads/x", "forced": True, "repository": {"default_branch": "main"}}


@pytest.mark.parametrize(
    ("name", "payload", "event"),
    [
        ("pull_request", PULL, CiEvent("pull_request", head_sha="aa", base_sha="bb", base_ref="release/1")),
        (
            "pull_request_review",
            PULL,
            CiEvent("pull_request_review", head_sha="aa", base_sha="bb", base_ref="release/1"),
        ),
        ("merge_group", GROUP, CiEvent("merge_group", head_sha="aa", base_sha="bb", base_ref="main")),
        (
            "push",
            PUSH,
            CiEvent("push", head_sha="aa", before="bb", ref="refs/heads/x", forced=True, default_branch="main"),
        ),
        ("schedule", {"schedule": "0 5 * * *"}, CiEvent("schedule")),
        ("pull_request", {"pull_request": {"head": None, "base": ["x"]}}, CiEvent("pull_request")),
        ("push", {"before": 7, "forced": "yes", "repository": "x"}, CiEvent("push")),
    ],
    ids=["pull request", "review", "merge group", "push", "schedule", "odd pull request", "odd push"],
)
def test_a_payload_is_reduced_to_the_commits_involved(name: str, payload: dict[str, object], event: CiEvent) -> None:
    assert event_from(name, payload) == event


def test_the_event_is_read_from_the_file_that_github_names(tmp_path: Path) -> None:
    (tmp_path / "event.json").write_text(json.dumps(GROUP))
    environ = {"GITHUB_EVENT_NAME": "merge_group", "GITHUB_EVENT_PATH": str(tmp_path / "event.json")}
    assert ci_event(environ) == event_from("merge_group", GROUP)


def test_outside_of_a_workflow_there_is_no_event() -> None:
    assert ci_event({}) is None
    assert ci_event({"GITHUB_EVENT_NAME": "push"}) is None


@pytest.mark.parametrize("text", [None, "{", "\xff"])
def test_an_event_that_cannot_be_read_is_told(tmp_path: Path, text: str | None) -> None:
    path = tmp_path / "event.json"
    if text is not None:
        path.write_bytes(text.encode("latin-1"))
    with pytest.raises(FloeError, match="cannot be read"):
        ci_event({"GITHUB_EVENT_NAME": "push", "GITHUB_EVENT_PATH": str(path)})


@pytest.mark.parametrize(
    ("environ", "access"),
    [
        ({}, None),
        ({"GITHUB_TOKEN": " "}, None),
        ({"GITHUB_TOKEN": "t"}, FetchAccess("https://github.com", "t")),
        ({"GITHUB_TOKEN": "t", "GITHUB_SERVER_URL": "https://ghe.example"}, FetchAccess("https://ghe.example", "t")),
    ],
    ids=["no token", "an empty token", "github.com", "another server"],
)
def test_a_token_belongs_to_one_server(environ: dict[str, str], access: FetchAccess | None) -> None:
    assert ci_access(environ) == access


FROM_TO = {"PRE_COMMIT_FROM_REF": "main", "PRE_COMMIT_TO_REF": "HEAD"}


@pytest.mark.parametrize(
    ("environ", "asked"),
    [
        ({}, None),
        (FROM_TO, HookRange("HEAD", "main")),
        ({**FROM_TO, "PRE_COMMIT_REMOTE_NAME": "origin"}, HookRange("HEAD", None)),
    ],
    ids=["a commit", "a range that a person named", "a push"],
)
def test_the_range_of_pre_commit(environ: dict[str, str], asked: HookRange | None) -> None:
    assert pre_commit_range(environ) == asked


def test_a_push_is_not_blamed_for_the_main_that_was_merged_into_the_branch(sandbox: Sandbox, repo: Clone) -> None:
    clone = sandbox.clone(repo)
    clone.switch("feature", "origin/main")
    pushed = clone.commit({"contracts/users.yaml": "mine\n"})
    repo.commit({"contracts/orders.yaml": "others\n"})
    clone.git("fetch", "--quiet")
    clone.merge("origin/main")
    environ = {"PRE_COMMIT_FROM_REF": pushed, "PRE_COMMIT_TO_REF": clone.head, "PRE_COMMIT_REMOTE_NAME": "origin"}
    asked = pre_commit_range(environ)
    assert asked is not None
    opened = clone.open()
    base = choose_base(opened, explicit=asked.base, head=asked.head)
    assert changed_since(opened, base, asked.head) == ("contracts/users.yaml",)


@pytest.mark.parametrize(
    ("address", "site"),
    [
        ("", HOME),
        ("https://docs.acme.example/floe/", "https://docs.acme.example/floe"),
        ("file:///opt/floe/site", "file:///opt/floe/site"),
    ],
    ids=["unset", "a company's own", "a disk"],
)
def test_all_links_begin_with_the_address_of_the_site(address: str, site: str) -> None:
    publish_site_at(site_from({"FLOE_SITE_URL": address}))
    try:
        assert E520.docs_url == f"{site}/docs/errors.html#floe-e520"
    finally:
        publish_site_at(HOME)


@pytest.mark.parametrize(
    "address", ["docs.acme.example", "javascript:alert(1)", "https://x.example/)[x", "https://é.example"]
)
def test_an_address_that_is_no_site_stops_the_run(address: str) -> None:
    with pytest.raises(FloeError, match="FLOE_SITE_URL"):
        site_from({"FLOE_SITE_URL": address})
