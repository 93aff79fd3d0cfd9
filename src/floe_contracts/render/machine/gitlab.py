"""A report as GitLab's Code Quality JSON, which marks lines in the diff of a merge request."""

from __future__ import annotations

import json
from typing import Any

from ...codes import Severity
from ...results import Disposition, Finding, Report
from ..outline import advice, worst_first
from ..safe import log_safe
from .sarif import fingerprint_of

MOST = 1_000  # a merge request shows no more with ease
_SENTENCE = 600
_SEVERITIES = {
    Severity.CRITICAL: "blocker",
    Severity.ERROR: "critical",
    Severity.WARNING: "minor",
    Severity.INFO: "info",
}


def render(report: Report) -> str:
    """Every finding that has a file, worst first; what is in order for a version, waived or reported is `info`."""
    paths = {id(item): result.path for result in report.results for item in result.findings}
    issues = [issue for item in worst_first(report.all_findings()) if (issue := _issue(item, paths.get(id(item), "")))]
    return json.dumps(issues[:MOST], indent=2, ensure_ascii=True) + "\n"


def _issue(item: Finding, path: str) -> dict[str, Any]:
    place = item.location.path if item.location else path
    if not place:
        return {}
    line = item.location.line if item.location else None
    texts = [item.message, *(f"{label}: {text}" for label, text in advice(item))]
    harmless = item.standing is not Disposition.OPEN
    return {
        "description": log_safe(" ".join(texts), _SENTENCE),
        "check_name": log_safe(item.rule, 200),
        "fingerprint": item.fingerprint or fingerprint_of(item),
        "severity": "info" if harmless else _SEVERITIES[item.severity],
        "location": {"path": log_safe(place, 1_000), "lines": {"begin": line or 1}},
    }
