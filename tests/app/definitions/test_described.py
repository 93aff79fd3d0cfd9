"""What dbt's YAML says of columns: it completes a model only where dbt holds the model to it."""

from __future__ import annotations

import pytest
from support.defined import CONTRACT, DBT, EVENTS, MODEL, NOTES, STAGING, Files, start
from support.gating import gate
from support.git_sandbox import Clone

from floe_contracts.results import Report

STAR = "select * from {{ ref('stg_events') }}\n"
UNCLEAR = "{{ some_package.pivot(ref('stg_events')) }}\n"
PYTHON = MODEL.replace(".sql", ".py")
COLUMNS = """    columns:
      - {name: user_id, data_type: bigint, constraints: [{type: not_null}]}
      - {name: event_ts, data_type: timestamp}
      - {name: kind, data_type: text}
"""


def described(name: str, columns: str = COLUMNS, *, enforced: bool = False) -> str:
    held = "    config: {contract: {enforced: true}}\n" if enforced else ""
    return f"version: 2\nmodels:\n  - name: {name}\n{held}{columns}"


def told(report: Report, *codes: str) -> list[str]:
    ids = ((item.code.id.removeprefix("FLOE-"), item) for item in report.all_findings())
    return [f"{code} {item.location}" for code, item in ids if code in codes]


RENAMED = COLUMNS.replace("name: user_id", "name: userId")
RETYPED = COLUMNS.replace("bigint", "text")
# The model, what YAML says of it after the change, whether dbt holds it to that, and what is told.
CASES: dict[str, tuple[str, str, bool, list[str]]] = {
    "a column is gone": (UNCLEAR, RENAMED, True, [f"E531 {NOTES}:6"]),
    "another type": (UNCLEAR, RETYPED, True, [f"E530 {NOTES}:6"]),
    "null is allowed": (UNCLEAR, COLUMNS.replace(", constraints: [{type: not_null}]", ""), True, [f"E536 {NOTES}:6"]),
    "nothing that is promised": (UNCLEAR, COLUMNS + "      - {name: more, data_type: int}\n", True, []),
    "a description alone completes nothing": (UNCLEAR, RENAMED, False, [f"E537 {MODEL}:1"]),
    "a description of a column with an unknown type": (STAR, RETYPED, False, [f"E530 {NOTES}:5"]),
}


@pytest.mark.parametrize("name", CASES)
def test_columns_that_dbt_holds_a_model_to_are_its_columns(repo: Clone, name: str) -> None:
    model, columns, enforced, expected = CASES[name]
    untyped: Files = {STAGING: "select user_id, event_ts, kind from {{ source('raw', 'events') }}\n"}
    start(repo, {**DBT, **untyped, MODEL: model, NOTES: described("events", enforced=enforced)})
    repo.commit({NOTES: described("events", columns, enforced=enforced)})
    assert told(gate(repo, base="main"), "E530", "E531", "E536", "E537") == expected


def test_so_are_those_of_a_python_model(repo: Clone) -> None:
    files: Files = {**DBT, PYTHON: "def model(dbt, session): ...\n", NOTES: described("events", enforced=True)}
    files.pop(MODEL)
    start(repo, files)
    repo.commit({NOTES: described("events", RENAMED, enforced=True)})
    assert told(gate(repo, base="main"), "E531", "E537") == [f"E531 {NOTES}:6"]


@pytest.mark.parametrize(("enforced", "expected"), [(True, [f"E530 {MODEL}:1"]), (False, [])])
def test_readers_take_over_only_types_that_are_held(repo: Clone, enforced: bool, expected: list[str]) -> None:
    untyped = "select user_id, event_ts, kind from {{ source('raw', 'events') }}\n"
    start(repo, {**DBT, STAGING: untyped, MODEL: STAR, NOTES: described("stg_events", RETYPED, enforced=enforced)})
    repo.commit({CONTRACT: EVENTS.replace("1.0.0", "1.0.1")})
    report = gate(repo, base="main")
    assert told(report, "E530") == expected
