"""Mistakes in a port's promises: found at the port's own keys, whichever way its columns are written."""

from __future__ import annotations

from typing import Any

import pytest

from floe_contracts.contract.port_structure import port_mistakes

SOUND = [
    pytest.param({"schema": [{"name": "id", "type": "string", "required": True}]}, id="a list"),
    pytest.param({"columns": {"id": {"type": "string"}}}, id="a map"),
    pytest.param({"schema": [{"name": "id"}]}, id="no type: dbt may say it"),
    pytest.param(
        {"schema": [{"name": "a", "type": "object", "properties": [{"name": "b", "type": "int"}]}]}, id="nested"
    ),
    pytest.param({"schema": [{"name": "a", "type": "array", "items": {"type": "string"}}]}, id="items"),
    pytest.param({"sla": {"freshness": {"value": "PT6H", "element": "at"}, "availability": "99.9%"}}, id="levels"),
    pytest.param({"slaProperties": [{"property": "freshness", "value": 6, "unit": "h"}]}, id="levels in a list"),
    pytest.param({"server": {"server": "here", "type": "local", "path": "x", "format": "csv"}}, id="a server"),
    pytest.param({}, id="nothing"),
]


@pytest.mark.parametrize("port", SOUND)
def test_a_sound_port_has_no_mistakes(port: dict[str, Any]) -> None:
    assert list(port_mistakes(port)) == []


WRONG: list[Any] = [
    pytest.param({"schema": [{"name": "id", "typ": "string"}]}, ("schema", 0, "typ"), id="a key in a list"),
    pytest.param({"columns": {"id": {"typ": "string"}}}, ("columns", "id", "typ"), id="a key in a map"),
    pytest.param({"schema": [{"name": "id", "required": "yes"}]}, ("schema", 0, "required"), id="a value"),
    pytest.param(
        {"schema": [{"name": "a", "type": "object", "properties": [{"name": "b", "tpe": "int"}]}]},
        ("schema", 0, "properties", 0, "tpe"),
        id="a nested key",
    ),
    pytest.param(
        {"schema": [{"name": "a", "type": "array", "items": {"typ": "x"}}]}, ("schema", 0, "items", "typ"), id="items"
    ),
    pytest.param({"schema": [{"name": "a"}, {"name": "a", "typ": "x"}]}, ("schema", 1, "typ"), id="a second of a name"),
    pytest.param({"schema": [{"type": "string"}]}, ("schema", 0), id="a column without a name"),
    pytest.param({"schema": ["id"]}, ("schema", 0), id="a column that is a word"),
    pytest.param({"sla": {"freshness": {"valu": "PT6H"}}}, ("sla", "freshness", "valu"), id="a key of a level"),
    pytest.param(
        {"slaProperties": [{"property": "freshness", "valu": 1}]},
        ("slaProperties", 0, "valu"),
        id="in a list of levels",
    ),
    pytest.param({"schema": [], "quality": [{"typ": "sql"}]}, ("quality", 0, "typ"), id="a key of a rule"),
    pytest.param(
        {"server": {"server": "here", "type": "local", "path": "x", "format": "csv", "pth": 1}},
        ("server", "pth"),
        id="a key of a server",
    ),
]


@pytest.mark.parametrize(("port", "pointer"), WRONG)
def test_a_mistake_is_told_where_the_port_has_it(port: dict[str, Any], pointer: tuple[int | str, ...]) -> None:
    (mistake,) = port_mistakes(port)
    assert (mistake.code.id, mistake.pointer) == ("FLOE-E501", pointer)
    assert "dialect" not in mistake.message
