"""The recorded manifests are what real dbt writes today: recorded anew, the newest says the same."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from support.needs import cannot_run

from floe_contracts.adapters.dbt.manifest import read_manifest

ROOT = Path(__file__).parents[3]
RECORDED = ROOT / "tests" / "fixtures" / "dbt" / "manifest-v12.json"


@pytest.fixture(scope="module")
def recorded_again(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("dbt")
    command = [sys.executable, str(ROOT / "scripts" / "record_dbt.py"), "1.11", "--into", str(folder)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        cannot_run(f"dbt 1.11 cannot be installed or run: {done.stderr[-300:]}")
    return folder / "manifest-v12.json"


@pytest.mark.slow
def test_real_dbt_says_the_same_about_the_project(recorded_again: Path) -> None:
    ours, theirs = (read_manifest(path.read_bytes(), "manifest.json") for path in (RECORDED, recorded_again))
    assert theirs.models == ours.models


@pytest.mark.slow
def test_real_dbt_writes_the_keys_that_were_recorded(recorded_again: Path) -> None:
    ours, theirs = (json.loads(path.read_text())["nodes"] for path in (RECORDED, recorded_again))
    assert {name: _keys(node) for name, node in theirs.items()} == {name: _keys(node) for name, node in ours.items()}


def _keys(node: dict[str, Any]) -> list[str]:
    return sorted(node)
