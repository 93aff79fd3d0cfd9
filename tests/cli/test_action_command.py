"""`floe action` without act: inputs word by word, and outputs whatever happens."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from support.fake_github import TOKEN, FakeGithub, Fault, PullRequest, fake_github
from support.git_sandbox import Clone, Sandbox
from support.running import Floe
from support.toy_contracts import PATH, orders, without_total

from floe_contracts.cli.action_checks import GATE_OUTPUTS
from floe_contracts.cli.action_inputs import GateInputs, ReportOutputs, gate_inputs, lint_inputs
from floe_contracts.errors import UsageError


@pytest.mark.parametrize(
    ("given", "meant"),
    [
        pytest.param({}, GateInputs(), id="nothing at all"),
        pytest.param(
            {"CONTRACTS": "a/*.yaml\n\n  b.yaml  \n"}, GateInputs(contracts=("a/*.yaml", "b.yaml")), id="globs by line"
        ),
        pytest.param({"BASE_REF": " main "}, GateInputs(base_ref="main"), id="spaces around"),
        pytest.param({"FAIL_ON": "breaking"}, GateInputs(fail_on="breaking"), id="what blocks"),
        pytest.param({"COMMENT": "never", "COMMENT_KEY": ""}, GateInputs(comment="never"), id="an empty key"),
        pytest.param({"SUMMARY": "always"}, GateInputs(outlets=ReportOutputs(summary="always")), id="a summary"),
    ],
)
def test_inputs_of_the_gate(given: dict[str, str], meant: GateInputs) -> None:
    assert gate_inputs({f"FLOE_INPUT_{name}": text for name, text in given.items()}) == meant


@pytest.mark.parametrize(
    ("name", "text"),
    [("FAIL_ON", "minor"), ("COMMENT", "true"), ("ANNOTATIONS", "no"), ("SUMMARY", "::error::x")],
)
def test_a_word_that_means_nothing_is_an_error(name: str, text: str) -> None:
    with pytest.raises(UsageError, match=r"the input .* is") as error:
        gate_inputs({f"FLOE_INPUT_{name}": text})
    assert "::error::" not in error.value.message


@pytest.mark.parametrize(("text", "strict"), [("", False), ("false", False), ("true", True)])
def test_strict_lint(text: str, strict: bool) -> None:
    assert lint_inputs({"FLOE_INPUT_STRICT": text}).strict is strict


@pytest.fixture
def github() -> Iterator[FakeGithub]:
    with fake_github() as fake:
        yield fake


@pytest.fixture
def job(floe: Floe, tmp_path: Path, github: FakeGithub, monkeypatch: pytest.MonkeyPatch) -> Clone:
    """A broken contract on a pull request, with the environment of a job around it."""
    (tmp_path / "sandbox").mkdir()
    repo = Sandbox(tmp_path / "sandbox").init()
    base = repo.commit({PATH: orders()})
    repo.switch("feature", "main")
    head = repo.commit({PATH: without_total()})
    repo.git("checkout", "--quiet", "--detach", base)
    repo.merge(head)
    event = tmp_path / "event.json"
    request = {"number": 7, "head": {"sha": head}, "base": {"ref": "main", "sha": base}}
    event.write_text(json.dumps({"pull_request": request}))
    github.pulls[7] = PullRequest(7, head)
    monkeypatch.chdir(repo.path)
    environ = {
        "GITHUB_EVENT_NAME": "pull_request",
        "GITHUB_EVENT_PATH": event,
        "GITHUB_REPOSITORY": "acme/toy",
        "GITHUB_SERVER_URL": "https://github.com",
        "GITHUB_API_URL": github.url,
        "GITHUB_TOKEN": TOKEN,
        "GITHUB_RUN_ID": "1",
        "GITHUB_WORKSPACE": repo.path,
        "GITHUB_OUTPUT": tmp_path / "output",
        "GITHUB_STEP_SUMMARY": tmp_path / "summary",
        "RUNNER_TEMP": tmp_path / "temp",
    }
    for name, value in environ.items():
        monkeypatch.setenv(name, str(value))
    return repo


def names_written(tmp_path: Path) -> list[str]:
    return [line.split("<<")[0] for line in (tmp_path / "output").read_text().splitlines() if "<<floe_" in line]


def test_a_blocked_pull_request(floe: Floe, job: Clone, github: FakeGithub, tmp_path: Path) -> None:
    ran = floe("action", "gate")
    assert ran.code == 1
    assert names_written(tmp_path) == list(GATE_OUTPUTS)
    assert len(github.own()) == 1
    assert "BLOCKED" in (tmp_path / "summary").read_text()
    assert TOKEN not in ran.out + ran.err


@pytest.mark.parametrize(
    ("name", "value", "words"),
    [
        pytest.param("GITHUB_TOKEN", "", "The GitHub token is empty", id="no token"),
        pytest.param(
            "GITHUB_API_URL", "http://api.example.com", "not an address that a token may be sent to", id="no https"
        ),
        pytest.param("GITHUB_REPOSITORY", "../..", "is not a repository", id="no repository"),
    ],
)
def test_what_keeps_the_comment_away_leaves_the_verdict(
    floe: Floe, job: Clone, github: FakeGithub, monkeypatch: pytest.MonkeyPatch, name: str, value: str, words: str
) -> None:
    monkeypatch.setenv(name, value)
    ran = floe("action", "gate")
    assert ran.code == 1
    assert words in ran.out
    assert github.comments == []


def test_a_refused_suggestion_leaves_the_comment(floe: Floe, job: Clone, github: FakeGithub) -> None:
    github.faults.append(Fault(422, "GET", path="/pulls/7/comments"))
    ran = floe("action", "gate")
    assert "No suggestion on the pull request::GitHub refuses what was sent" in ran.out
    assert "No comment" not in ran.out
    assert len(github.own()) == 1


def test_a_check_that_could_not_be_made_settles_nothing(
    floe: Floe, job: Clone, github: FakeGithub, monkeypatch: pytest.MonkeyPatch
) -> None:
    floe("action", "gate")
    monkeypatch.setenv("FLOE_INPUT_BASE_REF", "no-such-branch")
    before = len(github.calls)
    assert floe("action", "gate").code == 2
    assert github.own()[0].split("\n")[1].startswith("### ⚠️ COULD NOT CHECK")
    assert github.asked()[before:] == ["GET /pulls/7", "GET /issues/7/comments", "PATCH /issues/comments/1000"]


def test_an_older_run_does_not_overwrite_a_newer_one(floe: Floe, job: Clone, github: FakeGithub) -> None:
    github.pulls[7].head_sha = "e" * 40
    assert "has a newer commit" in floe("action", "gate").out
    assert github.comments == []


def test_outputs_are_written_even_when_reports_cannot_be(
    floe: Floe, job: Clone, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "temp").write_text("a file where a folder should be")
    assert floe("action", "gate").code == 2
    assert names_written(tmp_path) == list(GATE_OUTPUTS)
    assert "\nerror\n" in (tmp_path / "output").read_text()


def test_a_missing_repository_is_an_error_with_outputs(
    floe: Floe, job: Clone, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("GIT_CEILING_DIRECTORIES", str(tmp_path.parent))
    ran = floe("action", "gate")
    assert ran.code == 2
    assert ran.out.startswith("COULD NOT CHECK: The check could not be made.")
    assert names_written(tmp_path) == list(GATE_OUTPUTS)
