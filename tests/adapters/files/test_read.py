"""Files from disk: what is expanded, what is refused and why."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from floe_contracts.adapters.files.read import find_contracts, read_file, read_files
from floe_contracts.contract.source import MAX_BYTES


@pytest.fixture
def tree(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for name in ("contracts/orders.yaml", "contracts/deep/items.yml", "compose.yaml", ".hidden/datacontract.yaml"):
        target = tmp_path / name
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(f"# {name}\n")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def names(*arguments: str) -> list[tuple[str, bool]]:
    return [(item.path, item.certain) for item in read_files(arguments)]


def test_a_named_file_must_be_a_contract(tree: Path) -> None:
    assert names("compose.yaml") == [("compose.yaml", True)]


def test_a_folder_gives_its_contracts_and_candidates(tree: Path) -> None:
    assert names(".") == [
        ("compose.yaml", False),
        ("contracts/deep/items.yml", True),
        ("contracts/orders.yaml", True),
    ]


def test_a_glob_is_expanded(tree: Path) -> None:
    assert names("contracts/**/*.{yaml,yml}") == [("contracts/deep/items.yml", True), ("contracts/orders.yaml", True)]


def test_each_file_once(tree: Path) -> None:
    assert names("contracts/orders.yaml", "./contracts/orders.yaml", "contracts") == [
        ("contracts/orders.yaml", True),
        ("contracts/deep/items.yml", True),
    ]


def test_default_discovery_skips_hidden_folders(tree: Path) -> None:
    assert find_contracts() == ["contracts/deep/items.yml", "contracts/orders.yaml"]


@pytest.mark.parametrize("argument", ["absent.yaml", "contracts/*.json", "contracts/orders.yaml/x.yaml"])
def test_what_matches_nothing_is_said(tree: Path, argument: str) -> None:
    (item,) = read_files([argument])
    assert item.problem is not None
    assert item.problem.code.id == "FLOE-E500"


def test_a_symlink_is_not_followed(tree: Path) -> None:
    os.symlink("orders.yaml", tree / "contracts/link.yaml")
    item = read_file("contracts/link.yaml")
    assert item.problem is not None
    assert "symbolic link" in item.problem.message


def test_a_pipe_is_not_opened(tree: Path) -> None:
    os.mkfifo(tree / "contracts/pipe.yaml")
    item = read_file("contracts/pipe.yaml")
    assert item.problem is not None


def test_a_huge_file_is_refused_unread(tree: Path) -> None:
    with open("contracts/huge.yaml", "wb") as file:
        file.truncate(100 * 1024 * 1024)
    item = read_file("contracts/huge.yaml")
    assert item.problem is not None
    assert item.problem.code.id == "FLOE-E509"
    assert f"{MAX_BYTES:,}" in item.problem.message
    assert item.data == b""
