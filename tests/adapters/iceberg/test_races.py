"""Many processes, one name: exactly one owner and one hash in every catalog; `make test-races` runs 20 rounds."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from support.catalogs import Settings

pytestmark = pytest.mark.slow  # three minutes for three catalogs

ROUNDS = int(os.environ.get("FLOE_RACE_ROUNDS", "3"))
RUNNER = Path(__file__).parents[2] / "support/race_runner.py"


def race(settings: Settings, kind: str, processes: int, rounds: int = ROUNDS) -> list[dict[str, Any]]:
    asked = {"settings": settings, "kind": kind, "processes": processes, "rounds": rounds, "salt": os.getpid()}
    done = subprocess.run(
        [sys.executable, str(RUNNER)], input=json.dumps(asked), capture_output=True, text=True, timeout=600, check=False
    )
    assert done.returncode == 0, done.stderr[-2000:]
    rounds_told: list[dict[str, Any]] = json.loads(done.stdout)
    assert len(rounds_told) == rounds
    return rounds_told


@pytest.mark.parametrize("kind", ["claim", "adopt"])
def test_one_of_32_processes_owns_a_name(settings: Settings, kind: str) -> None:
    for told in race(settings, kind, 32):
        answers = dict(told["answers"])
        assert sorted(answers.values()) == ["CONFLICT"] * 31 + ["SUCCESS"], answers
        (owner,) = [name for name, answer in answers.items() if answer == "SUCCESS"]
        assert told["owners"] == [owner]
        assert told["shown"] == owner


def test_one_of_16_hashes_is_registered(settings: Settings) -> None:
    for told in race(settings, "version", 16):
        answers = dict(told["answers"])
        assert sorted(answers.values()) == ["IMMUTABLE"] * 15 + ["SUCCESS"], answers
        (winner,) = [name for name, answer in answers.items() if answer == "SUCCESS"]
        assert told["hash"] == winner
