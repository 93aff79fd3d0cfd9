"""A contract `events` that a dbt model or migrations define, and the three incidents of the seeds."""

from __future__ import annotations

from support.git_sandbox import Clone

CONTRACT = "contracts/events.yaml"
MODEL, NOTES, STAGING = "models/events.sql", "models/schema.yml", "models/stg_events.sql"
FIRST, SECOND = "migrations/V1__events.sql", "migrations/V10__later.sql"
Files = dict[str, "str | None"]

EVENTS = """apiVersion: v3.1.0
kind: DataContract
id: events
name: events
version: 1.0.0
status: active
schema:
  - name: events
    properties:
      - {name: user_id, logicalType: integer, physicalType: bigint, required: true}
      - {name: event_ts, logicalType: timestamp}
      - {name: kind, logicalType: string}
"""
SQL = """{{ config(materialized='table') }}

with staged as (
    select * from {{ ref('stg_events') }}
)

select
    user_id,
    cast(event_ts as timestamp) as event_ts,
    kind
from staged
"""
STG = """select
    cast(uid as bigint) as user_id,
    event_ts,
    kind
from {{ source('raw', 'events') }}
"""
YAML = """version: 2
models:
  - name: events
    columns:
      - name: user_id
        data_tests: [not_null]
      - name: event_ts
"""
DBT: Files = {
    "dbt_project.yml": "name: shop\nprofile: shop\nversion: '1.0'\n",
    "profiles.yml": "shop:\n  target: dev\n  outputs:\n    dev: {type: duckdb, path: x.db}\n",
    MODEL: SQL,
    STAGING: STG,
    NOTES: YAML,
}
DDL: Files = {
    FIRST: "create table events (\n  user_id bigint not null,\n  event_ts timestamp,\n  kind text\n);\n",
    "migrations/V2__index.sql": "create index i on events (kind);\n",
    ".floe/config.yaml": "definitions:\n  - contract: events\n    ddl: migrations/*.sql\n"
    "    table: events\n    dialect: postgres\n",
}
# What is done, and the code, file and line that it must be blocked with.
DBT_INCIDENTS: dict[str, tuple[Files, str]] = {
    "user_id becomes userId": ({MODEL: SQL.replace("    user_id,", "    user_id as userId,")}, f"E531 {MODEL}:8"),
    "event_ts is dropped": (
        {MODEL: SQL.replace("    cast(event_ts as timestamp) as event_ts,\n", "")},
        f"E531 {MODEL}:8",
    ),
    "not null is lost": ({NOTES: YAML.replace("        data_tests: [not_null]\n", "")}, f"E536 {NOTES}:5"),
    "another type": ({MODEL: SQL.replace("    user_id,", "    cast(user_id as text) as user_id,")}, f"E530 {MODEL}:8"),
    "a type behind a star": ({STAGING: STG.replace("as bigint", "as varchar")}, f"E530 {MODEL}:8"),
    "the model is deleted": ({MODEL: None, NOTES: "version: 2\n"}, f"E531 {MODEL}:1"),
}
DDL_INCIDENTS: dict[str, tuple[Files, str]] = {
    "user_id becomes userId": (
        {SECOND: '-- later\nalter table events\n  rename column user_id to "userId";\n'},
        f"E531 {SECOND}:3",
    ),
    "renamed without the word column": ({SECOND: "alter table events rename event_ts to ts;\n"}, f"E531 {SECOND}:1"),
    "event_ts is dropped": ({SECOND: "alter table events drop column event_ts;\n"}, f"E531 {SECOND}:1"),
    "not null is lost": (
        {SECOND: "\n\nalter table events alter column user_id drop not null;\n"},
        f"E536 {SECOND}:3",
    ),
    "another type": ({SECOND: "alter table events alter column user_id type text;\n"}, f"E530 {SECOND}:1"),
    "the migrations are deleted": ({FIRST: None, "migrations/V2__index.sql": None}, f"E531 {FIRST}:1"),
    "the table is dropped": ({SECOND: "\ndrop table events;\n"}, f"E531 {SECOND}:2"),
}


def start(repo: Clone, files: Files) -> None:
    """On a branch `change` of a main that has the contract and these files."""
    repo.switch("main")
    repo.commit({CONTRACT: EVENTS, **files})
    repo.switch("change", "main")
