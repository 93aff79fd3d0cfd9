"""`floe action comment` with reports that a pull request forged: nothing of them is taken on its word."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from support.fake_github import TOKEN, FakeGithub, PullRequest, fake_github
from support.git_sandbox import Sandbox
from support.pull_requests import NUMBER, Scene, pull_request
from support.running import Floe, Ran
from support.toy_contracts import PATH, orders, without_total

from floe_contracts.render.machine import json_report
from floe_contracts.results import Bump, CheckResult, Outcome, Report, VersionStep

Object = dict[str, Any]
OTHER = "e" * 40


class Fork:
    """A fork's pull request whose gate has run, and the job that comments on it."""

    def __init__(self, floe: Floe, scene: Scene, github: FakeGithub, folder: Path, monkeypatch: pytest.MonkeyPatch):
        self.floe, self.scene, self.github, self.folder, self.monkeypatch = floe, scene, github, folder, monkeypatch
        self.path = folder / "report.json"
        scene.tell(github)

    def gate(self) -> Object:
        """The report that the gate of the first workflow wrote."""
        self._environ("pull_request", self.scene.event())
        self.monkeypatch.setenv("FLOE_INPUT_COMMENT", "never")
        self.monkeypatch.chdir(self.scene.checkout.path)
        self.floe("action", "gate")
        (report,) = (self.folder / "temp").rglob("report.json")
        value: Object = json.loads(report.read_text())
        return value

    def comment(self, report: Object, event: Object | None = None) -> Ran:
        """The second workflow, which has nothing but the event and the report."""
        self.path.write_text(json.dumps(report))
        return self.post(event)

    def post(self, event: Object | None = None) -> Ran:
        """The second workflow with the file that lies there."""
        self._environ("workflow_run", event or self.scene.finished())
        self.monkeypatch.setenv("FLOE_INPUT_COMMENT", "auto")
        self.monkeypatch.setenv("FLOE_INPUT_REPORT", str(self.path))
        self.monkeypatch.chdir(self.folder)
        return self.floe("action", "comment")

    def _environ(self, name: str, event: Object) -> None:
        (self.folder / "event.json").write_text(json.dumps(event))
        values = {
            "GITHUB_ACTIONS": "true",
            "GITHUB_EVENT_NAME": name,
            "GITHUB_EVENT_PATH": self.folder / "event.json",
            "GITHUB_REPOSITORY": "acme/toy",
            "GITHUB_SERVER_URL": "https://github.com",
            "GITHUB_API_URL": self.github.url,
            "GITHUB_TOKEN": TOKEN,
            "GITHUB_WORKSPACE": self.scene.checkout.path,
            "GITHUB_BASE_REF": "main",
            "RUNNER_TEMP": self.folder / "temp",
        }
        for key, value in values.items():
            self.monkeypatch.setenv(key, str(value))


@pytest.fixture
def github() -> Iterator[FakeGithub]:
    with fake_github() as fake:
        yield fake


@pytest.fixture
def fork(floe: Floe, tmp_path: Path, github: FakeGithub, monkeypatch: pytest.MonkeyPatch) -> Fork:
    (tmp_path / "sandbox").mkdir()
    scene = pull_request(Sandbox(tmp_path / "sandbox"), {PATH: orders()}, {PATH: without_total("1.0.1")})
    return Fork(floe, replace(scene, fork="mallory"), github, tmp_path, monkeypatch)


def test_the_report_of_the_gate_becomes_a_comment(fork: Fork, github: FakeGithub) -> None:
    ran = fork.comment(fork.gate())
    assert (ran.code, ran.err) == (0, "")
    assert "BLOCKED" in github.own()[0]
    assert [review["body"].split("\n")[4] for review in github.reviews] == ["version: 2.0.0"]


def test_a_base_branch_that_went_on_is_no_reason_to_refuse(fork: Fork, github: FakeGithub) -> None:
    report = fork.gate()
    github.branches["main"].insert(0, OTHER)
    assert (fork.comment(report).code, len(github.own())) == (0, 1)


def test_a_check_that_could_not_be_made_is_told(
    fork: Fork, github: FakeGithub, monkeypatch: pytest.MonkeyPatch
) -> None:
    fork.comment(fork.gate())
    monkeypatch.setenv("FLOE_INPUT_BASE_REF", "no-such-branch")
    ran = fork.comment(fork.gate())
    assert (ran.code, ran.err) == (0, "")
    assert "COULD NOT CHECK" in github.own()[0]


def _context(**changes: str | None) -> Callable[[Object], None]:
    def change(report: Object) -> None:
        report["context"] = {key: text for key, text in {**report["context"], **changes}.items() if text is not None}

    return change


def _in_a_finding(report: Object) -> None:
    report["results"][0]["findings"][0]["context"]["note"] = "merge me"


def _in_a_result(report: Object) -> None:
    report["results"][0]["context"]["note"] = "merge me"


def _beside_the_rest(report: Object) -> None:
    report["note"] = "merge me"


def _of_a_lint(report: Object) -> None:
    report["command"] = "lint"


@pytest.mark.parametrize(
    ("forge", "words"),
    [
        pytest.param(_context(head=OTHER), "GitHub does not know its head", id="a head that is not there"),
        pytest.param(_context(head="main"), "its head or its base is not a commit", id="a head that is a name"),
        pytest.param(
            _context(head="../../pulls/1"), "its head or its base is not a commit", id="a head that is a path"
        ),
        pytest.param(_context(head=None), "its head or its base is not a commit", id="no head"),
        pytest.param(_context(base=OTHER), "is not what", id="another base than the one merged"),
        pytest.param(_context(base=None), "what the head was compared with", id="no base"),
        pytest.param(_context(base="the empty tree"), "is not a commit", id="the empty tree as the base"),
        pytest.param(_context(base=", ".join([OTHER] * 5)), "what the head was compared with", id="too many bases"),
        pytest.param(_context(note="merge me"), "1 field that no gate writes", id="an unknown field of the context"),
        pytest.param(_in_a_finding, "1 field that no gate writes", id="an unknown field of a finding"),
        pytest.param(_in_a_result, "1 field that no gate writes", id="an unknown field of a result"),
        pytest.param(_beside_the_rest, "does not fit the schema", id="an unknown field of the report"),
        pytest.param(_of_a_lint, "which commits a gate has compared", id="the report of another command"),
    ],
)
def test_a_forged_report_is_refused(
    fork: Fork, github: FakeGithub, forge: Callable[[Object], None], words: str
) -> None:
    report = fork.gate()
    forge(report)
    ran = fork.comment(report)
    assert (ran.code, github.comments, github.reviews) == (2, [], [])
    assert words in ran.err


def test_the_report_of_another_pull_request_is_refused(fork: Fork, github: FakeGithub, tmp_path: Path) -> None:
    """Its commits are real, only not those of this run."""
    (tmp_path / "other").mkdir()
    other = pull_request(Sandbox(tmp_path / "other"), {PATH: orders()}, {PATH: orders(version="1.0.1")})
    report = fork.gate()
    github.parents[other.merge] = [other.base, other.head]
    report["context"] |= {"head": other.merge, "base": other.base}
    ran = fork.comment(report)
    assert (ran.code, github.comments) == (2, [])
    assert "nor a merge of it" in ran.err


def test_a_merge_with_a_base_of_the_authors_own_is_refused(fork: Fork, github: FakeGithub) -> None:
    """GitHub shows commits of a fork as if they were the repository's, so a merge alone proves nothing."""
    report = fork.gate()
    github.parents |= {OTHER: [], "d" * 40: [OTHER, fork.scene.head]}
    report["context"] |= {"head": "d" * 40, "base": OTHER}
    ran = fork.comment(report)
    assert (ran.code, github.comments) == (2, [])
    assert "not a commit of the branch that the pull request is meant for" in ran.err


def test_the_event_of_another_repository_is_refused(fork: Fork, github: FakeGithub) -> None:
    event = {**fork.scene.finished(), "repository": {"full_name": "mallory/toy"}}
    ran = fork.comment(fork.gate(), event)
    assert (ran.code, github.comments) == (2, [])


def test_of_two_pull_requests_from_one_branch_the_base_decides(fork: Fork, github: FakeGithub) -> None:
    report = fork.gate()
    github.branches["release"] = [OTHER]
    github.pulls = {1: PullRequest(1, fork.scene.head, "mallory", base_ref="release"), **github.pulls}
    assert fork.comment(report).code == 0
    assert github.asked("POST")[0] == f"POST /issues/{NUMBER}/comments"


@pytest.mark.parametrize(
    ("following", "suggested"),
    [
        pytest.param("2.0.0", ["version: 2.0.0"] * 10, id="a version that the diff leads to"),
        pytest.param("99.0.0", [], id="a version of the author's choice"),
        pytest.param("2.0.0-see.evil.example", [], id="words behind a version"),
    ],
)
def test_four_hundred_suggestions_are_at_most_ten(
    fork: Fork, github: FakeGithub, following: str, suggested: list[str]
) -> None:
    step = VersionStep("1.0.0", "1.0.1", Bump.PATCH, Bump.MAJOR, following)
    results = tuple(CheckResult("gate", f"c{n}", Outcome.VIOLATED, PATH, version=step) for n in range(400))
    report = {**json.loads(json_report.render(Report("gate", "1", results))), "context": fork.gate()["context"]}
    for _ in range(2):
        ran = fork.comment(report)
        assert (ran.code, ran.err) == (0, "")
    assert [review["body"].split("\n")[4] for review in github.reviews] == suggested


def test_text_of_a_report_is_shown_as_data(fork: Fork, github: FakeGithub) -> None:
    report = fork.gate()
    report["notes"] = ["@acme/everyone [merge](https://evil.example) <img src=x>"]
    assert fork.comment(report).code == 0
    assert "- `@acme/everyone [merge](https://evil.example) <img src=x>`" in github.own()[0]


def _text(make: Callable[[str], str]) -> Callable[[Object], bytes]:
    return lambda report: make(json.dumps(report)).encode()


@pytest.mark.parametrize(
    "forge",
    [
        pytest.param(_text(lambda text: ""), id="nothing"),
        pytest.param(_text(lambda text: text[:-1]), id="half of it"),
        pytest.param(_text(lambda text: "[" * 200_000), id="brackets without end"),
        pytest.param(_text(lambda text: '{"a":' * 200_000 + "1" + "}" * 200_000), id="objects without end"),
        pytest.param(_text(lambda text: text[:-1] + ', "results": []}'), id="results twice"),
        pytest.param(_text(lambda text: text.replace('"notes": []', '"notes": "x"')), id="no list of notes"),
        pytest.param(_text(lambda text: f"[{text}]"), id="a list of reports"),
        pytest.param(_text(lambda text: text.replace('"line": ', '"line": -')), id="lines before the first"),
        pytest.param(_text(lambda text: text.replace('"line": ', '"line": 9e999, "x": ')), id="lines without end"),
        pytest.param(lambda report: b"\xff\xfe\x00\x00", id="bytes that are not text"),
        pytest.param(lambda report: b" " * 70_000_000, id="seventy million blanks"),
    ],
)
def test_a_file_that_is_no_report_is_refused(
    fork: Fork, github: FakeGithub, tmp_path: Path, forge: Callable[[Object], bytes]
) -> None:
    report = fork.gate()
    fork.path.write_bytes(forge(report))
    ran = fork.post()
    assert (ran.code, github.comments, github.reviews) == (2, [], [])
    assert ran.err.count("\n") <= 2
