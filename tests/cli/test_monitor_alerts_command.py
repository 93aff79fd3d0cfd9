"""`floe monitor alerts`: rules for the contracts that are there, and what is said of the others."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
import yaml
from support.prometheus_servers import promtool
from support.running import Floe

CONTRACT = """\
schema: {name}
version: "1.0.0"
owner: checkout
fields:
  - {{name: order_id, type: STRING}}
  - {{name: placed_at, type: TIMESTAMP}}
sla: {{element: placed_at, freshness_minutes: 30, availability: 99.9%}}
"""


@pytest.fixture
def contracts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.delenv("OPENLINEAGE_NAMESPACE", raising=False)
    folder = tmp_path / "contracts"
    folder.mkdir()
    for name in ("orders", "stock"):
        (folder / f"{name}.yaml").write_text(CONTRACT.format(name=name))
    return folder


def set_up(tmp_path: Path, text: str) -> None:
    (tmp_path / ".floe").mkdir()
    (tmp_path / ".floe/monitoring.yaml").write_text(text)


def test_rules_are_printed(floe: Floe, contracts: Path) -> None:
    ran = floe("monitor", "alerts")
    groups = yaml.safe_load(ran.out)["groups"]
    assert ran.code == 0
    assert [one["name"] for one in groups] == ["floe floe", "floe floe orders", "floe floe stock"]


def test_named_contracts_alone_get_rules(floe: Floe, contracts: Path) -> None:
    groups = yaml.safe_load(floe("monitor", "alerts", "contracts/stock.yaml").out)["groups"]
    assert [one["name"] for one in groups] == ["floe floe", "floe floe stock"]


@pytest.mark.service
def test_files_are_written_and_promtool_accepts_them(floe: Floe, contracts: Path, tmp_path: Path) -> None:
    ran = floe("monitor", "alerts", "-o", "rules.yaml", "--dashboard", "board.json")
    assert (ran.code, ran.out) == (0, "")
    code, said = promtool("check", "rules", "rules.yaml")
    assert code == 0, said
    assert json.loads((tmp_path / "board.json").read_text())["uid"] == "floe-contracts"


def test_settings_decide_on_names_and_numbers(floe: Floe, contracts: Path, tmp_path: Path) -> None:
    set_up(tmp_path, "observability: {namespace: sales}\ncontracts: {orders: {thresholds: {freshness: PT10M}}}\n")
    text = floe("monitor", "alerts", "--missed", "5", "--in-a-row", "4").out
    assert 'last_update_timestamp_seconds{floe_namespace="sales",contract="orders"} > 1620' in text
    assert "> 5 * floe_contract_check_interval_seconds" in text
    assert "was violated 4 times in a row" in text


def test_the_namespace_of_the_environment_wins(floe: Floe, contracts: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENLINEAGE_NAMESPACE", "prod")
    assert "- name: floe prod orders" in floe("monitor", "alerts").out


@pytest.mark.parametrize("word", ["off", "warn"])
def test_a_contract_without_metrics_gets_no_rules_and_that_is_said(
    floe: Floe, contracts: Path, tmp_path: Path, word: str
) -> None:
    set_up(tmp_path, f'data_contracts: {{enforcement: "{word}"}}\ncontracts: {{stock: {{enforcement: block}}}}\n')
    ran = floe("monitor", "alerts")
    assert [one["name"] for one in yaml.safe_load(ran.out)["groups"]] == ["floe floe", "floe floe stock"]
    assert f"orders: no rules, because its enforcement is {word}" in ran.err


def test_a_contract_with_errors_is_exit_2_and_the_others_get_theirs(floe: Floe, contracts: Path) -> None:
    (contracts / "stock.yaml").write_text("schema: stock\nversion: nope\n")
    ran = floe("monitor", "alerts")
    assert ran.code == 2
    assert "no rules, because the contract has errors" in ran.err
    assert "- name: floe floe orders" in ran.out


def test_the_same_contracts_give_the_same_bytes(floe: Floe, contracts: Path) -> None:
    assert floe("monitor", "alerts").out == floe("monitor", "alerts").out


def test_rules_as_a_resource_of_the_operator_with_a_runbook_of_their_own(floe: Floe, contracts: Path) -> None:
    ran = floe("monitor", "alerts", "--as", "PrometheusRule", "--runbook-url", "https://wiki.example/late")
    resource = yaml.safe_load(ran.out)
    assert (resource["apiVersion"], resource["kind"]) == ("monitoring.coreos.com/v1", "PrometheusRule")
    rules = [rule for group in resource["spec"]["groups"] for rule in group["rules"]]
    assert {rule["annotations"]["runbook_url"] for rule in rules} == {"https://wiki.example/late"}
