"""The plugins of orchestrators call a real floe; Airflow and Dagster themselves are tried in the slow suite."""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any

import pytest
from support.builds import ROOT

import floe_contracts.schedules as schedules
from floe_contracts import OrchestratorPlugin, __version__
from floe_contracts.adapters.store.address import open_store
from floe_contracts.errors import FloeError
from floe_contracts.monitor.store.slots import Series
from floe_contracts.results import Report
from floe_contracts.schedules.airflow_provider import get_provider_info
from floe_contracts.schedules.dbt import DbtPlugin, main
from floe_contracts.schedules.post_run import PostRunChecks


class _Base:
    """Stands for a class of an orchestrator that ours derives from."""


def _same(*_: object, **__: object) -> Callable[[Any], Any]:
    """A decorator that leaves the function as it is."""
    return lambda function: function


AIRFLOW: dict[str, dict[str, object]] = {
    "airflow": {},
    "airflow.sdk": {"DAG": object, "BaseOperator": _Base},
    "airflow.exceptions": {"AirflowException": RuntimeError},
}
_CLASSES = (
    "AssetCheckExecutionContext AssetCheckResult AssetChecksDefinition AssetCheckSeverity AssetKey AssetsDefinition "
    "HookContext HookDefinition"
)
DAGSTER: dict[str, dict[str, object]] = {
    "dagster": {
        **dict.fromkeys(_CLASSES.split(), _Base),
        "DagsterEventType": SimpleNamespace(ASSET_MATERIALIZATION="materialised"),
        "asset_check": _same,
        "success_hook": _same,
    }
}


@pytest.fixture
def import_with(monkeypatch: pytest.MonkeyPatch) -> Callable[[str, Mapping[str, Any]], ModuleType]:
    """Imports one of our modules with as much of its orchestrator as it names; none is installed here."""

    def make(name: str, parts: Mapping[str, Mapping[str, object]]) -> ModuleType:
        for part, members in parts.items():
            module = ModuleType(part)
            vars(module).update(members)
            monkeypatch.setitem(sys.modules, part, module)
        full = f"{schedules.__name__}.{name}"
        monkeypatch.delitem(sys.modules, full, raising=False)
        monkeypatch.setattr(schedules, name, None, raising=False)
        made = import_module(full)
        monkeypatch.delitem(sys.modules, full)
        return made

    return make


def slots(store: str) -> list[str]:
    return [one.key.when for one in open_store(store).history(Series("floe", "shop.orders", 1, "lifecycle"), 0)]


def settings(shop: Path, floe: str) -> dict[str, Any]:
    store = f"sqlite:///{shop}/.floe/monitoring.db"
    options = ["--store", store]
    return {"paths": [str(shop / "contracts")], "check": "lifecycle", "floe": floe, "options": options}


@pytest.mark.parametrize("kind", ["airflow", "dagster", "dbt"])
def test_a_plugin_checks_a_run_once_and_returns_what_is_violated(
    kind: str, import_with: Callable[[str, Mapping[str, Any]], ModuleType], shop: Path, floe: str
) -> None:
    kinds: dict[str, Callable[[], type[PostRunChecks]]] = {
        "airflow": lambda: import_with("airflow", AIRFLOW).AirflowPlugin,
        "dagster": lambda: import_with("dagster", DAGSTER).DagsterPlugin,
        "dbt": lambda: DbtPlugin,
    }
    plugin = kinds[kind]()(**settings(shop, floe))
    assert isinstance(plugin, OrchestratorPlugin)
    assert (plugin.name, plugin.version) == (kind, __version__)
    first, again = plugin.post_materialize("nightly/1", ["shop.orders"]), plugin.post_materialize("nightly/1", [])
    ((violation,),) = first.values()
    assert (violation.contract_name, violation.contract_version) == ("shop.orders", "1.2.0")
    assert violation.violation_type.value == "deprecation_error"
    assert first == again
    assert slots(plugin.options[1]) == ["run nightly/1"]


def test_a_contract_that_nobody_knows_is_an_error_that_says_so(shop: Path, floe: str) -> None:
    with pytest.raises(FloeError, match=r"shop\.order"):
        DbtPlugin(**settings(shop, floe)).post_materialize("nightly/1", ["shop.unknown"])


@dataclass(frozen=True)
class _Key:
    """As much of Dagster's AssetKey as ours uses."""

    path: tuple[str, ...]

    def to_python_identifier(self) -> str:
        return "__".join(self.path)


@pytest.mark.parametrize(
    ("outputs", "keys", "expected"),
    [
        pytest.param({"result": "shop.orders"}, ["orders"], ["shop.orders"], id="an asset that names its contract"),
        pytest.param({"result": ""}, ["raw/eu"], ["nightly.raw.eu"], id="one that names none"),
        pytest.param({"result": ""}, [], [], id="a step that makes no asset"),
        pytest.param({"a__b": "x.b", "a__c": ""}, ["a/b", "a/c"], ["x.b", "nightly.a.c"], id="several"),
        pytest.param({"b": "x.b", "c": "x.c"}, ["a/c"], ["x.c"], id="one of several, called by its last part"),
        pytest.param({"result": ""}, ["drawn"], ["shop.drawn"], id="a graph, which the hook was given"),
    ],
)
def test_a_hook_of_dagster_checks_what_its_step_materialised(
    outputs: Mapping[str, str],
    keys: Sequence[str],
    expected: Sequence[str],
    import_with: Callable[[str, Mapping[str, Any]], ModuleType],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    module, checked = import_with("dagster", DAGSTER), list[tuple[str, ...]]()

    def check_run(_: object, run_id: str, names: Sequence[str]) -> Report:
        checked.append((run_id, *names))
        return Report("monitor run post_run", __version__)

    monkeypatch.setattr(module.DagsterPlugin, "check_run", check_run)
    drawn = SimpleNamespace(specs=[SimpleNamespace(key=_Key(("drawn",)), metadata={"floe/contract": "shop.drawn"})])
    entries = [_entry("write", key) for key in keys] + [_entry("another step", "elsewhere")]
    context = SimpleNamespace(
        run_id="42",
        job_name="nightly",
        step_key="write",
        log=SimpleNamespace(info=print, warning=print),
        instance=SimpleNamespace(all_logs=lambda run_id, of_type: entries),
        op=SimpleNamespace(definition=SimpleNamespace(output_defs=[_output(*pair) for pair in outputs.items()])),
    )
    module.contract_check_hook(contracts=["contracts"], assets=[drawn])(context)
    assert checked == [("42", name) for name in expected]


def _entry(step: str, key: str) -> SimpleNamespace:
    return SimpleNamespace(step_key=step, dagster_event=SimpleNamespace(asset_key=_Key(tuple(key.split("/")))))


def _output(name: str, contract: str) -> SimpleNamespace:
    return SimpleNamespace(name=name, metadata={"floe/contract": contract} if contract else {})


def _dbt(place: Path, statuses: Mapping[str, str], meta: Mapping[str, str]) -> Path:
    """A project as a `dbt build` leaves it, in the few keys that are read."""
    target = place / "target"
    target.mkdir(parents=True)
    (place / "dbt_project.yml").write_text("name: shop\n")
    nodes = {
        f"model.shop.{name}": {"name": name, "resource_type": "model", "config": {"meta": {"floe/contract": contract}}}
        for name, contract in meta.items()
    }
    results = [{"unique_id": f"model.shop.{name}", "status": status} for name, status in statuses.items()]
    (target / "manifest.json").write_text(json.dumps({"metadata": {}, "nodes": nodes}))
    (target / "run_results.json").write_text(json.dumps({"metadata": {"invocation_id": "one"}, "results": results}))
    return place


@pytest.mark.parametrize(
    ("statuses", "meta", "expected"),
    [
        pytest.param({"orders": "success"}, {"orders": "shop.orders"}, ["run one"], id="built"),
        pytest.param({"orders": "success"}, {"orders": ""}, ["run one"], id="no model names a contract: all"),
        pytest.param({"orders": "error"}, {"orders": "shop.orders"}, [], id="failed: nothing was written"),
    ],
)
def test_what_dbt_built_is_checked_for_its_invocation(
    statuses: Mapping[str, str], meta: Mapping[str, str], expected: Sequence[str], shop: Path, floe: str, tmp_path: Path
) -> None:
    given = settings(shop, floe)
    project = _dbt(tmp_path / "dbt", statuses, meta)
    words = ["--project-dir", str(project), "--contracts", *given["paths"], "--check", "lifecycle", "--floe", floe]
    assert main([*words, "--", *given["options"]]) == 0
    assert slots(given["options"][1]) == expected


def test_without_a_build_the_script_says_what_to_do(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "dbt_project.yml").write_text("name: shop\n")
    assert main(["--project-dir", str(tmp_path)]) == 2
    said = capsys.readouterr().err
    assert "run_results.json" in said
    assert "Run dbt build first" in said


def test_airflow_finds_the_provider_by_its_entry_point() -> None:
    _, _, section = (ROOT / "pyproject.toml").read_text("utf-8").partition(".apache_airflow_provider]\n")
    written = re.match(r'provider_info = "([\w.]+):(\w+)"\n', section)  # Python 3.10 has no tomllib
    assert written is not None
    info = getattr(import_module(written[1]), written[2])()
    assert info == get_provider_info()
    assert info["package-name"] == "floe-contracts"  # Airflow refuses a provider that calls itself otherwise
    assert {"name", "description"} <= set(info)
