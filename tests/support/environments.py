"""Environments of their own for peers and orchestrators, which must not share one with floe's tests."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

from support.builds import ROOT as TREE
from support.builds import SOURCES, build
from support.needs import cannot_run

_INDEX = re.compile(r"(PIP|UV|SSL|REQUESTS)_|.*_(CA_BUNDLE|PROXY)$|.*_proxy$")


def index_settings() -> dict[str, str]:
    """How this machine reaches a package index: all of its environment that an installation elsewhere needs."""
    return {name: value for name, value in os.environ.items() if _INDEX.match(name)}


@dataclass(frozen=True, slots=True)
class Environment:
    """A virtual environment; `path` puts its programs before all others."""

    place: Path

    @property
    def python(self) -> str:
        return str(self.place / "bin/python")

    def program(self, name: str) -> str:
        return str(self.place / "bin" / name)


def environment(place: Path, *packages: str | Path) -> Environment:
    """Made by uv from the registry; without one the test cannot run."""
    uv = str(Path(sys.executable).with_name("uv"))
    environ = {**os.environ, "UV_SYSTEM_CERTS": "1", "UV_PYTHON_DOWNLOADS": "never"}
    for words in (["venv", "-q", str(place)], ["pip", "install", "-q", "--python", str(place), *map(str, packages)]):
        done = subprocess.run([uv, *words], env=environ, capture_output=True, text=True, check=False)
        if done.returncode:
            cannot_run(f"the environment cannot be made: {done.stderr.strip()[-500:]}")
    return Environment(place)


def wheel(place: Path) -> Path:
    """The working tree as a wheel, built from a copy because setuptools leaves folders behind."""
    import shutil

    tree = place / "tree"
    for source in SOURCES.values():
        shutil.copytree(TREE / source, tree / source, ignore=shutil.ignore_patterns("__pycache__"))
    for name in ("pyproject.toml", "MANIFEST.in", "README.md", "LICENSE", "CHANGELOG.md", "constraints.txt"):
        shutil.copy(TREE / name, tree)
    build(tree, place / "dist", "--wheel")
    (built,) = (place / "dist").glob("*.whl")
    return built
