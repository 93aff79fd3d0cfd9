"""The failures this project exists for: a definition changes and nobody touches the contract."""

from __future__ import annotations

from html import unescape

import pytest
from support.defined import (
    CONTRACT,
    DBT,
    DBT_INCIDENTS,
    DDL,
    DDL_INCIDENTS,
    EVENTS,
    FIRST,
    MODEL,
    NOTES,
    SQL,
    YAML,
    Files,
    start,
)
from support.gating import gate
from support.git_sandbox import Clone

from floe_contracts.app.report import FORMATS, Shape, render_report
from floe_contracts.results import Report, decide

KINDS = {"dbt": (DBT, DBT_INCIDENTS), "ddl": (DDL, DDL_INCIDENTS)}
CASES = [pytest.param(kind, name, id=f"{kind}: {name}") for kind, (_, cases) in KINDS.items() for name in cases]


def blocking(report: Report) -> list[str]:
    return [f"{item.code.id.removeprefix('FLOE-')} {item.location}" for item in report.all_findings() if item.blocks]


@pytest.mark.parametrize(("kind", "name"), CASES)
def test_an_incident_is_blocked_at_its_line_and_the_fix_passes(repo: Clone, kind: str, name: str) -> None:
    files, incidents = KINDS[kind]
    change, expected = incidents[name]
    start(repo, files)
    repo.commit(change)
    report = gate(repo, base="main")
    assert blocking(report) == [expected]
    assert decide(report) == 1
    repo.git("revert", "--no-edit", "HEAD")
    assert decide(gate(repo, base="main")) == 0


def test_the_likely_rename_is_named(repo: Clone) -> None:
    start(repo, DBT)
    repo.commit(DBT_INCIDENTS["user_id becomes userId"][0])
    messages = [item.message for item in gate(repo, base="main").all_findings() if item.blocks]
    assert messages == [
        "user_id is missing from the definition of events; it has userId, which the contract does not name"
    ]


def test_a_table_that_got_another_name_is_called_by_it(repo: Clone) -> None:
    start(repo, DDL)
    repo.commit({"migrations/V11__name.sql": "alter table events rename to old_events;\n"})
    report = gate(repo, base="main")
    assert blocking(report) == ["E531 migrations/V11__name.sql:1"]
    assert "(it is called old_events now)" in next(iter(report.all_findings())).message


def test_a_column_that_only_the_contract_gained_is_to_be_added(repo: Clone) -> None:
    start(repo, DBT)
    repo.commit({CONTRACT: EVENTS.replace("1.0.0", "1.1.0") + "      - {name: extra, logicalType: integer}\n"})
    missing = next(item for item in gate(repo, base="main").all_findings() if item.code.id == "FLOE-E531")
    assert missing.suggestions == ("Add it there, or leave it out of the contract.",)


def test_contract_and_model_may_change_together(repo: Clone) -> None:
    start(repo, DBT)
    repo.commit(
        {
            MODEL: SQL.replace("    kind\n", "    kind,\n    1 as extra\n"),
            CONTRACT: EVENTS.replace("1.0.0", "1.1.0") + "      - {name: extra, logicalType: integer}\n",
        }
    )
    assert blocking(gate(repo, base="main")) == []


def test_a_major_version_does_not_excuse_a_definition_that_disagrees(repo: Clone) -> None:
    start(repo, DBT)
    changed: Files = {CONTRACT: EVENTS.replace("1.0.0", "2.0.0").replace("name: kind", "name: sort")}
    repo.commit(changed)
    assert [line.split()[0] for line in blocking(gate(repo, base="main"))] == ["E531"]


def test_what_the_base_had_wrong_is_told_and_does_not_block(repo: Clone) -> None:
    start(repo, {**DBT, MODEL: SQL.replace("    kind\n", "    kind as sort\n")})
    repo.commit({MODEL: SQL.replace("    kind\n", "    kind as sort,\n    1 as more\n")})
    report = gate(repo, base="main")
    assert blocking(report) == []
    assert "column-missing" in {item.rule for item in report.all_findings()}


@pytest.mark.parametrize(
    "model",
    [
        SQL.replace("    user_id,", "    {{ dbt_utils.star(ref('stg_events')) }},"),
        "{% if var('x') %}select 1 as a{% endif %}",
        "select * from {{ source('raw', 'events') }}",
        "select " + "(" * 10_000,
    ],
)
def test_what_cannot_be_told_is_said_and_never_blocks(repo: Clone, model: str) -> None:
    start(repo, DBT)
    repo.commit({MODEL: model})
    report = gate(repo, base="main")
    assert blocking(report) == []
    unknown = [item for item in report.all_findings() if item.code.id == "FLOE-E537"]
    assert unknown
    assert all("cannot tell" in item.message and item.location for item in unknown)


def test_every_format_says_what_and_why(repo: Clone) -> None:
    start(repo, DBT)
    repo.commit({MODEL: SQL.replace("    user_id,", "    user_id as userId,")})
    lost = gate(repo, base="main")
    repo.commit({MODEL: "select * from {{ source('raw', 'events') }}"})
    unknown = gate(repo, base="main")
    for form in FORMATS:
        assert "is missing from the definition of" in unescape(render_report(lost, form, Shape())), form
        words = unescape(render_report(unknown, form, Shape()))
        assert ("cannot tell the columns of" in words, "takes the columns of" in words) == (True, True), form


UNCHANGED: list[Files] = [
    {"models/other.sql": "select 1 as a"},
    {NOTES: YAML + "      - name: kind\n"},
    {"scripts/job.py": "print(1)\n"},
]


@pytest.mark.parametrize("files", UNCHANGED)
def test_changes_beside_the_definition_pass(repo: Clone, files: Files) -> None:
    start(repo, DBT)
    repo.commit(files)
    assert blocking(gate(repo, base="main")) == []


def test_a_definition_without_a_contract_is_nobodys_business(repo: Clone) -> None:
    start(repo, DBT)
    repo.commit(
        {"models/stg_events.sql": "select 1 as user_id, 2 as event_ts, 3 as kind", "models/x.sql": "select 1 as y"}
    )
    assert blocking(gate(repo, base="main")) == []


def test_settings_of_the_head_can_only_add_definitions(repo: Clone) -> None:
    start(repo, DDL)
    repo.commit({".floe/config.yaml": "profile: floe\n", **DDL_INCIDENTS["event_ts is dropped"][0]})
    assert [line.split()[0] for line in blocking(gate(repo, base="main"))] == ["E531"]


def test_a_waiver_in_force_excuses_it(repo: Clone) -> None:
    start(repo, DBT)
    repo.commit(DBT_INCIDENTS["event_ts is dropped"][0])
    finding = next(item for item in gate(repo, base="main").all_findings() if item.blocks)
    from datetime import timedelta

    from floe_contracts.adapters.process.environment import utc_today

    waiver = (
        f"waivers:\n  - fingerprint: '{finding.fingerprint}'\n    contract: events\n    rule: column-missing\n"
        f"    element: event_ts\n    reason: moved\n    approver: dana@example.com\n"
        f"    expires: {utc_today() + timedelta(days=7)}\n"
    )
    repo.switch("main")
    repo.commit({".floe/waivers.yaml": waiver})
    repo.switch("again", "main")
    repo.commit(DBT_INCIDENTS["event_ts is dropped"][0])
    report = gate(repo, base="main")
    assert blocking(report) == []
    assert "waiver-unused" not in {item.rule for item in report.all_findings()}


def test_an_entry_for_no_contract_is_a_mistake_of_the_settings(repo: Clone) -> None:
    start(repo, DDL)
    text = "definitions:\n  - {contract: evnts, avro: x.avsc}\n"
    repo.commit({".floe/config.yaml": text, "migrations/V3__x.sql": "select 1;\n"})
    assert blocking(gate(repo, base="main")) == ["E590 .floe/config.yaml"]


@pytest.mark.parametrize(
    ("entry", "reason"),
    [
        ("ddl: migrations/*.sql, table: evnts", "no .sql file that matches migrations/*.sql makes evnts"),
        ("ddl: migration/*.sql", "no .sql file that matches migration/*.sql makes events"),
        ("avro: x.avsc", "there is no file x.avsc"),
        ("dbt: evnts", "no dbt project here has a model evnts"),
    ],
)
def test_an_entry_that_leads_nowhere_is_told(repo: Clone, entry: str, reason: str) -> None:
    start(repo, {FIRST: DDL[FIRST]})
    repo.commit({".floe/config.yaml": f"definitions:\n  - {{contract: events, {entry}}}\n"})
    report = gate(repo, base="main")
    assert blocking(report) == []
    unknown = [item for item in report.all_findings() if item.code.id == "FLOE-E537"]
    assert [(str(item.location), item.message.partition("nowhere, ")[2]) for item in unknown] == [
        (".floe/config.yaml:1", reason)
    ]
