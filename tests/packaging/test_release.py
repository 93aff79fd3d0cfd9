"""A release: version and changelog are written together, and the package carries the commit that it was made from."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
import zipfile
from importlib import import_module
from pathlib import Path
from types import ModuleType

import pytest
from support.builds import ROOT, run

import floe_contracts

COMMIT = "c" * 40
CHANGELOG = "# Changelog\n\n## [Unreleased]\n\n### Added\n\n- A thing.\n\n## [0.1.0] - 2026-01-01\n\n- The first.\n"


@pytest.fixture
def release(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    monkeypatch.syspath_prepend(str(ROOT / "scripts"))
    return import_module("release")


def test_what_was_unreleased_becomes_a_section(release: ModuleType) -> None:
    text = release.release_changelog(CHANGELOG, "0.2.0", "2026-02-03")
    assert release.section_of(text, "Unreleased") == ""
    assert release.section_of(text, "0.2.0") == "### Added\n\n- A thing."
    assert release.section_of(text, "0.1.0") == "- The first."
    assert "## [0.2.0] - 2026-02-03\n" in text


@pytest.mark.parametrize(
    ("version", "why"),
    [("0.0.9", "is below"), ("next", "is not a version"), ("v0.2.0", "is not a version"), ("1.0", "is not a version")],
)
def test_a_version_that_cannot_be_released(release: ModuleType, version: str, why: str) -> None:
    with pytest.raises(release.Refused, match=why):
        release.release_package('__version__ = "0.1.0"\n', version)


def test_nothing_unreleased_is_no_release(release: ModuleType) -> None:
    with pytest.raises(release.Refused, match="nothing under"):
        release.release_changelog(CHANGELOG.replace("### Added\n\n- A thing.\n\n", ""), "0.2.0", "2026-02-03")


def test_the_version_stands_in_one_place(release: ModuleType) -> None:
    text = (ROOT / "src/floe_contracts/__init__.py").read_text("utf-8")
    assert f'__version__ = "{floe_contracts.__version__}"' in text
    assert '__version__ = "9.0.0"' in release.release_package(text, "9.0.0")
    assert "version =" not in (ROOT / "pyproject.toml").read_text("utf-8").split("[tool.setuptools.dynamic]")[0]


def test_the_changelog_has_something_to_release(release: ModuleType) -> None:
    assert release.section_of((ROOT / "CHANGELOG.md").read_text("utf-8"), "Unreleased")


def test_no_link_of_the_readme_needs_the_repository() -> None:
    links = re.findall(r"\]\(([^)#][^)]*)\)", (ROOT / "README.md").read_text("utf-8"))
    assert [link for link in links if not link.startswith("https://")] == []
    ours = re.compile(
        r"https://(?:github\.com/floe-dev/floe-contracts/blob|raw\.githubusercontent\.com/floe-dev/floe-contracts)/main/([^#]+)"
    )
    files = [match[1] for link in links if (match := ours.match(link))]
    assert len(files) > 10
    assert [name for name in files if not (ROOT / name).exists()] == []


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["tagged", "named"])
def test_a_build_carries_its_commit(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, kind: str) -> None:
    """From the tag of the version, or as FLOE_RELEASE_COMMIT says; through the source distribution to the wheel."""
    source = tmp_path / "source"
    run("git", "clone", "--quiet", "--depth=1", f"file://{ROOT}", str(source))
    for name in ("pyproject.toml", "MANIFEST.in", "setup.py", "src/floe_contracts/release.py"):
        shutil.copy(ROOT / name, source / name)  # what is not committed yet
    if kind == "tagged":
        git = ("git", "-C", str(source), "-c", "user.name=D", "-c", "user.email=d@example.com")
        run(*git, "commit", "--quiet", "--all", "--allow-empty", "--message", "release")
        run(*git, "add", "--all")
        run(*git, "commit", "--quiet", "--allow-empty", "--message", "release")
        run(*git, "tag", f"v{floe_contracts.__version__}")
        wanted = run(*git, "rev-parse", "HEAD").strip()
    else:
        wanted = COMMIT
        monkeypatch.setenv("FLOE_RELEASE_COMMIT", COMMIT)
    command = [sys.executable, "-m", "build", "--no-isolation", "--outdir", str(tmp_path / "dist"), str(source)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout[-2000:] + done.stderr[-2000:]
    (wheel,) = (tmp_path / "dist").glob("*.whl")
    with zipfile.ZipFile(wheel) as archive:
        assert f'COMMIT = "{wanted}"' in archive.read("floe_contracts/release.py").decode()
    assert 'COMMIT = ""' in (source / "src/floe_contracts/release.py").read_text("utf-8")
