"""A report as JSON for machines: nothing left out, the same bytes for the same report, schema `floe/report/v1`."""

from __future__ import annotations

import json
from typing import Any

from ..results import CheckResult, Finding, Location, Outcome, Reader, Report, VersionStep, decide
from .outline import tally

SCHEMA = "floe/report/v1"
Object = dict[str, Any]


def render(report: Report) -> str:
    """JSON text in ASCII; safe to print into a log that obeys commands."""
    text = json.dumps(as_object(report), indent=2, ensure_ascii=True)
    # Both characters can only stand inside strings, where the escape means the same.
    return text.replace("##[", "##\\u005b").replace("\x7f", "\\u007f") + "\n"


def as_object(report: Report) -> Object:
    """The report as plain values, in the order in which people read it."""
    return {
        "schema": SCHEMA,
        "command": report.command,
        "tool_version": report.tool_version,
        "verdict": report.verdict,
        "exit_code": int(decide(report)),
        "fail_on": report.fail_on,
        "allow_empty": report.allow_empty,
        "counts": _counts(report),
        "context": dict(report.context),
        "notes": list(report.notes),
        "findings": [_finding(item) for item in report.findings],
        "results": [_result(result) for result in report.results],
    }


def _counts(report: Report) -> Object:
    outcomes = {each.value: sum(result.outcome is each for result in report.results) for each in Outcome}
    return {"contracts": len(report.results), **outcomes, **tally(report)}


def _result(result: CheckResult) -> Object:
    return {
        "check": result.check,
        "contract": result.contract,
        "path": result.path,
        "outcome": result.outcome.value,
        "version": _version(result.version) if result.version else None,
        "readers": [_reader(reader) for reader in result.readers],
        "context": dict(result.context),
        "findings": [_finding(item) for item in result.findings],
    }


def _version(version: VersionStep) -> Object:
    return {
        "old": version.old,
        "new": version.new,
        "declared": version.declared.value,
        "required": version.required.value,
        "next": version.next,
    }


def _reader(reader: Reader) -> Object:
    return {
        "name": reader.name,
        "owner": reader.owner,
        "columns": list(reader.columns),
        "affected": reader.affected,
    }


def _finding(item: Finding) -> Object:
    return {
        "code": item.code.id,
        "rule": item.rule,
        "severity": item.severity.value,
        "violation_type": item.violation_type.value if item.violation_type else None,
        "contract": item.contract,
        "element": item.element,
        "location": _location(item.location) if item.location else None,
        "message": item.message,
        "expected": item.expected,
        "actual": item.actual,
        "suggestions": list(item.suggestions),
        "docs_url": item.docs_url,
        "bump": item.bump.value,
        "standing": item.standing.value,
        "blocks": item.blocks,
        "fingerprint": item.fingerprint,
        "context": dict(item.context),
    }


def _location(location: Location) -> Object:
    return {"path": location.path, "line": location.line, "column": location.column}
