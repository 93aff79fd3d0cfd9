"""Which model defines a contract: by name, version, alias or settings, and what two of them end in."""

from __future__ import annotations

import hashlib
import json

import pytest
from support.defined import CONTRACT, DBT, EVENTS, MODEL, NOTES, SQL, STAGING, STG, Files, start
from support.gating import gate
from support.git_sandbox import Clone

from floe_contracts.results import Report

RENAMED = SQL.replace("    user_id,", "    user_id as userId,")
OTHER = "models/facts.sql"
BARE: Files = {path: text for path, text in DBT.items() if path not in (MODEL, NOTES)}


def told(report: Report, *codes: str) -> list[str]:
    ids = ((item.code.id.removeprefix("FLOE-"), item) for item in report.all_findings())
    return [f"{code} {item.location}" for code, item in ids if code in codes]


def yaml(entry: str) -> str:
    return f"version: 2\nmodels:\n  - {entry}\n"


def manifest(text: str, alias: str) -> str:
    checksum = {"name": "sha256", "checksum": hashlib.sha256(text.strip().encode()).hexdigest()}
    node = {"resource_type": "model", "name": "facts", "alias": alias, "checksum": checksum}
    node |= {"original_file_path": OTHER}
    return json.dumps({"metadata": {"adapter_type": "duckdb"}, "nodes": {"model.shop.facts": node}})


CONFIGURED = "{{ config(meta={'a': 1},\n  alias='events') }}\n"
# The files of the base, and the file of the model that user_id is renamed in.
PAIRED: dict[str, tuple[Files, str]] = {
    "alias in SQL": ({OTHER: CONFIGURED + SQL}, OTHER),
    "alias in YAML": ({OTHER: SQL, NOTES: yaml("{name: facts, config: {alias: events}}")}, OTHER),
    "alias of a version": ({OTHER: CONFIGURED.replace("'events'", '"events_v1"') + SQL}, OTHER),
    "MAJOR version": ({"models/events_v1.sql": SQL, "models/events_v2.sql": STG}, "models/events_v1.sql"),
    "MAJOR version with a dot": ({"models/events.v1.sql": SQL}, "models/events.v1.sql"),
    "the version before the plain name": ({"models/events_v1.sql": SQL, MODEL: STG}, "models/events_v1.sql"),
    "a version defined in another file": (
        {OTHER: SQL, NOTES: yaml("{name: events, versions: [{v: 1, defined_in: facts}]}")},
        OTHER,
    ),
    "the name before an alias": ({MODEL: SQL, OTHER: CONFIGURED + STG}, MODEL),
}


@pytest.mark.parametrize("name", PAIRED)
def test_a_model_is_found_and_a_rename_in_it_is_blocked(repo: Clone, name: str) -> None:
    files, path = PAIRED[name]
    start(repo, {**BARE, **files})
    text = str(files[path])
    repo.commit({path: text.replace("    user_id,", "    user_id as userId,")})
    assert [line.split(":")[0] for line in told(gate(repo, base="main"), "E531")] == [f"E531 {path}"]


@pytest.mark.parametrize(
    "files",
    [
        pytest.param({"models/events_v2.sql": RENAMED}, id="another MAJOR version"),
        pytest.param({OTHER: "{# config(alias='events') #}" + RENAMED}, id="alias in a comment"),
        pytest.param({OTHER: "{{ config(alias='other') }}" + RENAMED}, id="another alias"),
        pytest.param({OTHER: RENAMED, "target/manifest.json": manifest(SQL, "events")}, id="a manifest of other text"),
    ],
)
def test_a_model_of_another_name_is_not_the_contracts(repo: Clone, files: Files) -> None:
    start(repo, BARE)
    repo.commit({**files, CONTRACT: EVENTS.replace("1.0.0", "1.0.1")})
    assert told(gate(repo, base="main"), "E531", "E532", "E537") == []


def test_the_alias_of_a_manifest_counts_for_the_text_it_was_made_from(repo: Clone) -> None:
    start(repo, {**BARE, OTHER: SQL, "target/manifest.json": manifest(SQL, "events")})
    repo.commit({OTHER: RENAMED, "target/manifest.json": manifest(RENAMED, "events")})
    assert told(gate(repo, base="main"), "E531") == [f"E531 {OTHER}:8"]


TWO: dict[str, Files] = {
    "two projects": {f"more/{path}": text for path, text in DBT.items()},
    "one file name in two folders": {"models/a/events.sql": SQL},
}


@pytest.mark.parametrize("name", TWO)
def test_two_models_that_are_found_cannot_be_told_apart(repo: Clone, name: str) -> None:
    start(repo, {**DBT, **TWO[name]})
    repo.commit({CONTRACT: EVENTS.replace("1.0.0", "1.0.1")})
    findings = [item for item in gate(repo, base="main").all_findings() if item.code.id == "FLOE-E537"]
    assert ["definitions in .floe/config.yaml" in item.message and MODEL in item.message for item in findings] == [True]
    assert not any(item.blocks for item in findings)


OFF, MAYBE = "{{ config(enabled=False) }}\n", "{{ config(enabled=target.type == 'snowflake') }}\n"
LOST = STG.replace("cast(uid as bigint) as user_id", "uid as userId")
SECOND_STG = "models/older/stg_events.sql"
# Files beside the project, what changes, and what is told of a model that takes `*`.
TWICE: dict[str, tuple[Files, Files, str]] = {
    "a disabled one is none": ({SECOND_STG: OFF + STG}, {STAGING: LOST}, "user_id is missing"),
    "in whatever order they are": ({"models/zz/stg_events.sql": OFF + STG}, {STAGING: LOST}, "user_id is missing"),
    "perhaps disabled": ({SECOND_STG: MAYBE + STG}, {STAGING: LOST}, "have the same name"),
    "none is left": ({}, {STAGING: OFF + STG}, "which are not known"),
}


@pytest.mark.parametrize("name", TWICE)
def test_of_two_files_with_one_name_the_enabled_one_is_read(repo: Clone, name: str) -> None:
    files, change, expected = TWICE[name]
    start(repo, {**DBT, MODEL: "select * from {{ ref('stg_events') }}\n", **files})
    repo.commit(change)
    findings = [item for item in gate(repo, base="main").all_findings() if item.code.id in ("FLOE-E531", "FLOE-E537")]
    assert expected in findings[0].message


@pytest.mark.parametrize(
    "change",
    [
        pytest.param({MODEL: SQL.replace("materialized='table'", "enabled=false")}, id="in SQL"),
        pytest.param({NOTES: yaml("{name: events, config: {enabled: false}}")}, id="in YAML"),
    ],
)
def test_a_model_that_is_disabled_makes_no_table(repo: Clone, change: Files) -> None:
    start(repo, DBT)
    repo.commit(change)
    report = gate(repo, base="main")
    assert told(report, "E531", "E536") == [f"E531 {MODEL}:1"]
    assert "(it is disabled)" in next(iter(report.all_findings())).message


def test_a_model_that_may_be_disabled_is_read(repo: Clone) -> None:
    start(repo, DBT)
    repo.commit({MODEL: SQL.replace("materialized='table'", "enabled=var('on', true)")})
    assert told(gate(repo, base="main"), "E531", "E536") == []


@pytest.mark.parametrize("piece", ["config( ", "{# ", "config({a}", 'config(alias="x '], ids=repr)
def test_a_model_of_many_unfinished_pieces_is_not_known(repo: Clone, piece: str) -> None:
    """Looked through once: going on from every piece would take minutes."""
    start(repo, DBT)
    repo.commit({MODEL: piece * 20_000 + "\nselect 1 as one\n"})
    assert told(gate(repo, base="main"), "E531", "E536", "E537") == [f"E537 {MODEL}:1"]


def test_two_models_of_one_alias_cannot_be_told_apart(repo: Clone) -> None:
    start(repo, {**BARE, OTHER: CONFIGURED + SQL, "models/more.sql": CONFIGURED + SQL})
    repo.commit({OTHER: CONFIGURED + RENAMED})
    assert told(gate(repo, base="main"), "E531", "E537") == [f"E537 {OTHER}:1"]


def test_a_second_model_does_not_free_the_one_that_was_there(repo: Clone) -> None:
    start(repo, DBT)
    decoy = {f"more/{path}": text for path, text in DBT.items()}
    repo.commit({**decoy, MODEL: RENAMED})
    lines = told(gate(repo, base="main"), "E531", "E537")
    assert f"E531 {MODEL}:8" in lines
    assert any(line.startswith("E537") for line in lines)


ENTRY = "  - {{contract: {}, dbt: {}}}\n"


@pytest.mark.parametrize(
    ("entries", "expected"),
    [
        ([("events", "events"), ("events", "stg_events")], ["E525 .floe/config.yaml"]),
        ([("events", "events"), ("events", "events")], []),
        ([("events", "events")], []),
    ],
)
def test_two_models_that_are_written_are_a_mistake(
    repo: Clone, entries: list[tuple[str, str]], expected: list[str]
) -> None:
    start(repo, DBT)
    text = "definitions:\n" + "".join(ENTRY.format(*entry) for entry in entries)
    repo.commit({".floe/config.yaml": text, CONTRACT: EVENTS.replace("1.0.0", "1.0.1")})
    assert told(gate(repo, base="main"), "E525") == expected
