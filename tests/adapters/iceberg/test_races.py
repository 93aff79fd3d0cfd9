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

pytestmark = pytest.mark.slow  # a minute for most catalogs

ROUNDS = int(os.environ.get("FLOE_RACE_ROUNDS", "3"))
RACES = {"claim": 32, "adopt": 32, "version": 16, "list": 16}  # processes
RUNNER = Path(__file__).parents[2] / "support/race_runner.py"


def test_one_process_of_many_has_a_name(settings: Settings) -> None:
    """32 claim one name, 32 adopt one namespace, 16 register one version with different hashes, 16 fill one list."""
    asked = {"settings": settings, "races": RACES, "rounds": ROUNDS, "salt": os.getpid()}
    done = subprocess.run(
        [sys.executable, str(RUNNER)],
        input=json.dumps(asked),
        capture_output=True,
        text=True,
        timeout=200 * ROUNDS,
        check=False,
    )
    assert done.returncode == 0, done.stderr[-2000:]
    told = json.loads(done.stdout)
    assert [race["kind"] for race in told] == [kind for kind in RACES for _ in range(ROUNDS)]
    for race in told:
        _judge(race)


def _judge(race: dict[str, Any]) -> None:
    if race["kind"] == "list":
        assert len(race["listed"]) == RACES["list"], race
        assert {answer for _, answer in race["answers"]} == {"SUCCESS"}, race
        return
    losing = "IMMUTABLE" if race["kind"] == "version" else "CONFLICT"
    answers = dict(race["answers"])
    assert sorted(answers.values()) == sorted([losing] * (RACES[race["kind"]] - 1) + ["SUCCESS"]), answers
    (winner,) = [name for name, answer in answers.items() if answer == "SUCCESS"]
    if race["kind"] == "version":
        assert (race["hash"], race["listed"]) == (winner, {"customers": ["1.0.0"]})
    else:
        assert (race["owners"], race["shown"]) == ([winner], winner)
