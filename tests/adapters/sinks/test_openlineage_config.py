"""Where lineage goes: the same places as OpenLineage's own client would find, and no console by accident."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from floe_contracts.adapters.sinks.openlineage import from_environment
from floe_contracts.adapters.sinks.openlineage_config import lineage_config
from floe_contracts.errors import SettingsError
from floe_contracts.monitor.settings.model import MonitoringConfig

URL = {"OPENLINEAGE_URL": "http://lineage.example:5000"}


@pytest.mark.parametrize(
    ("environ", "transports"),
    [
        pytest.param({}, [], id="nothing is said"),
        pytest.param({"OPENLINEAGE_NAMESPACE": "shop"}, [], id="a namespace is not a receiver"),
        pytest.param(URL, [{"type": "http", "url": "http://lineage.example:5000"}], id="an address"),
        pytest.param(
            {**URL, "OPENLINEAGE_ENDPOINT": "v2", "OPENLINEAGE_API_KEY": "k"},
            [
                {
                    "type": "http",
                    "url": "http://lineage.example:5000",
                    "endpoint": "v2",
                    "auth": {"type": "api_key", "apiKey": "k"},
                }
            ],
            id="an address with a path and a key",
        ),
        pytest.param({**URL, "OPENLINEAGE_DISABLED": "True"}, [], id="switched off"),
        pytest.param(
            {"OPENLINEAGE__TRANSPORT__TYPE": "file", "OPENLINEAGE__TRANSPORT__LOG_FILE_PATH": "e", **URL},
            [{"type": "file", "log_file_path": "e"}],
            id="variables beat the address",
        ),
        pytest.param(
            {"OPENLINEAGE__TRANSPORT": json.dumps({"type": "console"}), "OPENLINEAGE__TRANSPORT__TYPE": "file"},
            [{"type": "console"}],
            id="the shorter variable wins",
        ),
        pytest.param({"OPENLINEAGE__TRANSPORT__TYPE": "noop"}, [], id="a receiver that is none"),
        pytest.param(
            {"OPENLINEAGE__TRANSPORT__TYPE": "async_http", **URL},
            [{"type": "http", "url": "http://lineage.example:5000"}],
            id="what keeps events in memory becomes plain",
        ),
        pytest.param(
            {
                "OPENLINEAGE__TRANSPORT__TYPE": "composite",
                "OPENLINEAGE__TRANSPORT__TRANSPORTS__A__TYPE": "console",
                **URL,
            },
            [
                {"name": "default_http", "type": "http", "url": "http://lineage.example:5000"},
                {"name": "a", "type": "console"},
            ],
            id="each of several is one of its own, the address among them",
        ),
    ],
)
def test_transports(environ: dict[str, str], transports: list[dict[str, Any]], tmp_path: Path) -> None:
    assert list(lineage_config(environ, tmp_path).transports) == transports


def test_a_composite_that_stops_at_its_first_success_stays_whole(tmp_path: Path) -> None:
    said = {"type": "composite", "continue_on_success": False, "transports": [{"type": "console"}]}
    found = lineage_config({"OPENLINEAGE__TRANSPORT": json.dumps(said)}, tmp_path)
    assert list(found.transports) == [said]


@pytest.mark.parametrize("place", ["job/openlineage.yml", "home/.openlineage/openlineage.yml", "elsewhere.yml"])
def test_a_file_beats_the_address(place: str, tmp_path: Path) -> None:
    path = tmp_path / place
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("transport: {type: file, log_file_path: from-file}\nfilters: [{type: exact, match: a.b}]\n")
    (tmp_path / "job").mkdir(exist_ok=True)
    named = {"OPENLINEAGE_CONFIG": str(path)} if place == "elsewhere.yml" else {}
    found = lineage_config({**URL, "HOME": str(tmp_path / "home"), **named}, tmp_path / "job")
    assert list(found.transports) == [{"type": "file", "log_file_path": "from-file"}]
    assert [bool(pattern.match(name)) for pattern in found.hidden for name in ("a.b", "a.bc", "axb")] == [
        True,
        False,
        False,
    ]


@pytest.mark.parametrize(
    "text", [pytest.param(None, id="missing"), pytest.param("{", id="no YAML"), pytest.param("\0", id="no text")]
)
def test_a_named_file_that_cannot_be_read_is_an_error(text: str | None, tmp_path: Path) -> None:
    if text is not None:
        (tmp_path / "c.yml").write_text(text)
    with pytest.raises(SettingsError, match=r"c\.yml cannot be read"):
        lineage_config({"OPENLINEAGE_CONFIG": "c.yml"}, tmp_path)


@pytest.mark.parametrize(
    "blocks",
    [
        pytest.param({"data_contracts": {"alerting": {"openlineage_events": False}}}, id="by alerting"),
        pytest.param({"observability": {"lineage": False}}, id="by observability"),
    ],
)
def test_settings_switch_lineage_off(blocks: dict[str, Any]) -> None:
    assert from_environment(MonitoringConfig.model_validate(blocks), URL) is None


@pytest.mark.parametrize(
    ("said", "problem"),
    [
        pytest.param({"type": "http"}, r"transport http .*\(RuntimeError\)", id="no address"),
        pytest.param({"type": "http", "url": "ftp://x"}, "not an address of a server", id="another kind of address"),
        pytest.param({"type": "nobody.knows.This"}, "nobody", id="an unknown class"),
        pytest.param({"type": "composite", "transports": [{"url": "x"}]}, "has no type", id="a child without a type"),
    ],
)
def test_settings_that_cannot_be_used_are_said_at_once(said: dict[str, Any], problem: str) -> None:
    secret = {**said, "auth": {"type": "api_key", "apiKey": "hunter2"}}
    with pytest.raises(SettingsError, match=problem) as caught:
        from_environment(MonitoringConfig(), {"OPENLINEAGE__TRANSPORT": json.dumps(secret)})
    assert "hunter2" not in f"{caught.value.message} {caught.value.fix}"


@pytest.mark.parametrize(
    ("said", "name"),
    [
        pytest.param({"type": "http", "url": "http://me:hunter2@h:1"}, "openlineage h:1", id="by host"),
        pytest.param({"type": "http", "url": "https://h?k=1"}, "openlineage h:443", id="no query"),
        pytest.param({"type": "console"}, "openlineage console", id="a console"),
        pytest.param({"type": "file", "log_file_path": "/var/e"}, "openlineage file /var/e", id="a file"),
    ],
)
def test_names_are_those_of_addresses_without_credentials(said: dict[str, Any], name: str) -> None:
    found = from_environment(MonitoringConfig(), {"OPENLINEAGE__TRANSPORT": json.dumps(said)})
    assert found is not None
    assert [one.name for one in found] == [name]
    assert "hunter2" not in repr(found)


def test_another_path_at_one_host_has_another_name() -> None:
    names = []
    for endpoint in ("a", "b"):
        found = from_environment(MonitoringConfig(), {**URL, "OPENLINEAGE_ENDPOINT": endpoint})
        assert found is not None
        names.append(found[0].name)
    assert len(set(names)) == 2
