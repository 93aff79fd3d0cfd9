"""Every command that a page names exists, with its options; scripts for the reader's own machine are sound."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest
from support.builds import ROOT, run
from support.named_commands import SHELL, blocks, named, problem

PAGES = [
    *(ROOT / name for name in ("README.md", "CONTRIBUTING.md", "CHANGELOG.md")),
    *sorted((ROOT / "docs").rglob("*.md")),
    *sorted((ROOT / "examples").rglob("*.md")),
]
EVERY = pytest.mark.parametrize("page", [pytest.param(one, id=str(one.relative_to(ROOT))) for one in PAGES])


@EVERY
def test_every_command_exists(page: Path) -> None:
    told = {command: problem(command) for command in named(page.read_text("utf-8"))}
    assert {command: why for command, why in told.items() if why} == {}


@EVERY
def test_scripts_can_be_parsed(page: Path) -> None:
    for kind in SHELL:
        for script in blocks(page.read_text("utf-8"), (kind,)):
            done = subprocess.run([kind, "-n"], input=script, capture_output=True, text=True, check=False)
            assert done.returncode == 0, done.stderr


def test_every_target_of_make_exists() -> None:
    offered = set(re.findall(r"^  make ([\w-]+)", run("make", "help"), re.MULTILINE))
    texts = (page.read_text("utf-8") for page in PAGES)
    assert {target for text in texts for target in re.findall(r"[`(]make ([a-z-]+)", text)} - offered == set()


@pytest.mark.parametrize(
    ("command", "why"),
    [
        pytest.param("floe monitor run all contracts/ --slot 2026-01-03", "", id="a command with an option"),
        pytest.param("floe monitor run all --slots now", "floe monitor run has no --slots", id="an unknown option"),
        pytest.param("floe moniter status", "there is no `floe moniter`", id="an unknown command"),
        pytest.param("floe monitor stats", "there is no `floe monitor stats`", id="an unknown command of a group"),
        pytest.param("floe COMMAND --help", "", id="a placeholder"),
        pytest.param('spark-submit "$(floe job path all)" --check quality', "", id="a job"),
        pytest.param("spark-submit --packages a:b batch/stream.py --trigger 5s", "", id="options of spark-submit"),
        pytest.param(
            "spark-submit batch/quality.py --trigger 5s", "batch/quality.py has no --trigger", id="of another job"
        ),
        pytest.param('spark-submit "$(floe job path nothing)"', "there is no job nothing", id="an unknown job"),
    ],
)
def test_how_a_command_is_judged(command: str, why: str) -> None:
    assert problem(command) == why


def test_where_commands_are_found() -> None:
    page = "Run `floe lint`.\n\n```sh\ncd x && floe gate | tee y\n```\n\n```yaml\nfloe: no\n```\n"
    assert list(named(page)) == ["floe gate", "floe lint"]
