"""Runs inside a Spark that is there already: rows on request, and a session that is left alone."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from support.spark_jobs import FOUND, found_in, shop

from floe_contracts.cli.main import main

if TYPE_CHECKING:
    from pyspark.sql import SparkSession


@pytest.fixture(scope="module")
def place(spark: SparkSession, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return shop(tmp_path_factory.mktemp("session") / "shop", spark)


@pytest.fixture(autouse=True)
def inside(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(place)


def test_the_command_finds_what_the_jobs_find(
    spark: SparkSession, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    store = f"sqlite:///{tmp_path}/kept.db"
    assert main(["monitor", "run", "all", "contracts", "--store", store, "--format", "json"]) == 0
    assert found_in(json.loads(capsys.readouterr().out)) == FOUND
    assert spark.range(3).count() == 3, "the session of the caller goes on"


def test_samples_show_rows_without_classified_columns(capsys: pytest.CaptureFixture[str]) -> None:
    asked = ["monitor", "run", "quality", "contracts/orders.yaml", "--dry-run", "--samples", "2"]
    assert main(asked) == 0
    out = capsys.readouterr().out
    assert "orders: rows that break orders.status.enum" in out
    assert '"order_id": "o7", "status": "vanished42"' in out
    assert "ana@example.com" not in out
    assert "@" not in out


def test_samples_are_not_remembered(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    store = tmp_path / "kept.db"
    asked = ["monitor", "run", "quality", "contracts/orders.yaml", "--store", f"sqlite:///{store}", "--samples", "2"]
    assert main(asked) == 0
    assert '"status": "vanished42"' in capsys.readouterr().out
    assert b"vanished42" not in b"".join(one.read_bytes() for one in tmp_path.iterdir())


def test_the_settings_choose_who_judges(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    config = tmp_path / "monitoring.yaml"
    config.write_text("data_contracts: {plugin: {type: datacontract-cli}}\n")
    asked = ["monitor", "run", "quality", "contracts/orders.yaml", "--config", str(config), "--dry-run"]
    assert main([*asked, "--format", "json"]) == 0
    (result,) = json.loads(capsys.readouterr().out)["results"]
    assert (result["contract"], result["outcome"]) == ("orders", "violated")
    assert {item["code"] for item in result["findings"]} == {"FLOE-E553"}


def test_a_judge_whom_nobody_offers_is_one_clear_message(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    config = tmp_path / "monitoring.yaml"
    config.write_text("data_contracts: {plugin: {type: datacontract-clii}}\n")
    assert main(["monitor", "run", "quality", "contracts/orders.yaml", "--config", str(config)]) == 2
    err = capsys.readouterr().err
    assert "no such plugin is installed here" in err
    assert "Did you mean datacontract-cli?" in err


def test_temporary_views_of_the_callers_session_are_seen(
    spark: SparkSession, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    spark.range(3).createOrReplaceTempView("floe_view_of_mine")
    text = """\
apiVersion: v3.1.0
kind: DataContract
id: urn:view
name: view
version: 1.0.0
status: active
schema:
  - {name: floe_view_of_mine, properties: [{name: id, logicalType: integer, logicalTypeOptions: {maximum: 1}}]}
"""
    (tmp_path / "view.yaml").write_text(text)
    asked = ["monitor", "run", "quality", str(tmp_path / "view.yaml"), "--connection", "type=dataframe", "--dry-run"]
    assert main([*asked, "--format", "json"]) == 0
    (result,) = json.loads(capsys.readouterr().out)["results"]
    assert [item["message"] for item in result["findings"]] == ["id is at most 1: 1 row breaks it"]
    spark.catalog.dropTempView("floe_view_of_mine")
