"""Outputs, summaries, notices and report files, as the runner reads them and as a change might spoil them."""

from __future__ import annotations

import contextlib
import io
import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.runner_model import obeyed

from floe_contracts.adapters.github.runner import add_summary, notice, put_file, report_folder, set_outputs
from floe_contracts.errors import UsageError


def outputs_in(path: Path) -> dict[str, str]:
    """How the runner reads GITHUB_OUTPUT (actions/runner, FileCommandManager.cs): `name<<END`, lines, `END`."""
    found: dict[str, str] = {}
    lines = iter(path.read_bytes().decode().split("\n"))
    for line in lines:
        if "<<" in line:
            name, end = line.split("<<", 1)
            value = []
            for inner in lines:
                if inner == end:
                    break
                value.append(inner)
            found[name] = "\n".join(value)
        elif "=" in line:
            name, text = line.split("=", 1)
            found[name] = text
    return found


@given(st.dictionaries(st.sampled_from(["verdict", "comment-url", "a"]), st.text(st.characters(codec="utf-8"))))
def test_a_value_can_neither_end_early_nor_add_another(
    tmp_path_factory: pytest.TempPathFactory, values: dict[str, str]
) -> None:
    path = tmp_path_factory.mktemp("runner") / "output"
    set_outputs({"GITHUB_OUTPUT": str(path)}, values)
    assert outputs_in(path) == values


def test_ends_are_never_the_same(tmp_path: Path) -> None:
    path = tmp_path / "output"
    set_outputs({"GITHUB_OUTPUT": str(path)}, {"a": "1", "b": "2"})
    set_outputs({"GITHUB_OUTPUT": str(path)}, {"c": "3"})
    assert len(set(re.findall(r"<<(\S+)", path.read_text()))) == 3
    assert outputs_in(path) == {"a": "1", "b": "2", "c": "3"}


def test_nobody_asks_outside_a_runner() -> None:
    set_outputs({}, {"verdict": "pass"})
    add_summary({}, "page")


@pytest.mark.parametrize(("size", "kept"), [(1_048_576, True), (1_048_577, False)], ids=["just fits", "too long"])
def test_a_summary_that_the_runner_would_drop_is_not_written(tmp_path: Path, size: int, kept: bool) -> None:
    path = tmp_path / "summary"
    add_summary({"GITHUB_STEP_SUMMARY": str(path)}, "x" * size)
    assert path.exists() is kept


@given(st.text())
def test_a_notice_is_one_command_whatever_it_says(text: str) -> None:
    with contextlib.redirect_stdout(io.StringIO()) as out:
        notice("Title", text)
    assert [command.name for command in obeyed(out.getvalue())] == ["notice"]


def test_reports_lie_where_no_change_can_reach(tmp_path: Path) -> None:
    folder = report_folder({"RUNNER_TEMP": str(tmp_path), "GITHUB_WORKSPACE": "nowhere"}, "", "floe-gate")
    assert folder == str(tmp_path / "floe-gate")


def test_a_folder_of_the_workspace_is_made(tmp_path: Path) -> None:
    folder = report_folder({"GITHUB_WORKSPACE": str(tmp_path)}, "out/reports", "floe-gate")
    assert put_file(folder, "report.md", "page") == str(tmp_path / "out/reports/report.md")


def test_a_folder_that_is_a_link_out_of_the_workspace_is_refused(tmp_path: Path) -> None:
    workspace, outside = tmp_path / "workspace", tmp_path / "outside"
    workspace.mkdir()
    outside.mkdir()
    (workspace / "out").symlink_to(outside)
    with pytest.raises(UsageError, match="leads out of the workspace"):
        report_folder({"GITHUB_WORKSPACE": str(workspace)}, "out", "floe-gate")


@pytest.mark.parametrize("name", ["report.json", "../report.json", "sub/report.json"])
def test_a_planted_link_is_not_written_through(tmp_path: Path, name: str) -> None:
    folder, outside = tmp_path / "folder", tmp_path / "outside"
    folder.mkdir()
    outside.mkdir()
    (outside / "report.json").write_text("mine")
    (folder / "report.json").symlink_to(outside / "report.json")
    (folder / "sub").symlink_to(outside)
    with pytest.raises(UsageError):
        put_file(str(folder), name, "forged")
    assert (outside / "report.json").read_text() == "mine"
