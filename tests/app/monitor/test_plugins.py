"""`plugin.type` names who runs the checks: ours, datacontract-cli's, or a plugin that another package offers."""

from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path

import pytest
from support.builders import column, contract
from support.monitored import Desk, orders

from floe_contracts.app.monitor.plugins import Offered, make_plugin, own_plugin, plugin_names
from floe_contracts.contract.model import Contract
from floe_contracts.errors import FloeError
from floe_contracts.monitor.settings.model import MonitoringConfig

SHORTER = contract(column("order_id", primary_key=True))
GLUE = """
class Stranger:
    name, version = "stranger", "0.1"
    def __init__(self, offered):
        self.offered = offered
    def validate_version_bump(self, old_contract, new_contract):
        return self.offered.ours.validate_version_bump(old_contract, new_contract)

broken = "no function"
"""


@pytest.fixture
def offered() -> Offered:
    return Offered(MonitoringConfig(), None, own_plugin(Desk().engine, MonitoringConfig()))


@pytest.fixture
def installed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A package with entry points, installed as pip leaves it."""
    (tmp_path / "stranger_plugin.py").write_text(GLUE)
    told = tmp_path / "stranger-0.1.dist-info"
    told.mkdir()
    (told / "METADATA").write_text("Metadata-Version: 2.1\nName: stranger\nVersion: 0.1\n")
    (told / "entry_points.txt").write_text(
        "[floe_contracts.plugins]\nstranger = stranger_plugin:Stranger\n"
        "broken = stranger_plugin:broken\nabsent = stranger_plugin:nothing\n"
    )
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.delitem(sys.modules, "stranger_plugin", raising=False)


@pytest.mark.parametrize(("word", "name"), [("odcs", "odcs"), ("stranger", "stranger")])
@pytest.mark.usefixtures("installed")
def test_the_plugin_is_chosen_by_name(offered: Offered, word: str, name: str) -> None:
    assert make_plugin(word, offered).name == name


@pytest.mark.usefixtures("installed")
def test_a_plugin_of_another_package_gets_ours_for_what_it_leaves_open(offered: Offered) -> None:
    found = make_plugin("stranger", offered)
    assert found.validate_version_bump(orders(), orders())[0]


@pytest.mark.usefixtures("installed")
def test_all_names_are_listed_ours_first() -> None:
    assert plugin_names() == ("odcs", "datacontract-cli", "absent", "broken", "stranger")


@pytest.mark.parametrize(
    ("word", "message", "fix"),
    [
        pytest.param("odsc", "plugin.type is 'odsc', and no such plugin", "Did you mean odcs", id="misspelt"),
        pytest.param("broken", "'broken' is not a function", "", id="not a function"),
        pytest.param("absent", "'absent' cannot be loaded from stranger_plugin:nothing", "Reinstall", id="not there"),
    ],
)
@pytest.mark.usefixtures("installed")
def test_what_cannot_be_chosen_is_said_with_what_there_is(offered: Offered, word: str, message: str, fix: str) -> None:
    with pytest.raises(FloeError, match=message) as refused:
        make_plugin(word, offered)
    assert fix in refused.value.fix


@pytest.mark.parametrize(
    ("old", "new", "enough", "said"),
    [
        pytest.param(orders(), orders(version="1.0.1"), True, "1.0.0 to 1.0.1 is enough", id="nothing changed"),
        pytest.param(orders(), SHORTER, False, "write 2.0.0", id="a column is gone"),
        pytest.param(orders(), replace(SHORTER, version="2.0.0"), True, "needs major", id="a column is gone in 2.0.0"),
    ],
)
def test_our_plugin_judges_versions_by_the_gate(
    offered: Offered, old: Contract, new: Contract, enough: bool, said: str
) -> None:
    verdict, words = offered.ours.validate_version_bump(old, new)
    assert verdict is enough
    assert said in words
