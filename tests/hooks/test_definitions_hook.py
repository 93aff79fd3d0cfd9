"""floe-contract-gate on definitions: what a developer sees before a commit, and what it costs."""

from __future__ import annotations

import os
import resource
import subprocess
import sys
from pathlib import Path

import pytest
from support.defined import DBT, DBT_INCIDENTS, DDL, DDL_INCIDENTS, start
from support.git_sandbox import Clone
from support.running import Floe as Hook

GATE = "floe-contract-gate"
SEEDS = ("user_id becomes userId", "event_ts is dropped", "not null is lost")


@pytest.mark.parametrize("name", SEEDS)
@pytest.mark.parametrize("kind", ["dbt", "ddl"])
def test_the_seeds_incidents_stop_a_commit(repo: Clone, hook: Hook, kind: str, name: str) -> None:
    files, incidents = (DBT, DBT_INCIDENTS) if kind == "dbt" else (DDL, DDL_INCIDENTS)
    start(repo, files)
    change, expected = incidents[name]
    repo.write(change)
    ran = hook(GATE)
    code, place = expected.split()
    assert (ran.code, ran.err) == (1, "")
    assert f"FLOE-{code}" in ran.out
    assert place in ran.out
    repo.git("reset", "--hard", "--quiet")
    assert hook(GATE).code == 0


def test_what_cannot_be_told_is_said_in_the_hook(repo: Clone, hook: Hook) -> None:
    start(repo, DBT)
    repo.write({"models/events.sql": "select * from {{ source('raw', 'events') }}"})
    ran = hook(GATE)
    assert ran.code == 0
    assert "cannot tell" in ran.out


def test_one_changed_model_among_five_hundred_is_quick(repo: Clone) -> None:
    models: dict[str, str | None] = {
        f"models/m{n}.sql": "select id, name from {{ ref('m" + str(n - 1) + "') }}" for n in range(1, 500)
    }
    start(repo, {**DBT, "models/m0.sql": "select 1 as id, 'a' as name", **models})
    repo.write(DBT_INCIDENTS["event_ts is dropped"][0])
    repo.git("add", "--all")
    used = min(_cpu_of_hook(repo) for _ in range(3))
    assert used < 0.6


def _cpu_of_hook(repo: Clone) -> float:
    """Seconds of CPU of the hook and whatever it started."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    script = Path(sys.executable).with_name(GATE)
    done = subprocess.run([script], cwd=repo.path, env=repo.environ, capture_output=True, check=False)
    assert done.returncode == 1, done.stdout
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def test_the_hook_itself_never_loads_sqlglot(repo: Clone) -> None:
    start(repo, DBT)
    repo.write(DBT_INCIDENTS["event_ts is dropped"][0])
    repo.git("add", "--all")
    code = (
        "import sys\nfrom floe_contracts.adapters.process.environment import utc_today\n"
        "from floe_contracts.app.gate.request import GateRequest\nfrom floe_contracts.app.gate.run import run_gate\n"
        "report = run_gate(GateRequest(), utc_today())\n"
        "assert any(item.blocks for item in report.all_findings())\n"
        "print(sorted({'sqlglot', 'jinja2'} & set(sys.modules)))"
    )
    env = {**os.environ, **repo.environ}
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=repo.path, env=env, capture_output=True, text=True, check=False
    )
    assert done.stdout.strip() == "[]", done.stderr
