"""`floe init` without Spark: the files around contracts, imports, and nothing that exists is lost."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from support.git_sandbox import Sandbox
from support.running import Floe

from floe_contracts import __version__
from floe_contracts.adapters.process.program import own_program
from floe_contracts.app.init.files import hooks_entry, workflow_text
from floe_contracts.release import COMMIT

ROOT = Path(__file__).parents[2]
DDL = """
CREATE TABLE orders (
  order_id VARCHAR(36) PRIMARY KEY,
  total NUMERIC(12, 2) NOT NULL,
  placed_at TIMESTAMP
);
"""


@pytest.fixture
def project(tmp_path: Path, floe: Floe, monkeypatch: pytest.MonkeyPatch) -> Path:
    clone = Sandbox(tmp_path).init("shop")
    monkeypatch.chdir(clone.path)
    return clone.path


def files(project: Path) -> set[str]:
    return {
        str(path.relative_to(project)) for path in project.rglob("*") if path.is_file() and ".git/" not in str(path)
    }


def test_the_workflow_is_the_example_that_is_tested_with_act() -> None:
    text = (ROOT / "examples/workflows/contracts.yml").read_text(encoding="utf-8")
    (commit,) = re.findall(r"floe-contracts@([0-9a-f]{40}) # v0\.1\.0$", text, re.MULTILINE)
    assert text == workflow_text("0.1.0", commit)


@pytest.mark.parametrize(
    ("commit", "pin", "rev"),
    [
        pytest.param("", "@v0.1.0\n", "rev: v0.1.0\n", id="a build that is not a release"),
        pytest.param("a" * 40, f"@{'a' * 40} # v0.1.0\n", f"rev: {'a' * 40}\n", id="a release"),
    ],
)
def test_a_release_pins_its_own_commit(
    floe: Floe, project: Path, monkeypatch: pytest.MonkeyPatch, commit: str, pin: str, rev: str
) -> None:
    monkeypatch.setattr("floe_contracts.cli.init.COMMIT", commit)
    floe("init", "--yes")
    assert f"floe-dev/floe-contracts{pin}" in (project / ".github/workflows/contracts.yml").read_text()
    assert rev in (project / ".pre-commit-config.yaml").read_text()


def test_the_hooks_are_those_of_the_readme() -> None:
    assert hooks_entry(__version__).text in (ROOT / "README.md").read_text(encoding="utf-8")


def test_without_a_source_the_files_around_contracts_are_written(floe: Floe, project: Path) -> None:
    ran = floe("init", "--yes")
    assert ran.code == 0
    assert files(project) == {".pre-commit-config.yaml", ".github/workflows/contracts.yml"}
    assert "pre-commit install" in ran.out


@pytest.mark.parametrize(
    ("kind", "path", "says"),
    [
        ("cron", ".floe/crontab", " monitor run freshness --contracts contracts"),
        ("airflow", "dags/contracts.py", "contract_dags("),
    ],
)
def test_a_schedule_is_written_when_asked_for(floe: Floe, project: Path, kind: str, path: str, says: str) -> None:
    floe("init", "--yes", "--schedule", kind)
    text = (project / path).read_text(encoding="utf-8")
    assert says in text
    assert own_program() in text


def test_a_crontab_is_installed_beside_what_is_there(floe: Floe, project: Path) -> None:
    ran = floe("init", "--yes", "--schedule", "cron")
    assert "`{ crontab -l; cat .floe/crontab; } | crontab -`" in ran.out


def test_an_import_becomes_a_contract_that_lints_clean(floe: Floe, project: Path) -> None:
    (project / "orders.sql").write_text(DDL)
    ran = floe("init", "orders.sql", "--from", "sql", "--owner", "checkout-team", "--to", "fields", "--yes")
    assert ran.code == 0, ran.err
    text = (project / "contracts/orders.yaml").read_text(encoding="utf-8")
    assert "version: 1.0.0" in text.replace('"', "")
    assert "owner: checkout-team" in text
    assert "primary_key: true" in text
    assert floe("lint", "contracts").code == 0


@pytest.mark.parametrize("more", [[], ["--force"]], ids=["", "forced"])
@pytest.mark.parametrize("place", ["contracts/sales/o.yaml", "lake/orders.odcs.yaml"])
def test_a_contract_that_is_there_in_another_file_is_kept(
    floe: Floe, project: Path, place: str, more: list[str]
) -> None:
    (project / "orders.sql").write_text(DDL)
    floe("init", "orders.sql", "--from", "sql", "--yes")
    (project / place).parent.mkdir()
    (project / "contracts/orders.odcs.yaml").rename(project / place)
    ran = floe("init", "orders.sql", "--from", "sql", "--owner", "others", "--yes", *more)
    assert f"{place:<31}  kept: it is the contract orders already\n" in ran.out
    assert f"floe lint {place}" in ran.out
    assert not (project / "contracts/orders.odcs.yaml").exists()


WORKFLOW = ".github/workflows/contracts.yml"


@pytest.fixture
def workflow(project: Path) -> Path:
    path = project / WORKFLOW
    path.parent.mkdir(parents=True)
    path.write_text("on: push\n")
    return path


def test_a_file_that_exists_is_kept_and_what_would_stand_in_it_is_shown(floe: Floe, workflow: Path) -> None:
    ran = floe("init", "--yes")
    assert workflow.read_text() == "on: push\n"
    assert f"{WORKFLOW}  kept" in ran.out
    assert "uses: floe-dev/floe-contracts@" in ran.out


def test_a_file_that_exists_is_replaced_when_forced(floe: Floe, workflow: Path) -> None:
    assert f"{WORKFLOW}  replaced" in floe("init", "--yes", "--force").out
    assert workflow.read_text() == workflow_text(__version__, COMMIT)


OTHERS = "repos:\n  - repo: local\n    hooks: []  # ours\n"


@pytest.mark.parametrize("more", [[], ["--force"]], ids=["", "forced"])
def test_hooks_of_others_stay(floe: Floe, project: Path, more: list[str]) -> None:
    (project / ".pre-commit-config.yaml").write_text(OTHERS)
    assert ".pre-commit-config.yaml          added to: hooks" in floe("init", "--yes", *more).out
    added = hooks_entry(__version__).text.removeprefix("repos:\n")
    assert (project / ".pre-commit-config.yaml").read_text() == OTHERS + added


def test_a_config_that_cannot_be_added_to_is_kept_and_what_it_needs_is_said(floe: Floe, project: Path) -> None:
    (project / ".pre-commit-config.yaml").write_text("{repos: [{repo: local}]}\n")
    ran = floe("init", "--yes", "--force")
    assert (project / ".pre-commit-config.yaml").read_text() == "{repos: [{repo: local}]}\n"
    assert "kept, for you to add to" in ran.out
    assert "      - repo: https://github.com/floe-dev/floe-contracts\n" in ran.out


def test_a_config_that_has_the_hooks_already_is_left_alone(floe: Floe, project: Path) -> None:
    mine = hooks_entry("0.0.9").text + "      - id: floe-contract-bump\n"
    (project / ".pre-commit-config.yaml").write_text(mine)
    assert ".pre-commit-config.yaml          as it is\n" in floe("init", "--yes").out
    assert (project / ".pre-commit-config.yaml").read_text() == mine


def test_the_second_time_changes_nothing(floe: Floe, project: Path) -> None:
    (project / "orders.sql").write_text(DDL)
    arguments = ("init", "orders.sql", "--from", "sql", "--yes")
    floe(*arguments)
    before = {name: (project / name).read_bytes() for name in files(project)}
    ran = floe(*arguments)
    assert ran.out.count("as it is") == 3
    assert {name: (project / name).read_bytes() for name in files(project)} == before


def test_from_a_subfolder_the_files_go_to_the_top(floe: Floe, project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (project / "models").mkdir()
    monkeypatch.chdir(project / "models")
    floe("init", "--yes")
    assert files(project) == {".pre-commit-config.yaml", ".github/workflows/contracts.yml"}


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["no such thing!"], "is neither a file nor the name of a table"),
        (["--from", "sql"], "--from needs a SOURCE"),
        (["a.sql", "--from", "sqll"], "Did you mean sql?"),
        (["--connection", "host"], "--connection needs KEY=VALUE"),
        (["a.sql", "--from", "sql", "--name", "../../evil"], "'../../evil' cannot be the name of a contract"),
        (["a.sql", "--from", "sql", "--name", "a\\b"], "cannot be the name of a contract"),
        (["a.sql", "--from", "sql", "--name", ".hidden"], "cannot be the name of a contract"),
        (["a.sql", "--from", "sql", "--name", "a\nb"], "cannot be the name of a contract"),
    ],
    ids=[
        *("no file and no table", "no source", "a misspelled format", "half a pair"),
        *("a name that leads out", "a name with a backslash", "a hidden name", "a name of two lines"),
    ],
)
def test_what_cannot_be_meant_is_said_and_nothing_is_written(
    floe: Floe, project: Path, arguments: list[str], said: str
) -> None:
    ran = floe("init", "--yes", *arguments)
    assert ran.code == 2
    assert said in ran.err
    assert files(project) == set()


def answered(project: Path, *lines: str) -> str:
    """What `floe init` prints on a terminal on which a person answers so."""
    import os
    import pty
    import subprocess
    import sys

    ours, theirs = pty.openpty()
    command = [sys.executable, "-m", "floe_contracts", "init"]
    with subprocess.Popen(command, cwd=project, stdin=theirs, stdout=theirs, stderr=theirs) as program:
        os.close(theirs)
        os.write(ours, "".join(f"{line}\n" for line in lines).encode())
        said = b""
        try:
            while part := os.read(ours, 4096):
                said += part
        except OSError:  # Linux says so when the other end is closed
            pass
    os.close(ours)
    assert program.returncode == 0, said.decode()
    return said.decode()


@pytest.mark.parametrize(("answer", "kept"), [("n", True), ("", True), ("y", False)], ids=["no", "nothing", "yes"])
def test_on_a_terminal_it_asks_before_it_replaces(workflow: Path, project: Path, answer: str, kept: bool) -> None:
    said = answered(project, "", "cron", answer)
    assert "Where is the data?" in said
    assert f"{WORKFLOW} exists. Replace it? [y/N]" in said
    assert (workflow.read_text() == "on: push\n") is kept
    assert (project / ".floe/crontab").exists()
