"""floe-contract-gate on definitions: what a developer sees before a commit, and what it costs."""

from __future__ import annotations

import os
import subprocess
import sys
from typing import Any

import pytest
from support.defined import DBT, DBT_INCIDENTS, DDL, DDL_INCIDENTS, start
from support.gating import gate
from support.git_sandbox import Clone
from support.running import Floe as Hook

from floe_contracts.adapters.git import INDEX
from floe_contracts.adapters.sql import process
from floe_contracts.adapters.sql.process import SqlProcess, SqlText

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


def test_one_changed_model_among_five_hundred_is_all_that_is_read(repo: Clone, monkeypatch: pytest.MonkeyPatch) -> None:
    """No SQL of the other models is parsed, by one process at most; `make bench` has the seconds."""
    models: dict[str, str | None] = {
        f"models/m{n}.sql": "select id, name from {{ ref('m" + str(n - 1) + "') }}" for n in range(1, 500)
    }
    start(repo, {**DBT, "models/m0.sql": "select 1 as id, 'a' as name", **models})
    repo.write(DBT_INCIDENTS["event_ts is dropped"][0])
    repo.git("add", "--all")
    read, started = [], []
    ask, begin = SqlProcess._ask, process._start

    def counted_ask(self: SqlProcess, kind: str, sql: SqlText) -> dict[str, Any]:
        read.append(sql.text)
        return ask(self, kind, sql)

    def counted_start() -> subprocess.Popen[str]:
        started.append(1)
        return begin()

    monkeypatch.setattr(SqlProcess, "_ask", counted_ask)
    monkeypatch.setattr(process, "_start", counted_start)
    assert gate(repo, head=INDEX).verdict == "blocked"
    assert (len(read) < 10, len(started)) == (True, 1)


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
