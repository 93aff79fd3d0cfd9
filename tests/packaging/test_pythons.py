"""The promise of Python 3.10 to 3.13: the wheel and its tests on every other interpreter that this machine has."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from builds import Built, run

THIS = f"3.{sys.version_info.minor}"  # covered by `make test` itself


@pytest.mark.slow
@pytest.mark.parametrize("version", [version for version in ("3.10", "3.11", "3.12", "3.13") if version != THIS])
def test_tests_pass_on(uv: tuple[str, ...], built: Built, version: str, tmp_path: Path) -> None:
    python = str(tmp_path / "venv/bin/python")
    run(*uv, "venv", "-q", "--python", str(interpreter(version)), str(tmp_path / "venv"))
    run(*uv, "pip", "install", "-q", "--python", python, "-c", "constraints.txt", f"{built.wheel}[dev]")
    options = ("-q", "-m", "not slow", "-p", "no:cacheprovider", "--ignore=tests/packaging")
    run(python, "-m", "pytest", *options)


def interpreter(version: str) -> Path:
    name = f"python{version}"
    found = shutil.which(name)
    if found:
        # A pyenv shim stands for a version that need not be the active one.
        for path in (Path(found), *Path(found).parents[1].glob(f"versions/{version}.*/bin/{name}")):
            if subprocess.run([path, "-c", ""], capture_output=True, check=False).returncode == 0:
                return path
    pytest.skip(f"no {name} on this machine")
