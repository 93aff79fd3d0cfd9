"""Building and asking the working tree's distributions, for the packaging tests."""

from __future__ import annotations

import shutil
import subprocess
import sys
import zipfile
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[2]
SOURCES = {"floe_contracts": "src/floe_contracts", "floe_contracts/hooks": "hooks", "floe_contracts/batch": "batch"}


@dataclass(frozen=True, slots=True)
class Built:
    """The distributions of the working tree."""

    sdist: Path
    wheel: Path
    wheel_from_sdist: Path


def build_all(place: Path) -> Built:
    """Builds from a copy, because setuptools leaves folders behind that would leak into a later build."""
    tree = place / "tree"
    for source in SOURCES.values():
        shutil.copytree(ROOT / source, tree / source, ignore=shutil.ignore_patterns("__pycache__"))
    for name in ("pyproject.toml", "MANIFEST.in", "README.md", "LICENSE", "CHANGELOG.md", "constraints.txt"):
        shutil.copy(ROOT / name, tree)
    build(tree, place / "both")  # an sdist, and a wheel from that sdist
    build(tree, place / "direct", "--wheel")
    (sdist,) = place.glob("both/*.tar.gz")
    (wheel_from_sdist,) = place.glob("both/*.whl")
    (wheel,) = place.glob("direct/*.whl")
    return Built(sdist, wheel, wheel_from_sdist)


def build(tree: Path, target: Path, *kind: str) -> None:
    run(sys.executable, "-m", "build", "--no-isolation", *kind, "--outdir", str(target), str(tree))


def names_in(wheel: Path) -> set[str]:
    """Every file of a wheel but its metadata."""
    with zipfile.ZipFile(wheel) as archive:
        return {name for name in archive.namelist() if ".dist-info/" not in name}


def names_in_tree() -> set[str]:
    """Where each file that we ship should be in the wheel."""
    return {
        f"{target}/{path.relative_to(ROOT / source).as_posix()}"
        for target, source in SOURCES.items()
        for path in (ROOT / source).rglob("*")
        if path.is_file() and "__pycache__" not in path.parts
    }


def run(*command: str) -> str:
    """Standard output of a command that must succeed."""
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, f"{' '.join(command)}\n{done.stdout}{done.stderr}"
    return done.stdout
