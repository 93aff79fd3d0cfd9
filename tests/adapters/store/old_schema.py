"""A database as the first schema left it, made by hand: gauges still stood inside each record."""

from __future__ import annotations

import json

from sqlalchemy import Engine, text

SLOT = "shop|orders|v1|freshness|PT1H|2026-01-03T10:15:00Z"
SERIES = "shop|orders|v1|freshness"
START_US = 1_767_435_300_000_000
_RESULT = {"check": "freshness", "contract": "orders", "outcome": "violated", "path": "", "findings": [],
           "version": None, "readers": [], "context": [["slot", "2026-01-03T10:15:00Z"]]}  # fmt: skip
_RECORD = {
    "attempt": 1,
    "token": "t",
    "expires_us": START_US,
    "as_of_us": START_US,
    "label": "orders",
    "version": "1.0.0",
    "seconds": "1.5",
    "published": True,
    "violations": [["freshness_violation", "warning", "a", START_US]],
    "gauges": [["age", "8.50"], ["up", "1"]],
    "result": _RESULT,
}
_TOTALS = {
    "label": "orders",
    "version": "1.0.0",
    "counters": [["freshness_violation", "warning", 1]],
    "gauges": [["age", "8.50", START_US], ["up", "1", START_US]],
    "durations": [0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0],
    "duration_sum": "1.5",
    "errors": 0,
    "last_run_us": START_US,
    "last_done_us": START_US,
    "interval_us": 3_600_000_000,
    "state": "violated",
    "since_us": START_US,
}
_SQL = """
CREATE TABLE floe_facts (name {text} NOT NULL PRIMARY KEY, value BIGINT NOT NULL);
CREATE TABLE floe_slots (slot {text} NOT NULL PRIMARY KEY, series {text} NOT NULL, interval_us BIGINT NOT NULL,
  start_us BIGINT NOT NULL, run_id {text} NOT NULL, moment_us BIGINT NOT NULL, attempts INTEGER NOT NULL, token {text},
  expires_us BIGINT, outcome {text}, record TEXT);
CREATE INDEX floe_slots_by_series ON floe_slots (series, moment_us, interval_us, run_id, outcome);
CREATE INDEX floe_slots_by_moment ON floe_slots (moment_us);
CREATE TABLE floe_forgotten_runs (slot {text} NOT NULL PRIMARY KEY);
CREATE TABLE floe_series (series {text} NOT NULL PRIMARY KEY, namespace {text} NOT NULL, contract {text} NOT NULL,
  major INTEGER NOT NULL, check_type {text} NOT NULL, commits BIGINT NOT NULL, last_run_us BIGINT NOT NULL,
  totals TEXT NOT NULL);
CREATE INDEX floe_series_by_group ON floe_series (namespace, check_type);
CREATE TABLE floe_groups (namespace {text} NOT NULL, check_type {text} NOT NULL, lost BIGINT NOT NULL,
  PRIMARY KEY (namespace, check_type));
CREATE TABLE floe_counted (series {text} NOT NULL, slot_us BIGINT NOT NULL, fingerprint {text} NOT NULL,
  seen_us BIGINT NOT NULL, PRIMARY KEY (series, slot_us, fingerprint));
CREATE TABLE floe_schemas (table_key {text} NOT NULL PRIMARY KEY, slot_us BIGINT NOT NULL, columns TEXT NOT NULL);
CREATE TABLE floe_states (table_key {text} NOT NULL, place INTEGER NOT NULL, plan_hash {text} NOT NULL,
  partition TEXT NOT NULL, files TEXT NOT NULL, state {bytes} NOT NULL, PRIMARY KEY (table_key, place));
CREATE TABLE floe_outbox (id {id}, sink {text} NOT NULL, dead BOOLEAN NOT NULL, kind TEXT NOT NULL,
  body {bytes} NOT NULL, series TEXT NOT NULL, slot TEXT NOT NULL, attempt INTEGER NOT NULL, sequence INTEGER NOT NULL,
  since_us BIGINT NOT NULL, tries INTEGER NOT NULL, due_us BIGINT NOT NULL, reason TEXT NOT NULL);
CREATE INDEX floe_outbox_by_sink ON floe_outbox (sink, dead, id);
CREATE TABLE floe_pushed (mirror {text} NOT NULL, namespace {text} NOT NULL, check_type {text} NOT NULL,
  revision BIGINT NOT NULL, PRIMARY KEY (mirror, namespace, check_type));
"""
_WORDS = {
    "sqlite": {"text": "TEXT", "bytes": "BLOB", "id": "INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT"},
    "postgresql": {"text": 'TEXT COLLATE "C"', "bytes": "BYTEA", "id": "BIGSERIAL NOT NULL PRIMARY KEY"},
}


def make_first_schema(engine: Engine, version: int = 1) -> None:
    """All tables of version 1, a finished slot with a violation and two gauges, and a slot that was only claimed."""
    with engine.begin() as connection:
        for statement in _SQL.format(**_WORDS[engine.dialect.name]).split(";"):
            if statement.strip():
                connection.execute(text(statement))
        connection.execute(text("INSERT INTO floe_facts VALUES ('version', :version)"), {"version": version})
        slot = (
            "INSERT INTO floe_slots VALUES (:slot, :series, 3600000000, :at, '', :at, 1, NULL, NULL, :outcome, :record)"
        )
        values = {"series": SERIES, "at": START_US}
        done = {"slot": SLOT, "outcome": "violated", "record": json.dumps(_RECORD)}
        claimed = {"slot": f"{SLOT}-claimed", "outcome": None, "record": None}
        connection.execute(text(slot), [{**values, **done}, {**values, **claimed}])
        series = "INSERT INTO floe_series VALUES (:series, 'shop', 'orders', 1, 'freshness', 1, :at, :totals)"
        connection.execute(text(series), {**values, "totals": json.dumps(_TOTALS)})
        counted = "INSERT INTO floe_counted VALUES (:series, :at, 'a', :at)"
        connection.execute(text(counted), values)
