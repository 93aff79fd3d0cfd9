"""A run with `--artifacts` finds, counts and sends what a run from files does."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from support.answering import receiver
from support.spark_jobs import shop

from floe_contracts.cli.main import main

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

TARGET = "target/floe/compiled.json"
PRODUCT = """\
apiVersion: floe.dev/v1
kind: DataProduct
metadata: {name: shop, version: 1.0.0, owner: shop@example.com}
platform: manifest.yaml
"""
MANIFEST = """\
apiVersion: floe.dev/v1
kind: Manifest
metadata: {name: acme, version: 1.2.3}
scope: enterprise
data_contracts: {enforcement: block, monitoring: {quality: {check_interval: 2h}}, sql_trust: restricted}
"""
# What the artifact says by itself, for the run from files.
SETTINGS = """\
data_contracts: {enforcement: block, monitoring: {quality: {check_interval: 2h}}}
observability: {mode: centralized, product: {name: shop, version: 1.0.0}, enterprise: acme}
"""
_TIMED = re.compile(
    r"^(floe_contract_\w*(?:timestamp_seconds|freshness_\w+|duration_seconds\w*)(?:\{.*\})?) .*$",
    re.MULTILINE,
)
# How much waits for a receiver when a push is made depends on how fast the receivers answer.
_WAITING = re.compile(r"^.*\bfloe_contract_outbox_(?:pending|oldest_timestamp_seconds)\b.*\n", re.MULTILINE)
_MOMENT = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d[.\d]*(Z|\+00:00)?|\b\d+ (hours?|minutes?|seconds?)\b")
_RUN = re.compile(r"\b[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}\b")  # holds the moment
_LENGTH = re.compile(r"\b\d+\.\d{3,}\b")
_AGE = re.compile(r"\bPT8H\w*|\b2[89]\d{3}\b")  # eight hours and what the run took


@pytest.fixture(scope="module")
def place(spark: SparkSession, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = shop(tmp_path_factory.mktemp("artifact") / "shop", spark)
    (folder / "contracts/bomb.yaml").unlink()  # what cannot be read does not compile
    (folder / "floe.yaml").write_text(PRODUCT)
    (folder / "manifest.yaml").write_text(MANIFEST)
    (folder / "settings.yaml").write_text(SETTINGS)
    assert main(["compile", str(folder)]) == 0
    return folder


def run(
    place: Path, kept: Path, options: list[str], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> tuple[int, list[dict[str, Any]], dict[str, str], list[dict[str, Any]]]:
    """Exit code, results, pushed metrics by group, and lineage events, each without moments and lengths of time."""
    monkeypatch.chdir(place)
    kept.mkdir()
    events = kept / "events.jsonl"
    monkeypatch.setenv("OPENLINEAGE__TRANSPORT__TYPE", "file")
    monkeypatch.setenv("OPENLINEAGE__TRANSPORT__LOG_FILE_PATH", str(events))
    monkeypatch.setenv("OPENLINEAGE__TRANSPORT__APPEND", "true")
    words = ["--store", f"sqlite:///{kept}/kept.db", "--run-id", "nightly/1", "--format", "json"]
    with receiver() as gateway:
        monkeypatch.setenv("FLOE_PUSHGATEWAY_URL", gateway.url)
        code = main(["monitor", "run", "post_run", *options, *words])
        pushed = {push.path: _TIMED.sub(r"\1", _WAITING.sub("", push.body.decode())) for push in gateway.asked}
    report = json.loads(capsys.readouterr().out)
    results = [{**result, "path": ""} for result in report["results"]]  # where a contract is read from is not a result
    return code, _timeless(results), pushed, _timeless([json.loads(line) for line in events.read_text().splitlines()])


def _timeless(values: Any) -> Any:
    text = json.dumps(sorted(values, key=_order), sort_keys=True)
    return json.loads(_LENGTH.sub("0", _AGE.sub("0", _RUN.sub("…", _MOMENT.sub("…", text)))))


def _order(value: dict[str, Any]) -> tuple[str, ...]:
    job = value.get("job", {})
    return (*(str(value.get(key)) for key in ("contract", "check", "eventType")), str(job.get("name")))


def test_results_metrics_and_events_are_those_of_files(
    place: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    files = run(place, tmp_path / "files", ["contracts", "--config", "settings.yaml"], monkeypatch, capsys)
    artifact = run(place, tmp_path / "artifact", ["--artifacts", TARGET], monkeypatch, capsys)
    code, results, pushed, events = artifact
    assert code == files[0] == 1, "block is decided by the tier"
    assert [(one["contract"], one["check"], one["outcome"]) for one in results if one["outcome"] == "violated"] == [
        ("orders", "freshness", "violated"),
        ("orders", "quality", "violated"),
    ]
    assert results == files[1]
    assert pushed == files[2]
    assert "floe_contract_violations_total" in "".join(pushed.values())
    assert events == files[3]
    assert len(events) == 2 * len(results)


def test_data_is_found_from_any_folder(
    place: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "compiled.json").write_bytes((place / TARGET).read_bytes())
    words = ["monitor", "run", "availability", "--dry-run", "--format", "json", "--artifacts"]
    for options in ([str(place / TARGET)], ["compiled.json", "--root", str(place)]):
        assert main([*words, *options]) == 0
        results = json.loads(capsys.readouterr().out)["results"]
        assert [result["outcome"] for result in results] == ["passed", "passed"]
