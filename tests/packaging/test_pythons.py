"""What pyproject.toml promises: every Python from 3.10 to 3.13 that this machine has, and the lowest dependencies."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from builds import Built, run

THIS = f"3.{sys.version_info.minor}"  # covered by `make test` itself


pytestmark = pytest.mark.slow


@pytest.mark.parametrize("version", [version for version in ("3.10", "3.11", "3.12", "3.13") if version != THIS])
def test_tests_pass_on(uv: tuple[str, ...], built: Built, version: str, tmp_path: Path) -> None:
    run_tests(uv, built, tmp_path, interpreter(version), Path("constraints.txt"))


def test_tests_pass_with_the_lowest_versions_we_allow(uv: tuple[str, ...], built: Built, tmp_path: Path) -> None:
    lowest = tmp_path / "lowest.txt"
    run(*uv, "pip", "compile", "-q", "--resolution", "lowest-direct", "-o", str(lowest), "pyproject.toml")
    run_tests(uv, built, tmp_path, Path(sys.executable), lowest)


def run_tests(uv: tuple[str, ...], built: Built, place: Path, interpreter: Path, constraints: Path) -> None:
    """All tests but those of the packaging, in a new environment that has the wheel."""
    python = str(place / "venv/bin/python")
    run(*uv, "venv", "-q", "--python", str(interpreter), str(place / "venv"))
    run(*uv, "pip", "install", "-q", "--python", python, "-c", str(constraints), f"{built.wheel}[dev]")
    options = ("-q", "-p", "no:cacheprovider", "--ignore=tests/packaging")
    run(python, "-m", "pytest", *options, "-m", "not slow and not spark and not service")


def interpreter(version: str) -> Path:
    name = f"python{version}"
    found = shutil.which(name)
    if found:
        # A pyenv shim stands for a version that need not be the active one.
        for path in (Path(found), *Path(found).parents[1].glob(f"versions/{version}.*/bin/{name}")):
            if subprocess.run([path, "-c", ""], capture_output=True, check=False).returncode == 0:
                return path
    pytest.skip(f"no {name} on this machine")
