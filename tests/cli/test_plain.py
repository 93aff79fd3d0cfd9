"""The short way to `floe gate` and `floe lint` answers as the long one does, byte for byte."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from support.git_sandbox import Sandbox

from floe_contracts.cli import fast_path as plain
from floe_contracts.cli.main import main

GOOD = "schema: orders\nversion: 1.0.0\nowner: shop\nfields:\n  - {name: id, type: STRING, nullable: false}\n"
BROKEN = GOOD.replace("1.0.0", "one")


@pytest.mark.parametrize(
    ("words", "answer"),
    [
        pytest.param(["gate"], True, id="bare gate"),
        pytest.param(["gate", "main"], False, id="gate takes no words"),
        pytest.param(["gate", "--base", "main"], False, id="gate with an option"),
        pytest.param(["lint"], True, id="bare lint"),
        pytest.param(["lint", "a.yaml", "b"], True, id="lint with paths"),
        pytest.param(["lint", "a.yaml", "--strict"], False, id="lint with an option"),
        pytest.param(["lint", "-"], False, id="lint of standard input"),
        pytest.param(["--verbose", "lint"], False, id="an option before the command"),
        pytest.param(["bump"], False, id="another command"),
        pytest.param([], False, id="nothing"),
    ],
)
def test_only_bare_words_are_plain(words: list[str], answer: bool) -> None:
    assert plain.is_plain(words) is answer


def test_the_shells_completion_goes_the_long_way(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("_FLOE_COMPLETE", "bash_complete")
    assert not plain.is_plain(["gate"])


@pytest.mark.parametrize(
    ("text", "words", "code"),
    [
        pytest.param(GOOD, ["lint"], 0, id="lint, all well"),
        pytest.param(BROKEN, ["lint", "contracts"], 1, id="lint, a fault"),
        pytest.param(GOOD, ["lint", "nowhere.yaml"], 2, id="lint, no such file"),
        pytest.param(GOOD, ["gate"], 0, id="gate, nothing changed"),
        pytest.param(GOOD.replace("STRING", "BIGINT"), ["gate"], 1, id="gate, a break"),
    ],
)
def test_both_ways_say_the_same(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capfd: pytest.CaptureFixture[str],
    text: str,
    words: list[str],
    code: int,
) -> None:
    repo = Sandbox(tmp_path).init()
    repo.commit({"contracts/orders.yaml": GOOD})
    repo.switch("feature", "main")
    repo.write({"contracts/orders.yaml": text})
    repo.git("add", "--all")
    for name, value in repo.environ.items():
        monkeypatch.setenv(name, value)
    monkeypatch.chdir(repo.path)
    assert plain.is_plain(words)
    short = plain.main(words), capfd.readouterr()
    assert (main(words), capfd.readouterr()) == short
    assert short[0] == code, short


def test_outside_a_repository_both_ways_say_the_same(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("GIT_CEILING_DIRECTORIES", str(tmp_path.parent))
    short = plain.main(["gate"]), capfd.readouterr()
    assert (main(["gate"]), capfd.readouterr()) == short
    assert short[0] == 2


def test_the_short_way_loads_no_parser(tmp_path: Path) -> None:
    (tmp_path / "orders.yaml").write_text(GOOD)
    script = (
        "import sys\nfrom floe_contracts.__main__ import main\ncode = main()\n"
        "assert not {'argparse', 'click', 'inspect', 'semver'} & {*sys.modules}\nsys.exit(code)"
    )
    command = [sys.executable, "-c", script, "lint", "orders.yaml"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
