"""From bytes to a contract: what is fit to be published, what only to be compared with, and what neither."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.contracts import COMPOSE, DANGLING, FIELDS, MISSPELT, ORDERS
from support.orders import BROKEN, UNFIT, orders

from floe_contracts.contract.load import load
from floe_contracts.contract.model import Dialect


@pytest.mark.parametrize(
    ("text", "dialect", "spelling", "fit", "unfit"),
    [
        pytest.param(ORDERS, Dialect.ODCS, "odcs v3.1.0", True, False, id="odcs"),
        pytest.param(orders(), Dialect.FLOE, "floe", True, False, id="floe"),
        pytest.param(FIELDS, Dialect.FIELDS, "fields", True, False, id="fields"),
        pytest.param(DANGLING, Dialect.ODCS, "odcs v3.1.0", True, False, id="a warning leaves it fit"),
        pytest.param(orders(more=UNFIT), Dialect.FLOE, "floe", False, True, id="lint errors leave it comparable"),
        pytest.param(MISSPELT, Dialect.ODCS, "odcs", False, False, id="structural errors do not"),
        pytest.param(BROKEN, None, "unknown", False, False, id="no YAML"),
        pytest.param(COMPOSE, None, "unknown", False, False, id="no contract"),
        pytest.param("", None, "unknown", False, False, id="empty"),
        pytest.param("- a\n", None, "unknown", False, False, id="a list"),
    ],
)
def test_what_a_file_is_fit_for(text: str, dialect: Dialect | None, spelling: str, fit: bool, unfit: bool) -> None:
    found = load(text.encode(), "a.yaml")
    assert (found.dialect, found.spelling) == (dialect, spelling)
    assert (found.contract is not None, found.unfit is not None) == (fit, unfit)
    assert fit or found.findings
    assert all(item.location and item.location.path == "a.yaml" for item in found.findings)


def test_what_is_no_contract_is_told_by_name() -> None:
    (found,) = load(COMPOSE.encode(), "a.yaml").findings
    assert (found.code.id, found.rule) == ("FLOE-E501", "not-a-contract")
    assert "Docker Compose" in found.message
    assert found.expected
    assert found.suggestions


ONE_CAUSE = {
    "a version that is a number": (FIELDS.replace("2.0.0", "2.1"), ["version-format"]),
    "a service level that is not a number": (FIELDS + "sla: {freshness_minutes: lots}\n", ["wrong-type"]),
    "columns that could not be read": (DANGLING.replace("    properties:", "    columns:"), ["unknown-key"]),
    "an anchored mistake": (
        "name: x\nversion: 1.0.0\nmodels: {t: {elements: {a: &a {type: string, requird: true}, b: *a}}}\n",
        ["unknown-key"],
    ),
}


@pytest.mark.parametrize(("text", "rules"), ONE_CAUSE.values(), ids=ONE_CAUSE)
def test_one_cause_is_told_once(text: str, rules: list[str]) -> None:
    assert [item.rule for item in load(text.encode(), "a.yaml").findings] == rules


def test_a_place_in_the_file() -> None:
    item = load(ORDERS.encode(), "a.yaml")
    assert str(item.place(("schema", 0, "properties", 1))) == "a.yaml:15:9"
    assert str(item.place(("schema", 0, "properties", 1), key=True)) == "a.yaml:15:9"
    assert str(item.place(("version",), key=True)) == "a.yaml:5:1"
    assert str(item.place(("version",))) == "a.yaml:5:10"
    assert str(item.place(("nowhere",))) == "a.yaml:1:1"


@given(st.binary(max_size=200) | st.text(max_size=200).map(lambda text: f"kind: DataContract\n{text}".encode()))
def test_nothing_raises(data: bytes) -> None:
    found = load(data, "a.yaml")
    assert found.contract is not None or found.findings
