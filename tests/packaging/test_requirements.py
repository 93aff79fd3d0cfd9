"""actions/scripts/requirements.txt: pins with hashes and no addresses, current, enough for every Python we promise."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from support.act_runs import workshop
from support.builds import ROOT, run

FILE = ROOT / "actions/scripts/requirements.txt"
PIN = re.compile(r"[a-z0-9][a-z0-9-]*==[\w.+!]+(?: ; [^\\]+)? \\")
HASH = re.compile(r"    --hash=sha256:[0-9a-f]{64}(?: \\)?")
PYTHONS = ["3.10", "3.11", "3.12", "3.13"]


def pins(text: str) -> set[str]:
    return {line.removesuffix(" \\") for line in text.splitlines() if "==" in line}


def test_every_line_is_a_pin_or_a_hash() -> None:
    lines = [line for line in FILE.read_text().splitlines() if not line.startswith("#")]
    assert [line for line in lines if not PIN.fullmatch(line) and not HASH.fullmatch(line)] == []


def test_every_pin_is_one_of_the_constraints() -> None:
    assert pins(FILE.read_text()) <= pins((ROOT / "constraints.txt").read_text()), "run make requirements"


def test_everything_that_floe_and_its_build_need_is_pinned() -> None:
    text = (ROOT / "pyproject.toml").read_text()
    backend = re.findall(r'^requires = \["([\w-]+)', text, re.MULTILINE)
    listed = text[text.index("\ndependencies = [") : text.index("\n[project.opt")]
    needed = re.findall(r'^    "([\w-]+)', listed, re.MULTILINE)
    assert {name.lower() for name in (*backend, *needed)} <= {pin.partition("==")[0] for pin in pins(FILE.read_text())}


@pytest.mark.parametrize("python", PYTHONS)
def test_the_pins_are_what_is_resolved(uv: tuple[str, ...], python: str) -> None:
    wanted = ("--python-version", python, "--constraint", "constraints.txt", "pyproject.toml")
    resolved = run(*uv, "pip", "compile", "-q", "--no-header", "--no-annotate", *wanted)
    assert {pin.partition(" ;")[0] for pin in pins(FILE.read_text())} >= set(resolved.splitlines())


@pytest.mark.parametrize("python", PYTHONS)
def test_a_wheel_with_a_known_hash_is_there(uv: tuple[str, ...], python: str, tmp_path: Path) -> None:
    locked = ("--require-hashes", "--only-binary", ":all:", "--requirement", str(FILE))
    run(*uv, "pip", "install", "-q", "--dry-run", "--target", str(tmp_path), "--python-version", python, *locked)


@pytest.mark.slow
def test_a_package_with_another_hash_is_not_installed(tmp_path: Path) -> None:
    tree = workshop(tmp_path, {}).action
    requirements = tree / "actions/scripts/requirements.txt"
    requirements.write_text(re.sub("sha256:[0-9a-f]{64}", f"sha256:{'0' * 64}", requirements.read_text()))
    environ = {
        **os.environ,
        "FLOE_INPUT_INSTALL": "auto",
        "FLOE_INPUT_PYTHON": sys.executable,
        "RUNNER_TEMP": str(tmp_path),
        "PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}",
    }
    script = ["bash", str(tree / "actions/scripts/install.sh")]
    done = subprocess.run(script, env=environ, capture_output=True, text=True, check=False)
    assert done.returncode != 0
    assert "hash" in done.stderr.lower()
    assert not (tmp_path / "floe-contracts/bin/floe").exists()
