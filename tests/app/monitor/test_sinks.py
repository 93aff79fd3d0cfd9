"""Who is told of a run: what the environment configures, and what becomes of those that do not answer."""

from __future__ import annotations

import gzip
import json
import sys
import time
from pathlib import Path

import pytest
from support.answering import Asked, black_hole, receiver
from support.job_desk import Project
from support.monitored import HOUR, settings

from floe_contracts.app.monitor.sinks import load_sinks
from floe_contracts.cli.main import main

PUSHGATEWAY = {"FLOE_PUSHGATEWAY_URL": "http://127.0.0.1:9"}
LINEAGE = {"OPENLINEAGE_URL": "http://127.0.0.1:9"}
TELEMETRY = {"OTEL_EXPORTER_OTLP_ENDPOINT": "http://127.0.0.1:9"}
WEBHOOK = {"FLOE_WEBHOOK_URL": "http://127.0.0.1:9/hook"}


@pytest.fixture
def shop(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Project:
    """Orders that are late."""
    monkeypatch.chdir(tmp_path)
    for name in ("http_proxy", "https_proxy", "all_proxy"):
        monkeypatch.delenv(name, raising=False)
        monkeypatch.delenv(name.upper(), raising=False)
    project = Project(tmp_path)
    project.contract()
    project.table("orders", 9 * HOUR)
    return project


@pytest.mark.parametrize(
    ("environ", "off", "sinks", "mirrors"),
    [
        pytest.param({}, {}, 0, 0, id="nobody"),
        pytest.param(PUSHGATEWAY, {}, 0, 1, id="Pushgateway"),
        pytest.param(LINEAGE, {}, 1, 0, id="OpenLineage"),
        pytest.param(TELEMETRY, {}, 1, 1, id="OpenTelemetry"),
        pytest.param(WEBHOOK, {}, 1, 0, id="webhook"),
        pytest.param(PUSHGATEWAY | LINEAGE | TELEMETRY | WEBHOOK, {}, 3, 2, id="everybody"),
        pytest.param(PUSHGATEWAY, {"observability": {"metrics": False}}, 0, 0, id="no metrics"),
        pytest.param(LINEAGE, {"observability": {"lineage": False}}, 0, 0, id="no lineage"),
        pytest.param(TELEMETRY, {"observability": {"traces": False}}, 0, 1, id="no traces"),
        pytest.param(LINEAGE | {"OPENLINEAGE_DISABLED": "true"}, {}, 0, 0, id="lineage switched off"),
    ],
)
def test_outlets(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    environ: dict[str, str],
    off: dict[str, dict[str, bool]],
    sinks: int,
    mirrors: int,
) -> None:
    monkeypatch.chdir(tmp_path)
    found = load_sinks(settings(**off), environ)
    assert (len(found.sinks), len(found.mirrors)) == (sinks, mirrors)


def without_telemetry(monkeypatch: pytest.MonkeyPatch) -> None:
    """As where the extra otel is not installed."""
    for name in [one for one in sys.modules if one.startswith("floe_contracts.adapters.sinks.otel")]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "opentelemetry", None)
    for name in [one for one in sys.modules if one.startswith("opentelemetry.")]:
        monkeypatch.setitem(sys.modules, name, None)


def test_a_package_is_missed_only_by_who_is_wanted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    without_telemetry(monkeypatch)
    assert load_sinks(settings(), {}).notes == ()
    found = load_sinks(settings(), PUSHGATEWAY | TELEMETRY)
    assert (len(found.sinks), len(found.mirrors)) == (0, 1)
    (note,) = found.notes
    assert note.startswith("Sending telemetry was left out: its packages are not installed here.")
    assert "pip install 'floe-contracts[otel]'" in note


def test_pushing_metrics_misses_its_package_before_anything_is_measured(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "prometheus_client", None)
    assert load_sinks(settings(), {}).notes == ()
    (note,) = load_sinks(settings(), PUSHGATEWAY).notes
    assert note.startswith("Pushing metrics was left out: its packages are not installed here.")


@pytest.mark.parametrize(
    ("environ", "note"),
    [
        pytest.param(
            {"FLOE_PUSHGATEWAY_URL": "https://u:hunter2@gw:9", "FLOE_PUSHGATEWAY_CA_FILE": "/nowhere.pem"},
            "Pushing metrics was left out: a file of FLOE_PUSHGATEWAY_CA_FILE cannot be used: No such file or"
            " directory. Name PEM files that this user may read.",
            id="a certificate that is not there",
        ),
        pytest.param(
            {"FLOE_WEBHOOK_URL": "hunter2"},
            "Calling a webhook was left out: FLOE_WEBHOOK_URL is not an address of a server."
            " Write one such as https://gateway.example:9091.",
            id="no address",
        ),
        pytest.param(
            {"OTEL_EXPORTER_OTLP_ENDPOINT": "http://hunter2", "OTEL_EXPORTER_OTLP_PROTOCOL": "morse"},
            "Sending telemetry was left out: OTEL_EXPORTER_OTLP_PROTOCOL is neither grpc nor http/protobuf."
            " Write one of the two.",
            id="an unknown protocol",
        ),
        pytest.param(
            {"OPENLINEAGE__TRANSPORT__TYPE": "hunter2.Pigeon"},
            "Sending lineage was left out: the transport hunter2.Pigeon of OpenLineage",
            id="an unknown transport",
        ),
    ],
)
def test_who_cannot_be_set_up_is_a_note_of_the_report(shop: Project, environ: dict[str, str], note: str) -> None:
    shop.environ = environ
    ran = shop.run("freshness", form="json")
    report = json.loads(ran.out)
    assert (ran.code, report["counts"]["violated"]) == (0, 1)
    assert report["notes"][0].startswith(note)
    assert "hunter2" not in report["notes"][0].replace(note, "")


def test_the_others_are_told_all_the_same(shop: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    without_telemetry(monkeypatch)
    with receiver() as lineage:
        shop.environ = {"OPENLINEAGE_URL": lineage.url, **TELEMETRY}
        assert len(shop.report("freshness")["notes"]) == 1
    assert len(lineage.asked) == 2


def test_flush_says_who_cannot_be_set_up(
    shop: Project, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    shop.run("freshness")
    monkeypatch.setenv("FLOE_WEBHOOK_URL", "hunter2")
    assert main(["monitor", "flush"]) == 2
    assert capsys.readouterr().out.startswith("Calling a webhook was left out: FLOE_WEBHOOK_URL is not an address")


def test_who_does_not_answer_costs_seconds_and_no_verdict(shop: Project, capsys: pytest.CaptureFixture[str]) -> None:
    with black_hole() as nowhere:
        shop.environ = {"FLOE_PUSHGATEWAY_URL": nowhere, "OPENLINEAGE_URL": nowhere}
        started = time.monotonic()
        ran = shop.run("freshness", form="json")
        assert time.monotonic() - started < 10
    report = json.loads(ran.out)
    assert (ran.code, report["counts"]["violated"]) == (0, 1)
    behind = [note for note in report["notes"] if "openlineage" in note]
    assert behind
    assert "2 messages wait" in behind[0]
    assert any(note.startswith("pushgateway") and "The next run tries again." in note for note in report["notes"])
    assert main(["monitor", "status"]) == 0
    assert "backlog of openlineage" in capsys.readouterr().out


def test_the_next_run_delivers_what_waits_in_order(shop: Project) -> None:
    with receiver() as lineage:
        lineage.mute = True
        shop.environ = {"OPENLINEAGE_URL": lineage.url}
        assert "2 messages wait" in shop.report("freshness")["notes"][0]
        lineage.mute = False
        shop.now_us += HOUR
        assert shop.report("freshness")["notes"] == []
    told = [json.loads(_plain(one)) for one in lineage.asked]
    assert [one["eventType"] for one in told] == ["START", "FAIL", "START", "FAIL"]
    assert len({one["run"]["runId"] for one in told}) == 2


def test_a_finished_slot_delivers_what_waits(shop: Project) -> None:
    with receiver() as lineage:
        lineage.will(503)
        shop.environ = {"OPENLINEAGE_URL": lineage.url}
        shop.run("freshness")
        lineage.will(200)
        report = shop.report("freshness")
    assert (report["results"][0]["context"]["repeated"], report["notes"]) == ("true", [])


def test_messages_for_somebody_who_is_gone_are_said(shop: Project) -> None:
    with receiver() as lineage:
        lineage.will(503)
        shop.environ = {"OPENLINEAGE_URL": lineage.url}
        shop.run("freshness")
    shop.environ = {}
    assert "Nothing here is configured to reach it" in shop.report("freshness")["notes"][0]


def test_flush_says_what_it_could_not_deliver(
    shop: Project, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    with receiver() as lineage:
        lineage.will(503)
        shop.environ = {"OPENLINEAGE_URL": lineage.url}
        shop.run("freshness")
        monkeypatch.setenv("OPENLINEAGE_URL", lineage.url)
        assert main(["monitor", "flush", "--limit", "3s"]) == 2
        assert "2 messages wait" in capsys.readouterr().out
        lineage.will(200)
        assert main(["monitor", "flush"]) == 0
        assert capsys.readouterr().out.endswith(": 2 delivered\n")


def test_flush_revives_what_was_refused(
    shop: Project, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    with receiver() as lineage:
        lineage.will(422)
        shop.environ = {"OPENLINEAGE_URL": lineage.url}
        assert "2 were refused" in shop.report("freshness")["notes"][0]
        lineage.will(200)
        monkeypatch.setenv("OPENLINEAGE_URL", lineage.url)
        assert main(["monitor", "flush"]) == 2
        assert main(["monitor", "flush", "--revive", "--format", "json"]) == 0
    _, _, told = capsys.readouterr().out.partition("\n{")
    assert json.loads("{" + told)["revived"] == 2


def _plain(one: Asked) -> bytes:
    return gzip.decompress(one.body) if one.headers.get("content-encoding") == "gzip" else one.body
