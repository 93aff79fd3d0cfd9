"""A result of a check as plain JSON values and back, field by field."""

from __future__ import annotations

from typing import Any, TypeAlias

from ...codes import CODES, Code, Severity
from ...results import Bump, CheckResult, Disposition, Finding, Location, Outcome, Pairs, Reader, VersionStep
from ...results.facts import read_finding
from ...results.facts import read_result as read_facts

Record: TypeAlias = "dict[str, Any]"


def result_record(result: CheckResult) -> Record:
    return {
        "check": result.check,
        "contract": result.contract,
        "outcome": result.outcome.value,
        "path": result.path,
        "findings": [_finding_record(finding) for finding in result.findings],
        "version": _version_record(result.version) if result.version else None,
        "readers": [_reader_record(reader) for reader in result.readers],
        "context": _pairs_record(result.context),
    }


def read_result(record: Record) -> CheckResult:
    result = CheckResult(
        check=record["check"],
        contract=record["contract"],
        outcome=Outcome(record["outcome"]),
        path=record["path"],
        findings=tuple(_read_finding(finding) for finding in record["findings"]),
        version=_read_version(record["version"]) if record["version"] else None,
        readers=tuple(_read_reader(reader) for reader in record["readers"]),
    )
    return read_facts(result, _read_pairs(record["context"]))


def _finding_record(finding: Finding) -> Record:
    return {
        "code": finding.code.id,
        "rule": finding.rule,
        "message": finding.message,
        "severity": finding.severity.value,
        "contract": finding.contract,
        "element": finding.element,
        "location": [finding.location.path, finding.location.line, finding.location.column]
        if finding.location
        else None,
        "expected": finding.expected,
        "actual": finding.actual,
        "suggestions": list(finding.suggestions),
        "bump": finding.bump.value,
        "standing": finding.standing.value,
        "fingerprint": finding.fingerprint,
        "context": _pairs_record(finding.context),
    }


def _read_finding(record: Record) -> Finding:
    severity = Severity(record["severity"])
    item = Finding(
        code=CODES.get(record["code"]) or _retired_code(record["code"], severity),
        rule=record["rule"],
        message=record["message"],
        severity=severity,
        contract=record["contract"],
        element=record["element"],
        location=Location(*record["location"]) if record["location"] else None,
        expected=record["expected"],
        actual=record["actual"],
        suggestions=tuple(record["suggestions"]),
        bump=Bump(record["bump"]),
        standing=Disposition(record["standing"]),
        fingerprint=record["fingerprint"],
    )
    return read_finding(item, _read_pairs(record["context"]))


def _retired_code(code: str, severity: Severity) -> Code:
    """History outlives codes."""
    return Code(code, "A code of another version of floe", severity, cause="", fix="")


def _version_record(step: VersionStep) -> Record:
    return {
        "old": step.old,
        "new": step.new,
        "declared": step.declared.value,
        "required": step.required.value,
        "next": step.next,
        "beside": step.beside,
    }


def _read_version(record: Record) -> VersionStep:
    return VersionStep(
        old=record["old"],
        new=record["new"],
        declared=Bump(record["declared"]),
        required=Bump(record["required"]),
        next=record["next"],
        beside=record["beside"],
    )


def _reader_record(reader: Reader) -> Record:
    return {
        "name": reader.name,
        "owner": reader.owner,
        "columns": list(reader.columns),
        "affected": reader.affected,
    }


def _read_reader(record: Record) -> Reader:
    return Reader(record["name"], record["owner"], tuple(record["columns"]), record["affected"])


def _pairs_record(pairs: Pairs) -> list[list[str]]:
    return [[key, text] for key, text in pairs]


def _read_pairs(record: list[list[str]]) -> Pairs:
    return tuple((key, text) for key, text in record)
