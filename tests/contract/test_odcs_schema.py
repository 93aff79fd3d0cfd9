"""The structural schemas made from our table against the official ones in the installed datacontract-cli."""

from __future__ import annotations

import json
import subprocess
import sys
from copy import deepcopy
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import jsonschema
import jsonschema_rs
import pytest
from support.damage import FIXTURES, fixture
from support.damage import damaged as damaged_documents

from floe_contracts.codes import Severity
from floe_contracts.contract.model import Dialect
from floe_contracts.contract.structure import structural_findings
from floe_contracts.contract.structure.odcs_schema import SUPPORTED, newer, schema, strict_validator, validator

VERSIONS = ("v3.0.2", "v3.1.0", "v3.2.0")
BASES = {
    "v3.0.2": ["full-3.0.2", "clicks-3.0.1"],
    "v3.1.0": ["full-3.1.0", "orders-3.1.0"],
    "v3.2.0": ["full-3.2.0", "sensors-3.2.0"],
}
ODCS_FIXTURES = sorted(path.name for path in (FIXTURES / "odcs").glob("*.yaml"))
DOCUMENTATION = {"$comment", "default", "deprecated", "description", "examples", "title"}

# Documents on which python's jsonschema and a validator with ECMA regular expressions differ. None are made by the
# mutations: only a trailing line break after an otherwise good id or reference is such a document, because `$` of
# python's re also matches before it.
KNOWN_DIFFERENCES: dict[str, dict[str, Any]] = {
    "an id that ends with a line break": {"id": "orders\n", "property": "x", "value": 1},
}


@cache
def official_schema(version: str) -> Any:
    spec = find_spec("datacontract")
    assert spec is not None
    assert spec.origin is not None
    path = Path(spec.origin).parent / "schemas" / f"odcs-{version.removeprefix('v')}.schema.json"
    return json.loads(path.read_text(encoding="utf-8"))


@cache
def official(version: str) -> Any:
    return jsonschema_rs.validator_for(official_schema(version))


@cache
def damaged(version: str, seed: int, count: int) -> list[dict[str, Any]]:
    bases = [fixture(f"odcs/{name}.odcs.yaml") for name in BASES[version]]
    donors = [fixture(f"odcs/full-{other.removeprefix('v')}.odcs.yaml") for other in VERSIONS]
    return list(damaged_documents(seed, count, bases, donors))


def without_documentation(node: Any, *, names: bool = False) -> Any:
    if isinstance(node, dict):
        return {
            key: without_documentation(value, names=not names and key in ("properties", "$defs"))
            for key, value in node.items()
            if names or key not in DOCUMENTATION
        }
    return [without_documentation(value) for value in node] if isinstance(node, list) else node


@pytest.mark.parametrize("version", VERSIONS)
def test_the_schema_equals_the_official_one_but_for_its_documentation(version: str) -> None:
    assert without_documentation(schema(version)) == without_documentation(official_schema(version))


@pytest.mark.parametrize("version", ["v3.0.0", "v3.0.1"])
def test_all_of_3_0_shares_one_schema_but_for_athena(version: str) -> None:
    older, newest = deepcopy(schema(version)), deepcopy(schema("v3.0.2"))
    places = [node["$defs"].pop("ServerSource") for node in (older, newest)]
    assert older == newest
    assert [name for name in places[0] if places[0][name] != places[1][name]] == ["AthenaServer"]


@pytest.mark.parametrize("version", ["v2.2.2", "v3.3.0", "3.1.0", ""])
def test_a_version_that_is_not_supported_is_a_key_error(version: str) -> None:
    with pytest.raises(KeyError):
        validator(version)


@pytest.mark.parametrize(
    ("version", "later"),
    [("v3.0.0", ("v3.1.0", "v3.2.0")), ("v3.1.0", ("v3.2.0",)), ("v3.2.0", ())],
)
def test_newer_versions_come_oldest_first(version: str, later: tuple[str, ...]) -> None:
    assert newer(version) == later


@pytest.mark.parametrize("name", ODCS_FIXTURES)
def test_every_example_is_accepted_officially_and_by_us(name: str) -> None:
    document = fixture(f"odcs/{name}")
    version = document["apiVersion"]
    assert official("v3.0.2" if version < "v3.1" else version).is_valid(document)
    assert validator(version).is_valid(document)
    assert structural_findings(Dialect.ODCS, document) == ()


def test_the_examples_cover_every_supported_version() -> None:
    assert {fixture(f"odcs/{name}")["apiVersion"] for name in ODCS_FIXTURES} == set(SUPPORTED)


@pytest.mark.parametrize("version", VERSIONS)
def test_the_full_example_uses_every_key_of_its_version(version: str) -> None:
    words = set(_keys(fixture(f"odcs/full-{version.removeprefix('v')}.odcs.yaml")))
    defined = schema(version)["$defs"]
    known = {key for name, node in defined.items() if name != "ServerSource" for key in node.get("properties", ())}
    known |= set(schema(version)["properties"])
    assert known - words <= {"rule"}  # allowed beside metric in 3.1 and later, and read by nothing


@pytest.mark.parametrize("version", VERSIONS)
def test_on_2000_damaged_documents_our_verdict_is_the_official_one(version: str) -> None:
    theirs, ours = official(version), validator(version)
    verdicts = [(theirs.is_valid(one), ours.is_valid(one)) for one in damaged(version, 7, 2000)]
    assert [at for at, (expected, actual) in enumerate(verdicts) if expected != actual] == []
    assert 200 < sum(expected for expected, _ in verdicts) < 1800  # both verdicts occur often


@pytest.mark.parametrize("version", VERSIONS)
def test_what_the_strict_validator_accepts_is_officially_valid(version: str) -> None:
    accepted = [one for one in damaged(version, 7, 2000) if strict_validator(version).is_valid(one)]
    assert len(accepted) > 200
    assert [one for one in accepted if not official(version).is_valid(one)] == []


@pytest.mark.parametrize("version", VERSIONS)
def test_findings_agree_with_the_official_verdict(version: str) -> None:
    """Errors whenever the standard refuses; where it accepts, at most unknown keys in places it leaves open."""
    documents = [{**one, "apiVersion": version} for one in damaged(version, 11, 400)]
    for one in documents:
        found = structural_findings(Dialect.ODCS, one)
        if official(version).is_valid(one):
            assert {error.rule for error in found} <= {"unknown-key"}
        else:
            assert any(error.severity is Severity.ERROR for error in found)
        assert all(error.message and "\n" not in error.message and len(error.message) < 500 for error in found)


@pytest.mark.parametrize("version", VERSIONS)
def test_the_rust_validator_agrees_with_python_jsonschema(version: str) -> None:
    reference = jsonschema.Draft201909Validator(official_schema(version))
    small = fixture(f"odcs/{BASES[version][1]}.odcs.yaml")
    documents = list(damaged_documents(3, 60, [small], [fixture(f"odcs/full-{version.removeprefix('v')}.odcs.yaml")]))
    assert [one for one in documents if reference.is_valid(one) != official(version).is_valid(one)] == []


def test_formats_are_annotations_as_in_the_official_verdict() -> None:
    document = {**fixture("odcs/orders-3.1.0.odcs.yaml"), "contractCreatedTs": "yesterday"}
    assert jsonschema.Draft201909Validator(official_schema("v3.1.0")).is_valid(document)
    assert validator("v3.1.0").is_valid(document)


@pytest.mark.parametrize("node", KNOWN_DIFFERENCES.values(), ids=KNOWN_DIFFERENCES)
def test_a_known_difference_to_python_jsonschema_is_still_there(node: dict[str, Any]) -> None:
    document = {**fixture("odcs/orders-3.1.0.odcs.yaml"), "customProperties": [node]}
    assert jsonschema.Draft201909Validator(official_schema("v3.1.0")).is_valid(document)
    assert not official("v3.1.0").is_valid(document)
    assert not validator("v3.1.0").is_valid(document)


def test_validating_imports_neither_the_package_that_ships_the_schema_nor_pydantic() -> None:
    code = (
        "import sys; from floe_contracts.contract.structure.odcs_schema import validator; validator('v3.0.2');"
        "print([name for name in ('open_data_contract_standard', 'pydantic', 'jsonschema') if name in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, env=_with_source())
    assert done.stdout.strip() == "[]"


def _with_source() -> dict[str, str]:
    return {"PYTHONPATH": str(Path(__file__).parents[2] / "src")}


def _keys(value: Any) -> list[str]:
    if isinstance(value, dict):
        return [*value, *(key for child in value.values() for key in _keys(child))]
    return [key for child in value for key in _keys(child)] if isinstance(value, list) else []
