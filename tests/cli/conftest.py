"""`floe` run in this process, in an empty folder, with an environment that decides nothing."""

from __future__ import annotations

from pathlib import Path

import pytest
from running import Floe, Ran

from floe_contracts.cli.main import main


@pytest.fixture
def floe(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Floe:
    for name in ("NO_COLOR", "FORCE_COLOR", "CLICOLOR", "CLICOLOR_FORCE", "FLOE_DEBUG"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.chdir(tmp_path)

    def run(*arguments: str) -> Ran:
        code = main(arguments)
        captured = capsys.readouterr()
        return Ran(code, captured.out, captured.err)

    return run
