"""The ends of the promise of Python 3.10 to 3.13: the wheel and its tests on the oldest and on the newest."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest
from support.builds import Built, run


@pytest.mark.pythons
@pytest.mark.parametrize("version", ["3.10", "3.13"])
def test_tests_pass_on(uv: tuple[str, ...], built: Built, version: str, tmp_path: Path) -> None:
    python = str(tmp_path / "venv/bin/python")
    run(*uv, "venv", "-q", "--python", str(interpreter(version)), str(tmp_path / "venv"))
    run(*uv, "pip", "install", "-q", "--python", python, "-c", "constraints.txt", f"{built.wheel}[dev]")
    skipped = (
        "packaging",
        "e2e_act",
        "e2e_precommit",
        "actions",
    )  # they test files and tools, not the Python they run on
    options = (
        "-q",
        "-p",
        "no:cacheprovider",
        "--hypothesis-profile=quick",
        *(f"--ignore=tests/{it}" for it in skipped),
    )
    run(python, "-m", "pytest", *options, "-m", "not slow and not spark and not pythons and not service")


def interpreter(version: str) -> Path:
    name = f"python{version}"
    found = shutil.which(name)
    if found:
        # A pyenv shim stands for a version that need not be the active one.
        for path in (Path(found), *Path(found).parents[1].glob(f"versions/{version}.*/bin/{name}")):
            if subprocess.run([path, "-c", ""], capture_output=True, check=False).returncode == 0:
                return path
    pytest.skip(f"no {name} on this machine")
