"""The seeds' three incidents in a pull request, run by act: an error at the line of the SQL, and the fix passes."""

from __future__ import annotations

import pytest
from support.act_runs import Workshop, workflow
from support.defined import CONTRACT, DBT, DBT_INCIDENTS, DDL, DDL_INCIDENTS, EVENTS, Files
from support.fake_github import FakeGithub
from support.git_sandbox import Sandbox
from support.pull_requests import pull_request, pushed

SEEDS = ("user_id becomes userId", "event_ts is dropped", "not null is lost")


@pytest.mark.parametrize("name", SEEDS)
@pytest.mark.parametrize("kind", ["dbt", "ddl"])
def test_an_incident_is_annotated_at_its_line(
    shop: Workshop, sandbox: Sandbox, github: FakeGithub, kind: str, name: str
) -> None:
    files, incidents = (DBT, DBT_INCIDENTS) if kind == "dbt" else (DDL, DDL_INCIDENTS)
    change, expected = incidents[name]
    code, place = expected.split()
    base: Files = {CONTRACT: EVENTS, **files}
    scene = pull_request(sandbox, base, change)
    scene.tell(github)
    ran = shop.act(scene.checkout, "pull_request", scene.event(), workflow(), github)
    assert ran.status == 1
    places = [f"{line['kvPairs']['file']}:{line['kvPairs']['line']}" for line in ran.commands("error")]
    assert places == [place]
    assert code in github.own()[0]

    undone: Files = {path: base.get(path) for path in change}
    fixed = pushed(sandbox, scene, undone, "fixed")
    fixed.tell(github)
    assert shop.act(fixed.checkout, "pull_request", fixed.event(), workflow(), github).status == 0
