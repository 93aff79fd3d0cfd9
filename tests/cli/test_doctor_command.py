"""`floe doctor`: what it sees, and that it proves the gate."""

from __future__ import annotations

from pathlib import Path

import pytest
from support.git_sandbox import Clone, Sandbox

from floe_contracts.app import doctor
from floe_contracts.cli.main import main

ORDERS = 'schema: orders\nversion: "1.0.0"\nfields:\n  - {name: id, type: STRING}\n'


HOOKED: dict[str, str | None] = {".pre-commit-config.yaml": "repos:\n  - hooks:\n      - id: floe-contract-gate\n"}


@pytest.fixture
def repo(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Clone:
    made = Sandbox(tmp_path).init()
    made.commit({"contracts/orders.yaml": ORDERS})
    made.switch("feature", "main")
    for name, value in made.environ.items():
        monkeypatch.setenv(name, value)
    monkeypatch.chdir(made.path)
    return made


def seen(capsys: pytest.CaptureFixture[str]) -> dict[str, str]:
    lines = [line for line in capsys.readouterr().out.splitlines() if line.startswith(("ok ", "bad"))]
    return {line.split()[1]: line for line in lines}


def test_a_healthy_repository(repo: Clone, capsys: pytest.CaptureFixture[str]) -> None:
    repo.write(
        {
            "contracts/orders.yaml": ORDERS.replace("1.0.0", "1.0.1"),
            ".pre-commit-config.yaml": "- id: floe-contract-gate",
        }
    )
    repo.git("add", "--all")
    assert main(["doctor"]) == 0
    signs = seen(capsys)
    assert "compared with main" in signs["base"]
    assert "1 found (1 fields)" in signs["contracts"]
    assert "1 contract files differ" in signs["change"]
    assert "floe-contract-gate is in" in signs["hooks"]
    assert "a removed column is blocked" in signs["proof"]
    assert signs["git"].split()[2][0].isdigit()


def test_settings_of_the_base_are_shown(repo: Clone, capsys: pytest.CaptureFixture[str]) -> None:
    repo.switch("main")
    repo.commit({".floe/config.yaml": "contracts: ['contracts/*.yaml']\nprofile: full\n", **HOOKED})
    assert main(["doctor"]) == 0
    signs = seen(capsys)
    assert "profile full" in signs["settings"]
    assert signs["globs"].endswith("contracts/*.yaml")


@pytest.mark.parametrize(
    ("files", "said"),
    [
        pytest.param({"contracts/orders.yaml": None}, "0 found", id="no contract at all"),
        pytest.param({"contracts/orders.yaml": "foo: bar\n"}, "1 cannot be read", id="a file that is not a contract"),
        pytest.param({".floe/config.yaml": "profil: full\n"}, "has no key 'profil'", id="settings with a typo"),
    ],
)
def test_what_would_keep_the_gate_from_its_work(
    repo: Clone, capsys: pytest.CaptureFixture[str], files: dict[str, str | None], said: str
) -> None:
    repo.switch("main")
    repo.commit(files)
    assert main(["doctor"]) == 2
    out = capsys.readouterr().out
    assert said in out
    assert "fix" in out


def test_a_base_that_is_not_there(repo: Clone, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["doctor", "--base", "nowhere"]) == 2
    assert "FLOE-E528" in seen(capsys)["base"]


def test_outside_a_repository_the_proof_still_runs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(["doctor"]) == 2
    assert seen(capsys)["proof"].startswith("ok")


def test_the_proof_fails_when_a_break_gets_through(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(doctor, "_AFTER", doctor._BEFORE)
    assert not doctor.prove_gate().well


WORKFLOW = ".github/workflows/any.yml"


@pytest.mark.parametrize(
    ("files", "protected"),
    [
        pytest.param({}, False, id="nothing"),
        pytest.param(HOOKED, True, id="a hook"),
        pytest.param({".pre-commit-config.yaml": "# - id: floe-contract-gate\n"}, False, id="a hook in a comment"),
        pytest.param({".pre-commit-config.yaml": "- id: floe-contract-lint\n"}, False, id="only the lint hook"),
        pytest.param({WORKFLOW: "- uses: floe-dev/floe-contracts@v1\n"}, True, id="the action"),
        pytest.param({WORKFLOW: "- uses: floe-dev/floe-contracts/actions/lint@v1\n"}, False, id="the lint action"),
        pytest.param({WORKFLOW: "- run: pip install floe-contracts # floe gate\n"}, False, id="an install alone"),
        pytest.param({WORKFLOW: "- run: floe gate --format github\n"}, True, id="the command in a workflow"),
        pytest.param({".gitlab-ci.yml": "script:\n  - floe gate\n"}, True, id="the command in another CI"),
    ],
)
def test_without_a_caller_of_the_gate_nothing_is_protected(
    repo: Clone, capsys: pytest.CaptureFixture[str], files: dict[str, str | None], protected: bool
) -> None:
    repo.commit({"README.md": "x\n", **files})
    assert main(["doctor"]) == (0 if protected else 2)
    assert ("NOT protected" in capsys.readouterr().out) is not protected


@pytest.mark.parametrize(("status", "counted"), [("draft", True), ("Proposed", True), ("active", False)])
def test_drafts_are_counted(repo: Clone, capsys: pytest.CaptureFixture[str], status: str, counted: bool) -> None:
    repo.commit({"contracts/b.yaml": ORDERS.replace("orders", "b") + f"status: {status}\n", **HOOKED})
    main(["doctor"])
    assert ("1 of 2 contracts are drafts" in capsys.readouterr().out) is counted
