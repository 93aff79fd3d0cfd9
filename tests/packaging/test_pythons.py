"""The ends of what pyproject.toml promises: the oldest Python with the lowest dependencies, and the newest Python."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest
from builds import Built, run

pytestmark = pytest.mark.slow


def test_oldest_python_with_the_lowest_dependencies(uv: tuple[str, ...], built: Built, tmp_path: Path) -> None:
    lowest = tmp_path / "lowest.txt"
    options = ("-q", "--resolution", "lowest-direct", "--python-version", "3.10", "-o", str(lowest))
    run(*uv, "pip", "compile", *options, "pyproject.toml")
    run_tests(uv, built, tmp_path, interpreter("3.10"), lowest)


@pytest.mark.parametrize("version", ["3.13"])
def test_newest_python(uv: tuple[str, ...], built: Built, version: str, tmp_path: Path) -> None:
    run_tests(uv, built, tmp_path, interpreter(version), Path("constraints.txt"))


def run_tests(uv: tuple[str, ...], built: Built, place: Path, interpreter: Path, constraints: Path) -> None:
    """All tests but those of the packaging, in a new environment that has the wheel."""
    python = str(place / "venv/bin/python")
    run(*uv, "venv", "-q", "--python", str(interpreter), str(place / "venv"))
    run(*uv, "pip", "install", "-q", "--python", python, "-c", str(constraints), f"{built.wheel}[dev]")
    options = ("-q", "-p", "no:cacheprovider", "--hypothesis-profile=quick", "--ignore=tests/packaging")
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
