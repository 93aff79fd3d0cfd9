"""The wheel holds exactly the tree, under one top-level name, whichever way it is built."""

from __future__ import annotations

import tarfile
import zipfile
from configparser import ConfigParser

import pytest
from support.builds import Built, names_in, names_in_tree

import floe_contracts


def test_wheel_holds_exactly_the_tree(built: Built) -> None:
    assert names_in(built.wheel) == names_in_tree()


def test_wheel_has_one_top_level_name(built: Built) -> None:
    assert {name.split("/")[0] for name in names_in(built.wheel)} == {"floe_contracts"}


def test_wheel_built_from_the_sdist_is_the_same(built: Built) -> None:
    assert names_in(built.wheel_from_sdist) == names_in(built.wheel)


@pytest.mark.parametrize(
    "name",
    [
        pytest.param("floe_contracts/py.typed", id="the mark that says we are typed"),
        pytest.param("floe_contracts/contract/schemas/fields.schema.json", id="the published schemas"),
        pytest.param("floe_contracts/hooks/__init__.py", id="hooks, mapped from the root"),
        pytest.param("floe_contracts/batch/__init__.py", id="batch, mapped from the root"),
    ],
)
def test_wheel_contains(built: Built, name: str) -> None:
    assert name in names_in(built.wheel)


def test_version_is_the_packages_own(built: Built) -> None:
    assert built.wheel.name.startswith(f"floe_contracts-{floe_contracts.__version__}-py3-none-any")


def test_floe_is_the_console_script(built: Built) -> None:
    scripts = ConfigParser()
    with zipfile.ZipFile(built.wheel) as archive:
        (entry_points,) = (name for name in archive.namelist() if name.endswith("entry_points.txt"))
        scripts.read_string(archive.read(entry_points).decode())
    assert scripts["console_scripts"]["floe"] == "floe_contracts.__main__:main"


def test_sdist_holds_licence_but_no_tests(built: Built) -> None:
    with tarfile.open(built.sdist) as archive:
        names = [name.partition("/")[2] for name in archive.getnames()]
    assert "LICENSE" in names
    assert not [name for name in names if name.startswith("tests")]
