"""Older versions of the standard, also in odd shapes, become 3.2.0 without loss."""

from __future__ import annotations

from typing import Any

import pytest
import yaml
from support.damage import damaged, fixture
from support.reading import READERS, read_text
from support.standard import official, refusals

from floe_contracts.contract.convert import convert
from floe_contracts.contract.model import Contract, Dialect

HEAD = {"apiVersion": "v3.0.2", "kind": "DataContract", "id": "old", "version": "1.0.0", "status": "active"}


def survives(contract: Contract) -> None:
    converted = convert(contract, Dialect.ODCS)
    assert converted.lost == ()
    assert refusals(converted.text) == []
    assert read_text(converted.text, Dialect.ODCS) == contract


def column(**more: Any) -> dict[str, Any]:
    return {"schema": [{"name": "t", "properties": [{"name": "c", **more}]}]}


def rule(**more: Any) -> dict[str, Any]:
    return column(logicalType="string", quality=[more])


OLD = {
    "a bound made exclusive by a truth value": column(
        logicalType="number", logicalTypeOptions={"maximum": 9, "exclusiveMaximum": True}
    ),
    "a library rule by a name of its own": rule(type="library", rule="nullCheck"),
    "a library rule with two operators": rule(rule="rowCount", mustBeGreaterThan=1, mustBeLessThan=9),
    "a library rule that 3.2 still has": rule(rule="rowCount", mustBeGreaterThan=1),
    "an SQL rule without operator": rule(type="sql", query="select 1"),
    "a custom rule with an operator": rule(type="custom", engine="soda", implementation="x", mustBe=1),
    "a rule with keys of its own": rule(type="text", validValues=["a"]),
    "a team member without user name": {"team": [{"name": "Ann"}]},
    "a custom property without value": {"customProperties": [{"property": "x"}]},
    "a custom property with more keys": {"customProperties": [{"property": "x", "value": 1, "since": "2020"}]},
    "a link with more keys": {"authoritativeDefinitions": [{"url": "u", "type": "t", "lang": "en"}]},
    "a server with coordinates of its own": {
        "servers": [{"server": "s", "type": "s3", "location": "l", "bucket": "b"}]
    },
    "a server whose schema was a number": {
        "servers": [{"server": "s", "type": "duckdb", "database": "d", "schema": 1}]
    },
    "a service level with more keys": {"slaProperties": [{"property": "latency", "value": 4, "mood": "good"}]},
    "a role with more keys": {"roles": [{"role": "r", "mood": "good"}]},
    "a support channel with more keys": {"support": [{"channel": "c", "url": "u", "mood": "good"}]},
    "a price with more keys": {"price": {"priceAmount": 1, "mood": "good"}},
}


@pytest.mark.parametrize("part", OLD.values(), ids=OLD)
def test_what_only_3_0_allowed_is_carried_into_3_2(part: dict[str, Any]) -> None:
    text = yaml.safe_dump({**HEAD, **part})
    assert refusals(text, "3.0.2") == []
    survives(read_text(text, Dialect.ODCS))


VERSIONS = {
    "3.0.2": ("odcs/full-3.0.2.odcs.yaml", "odcs/clicks-3.0.1.odcs.yaml"),
    "3.1.0": ("odcs/full-3.1.0.odcs.yaml", "odcs/orders-3.1.0.odcs.yaml"),
    "3.2.0": ("odcs/full-3.2.0.odcs.yaml", "odcs/sensors-3.2.0.odcs.yaml"),
}


@pytest.mark.parametrize("version", VERSIONS)
def test_damaged_contracts_that_are_still_valid_become_3_2(version: str) -> None:
    donors = [fixture(name) for names in VERSIONS.values() for name in names]
    bases = [fixture(name) for name in VERSIONS[version]]
    valid = [one for one in damaged(3, 400, bases, donors) if official(version).is_valid(one)]
    assert len(valid) > 40
    for document in valid:
        survives(READERS[Dialect.ODCS](document))
