"""Files are replaced whole or not at all."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from floe_contracts.adapters.files.write import write_whole
from floe_contracts.errors import FloeError


@pytest.mark.parametrize("content", ["größe\n", "größe\n".encode()], ids=["text", "bytes"])
def test_a_new_file_gets_the_content_as_utf_8(tmp_path: Path, content: str | bytes) -> None:
    write_whole(str(tmp_path / "new.txt"), content)
    assert (tmp_path / "new.txt").read_bytes() == "größe\n".encode()


def test_a_new_file_has_the_usual_permissions(tmp_path: Path) -> None:
    (tmp_path / "usual").touch()
    write_whole(str(tmp_path / "new"), "x")
    assert (tmp_path / "new").stat().st_mode == (tmp_path / "usual").stat().st_mode


def test_an_old_file_keeps_its_permissions(tmp_path: Path) -> None:
    old = tmp_path / "old"
    old.touch(0o600)
    write_whole(str(old), "x")
    assert old.stat().st_mode & 0o777 == 0o600


def test_a_symlink_is_followed(tmp_path: Path) -> None:
    (tmp_path / "real").write_text("old")
    (tmp_path / "link").symlink_to("real")
    write_whole(str(tmp_path / "link"), "new")
    assert (tmp_path / "link").is_symlink()
    assert (tmp_path / "real").read_text() == "new"


def test_a_pipe_is_written_through(tmp_path: Path) -> None:
    write_whole(os.devnull, "x")
    assert not os.path.isfile(os.devnull)


@pytest.mark.parametrize("name", ["absent/new.txt", "."], ids=["a folder that is not there", "a folder"])
def test_what_cannot_be_written_is_said_and_leaves_nothing(tmp_path: Path, name: str) -> None:
    with pytest.raises(FloeError, match="cannot be written"):
        write_whole(str(tmp_path / name), "x")
    assert list(tmp_path.iterdir()) == []
