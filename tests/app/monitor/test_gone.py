"""Contracts that are gone leave status, report and metrics, by a whole run of the project that last wrote them."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest
from support.job_desk import ORDERS, Project
from support.monitored import HOUR

from floe_contracts.adapters.store.address import open_store
from floe_contracts.app.monitor.gone import project_id
from floe_contracts.app.monitor.history import read_record
from floe_contracts.app.monitor.project import project_here
from floe_contracts.emit.metric_points import by_contract
from floe_contracts.monitor.store.totals import list_statuses


@pytest.fixture
def shop(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Project:
    """A project with two contracts that were checked once."""
    monkeypatch.chdir(tmp_path)
    project = Project(tmp_path)
    project.settings("")
    for name in ("orders", "items"):
        project.contract(name)
        project.table(name, HOUR)
    project.run("freshness", "lifecycle")
    return project


def shown(project: Project) -> list[str]:
    """The contracts in the status, after a look that report and metrics show the same."""
    store = open_store(f"sqlite:///{project.folder}/.floe/monitoring.db")
    names = {status.name for status in list_statuses(store, since_us=0, now_us=project.now_us)}
    record = read_record(store, now_us=project.now_us, since_us=0)
    (namespace,) = store.namespaces()
    assert {series.standing.name for series in record.kept} == names
    assert set(by_contract(store.totals(namespace))) == names
    return sorted(names)


def _delete(project: Project) -> None:
    (project.folder / "contracts" / "items.yaml").unlink()


def _rename(project: Project) -> None:
    _delete(project)
    project.contract("parts")
    project.table("parts", HOUR)


def _raise(project: Project) -> None:
    project.contract("items", ORDERS.replace("1.0.0", "2.0.0"))


@pytest.mark.parametrize(
    ("change", "left"),
    [
        pytest.param(_delete, ["orders"], id="deleted"),
        pytest.param(_rename, ["orders", "parts"], id="renamed"),
        pytest.param(_raise, ["items.v2", "orders"], id="raised in place"),
    ],
)
def test_a_whole_run_takes_out_what_is_gone(shop: Project, change: object, left: list[str]) -> None:
    assert callable(change)
    change(shop)
    ran = shop.run("freshness")
    assert "items is gone from this project: it left status, report and metrics" in ran.out + ran.err
    assert shown(shop) == left


def test_a_run_of_some_contracts_takes_out_nothing(shop: Project) -> None:
    _delete(shop)
    shop.run("freshness", only=("orders",))
    assert shown(shop) == ["items", "orders"]


def test_a_run_of_one_file_of_many_takes_out_nothing(shop: Project) -> None:
    _delete(shop)
    shop.contract("parts")
    shop.run("freshness", contracts=("contracts/orders.yaml",))
    assert shown(shop) == ["items", "orders"]


def test_a_file_that_cannot_be_read_may_be_any_contract(shop: Project) -> None:
    shop.contract("items", "schema: [\n")
    shop.run("freshness")
    assert "items" in shown(shop)


def test_a_dry_run_takes_out_nothing(shop: Project) -> None:
    _delete(shop)
    shop.run("freshness", dry_run=True)
    assert shown(shop) == ["items", "orders"]


def test_another_repository_takes_out_nothing(shop: Project, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    store = f"sqlite:///{shop.folder}/.floe/monitoring.db"
    other = Project(tmp_path / "other")
    other.folder.mkdir()
    monkeypatch.chdir(other.folder)
    other.settings("")
    other.contract("parts")
    other.table("parts", HOUR)
    other.run("freshness", store=store)
    assert shown(shop) == ["items", "orders", "parts"]


def test_a_project_is_known_again_in_another_checkout(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    ids = []
    for name, address in (
        ("one", "https://git.example/shop.git"),
        ("two", "https://user:secret@git.example/shop"),
        ("three", "https://git.example/other.git"),
        ("four", ""),
    ):
        folder = tmp_path / name
        (folder / "sub" / ".floe").mkdir(parents=True)
        (folder / ".floe").mkdir()
        subprocess.run(["git", "init", "-q", str(folder)], check=True)
        if address:
            subprocess.run(["git", "-C", str(folder), "remote", "add", "origin", address], check=True)
        for at in (folder, folder / "sub"):
            (at / ".floe" / "monitoring.yaml").write_text("")
            monkeypatch.chdir(at)
            ids.append(project_id(project_here(), {}))
    one, one_sub, two, two_sub, *others = ids
    assert (one, one_sub) == (two, two_sub)
    assert len({one, one_sub, *others}) == 6
