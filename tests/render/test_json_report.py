"""The JSON report: valid against its published schema, complete, and the same bytes every time."""

from __future__ import annotations

import json
from importlib.resources import files

import jsonschema_rs
import pytest
from samples import HOSTILE, lint_report, sample_report
from snapshots import assert_matches

from floe_contracts.render import json_report
from floe_contracts.results import CheckResult, Finding, Report

SCHEMA = json.loads((files("floe_contracts.render") / "schemas" / "report.schema.json").read_text("utf-8"))
REPORTS = [
    pytest.param(sample_report(), id="gate"),
    pytest.param(lint_report(), id="lint"),
    pytest.param(Report("lint", "1.2.3", allow_empty=False), id="nothing checked"),
]


def test_report_looks_as_reviewed() -> None:
    assert_matches("report-lint.json", json_report.render(lint_report()))


@pytest.mark.parametrize("report", REPORTS)
def test_report_is_valid_against_the_published_schema(report: Report) -> None:
    value = json.loads(json_report.render(report))
    assert [error.message for error in jsonschema_rs.validator_for(SCHEMA).iter_errors(value)] == []


def test_schema_is_itself_valid() -> None:
    jsonschema_rs.meta.validate(SCHEMA)
    assert SCHEMA["properties"]["schema"]["const"] == json_report.SCHEMA


@pytest.mark.parametrize(
    ("kind", "keys", "derived"),
    [
        pytest.param(
            Finding, SCHEMA["$defs"]["finding"]["properties"], {"violation_type", "docs_url", "blocks"}, id="finding"
        ),
        pytest.param(CheckResult, SCHEMA["$defs"]["result"]["properties"], set(), id="result"),
        pytest.param(Report, SCHEMA["properties"], {"schema", "verdict", "exit_code", "counts"}, id="report"),
    ],
)
def test_no_field_is_left_out(kind: type, keys: dict[str, object], derived: set[str]) -> None:
    assert set(keys) == set(kind.__dataclass_fields__) | derived  # type: ignore[attr-defined]


def test_hostile_text_survives_but_is_not_obeyed() -> None:
    text = json_report.render(sample_report())
    assert "##[" not in text
    assert text.replace("\n", "").isprintable()
    assert text.isascii()
    findings = [item for result in json.loads(text)["results"] for item in result["findings"]]
    assert HOSTILE in [item["expected"] for item in findings]


def test_counts_keep_excused_findings_apart() -> None:
    counts = json.loads(json_report.render(sample_report()))["counts"]
    assert counts == {
        "contracts": 8,
        "passed": 5,
        "violated": 3,
        "skipped": 0,
        "errored": 0,
        "info": 0,
        "warning": 1,
        "error": 5,
        "critical": 0,
        "excused": 5,
    }
