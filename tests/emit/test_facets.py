"""The schemas of floe's facets: what they accept, what they refuse, and that they say the same as the code."""

from __future__ import annotations

import json
from copy import deepcopy
from typing import Any

import pytest
from support.lineage_spec import OURS, official, problems, read
from support.lineage_told import HOUR, SPEAKER, told_customers

from floe_contracts.codes import Severity, ViolationType
from floe_contracts.emit.lineage import lineage_events
from floe_contracts.emit.lineage_facets import SCHEMAS
from floe_contracts.monitor.settings.model import CHECKS

NAMES = sorted(path.stem for path in OURS.glob("*.json"))
FAIL = read(lineage_events(told_customers("quality", HOUR, HOUR), SPEAKER)[1].body)
COMPLETE = read(lineage_events(told_customers("freshness", HOUR), SPEAKER)[1].body)
VIOLATION = ("run", "facets", "contractViolation")
STATUS = ("run", "facets", "contractStatus")


def schema(name: str) -> dict[str, Any]:
    found: dict[str, Any] = json.loads((OURS / f"{name}.json").read_text())
    return found


def damaged(event: dict[str, Any], *path: str | int, value: Any = None) -> dict[str, Any]:
    """The event with one place changed, or without it where the value is None."""
    made = deepcopy(event)
    here: Any = made
    for step in path[:-1]:
        here = here[step]
    if value is None:
        del here[path[-1]]
    else:
        here[path[-1]] = value
    return made


@pytest.mark.parametrize("name", NAMES)
def test_a_schema_has_a_versioned_address_and_extends_the_core(name: str) -> None:
    found = schema(name)
    assert found["$id"] == f"{SCHEMAS}/{name}.json"
    assert found["$defs"][name]["allOf"][0]["$ref"].startswith("https://openlineage.io/spec/2-0-2/OpenLineage.json#")
    (key,) = found["properties"]
    assert found["properties"][key] == {"$ref": f"#/$defs/{name}"}


def test_schemas_and_code_have_the_same_words() -> None:
    violation = schema("ContractViolationRunFacet")["$defs"]["Violation"]["properties"]
    assert violation["violationType"]["enum"] == [one.value for one in ViolationType]
    assert violation["severity"]["enum"] == [one.value for one in Severity]
    status = schema("ContractStatusRunFacet")["$defs"]["ContractStatusRunFacet"]["allOf"][1]["properties"]
    assert status["checkType"]["enum"] == list(CHECKS)


def test_every_facet_of_ours_is_in_an_event() -> None:
    text = json.dumps([FAIL, COMPLETE])
    assert [name for name in NAMES if f"{name}.json#/$defs/{name}" not in text] == []


@pytest.mark.parametrize("event", [pytest.param(FAIL, id="FAIL"), pytest.param(COMPLETE, id="COMPLETE")])
def test_real_events_are_accepted(event: dict[str, Any]) -> None:
    assert problems(event) == []


@pytest.mark.parametrize(
    ("event", "path", "value"),
    [
        pytest.param(FAIL, (*VIOLATION, "severity"), "fatal", id="a severity nobody knows"),
        pytest.param(FAIL, (*VIOLATION, "violationType"), "stale", id="a kind of violation nobody knows"),
        pytest.param(FAIL, (*VIOLATION, "expectedValue"), 6, id="a number where text is promised"),
        pytest.param(FAIL, (*VIOLATION, "timestamp"), "yesterday", id="a moment that is none"),
        pytest.param(FAIL, (*VIOLATION, "violations"), [], id="no violation at all"),
        pytest.param(FAIL, (*VIOLATION, "violations", 0, "rows"), "x", id="a field nobody described"),
        pytest.param(FAIL, (*VIOLATION, "message"), None, id="no message"),
        pytest.param(FAIL, (*VIOLATION, "_producer"), "floe", id="a producer that is not an address"),
        pytest.param(FAIL, (*VIOLATION, "_schemaURL"), None, id="no schema"),
        pytest.param(COMPLETE, (*STATUS, "threshold"), "6", id="text where a number is promised"),
        pytest.param(COMPLETE, (*STATUS, "checkType"), "age", id="a check nobody knows"),
        pytest.param(COMPLETE, (*STATUS, "recovery"), {"violatedSlots": 0}, id="a recovery from nothing"),
        pytest.param(FAIL, ("run", "facets", "quality", "coverage"), 101, id="more than everything"),
        pytest.param(FAIL, ("run", "facets", "quality", "tests", 0, "status"), "maybe", id="a test without a verdict"),
        pytest.param(FAIL, ("run", "facets", "floe", "mode"), "solo", id="a mode nobody knows"),
        pytest.param(
            FAIL,
            ("inputs", 0, "facets", "dataClassification", "columns", 0, "classification"),
            None,
            id="a column without its classification",
        ),
        pytest.param(FAIL, ("run", "facets", "contractWish"), {"a": 1}, id="a facet nobody described"),
        pytest.param(FAIL, ("run", "runId"), "run-abc123", id="a run id that is none"),
        pytest.param(FAIL, ("eventTime",), "2026-01-03 10:15", id="an event at no moment"),
    ],
)
def test_damaged_events_are_refused(event: dict[str, Any], path: tuple[str | int, ...], value: Any) -> None:
    assert problems(damaged(event, *path, value=value)) != []


@pytest.mark.parametrize(
    "name",
    [
        *("event_invalid_dataset_facet", "event_invalid_input_dataset_facet", "event_invalid_job_facet"),
        *("event_invalid_output_dataset_facet", "event_invalid_run_facet", "event_no_run_id"),
    ],
)
def test_the_judge_refuses_the_negative_examples_of_openlineage(name: str) -> None:
    assert problems(json.loads((official() / "negative-examples" / f"{name}.json").read_text())) != []


def test_the_judge_accepts_the_full_example_of_openlineage() -> None:
    event = json.loads((official() / "tests/example_full_event.json").read_text())
    assert [one for one in problems(event) if "no schema knows it" not in one] == []
