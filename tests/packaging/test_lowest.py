"""The lowest versions that pyproject.toml allows are enough to work with."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest
from support.builds import ROOT, Built, run


@pytest.fixture(scope="module")
def floe(uv: tuple[str, ...], built: Built, tmp_path_factory: pytest.TempPathFactory) -> Path:
    place = tmp_path_factory.mktemp("lowest")
    lowest = place / "lowest.txt"
    run(*uv, "pip", "compile", "-q", "--resolution", "lowest-direct", "-o", str(lowest), "pyproject.toml")
    run(*uv, "venv", "-q", str(place / "venv"))
    run(*uv, "pip", "install", "-q", "--python", str(place / "venv"), "-c", str(lowest), str(built.wheel))
    return place / "venv/bin/floe"


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        pytest.param(["lint", "examples/contracts"], 0, id="good contracts pass"),
        pytest.param(["lint", "examples/broken/orders.yaml"], 1, id="a bad contract is blocked"),
        pytest.param(["contract", "convert", "examples/contracts/orders.yaml"], 0, id="contracts convert"),
        pytest.param(["contract", "hash", "examples/contracts"], 0, id="contracts have hashes"),
        pytest.param([], 2, id="no command is wrong usage"),
        pytest.param(["lint", "--no-such-option"], 2, id="an unknown option is wrong usage"),
    ],
)
def test_exit_code(floe: Path, arguments: list[str], code: int) -> None:
    done = subprocess.run([floe, *arguments], cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == code, done.stdout + done.stderr
