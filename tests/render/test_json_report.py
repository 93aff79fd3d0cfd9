"""The JSON report: valid against its published schema, complete, and the same bytes every time."""

from __future__ import annotations

import json
from importlib.resources import files

import jsonschema_rs
import pytest
from hypothesis import given, settings
from support.hostile import reports
from support.runner_model import obeyed
from support.samples import HOSTILE, REPORTS, lint_report, sample_report
from support.snapshots import assert_matches

from floe_contracts.errors import FloeError
from floe_contracts.render.machine import json_report
from floe_contracts.results import CheckResult, Finding, Outcome, Report

SCHEMA = json.loads((files("floe_contracts.render") / "schemas" / "report.schema.json").read_text("utf-8"))


def test_report_looks_as_reviewed() -> None:
    assert_matches("report-lint.json", json_report.render(lint_report()))


@pytest.mark.parametrize("name", REPORTS)
def test_report_is_valid_against_the_published_schema(name: str) -> None:
    value = json.loads(json_report.render(REPORTS[name]))
    assert [error.message for error in jsonschema_rs.validator_for(SCHEMA).iter_errors(value)] == []


def test_schema_is_itself_valid() -> None:
    jsonschema_rs.meta.validate(SCHEMA)
    assert SCHEMA["properties"]["schema"]["const"] == json_report.SCHEMA


# Written as the pairs of `context`.
IN_CONTEXT = {"facts", "extra", "scope", "key", "contract_version", "run", "order"}


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
    named = set(kind.__dataclass_fields__) - IN_CONTEXT  # type: ignore[attr-defined]
    assert set(keys) == named | {"context"} | derived


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
        "info": 1,
        "warning": 1,
        "error": 5,
        "critical": 0,
        "excused": 4,
    }


@pytest.mark.parametrize("name", REPORTS)
def test_what_was_printed_can_be_read_back(name: str) -> None:
    assert json_report.parse(json_report.render(REPORTS[name])) == REPORTS[name]


@settings(max_examples=60)
@given(reports())
def test_any_report_comes_back_as_it_was(report: Report) -> None:
    text = json_report.render(report)
    assert obeyed(text) == []
    assert json_report.render(json_report.parse(text)) == text


@pytest.mark.parametrize("path", ["a\udcff.yaml", "\ud83d", "\\ud83d", "🚀", "\x7f##["])
def test_any_path_comes_back(path: str) -> None:
    report = Report("lint", "1", (CheckResult("lint", "a", Outcome.PASSED, path),))
    assert json_report.parse(json_report.render(report)) == report


BLOCKED = json_report.render(sample_report())


@pytest.mark.parametrize(
    ("text", "why"),
    [
        pytest.param("", "not JSON", id="nothing"),
        pytest.param("{", "not JSON", id="half a document"),
        pytest.param("[" * 100_000, "not JSON", id="nested without end"),
        pytest.param("9" * 5_000, "not JSON", id="an endless number"),
        pytest.param("[]", "the whole does not fit the schema", id="another document"),
        pytest.param(
            BLOCKED.replace('"floe/report/v1"', '"floe/report/v2"'), "schema does not fit", id="other version"
        ),
        pytest.param(BLOCKED.replace('"notes":', '"extra": 1, "notes":'), "does not fit the schema", id="unknown key"),
        pytest.param(BLOCKED.replace('"line": 14', '"line": 14.0'), "not JSON", id="a fraction"),
        pytest.param(BLOCKED.replace('"line": 14', '"line": 1e2'), "not JSON", id="an exponent"),
        pytest.param(BLOCKED.replace('"line": 14', '"line": NaN'), "not JSON", id="not a number"),
        pytest.param(BLOCKED.replace('"line": 14', '"line": 0'), "findings/0/location", id="a line before the first"),
        pytest.param(BLOCKED.replace('"line": 14', '"line": 14, "line": 15'), "not JSON", id="a key twice"),
        pytest.param(BLOCKED.replace("FLOE-E520", "FLOE-E577"), "the code FLOE-E577", id="an unknown code"),
        pytest.param(
            BLOCKED.replace('"verdict": "blocked"', '"verdict": "pass"'), "do not follow", id="a verdict of its own"
        ),
        pytest.param(
            BLOCKED.replace('"blocks": true', '"blocks": false'), "do not follow", id="findings made harmless"
        ),
        pytest.param(BLOCKED.replace("https://floe.dev", "https://evil.example"), "do not follow", id="other links"),
    ],
)
def test_anything_else_is_refused(text: str, why: str) -> None:
    with pytest.raises(FloeError, match=why):
        json_report.parse(text)
