"""Builds of a release carry its commit, which `floe init` pins; all else about the package stands in pyproject.toml."""

from __future__ import annotations

import os
import re
import subprocess
from pathlib import Path

from setuptools import setup
from setuptools.command.build_py import build_py
from setuptools.command.sdist import sdist

ROOT = Path(__file__).parent
_PLACE = "floe_contracts/release.py"
_COMMIT = re.compile(r"[0-9a-f]{40}(?:[0-9a-f]{24})?")


def release_commit(version: str) -> str:
    """The commit of the tag v<version> when it is checked out without a change; else FLOE_RELEASE_COMMIT or nothing."""
    wanted = os.environ.get("FLOE_RELEASE_COMMIT", "")
    if _COMMIT.fullmatch(wanted):
        return wanted
    head, tag = (_git("rev-parse", "--verify", "--quiet", f"{name}^{{commit}}") for name in ("HEAD", f"v{version}"))
    return head if head and head == tag and not _git("status", "--porcelain", "--untracked-files=no") else ""


def _git(*words: str) -> str:
    try:
        done = subprocess.run(["git", *words], cwd=ROOT, capture_output=True, text=True, check=False)
    except OSError:
        return ""
    return done.stdout.strip()


def bake(path: Path, version: str) -> None:
    """Write the commit into a copy of the module; a source that was baked before keeps what it says."""
    commit = release_commit(version)
    if commit and path.is_file():
        text = re.sub(r'^COMMIT = ".*$', f'COMMIT = "{commit}"', path.read_text("utf-8"), flags=re.MULTILINE)
        path.unlink()  # it may be a hard link to the source
        path.write_text(text, "utf-8")


class BuildPackage(build_py):
    """The modules of a wheel."""

    def run(self) -> None:
        super().run()
        if not getattr(self, "editable_mode", False):
            bake(Path(self.build_lib, _PLACE), self.distribution.get_version())


class BuildSource(sdist):
    """The files of a source distribution."""

    def make_release_tree(self, base_dir: str, files: list[str]) -> None:
        super().make_release_tree(base_dir, files)
        bake(Path(base_dir, "src", _PLACE), self.distribution.get_version())


setup(cmdclass={"build_py": BuildPackage, "sdist": BuildSource})
