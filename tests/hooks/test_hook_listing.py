"""The hooks are listed in four places: the manifest, the entry points, the files and the README. They agree."""

from __future__ import annotations

import re
from importlib.metadata import distribution

import pytest
import yaml
from support.builds import ROOT

MANIFEST = {hook["id"]: hook for hook in yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text())}
README = (ROOT / "README.md").read_text()


def test_every_hook_is_a_console_script() -> None:
    scripts = {
        entry.name: entry.value
        for entry in distribution("floe-contracts").entry_points
        if entry.group == "console_scripts" and entry.name != "floe"
    }
    assert scripts == {name: f"floe_contracts.hooks.{_module(name)}:main" for name in MANIFEST}
    assert {hook["entry"] for hook in MANIFEST.values()} == set(scripts)


def test_every_hook_is_a_file() -> None:
    files = {path.stem for path in (ROOT / "hooks").glob("*.py") if not path.stem.startswith("_")}
    assert files == {_module(name) for name in MANIFEST}


def test_the_readme_lists_the_hooks_of_the_manifest() -> None:
    assert re.findall(r"^\| `(floe-contract-[a-z]+)` \|", README, re.MULTILINE) == list(MANIFEST)
    assert set(re.findall(r"- id: (floe-[\w-]+)", README)) <= set(MANIFEST)


@pytest.mark.parametrize("name", MANIFEST)
def test_settings_that_every_hook_needs(name: str) -> None:
    hook = MANIFEST[name]
    assert hook["language"] == "python"
    assert hook["require_serial"] is True  # two processes would each see half of the files
    assert "additional_dependencies" not in hook
    assert hook["description"]
    assert hook["minimum_pre_commit_version"] == "3.2.0"  # the first that knows these names of stages


@pytest.mark.parametrize("name", ["floe-contract-gate", "floe-contract-bump", "floe-contract-policy"])
def test_hooks_about_the_repository_always_run(name: str) -> None:
    assert (MANIFEST[name]["always_run"], MANIFEST[name]["pass_filenames"]) == (True, False)


def test_the_hook_about_files_gets_them() -> None:
    hook = MANIFEST["floe-contract-lint"]
    assert hook["types"] == ["yaml"]
    assert not {"always_run", "pass_filenames", "files"} & set(hook)


def _module(name: str) -> str:
    return name.removeprefix("floe-").replace("-", "_")
