"""Ways around the gate: each is tried on a real repository through the command line, and none leads to a pass."""

from __future__ import annotations

from pathlib import Path

import pytest
from support.defects import Row, environment, repository, ways
from support.running import Ran

from floe_contracts.cli.main import main

FEWEST = 100


@pytest.mark.parametrize("row", [pytest.param(row, id=row.name) for row in ways()])
def test_a_way_around_the_gate_is_closed(
    row: Row, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    clone = repository(row, tmp_path)
    for name in ("GITHUB_EVENT_NAME", "GITHUB_EVENT_PATH", "GITHUB_TOKEN"):
        monkeypatch.delenv(name, raising=False)
    for name, value in environment(clone).items():
        monkeypatch.setenv(name, value)
    monkeypatch.chdir(clone.path)
    code = main(row.run)
    captured = capsys.readouterr()
    assert code in (1, 2), captured.out + captured.err
    assert not captured.out.startswith("PASS")
    assert row.now.differences(Ran(code, captured.out, captured.err)) == [], captured.out + captured.err


def test_there_are_many() -> None:
    assert len({row.name for row in ways()}) >= FEWEST
