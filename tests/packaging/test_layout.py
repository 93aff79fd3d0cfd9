"""The house keeps its rules: packages listed, names unshadowed, README in order, nothing of this machine."""

from __future__ import annotations

import re
import sys
from importlib.metadata import packages_distributions
from pathlib import Path

import pytest
from support.builds import ROOT, SOURCES, run

# Spelt so that this file does not match itself.
PRIVATE = re.compile(
    r"(?<![\w.])/(?:work|root|home|Users)/\w"  # somebody's folders
    r"|py[p]i\.org|python[h]osted\.|npm[j]s\.|crates[.]io|proxy\.golang[.]org|repo1?\.maven[.]"  # registries
    r"|(?:index-u[r]l|find-l[i]nks)\s*=(?!.*\.example)",  # a mirror; reserved names are fine
    re.IGNORECASE,
)


def tracked() -> list[Path]:
    """The files that a clone would hold, the uncommitted ones included."""
    listed = run("git", "ls-files", "-z", "--cached", "--others", "--exclude-standard")
    return [ROOT / name for name in listed.split("\0") if (ROOT / name).is_file()]


def listed_packages() -> list[str]:
    """The packages of pyproject.toml, read without tomllib because Python 3.10 has none."""
    block = re.search(r"^packages = \[.*?\n(.*?)^\]", (ROOT / "pyproject.toml").read_text(), re.DOTALL | re.MULTILINE)
    assert block
    return re.findall(r'"([\w.]+)"', block[1])


def test_every_folder_with_files_is_a_listed_package() -> None:
    folders = {
        ".".join([target.replace("/", "."), *path.parent.relative_to(ROOT / source).parts])
        for target, source in SOURCES.items()
        for path in (ROOT / source).rglob("*")
        if path.is_file() and "__pycache__" not in path.parts
    }
    assert listed_packages() == sorted(folders)


@pytest.mark.parametrize("folder", ["hooks", "batch"])
def test_no_delivery_module_shadows_an_installed_one(folder: str) -> None:
    """Running a script puts its folder first on sys.path, so batch/semver.py would replace the real semver."""
    stems = {path.stem for path in (ROOT / folder).glob("*.py")} - {"__init__"}
    shadowed = stems & {*sys.stdlib_module_names, *packages_distributions()}
    assert shadowed == set()


@pytest.mark.parametrize(
    ("pattern", "most"),
    [
        pytest.param("hooks/*.py", 60, id="a hook"),
        pytest.param("batch/*.py", 60, id="a job"),
        pytest.param("docs/adr/[0-9]*.md", 60, id="a decision record"),
    ],
)
def test_stays_short(pattern: str, most: int) -> None:
    too_long = [path.name for path in ROOT.glob(pattern) if len(path.read_text().splitlines()) > most]
    assert too_long == []


def test_readme_starts_with_the_two_commands() -> None:
    commands = re.findall(r"^make [\w-]+", (ROOT / "README.md").read_text(), re.MULTILINE)
    assert commands[:2] == ["make demo", "make test"]


def test_make_help_lists_every_command_of_the_readme() -> None:
    offered = set(re.findall(r"^  (make [\w-]+)", run("make", "help"), re.MULTILINE))
    assert (
        set(re.findall(r"make [a-z-]+(?=`)|^make [a-z-]+", (ROOT / "README.md").read_text(), re.MULTILINE)) <= offered
    )


def test_every_relative_link_leads_somewhere() -> None:
    broken = [
        f"{page.relative_to(ROOT)}: {link}"
        for page in tracked()
        if page.suffix == ".md"
        for link in re.findall(r"\]\(([^)#\s]+)", page.read_text())
        if "://" not in link and not (page.parent / link).exists()
    ]
    assert broken == []


def test_no_file_names_a_machine_or_a_registry() -> None:
    found = [
        f"{path.relative_to(ROOT)}: {match[0]}"
        for path in tracked()
        if (match := PRIVATE.search(path.read_bytes().decode(errors="replace")))
    ]
    assert found == []


def test_no_committed_file_is_ignored() -> None:
    assert run("git", "ls-files", "--cached", "--ignored", "--exclude-standard") == ""


@pytest.mark.parametrize(
    "path", [".venv/bin/python", "build/dist/x.whl", "floe_contracts.egg-info/PKG-INFO", "demo-output/x"]
)
def test_what_make_makes_is_ignored(path: str) -> None:
    assert run("git", "check-ignore", "--no-index", path).strip() == path


def test_contributing_names_modules_that_exist() -> None:
    walks = (ROOT / "CONTRIBUTING.md").read_text("utf-8").split("## The house")[1].split("\n## ")[0]
    named = re.findall(r"`((?:__main__|[a-z_]+/)[a-z_/*]*(?:\.py|\.yaml)?)`", walks)
    assert len(named) > 40
    missing = [name for name in named if not any((*ROOT.glob(name), *(ROOT / "src/floe_contracts").glob(name)))]
    assert missing == []
