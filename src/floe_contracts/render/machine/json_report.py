"""A report as JSON for machines: nothing left out, the same bytes for the same report, schema `floe/report/v1`."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Any

from ...codes import CODES, Severity
from ...errors import FloeError
from ...results import Bump, CheckResult, Disposition, Finding, Location, Outcome, Reader, Report, VersionStep, decide
from ...results.facts import read_finding, read_result, read_scope
from ..outline import tally

SCHEMA = "floe/report/v1"
_SURROGATE = re.compile(r"\\u[dD][89a-fA-F][0-9a-fA-F]{2}|[\ud800-\udfff]")
Object = dict[str, Any]


def render(report: Report) -> str:
    """JSON text in ASCII; safe to print into a log that obeys commands."""
    return printed(as_object(report))


def one_line(report: Report) -> str:
    """The same in one line, to stand among others."""
    return printed(as_object(report), indent=None)


def printed(value: object, indent: int | None = 2) -> str:
    """Any value as such JSON."""
    text = json.dumps(value, indent=indent, ensure_ascii=True)
    # Both characters can only stand inside strings, where the escape means the same.
    return text.replace("##[", "##\\u005b").replace("\x7f", "\\u007f") + "\n"


def parse(text: str) -> Report:
    """The report that `render` printed. Anything else is refused: the text may come from a stranger."""
    try:
        value = json.loads(
            text, object_pairs_hook=_unique, parse_int=_small, parse_float=_refused, parse_constant=_refused
        )
    except (ValueError, RecursionError) as error:
        raise _unusable("it is not JSON that floe would write") from error
    # The validator takes no lone surrogates, which an undecodable path brings; for its work any character will do.
    _check_schema(json.loads(_SURROGATE.sub(r"\\ufffd", text)))
    report = _report(value)
    if as_object(report) != value:
        raise _unusable("its verdict, counts or order do not follow from its findings")
    return report


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
        "beside": version.beside,
    }


def _read_reader(value: Any) -> Reader:
    lists = {key: tuple(value[key]) for key in ("columns", "places") if key in value}
    return Reader(**{**value, **lists})


def _reader(reader: Reader) -> Object:
    return {
        "name": reader.name,
        "owner": reader.owner,
        "columns": list(reader.columns),
        "affected": reader.affected,
        **({"places": list(reader.places)} if reader.places else {}),
        **({"through": reader.through} if reader.through else {}),
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


def _unique(pairs: list[tuple[str, Any]]) -> Object:
    value = dict(pairs)
    if len(value) != len(pairs):
        raise ValueError("a key stands twice")
    return value


def _small(digits: str) -> int:
    if len(digits) > 9:
        raise ValueError("a number is too large")
    return int(digits)


def _refused(_: str) -> Any:
    raise ValueError("a report has whole numbers only")


def _check_schema(value: object) -> None:
    from importlib.resources import files

    import jsonschema_rs

    schema = json.loads((files("floe_contracts.render") / "schemas" / "report.schema.json").read_text("utf-8"))
    for error in jsonschema_rs.validator_for(schema).iter_errors(value):
        raise _unusable(f"{'/'.join(str(step) for step in error.instance_path) or 'the whole'} does not fit the schema")


def _unusable(why: str) -> FloeError:
    return FloeError(f"the report cannot be used: {why}", fix="Make it with --format json of this version of floe.")


def _report(value: Object) -> Report:
    report = Report(
        command=value["command"],
        tool_version=value["tool_version"],
        results=tuple(_result_from(each) for each in value["results"]),
        findings=tuple(_finding_from(each) for each in value["findings"]),
        notes=tuple(value["notes"]),
        fail_on=value["fail_on"],
        allow_empty=value["allow_empty"],
    )
    return read_scope(report, value["context"].items())


def _result_from(value: Object) -> CheckResult:
    version = value["version"]
    result = CheckResult(
        check=value["check"],
        contract=value["contract"],
        outcome=Outcome(value["outcome"]),
        path=value["path"],
        findings=tuple(_finding_from(each) for each in value["findings"]),
        version=version and VersionStep(**_enums(version, declared=Bump, required=Bump)),
        readers=tuple(_read_reader(each) for each in value["readers"]),
    )
    return read_result(result, value["context"].items())


def _finding_from(value: Object) -> Finding:
    if value["code"] not in CODES:
        raise _unusable(f"it names the code {value['code']}, which this version does not know")
    derived = ("violation_type", "docs_url", "blocks", "context")
    known = {name: each for name, each in value.items() if name not in derived}
    known["code"] = CODES[value["code"]]
    known["location"] = value["location"] and Location(**value["location"])
    known["suggestions"] = tuple(value["suggestions"])
    item = Finding(**_enums(known, severity=Severity, bump=Bump, standing=Disposition))
    return read_finding(item, value["context"].items())


def _enums(value: Mapping[str, Any], **kinds: type) -> Object:
    return {name: kinds[name](each) if name in kinds else each for name, each in value.items()}
