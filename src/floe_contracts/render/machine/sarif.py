"""A report as SARIF 2.1.0, the format of code scanning, within the limits that GitHub sets."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterable, Iterator
from itertools import islice
from typing import Any

from ...codes import Severity, site_address
from ...results import Bump, Disposition, ExitCode, Finding, Report, decide
from ..headline import headline
from ..links import encode_path
from ..outline import advice, excuse, scope_line, worst_first
from ..phrases import gate_rule
from ..safe import log_safe
from .json_report import printed

# GitHub refuses more than 25,000 results or 10 MB once packed, and shows the first 5,000 results.
MOST_RESULTS = 5_000
MOST_BYTES = 8_000_000  # before packing, without indentation
SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"
ROOT = "%SRCROOT%"  # what code scanning calls the root of the checkout

Object = dict[str, Any]

_LEVELS = {
    Severity.CRITICAL: "error",
    Severity.ERROR: "error",
    Severity.WARNING: "warning",
    Severity.INFO: "note",
}
_SENTENCE = 600  # characters shown of a sentence


def render(report: Report) -> str:
    """The report as SARIF: one run with every finding that fits, worst first."""
    return printed({"$schema": SCHEMA, "version": "2.1.0", "runs": [_run(report)]})


def _run(report: Report) -> Object:
    rules: dict[str, tuple[int, Finding]] = {}  # the number of each, and an example
    results = list(_results(report, rules))
    driver = {
        "name": "floe",
        "informationUri": site_address(),
        "version": log_safe(report.tool_version, 100),
        "rules": [descriptor(item) for _, item in rules.values()],
    }
    return {
        "tool": {"driver": driver},
        "automationDetails": {"id": f"floe/{log_safe(report.command, 100)}/"},
        "invocations": [_invocation(report, len(results))],
        "originalUriBaseIds": {ROOT: {"description": {"text": "The root of the repository."}}},
        "columnKind": "unicodeCodePoints",
        "results": results,
    }


def _results(report: Report, rules: dict[str, tuple[int, Finding]]) -> Iterator[Object]:
    """Results until one of the limits is reached; the rules they need are put into `rules`."""
    paths = {id(item): result.path for result in report.results for item in result.findings}
    size = 0
    for item in islice(worst_first(report.all_findings()), MOST_RESULTS):
        number, _ = rules.setdefault(item.rule, (len(rules), item))
        result = _result(item, number, paths.get(id(item), ""))
        size += len(json.dumps(result))
        if size > MOST_BYTES:
            return
        yield result


def _invocation(report: Report, shown: int) -> Object:
    messages = [("note", note) for note in (str(headline(report)), scope_line(report), *report.notes) if note]
    left_out = sum(1 for _ in report.all_findings()) - shown
    if left_out > 0:
        remark = f"{left_out} more findings are left out, the least severe; the JSON report has all."
        messages.append(("warning", remark))
    code = decide(report)
    return {
        "executionSuccessful": code in (ExitCode.PASS, ExitCode.BLOCKED),
        "exitCode": int(code),
        "toolExecutionNotifications": [{"level": level, "message": _message([text])} for level, text in messages],
    }


def _result(item: Finding, number: int, path: str) -> Object:
    lines = [item.message, *(f"{label}: {text}" for label, text in advice(item))]
    result: Object = {
        "ruleId": log_safe(item.rule, 200),
        "ruleIndex": number,
        "level": _LEVELS[item.severity],
        "message": _message(lines),
        "locations": _locations(item, path),
        # Not `primaryLocationLineHash`: code scanning computes that itself, and warns when another value is there.
        "partialFingerprints": {"floeFinding/v1": item.fingerprint or fingerprint_of(item)},
        "properties": {"code": item.code.id, "bump": item.bump.value, "standing": item.standing.value},
    }
    if item.standing is Disposition.ALLOWED:
        result |= {"kind": "informational", "level": "none"}
    elif item.standing is Disposition.WAIVED:
        result["suppressions"] = [{"kind": "external", "status": "accepted", "justification": log_safe(excuse(item))}]
    elif item.standing is Disposition.REPORTED:
        result["level"] = "note"
    return result


def _message(lines: Iterable[str]) -> Object:
    # `[text](target)` in a SARIF message is a link; nothing from a contract may become one.
    return {"text": "\n".join(log_safe(line, _SENTENCE).replace("](", "] (") for line in lines)}


def _locations(item: Finding, path: str) -> list[Object]:
    spot = item.location
    place = spot.path if spot else path
    if not place:
        return []
    physical: Object = {"artifactLocation": _artifact(place)}
    if spot and spot.line:
        physical["region"] = {"startLine": spot.line, **({"startColumn": spot.column} if spot.column else {})}
    location: Object = {"physicalLocation": physical}
    if item.element:
        location["logicalLocations"] = [{"fullyQualifiedName": log_safe(item.element)}]
    return [location]


def _artifact(path: str) -> Object:
    if path.startswith("/"):
        return {"uri": f"file://{encode_path(path)}"}
    return {"uri": encode_path(path), "uriBaseId": ROOT}


def fingerprint_of(item: Finding) -> str:
    """The same for the same complaint about the same element, wherever in the file it stands."""
    path = item.location.path if item.location else ""
    words = (item.code.id, item.rule, path, item.contract, item.element, item.message)
    framed = "".join(f"{len(word)}:{word}" for word in words)
    return hashlib.sha256(framed.encode("utf-8", "surrogatepass")).hexdigest()[:16]


# GitHub cuts names at 255 and descriptions at 1,024 characters.
_NAME, _DESCRIPTION, _HELP = 255, 1_000, 4_000
_GENERAL = {"next_major": "the next major version", "old": "the old one", "new": "the new one"}
_BUMP_LEVELS = {Bump.NONE: "note", Bump.PATCH: "note", Bump.MINOR: "warning", Bump.MAJOR: "error", Bump.BLOCK: "error"}


def descriptor(item: Finding) -> dict[str, Any]:
    """The rule behind a finding: one of the gate's with its own texts, else the code it belongs to."""
    rule, code = gate_rule(item), item.code
    title, why, fix = (rule.title, rule.why, rule.fix) if rule else (code.title, code.cause, code.fix)
    address = rule.docs_url if rule else code.docs_url
    quiet = code.severity.rank < Severity.ERROR.rank
    level = _BUMP_LEVELS[rule.bump] if rule else "warning" if quiet else "error"
    return {
        "id": log_safe(item.rule, 200),
        "name": _pascal(item.rule),
        "shortDescription": {"text": log_safe(title, _DESCRIPTION)},
        "fullDescription": {"text": log_safe(why, _DESCRIPTION)},
        "help": {
            "text": log_safe(f"{why} {_plain(fix)}", _HELP),
            "markdown": f"**{title}**\n\n{why}\n\nFix: {_plain(fix)}\n\n[{code.id}]({code.docs_url})",
        },
        "helpUri": address,
        "defaultConfiguration": {"level": level},
        "properties": {"tags": ["data-contract", code.id, *([rule.area] if rule else [])]},
    }


def _plain(fix: str) -> str:
    """The advice without the words of a certain change."""
    return re.sub(r"\{(\w+)[^{}]*\}", lambda match: _GENERAL.get(match[1], match[1]), fix)


def _pascal(rule: str) -> str:
    words = "".join(word.capitalize() for word in log_safe(rule, 200).replace("_", "-").split("-"))
    return words[:_NAME] or "Finding"
