"""`--artifacts`: settings of the tiers, a file beside that may only be stricter, and artifacts that are refused."""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from support.builds import ROOT

from floe_contracts.app.monitor.project import project_here
from floe_contracts.app.monitor.targets import file_targets
from floe_contracts.cli.main import main
from floe_contracts.errors import SettingsError
from floe_contracts.monitor.settings.model import MonitoringConfig
from floe_contracts.product.observability import namespace_of

TARGET = "target/floe/compiled.json"
MINUTE_US = 60_000_000


@pytest.fixture(scope="module")
def compiled(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The example as it compiles; tests work on copies."""
    place = tmp_path_factory.mktemp("platform") / "p"
    shutil.copytree(ROOT / "examples/platform", place)
    assert main(["compile", str(place / "products/customer-360")]) == 0
    return place


@pytest.fixture
def product(compiled: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    shutil.copytree(compiled, tmp_path / "p")
    monkeypatch.chdir(tmp_path / "p/products/customer-360")
    monkeypatch.delenv("OPENLINEAGE_NAMESPACE", raising=False)
    return tmp_path / "p/products/customer-360"


def write_settings(product: Path, text: str) -> None:
    (product / ".floe").mkdir()
    (product / ".floe/monitoring.yaml").write_text(text, "utf-8")


def settings(product: Path, text: str = "") -> MonitoringConfig:
    if text:
        write_settings(product, text)
    return project_here(artifacts=TARGET).config


def test_the_tiers_decide_where_no_file_does(product: Path) -> None:
    config = settings(product)
    assert config.data_contracts.enforcement.value == "alert_only"
    assert config.interval_us("freshness") == 15 * MINUTE_US
    assert config.sql_trust == "restricted"
    assert namespace_of(config.observability) == "sales.customer-360"
    names = config.observability
    assert (names.mode, names.domain, names.enterprise) == ("mesh", "sales", "acme-data-platform")
    assert (names.product.name, names.product.version) == ("customer-360", "1.0.0")


@pytest.mark.parametrize(
    ("text", "read", "expected"),
    [
        pytest.param(
            "data_contracts: {enforcement: block}",
            lambda config: config.data_contracts.enforcement.value,
            "block",
            id="a stricter enforcement",
        ),
        pytest.param(
            "data_contracts: {enforcement: ALERT_ONLY}",
            lambda config: config.data_contracts.enforcement.value,
            "alert_only",
            id="the same enforcement",
        ),
        pytest.param(
            "data_contracts: {monitoring: {freshness: {check_interval: 5m}}}",
            lambda config: config.interval_us("freshness"),
            5 * MINUTE_US,
            id="a shorter interval",
        ),
        pytest.param(
            "data_contracts: {monitoring: {quality: {check_interval: 12h}}}",
            lambda config: config.interval_us("quality"),
            720 * MINUTE_US,
            id="a longer interval that no tier decides",
        ),
        pytest.param("store: 'env:STORE'", lambda config: config.store, "env:STORE", id="what no tier can decide"),
        pytest.param(
            "contracts: {orders: {enforcement: block, freshness: {check_interval: 1m}}}",
            lambda config: config.enforcement_of("orders").value,
            "block",
            id="a stricter contract",
        ),
        pytest.param(
            "contracts: {orders: {enforcement: block}}",
            lambda config: config.interval_us("freshness", "orders"),
            15 * MINUTE_US,
            id="a contract that inherits its interval",
        ),
        pytest.param(
            "observability: {namespace: sales.customer-360}",
            lambda config: config.observability.enterprise,
            "acme-data-platform",
            id="the same name",
        ),
        pytest.param("sql_trust: restricted", lambda config: config.sql_trust, "restricted", id="the same trust"),
    ],
)
def test_a_file_beside_may_be_stricter(
    product: Path, text: str, read: Callable[[MonitoringConfig], Any], expected: object
) -> None:
    assert read(settings(product, text)) == expected


@pytest.mark.parametrize(
    ("text", "place", "theirs"),
    [
        pytest.param(
            "data_contracts: {enforcement: warn}",
            "1:31: data_contracts.enforcement: warn is weaker than alert_only",
            "domains/sales/manifest.yaml:42:16",
            id="enforcement",
        ),
        pytest.param(
            "data_contracts: {enforcement: off}", "off is weaker than alert_only", "sales/manifest.yaml:42:16", id="off"
        ),
        pytest.param(
            "data_contracts:\n  monitoring:\n    freshness: {check_interval: 1h}",
            "3:33: data_contracts.monitoring.freshness.check_interval: PT1H is weaker than PT15M",
            "domains/sales/manifest.yaml:47:23",
            id="interval",
        ),
        pytest.param(
            "data_contracts: {monitoring: {enabled: false}}",
            "monitoring.enabled: false is weaker than true",
            "enterprise/manifest.yaml:73:14",
            id="switched off",
        ),
        pytest.param(
            "data_contracts: {monitoring: {mode: on_demand}}",
            "on_demand differs from scheduled",
            "enterprise/manifest.yaml:74:11",
            id="mode",
        ),
        pytest.param(
            "data_contracts: {plugin: {type: datacontract-cli}}",
            "datacontract-cli differs from odcs",
            "enterprise/manifest.yaml:64:11",
            id="plugin",
        ),
        pytest.param(
            "data_contracts: {alerting: {prometheus_metrics: false}}",
            "prometheus_metrics: false differs from true",
            "enterprise/manifest.yaml:79:25",
            id="alerting",
        ),
        pytest.param(
            "observability: {lineage: false}", "lineage: false differs from true", "manifest.yaml:85:12", id="lineage"
        ),
        pytest.param("sql_trust: full", "1:12: sql_trust: full is weaker than", "manifest.yaml:48:14", id="trust"),
        pytest.param(
            "contracts: {orders: {freshness: {check_interval: 2h}}}",
            "contracts.orders.freshness.check_interval: PT2H is weaker than PT15M",
            "manifest.yaml:47:23",
            id="one contract's interval",
        ),
        pytest.param(
            "observability: {namespace: shop}",
            "observability.namespace: shop differs from sales.customer-360",
            "floe.yaml",
            id="another namespace",
        ),
        pytest.param(
            "observability: {product: {name: other}}", "product.name: other differs from", "floe.yaml", id="product"
        ),
    ],
)
def test_a_weaker_file_is_refused_with_both_places(product: Path, text: str, place: str, theirs: str) -> None:
    with pytest.raises(SettingsError) as refused:
        settings(product, text)
    message = refused.value.message
    assert ".floe/monitoring.yaml" in message
    assert place in message
    assert theirs in message


def test_a_weaker_contract_is_refused_by_the_tiers_word(product: Path) -> None:
    with pytest.raises(SettingsError, match="warn is weaker than alert_only, which holds for all contracts"):
        settings(product, "contracts: {orders: {enforcement: warn}}")


@pytest.mark.parametrize(
    ("root", "expected"),
    [pytest.param("", "", id="the folder above target"), pytest.param("..", "..", id="the folder of --root")],
)
def test_where_data_paths_start(product: Path, root: str, expected: str) -> None:
    (target,) = file_targets(project_here(artifacts=TARGET, root=root), ())
    assert target.where.folder == os.path.normpath(product / expected)
    assert target.name == "sales-customer-360-customers"


def test_an_artifact_outside_any_target_starts_at_the_current_folder(product: Path, tmp_path: Path) -> None:
    shutil.move(product / TARGET, tmp_path / "compiled.json")
    project = project_here(artifacts=str(tmp_path / "compiled.json"))
    assert project.product is not None
    assert project.product.folder == str(product)


def edited(product: Path, edit: Callable[[dict[str, Any]], object]) -> None:
    value = json.loads((product / TARGET).read_text("utf-8"))
    edit(value)
    (product / TARGET).write_text(json.dumps(value, indent=2, sort_keys=True), "utf-8")


@pytest.mark.parametrize(
    ("edit", "expected"),
    [
        pytest.param(
            lambda a: a.update(schema_version="2.0.0"), "has the schema_version '2.0.0'", id="a newer version"
        ),
        pytest.param(lambda a: a.update(schema_version=None), "has the schema_version 'None'", id="no version"),
        pytest.param(lambda a: a.pop("schema_version"), "it has no schema_version", id="another file"),
        pytest.param(lambda a: a.update(extra=1), "extra: Extra inputs", id="an unknown key"),
        pytest.param(lambda a: a.pop("product"), "product: Field required", id="a missing key"),
        pytest.param(
            lambda a: a["data_contracts"][0]["contract"]["slaProperties"][0].update(value="P2D"),
            "is not the one of its hashes; it was changed after floe compile",
            id="a weaker promise",
        ),
        pytest.param(
            lambda a: a["data_contracts"][0]["contract"]["schema"][0]["properties"].pop(),
            "is not the one of its hashes",
            id="a column less, which a promise is about",
        ),
        pytest.param(lambda a: a["data_contracts"][0].update(contract={}), "cannot be used", id="no contract"),
        pytest.param(lambda a: a["data_contracts"][0].update(name="x"), "calls itself", id="another name"),
        pytest.param(
            lambda a: a["monitoring"].update(enforcement="off"), "monitoring.enforcement is not what", id="enforcement"
        ),
        pytest.param(
            lambda a: a["monitoring"]["intervals"].update(freshness="P1D"), "monitoring.intervals is not", id="interval"
        ),
        pytest.param(lambda a: a["monitoring"].update(more=1), "monitoring.more is not", id="a setting more"),
        pytest.param(
            lambda a: a["observability"].update(metrics=False), "observability.metrics is not what", id="no metrics"
        ),
    ],
)
def test_a_changed_artifact_is_refused(
    product: Path, edit: Callable[[dict[str, Any]], object], expected: str, capsys: pytest.CaptureFixture[str]
) -> None:
    edited(product, edit)
    assert main(["monitor", "run", "all", "--artifacts", TARGET]) == 2
    error = capsys.readouterr().err
    assert "FLOE-E594" in error
    assert expected in error


@pytest.mark.parametrize(
    ("data", "expected"),
    [
        pytest.param(b"", "cannot be read as JSON", id="empty"),
        pytest.param(b"{", "cannot be read as JSON", id="cut off"),
        pytest.param(b"\xff\xfe\x00", "cannot be read as JSON", id="no text"),
        pytest.param(b"[" * 100_000, "nested too deeply", id="a bomb"),
        pytest.param(b"[]", "it has no schema_version", id="a list"),
        pytest.param(b'{"mode": 1, "mode": 2}', "the key 'mode' stands twice", id="a key twice"),
    ],
)
def test_bytes_that_are_no_artifact_are_refused(
    product: Path, data: bytes, expected: str, capsys: pytest.CaptureFixture[str]
) -> None:
    (product / TARGET).write_bytes(data)
    assert main(["monitor", "plan", "--artifacts", TARGET]) == 2
    error = capsys.readouterr().err
    assert "FLOE-E594" in error
    assert expected in error


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        pytest.param(["--artifacts", "absent.json"], "absent.json cannot be read", id="no file"),
        pytest.param(["--artifacts", "target"], "target cannot be read", id="a folder"),
        pytest.param(["--artifacts", TARGET, "--root", "absent"], "there is no folder absent", id="no root"),
        pytest.param(["--root", "."], "--root says where the data of --artifacts is", id="a root alone"),
        pytest.param(["--artifacts", TARGET, "floe.yaml"], "holds the contracts already", id="contracts twice"),
    ],
)
@pytest.mark.parametrize("command", [("monitor", "run", "quality"), ("monitor", "plan"), ("monitor", "alerts")])
def test_options_that_cannot_be_meant(
    product: Path,
    command: tuple[str, ...],
    options: list[str],
    expected: str,
    capsys: pytest.CaptureFixture[str],
) -> None:
    if command == ("monitor", "plan") and options == ["--root", "."]:
        options = [*options, "floe.yaml"]
    assert main([*command, *options]) == 2
    assert expected in capsys.readouterr().err


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        pytest.param(["monitor", "plan"], "every 5 minutes availability, 15 minutes freshness", id="plan"),
        pytest.param(["monitor", "alerts"], "sales-customer-360-customers", id="alerts"),
        pytest.param(["monitor", "status"], "No contract was checked yet", id="status"),
        pytest.param(["monitor", "report"], "sales-customer-360-customers", id="report"),
        pytest.param(["monitor", "flush"], "", id="flush"),
        pytest.param(["schedule", "cron"], f"monitor run freshness --artifacts {TARGET}", id="cron"),
        pytest.param(["schedule", "kubernetes"], f"monitor run quality --artifacts {TARGET}", id="kubernetes"),
        pytest.param(["schedule", "systemd"], f"--artifacts {TARGET}", id="systemd"),
        pytest.param(["schedule", "airflow"], f'options=["--artifacts", "{{}}/{TARGET}"]', id="airflow"),
    ],
)
def test_commands_that_read_contracts_take_artifacts(
    product: Path, words: list[str], expected: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([*words, "--artifacts", TARGET]) == 0
    printed = capsys.readouterr()
    assert expected.replace("{}", str(product)) in printed.out + printed.err


def test_a_schedule_follows_the_tiers_intervals_and_passes_the_root_on(
    product: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    write_settings(product, "data_contracts: {monitoring: {freshness: {check_interval: 5m}}}\n")
    assert main(["schedule", "cron", "--artifacts", TARGET, "--root", "."]) == 0
    line = next(line for line in capsys.readouterr().out.splitlines() if "freshness" in line)
    assert line.startswith("*/5 * * * *")
    assert f"--artifacts {TARGET} --root ." in line
