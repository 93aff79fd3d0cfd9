"""A platform's classification at run time: no value of a confidential column, lineage with the merged word, drift."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from floe_contracts.cli.main import main

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

TARGET = "target/floe/compiled.json"
MANIFEST = """\
apiVersion: floe.dev/v1
kind: Manifest
metadata: {name: acme, version: 1.2.3}
scope: enterprise
classification_categories: {none: CONFIDENTIAL}
pii_names: ["*mail*"]
data_contracts: {base: [base.yaml]}
"""
BASE = """\
apiVersion: v3.0.2
kind: DataContract
name: acme-base
version: 1.0.0
owner: platform@acme.com
models: {orders: {elements: {buyer: {type: string, classification: restricted}}}}
"""
PRODUCT = """\
apiVersion: floe.dev/v1
kind: DataProduct
metadata: {name: shop, version: 1.0.0, owner: shop@acme.com}
platform: manifest.yaml
output_ports:
  - name: orders
    table: orders
    server: {server: here, type: local, path: data/orders, format: parquet}
    schema:
      - {name: id, type: string, required: true}
      - {name: status, type: string, enum: [paid]}
      - {name: buyer, type: string}
      - {name: mail, type: string}
      - {name: note, type: string, classification: none}
"""
ROWS = (
    "select 'id-seen' id, 'status-seen' status, 'buyer-hidden' buyer, 'mail-hidden' mail, "
    "'note-hidden' note, 'backup-hidden' backup_mail"
)


@pytest.fixture(scope="module")
def place(spark: SparkSession, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("privacy")
    for name, text in (("manifest.yaml", MANIFEST), ("base.yaml", BASE), ("floe.yaml", PRODUCT)):
        (folder / name).write_text(text)
    spark.sql(ROWS).write.parquet(str(folder / "data/orders"))
    assert main(["compile", str(folder)]) == 0
    return folder


def test_samples_leave_out_what_the_platform_calls_confidential(
    place: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(place)
    main(["monitor", "run", "quality", "--artifacts", TARGET, "--samples", "3", "--dry-run"])
    printed = capsys.readouterr()
    text = printed.out + printed.err
    assert '{"id": "id-seen", "status": "status-seen"}' in text
    assert "hidden" not in text


def test_drift_and_lineage_say_the_merged_classification(
    place: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(place)
    events = tmp_path / "events.jsonl"
    monkeypatch.setenv("OPENLINEAGE__TRANSPORT__TYPE", "file")
    monkeypatch.setenv("OPENLINEAGE__TRANSPORT__LOG_FILE_PATH", str(events))
    monkeypatch.setenv("OPENLINEAGE__TRANSPORT__APPEND", "true")
    words = ["--artifacts", TARGET, "--store", f"sqlite:///{tmp_path}/kept.db", "--format", "json"]
    assert main(["monitor", "run", "schema_drift", *words]) == 0
    (result,) = json.loads(capsys.readouterr().out)["results"]
    warned = [(item["element"], item["severity"]) for item in result["findings"] if item["code"] == "FLOE-E514"]
    assert warned == [("backup_mail", "warning")]
    event: dict[str, Any] = json.loads(events.read_text().splitlines()[-1])
    facet = event["inputs"][0]["facets"]["dataClassification"]["columns"]
    assert {column["name"]: column["classification"] for column in facet} == {"buyer": "restricted", "note": "none"}
