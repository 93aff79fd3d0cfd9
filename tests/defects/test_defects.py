"""Every row of rows/*.yaml through the command line of today's tree."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from support.defects import Row, environment, repository, rows
from support.running import Ran

from floe_contracts.cli.main import main


@pytest.mark.parametrize("row", [pytest.param(row, id=row.name) for row in rows()])
def test_a_defect_is_gone(
    row: Row, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    clone = repository(row, tmp_path)
    for name in tuple(os.environ):
        if name.startswith(("GITHUB_", "GIT_", "CI_")):
            monkeypatch.delenv(name)
    for name, value in environment(clone).items():
        monkeypatch.setenv(name, value)
    monkeypatch.chdir(clone.path)
    code = main(row.run)
    captured = capsys.readouterr()
    ran = Ran(code, captured.out, captured.err)
    assert row.now.differences(ran) == [], ran.out + ran.err
