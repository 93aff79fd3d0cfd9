"""Outcomes, totals and schemas as JSON texts and back; numbers that must stay exact are written as texts."""

from __future__ import annotations

import json
from collections.abc import Iterable
from decimal import Decimal
from typing import Any

from ...checks.measured import ActualColumn
from ...codes import Severity, ViolationType
from ...contract.meaning.typenames import TypeExpr
from ...contract.meaning.typewords import Family, Zone
from ...monitor.store.protocol import Claim, RuleCount, RunCount, SeriesTotals, SlotOutcome, StreamState, Violation
from ...monitor.store.slots import SlotKey
from ...results import Outcome
from .result_record import Record, read_result, result_record

Gauges = tuple[tuple[str, Decimal], ...]


def outcome_text(outcome: SlotOutcome) -> str:
    """Without gauges, which have a column of their own, and without schemas and states, which have tables."""
    return _text(
        {
            "attempt": outcome.claim.attempt,
            "token": outcome.claim.token,
            "expires_us": outcome.claim.expires_us,
            "promise": outcome.claim.promise,
            "as_of_us": outcome.as_of_us,
            "label": outcome.label,
            "version": outcome.version,
            "seconds": str(outcome.seconds),
            "published": outcome.published,
            "first_us": outcome.first_us,
            "rules": _rules_record(outcome.rules) if outcome.rules else None,
            "counted": list(outcome.counted),
            **({"runs": _runs_record(outcome.runs)} if outcome.runs else {}),
            "violations": [_violation_record(violation) for violation in outcome.violations],
            "result": result_record(outcome.result),
        }
    )


def read_outcome(key: SlotKey, text: str, gauges: str) -> SlotOutcome:
    record: Record = json.loads(text)
    return SlotOutcome(
        claim=Claim(key, record["attempt"], record["token"], record["expires_us"], record.get("promise", "")),
        result=read_result(record["result"]),
        as_of_us=record["as_of_us"],
        label=record["label"],
        version=record["version"],
        seconds=Decimal(record["seconds"]),
        published=record["published"],
        violations=tuple(_read_violation(violation) for violation in record["violations"]),
        gauges=read_gauges(gauges),
        first_us=record.get("first_us"),
        rules=RuleCount(*record["rules"]) if record.get("rules") else None,
        counted=tuple(record.get("counted", ())),
        runs=RunCount(*record["runs"]) if record.get("runs") else None,
    )


def gauges_text(gauges: Gauges) -> str:
    return _text([[name, str(value)] for name, value in gauges])


def read_gauges(text: str) -> Gauges:
    return tuple((name, Decimal(value)) for name, value in json.loads(text))


def read_gauge(text: str, name: str) -> Gauges:
    """Only that gauge: months of them are read at once."""
    return tuple((gauge, Decimal(value)) for gauge, value in json.loads(text) if gauge == name)


def totals_text(totals: SeriesTotals) -> str:
    return _text(
        {
            "label": totals.label,
            "version": totals.version,
            "counters": [[kind.value, severity.value, count] for (kind, severity), count in totals.counters.items()],
            "gauges": [[name, str(value)] for name, value in totals.gauges.items()],
            "durations": list(totals.durations),
            "duration_sum": str(totals.duration_sum),
            "rules": _rules_record(totals.rules),
            "runs": _runs_record(totals.runs),
            "errors": totals.errors,
            "last_run_us": totals.last_run_us,
            "last_done_us": totals.last_done_us,
            "interval_us": totals.interval_us,
            "state": totals.state.value if totals.state else None,
            "since_us": totals.since_us,
            "as_of_us": totals.as_of_us,
            "published": totals.published,
            "streams": {name: _stream_record(stream) for name, stream in totals.streams.items()},
            "project": totals.project,
            "gone_us": totals.gone_us,
        }
    )


def read_totals(text: str) -> SeriesTotals:
    """Also as floe wrote them before it knew of moments, each gauge with its slot, and before it counted rules."""
    record: Record = json.loads(text)
    counters = {(ViolationType(kind), Severity(severity)): count for kind, severity, count in record["counters"]}
    return SeriesTotals(
        label=record["label"],
        version=record["version"],
        counters=counters,
        gauges={name: Decimal(value) for name, value, *_ in record["gauges"]},
        durations=tuple(record["durations"]),
        duration_sum=Decimal(record["duration_sum"]),
        rules=RuleCount(*record.get("rules", ())),
        runs=RunCount(*record.get("runs", ())),
        errors=record["errors"],
        last_run_us=record["last_run_us"],
        last_done_us=record["last_done_us"],
        interval_us=record["interval_us"],
        state=Outcome(record["state"]) if record["state"] else None,
        since_us=record["since_us"],
        as_of_us=record.get("as_of_us", record["last_run_us"]),
        published=record.get("published", True),
        streams={name: _read_stream(stream) for name, stream in record.get("streams", {}).items()},
        project=record.get("project", ""),
        gone_us=record.get("gone_us"),
    )


def _stream_record(stream: StreamState) -> Record:
    gauges = [[name, str(value)] for name, value in stream.gauges.items()]
    return {"state": stream.state.value, "as_of_us": stream.as_of_us, "gauges": gauges}


def _read_stream(record: Record) -> StreamState:
    gauges = {name: Decimal(value) for name, value in record["gauges"]}
    return StreamState(Outcome(record["state"]), record["as_of_us"], gauges)


def columns_text(columns: Iterable[ActualColumn]) -> str:
    return _text([_column_record(column) for column in columns])


def read_columns(text: str) -> tuple[ActualColumn, ...]:
    return tuple(_read_column(column) for column in json.loads(text))


def _column_record(column: ActualColumn) -> Record:
    return {
        "name": column.name,
        "type": _type_record(column.type),
        "nullable": column.nullable,
        "children": [_column_record(child) for child in column.children],
        "spelling": column.spelling,
    }


def _read_column(record: Record) -> ActualColumn:
    return ActualColumn(
        name=record["name"],
        type=_read_type(record["type"]),
        nullable=record["nullable"],
        children=tuple(_read_column(child) for child in record["children"]),
        spelling=record["spelling"],
    )


def _type_record(kind: TypeExpr) -> Record:
    return {
        "family": kind.family.value,
        "params": list(kind.params),
        "children": [[name, _type_record(child)] for name, child in kind.children],
        "text": kind.text,
        "zone": kind.zone.value,
        "unsigned": kind.unsigned,
        "required": kind.required,
    }


def _read_type(record: Record) -> TypeExpr:
    return TypeExpr(
        family=Family(record["family"]),
        params=tuple(record["params"]),
        children=tuple((name, _read_type(child)) for name, child in record["children"]),
        text=record["text"],
        zone=Zone(record["zone"]),
        unsigned=record["unsigned"],
        required=record["required"],
    )


def _rules_record(rules: RuleCount) -> list[int]:
    return [rules.passed, rules.failed]


def _runs_record(runs: RunCount) -> list[int]:
    return [runs.runs, runs.failures]


def _violation_record(violation: Violation) -> list[Any]:
    return [violation.type.value, violation.severity.value, violation.fingerprint, violation.slot_us]


def _read_violation(record: list[Any]) -> Violation:
    kind, severity, fingerprint, slot_us = record
    return Violation(ViolationType(kind), Severity(severity), fingerprint, slot_us)


def _text(value: object) -> str:
    return json.dumps(value, separators=(",", ":"), allow_nan=False)
