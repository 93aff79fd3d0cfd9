"""The plugin datacontract-cli without data: its lint, what it leaves to us, and what it says about that."""

from __future__ import annotations

import inspect
import sys
from contextlib import AbstractContextManager

import pytest
from support.builders import column, contract
from support.contracts import COMPOSE, FIELDS, MISSPELT, ORDERS
from support.monitored import FRESH, HOUR, Desk, orders
from support.row_engine import actual

from floe_contracts.adapters.datacontract.plugin import ANSWERED_BY, DatacontractCliPlugin
from floe_contracts.app.monitor.plugins import own_plugin
from floe_contracts.errors import MissingExtra
from floe_contracts.monitor.plugin.odcs import OdcsPlugin
from floe_contracts.monitor.plugin.protocol import DataContractPlugin
from floe_contracts.monitor.settings.model import MonitoringConfig
from floe_contracts.results import Outcome

FILES = {
    "orders.yaml": ORDERS,
    "misspelt.yaml": MISSPELT,
    "fields.yaml": FIELDS,
    "compose.yaml": COMPOSE,
    "wrong.yaml": ORDERS.replace("version: 1.2.0\n", ""),
}
HERE = {"type": "dataframe"}


@pytest.fixture
def desk() -> Desk:
    return Desk()


@pytest.fixture
def theirs(desk: Desk) -> DatacontractCliPlugin:
    def bump(_: object, __: object) -> tuple[bool, str]:
        return True, "enough"

    ours = OdcsPlugin(desk.engine, lambda path: FILES[path].encode(), bump, lambda: desk.now_us)
    return DatacontractCliPlugin(ours, MonitoringConfig(), _no_session, lambda path: FILES[path].encode())


def _no_session(_: object) -> AbstractContextManager[object]:
    raise AssertionError("nobody may look at data here")


def test_it_has_the_twelve_methods_with_the_arguments_of_the_protocol(theirs: DatacontractCliPlugin) -> None:
    asked: DataContractPlugin = theirs
    names = [name for name in vars(DataContractPlugin) if not name.startswith("_") and name not in ("name", "version")]
    assert len(names) == 12
    for name in names:
        wanted = list(inspect.signature(getattr(DataContractPlugin, name)).parameters)[1:]
        assert list(inspect.signature(getattr(asked, name)).parameters) == wanted, name
    assert (asked.name, asked.version.split(".")[0]) == ("datacontract-cli", "1")


@pytest.mark.parametrize(
    ("path", "valid", "severities"),
    [
        pytest.param("orders.yaml", True, [], id="a good contract"),
        pytest.param("misspelt.yaml", True, ["warning"], id="a misspelt key is a warning to it, and an error to us"),
        pytest.param("wrong.yaml", False, ["error"], id="a key is missing"),
        pytest.param("fields.yaml", True, ["info"], id="another dialect is read by us, which is said"),
        pytest.param("compose.yaml", False, ["error", "info"], id="no contract at all; it would call it valid"),
    ],
)
def test_lint(theirs: DatacontractCliPlugin, path: str, valid: bool, severities: list[str]) -> None:
    found = theirs.lint_contract_file(path)
    assert (found.valid, [one.severity.value for one in found.findings]) == (valid, severities)


def test_a_contract_in_memory_is_linted_as_odcs_and_its_columns_are_compared_by_us(
    theirs: DatacontractCliPlugin,
) -> None:
    promised = contract(column("order_id"), column("gone"))
    found = theirs.validate_contract(promised, {"orders": actual(order_id="string")})
    assert [one.code.id for one in found.findings] == ["FLOE-E531"]


def test_what_it_lacks_is_answered_by_us_and_said(theirs: DatacontractCliPlugin, desk: Desk) -> None:
    desk.put("orders", HOUR)
    up = theirs.check_availability(orders(), HERE)
    assert (up.outcome, dict(up.context)[ANSWERED_BY]) == (Outcome.PASSED, "odcs")
    same = theirs.compare_schemas(actual(a="string"), actual(a="string"))
    assert (same.matches, dict(same.context)[ANSWERED_BY]) == (True, "odcs")
    assert theirs.validate_version_bump(orders(), orders()) == (True, "enough")


def test_without_the_package_the_extra_is_named(theirs: DatacontractCliPlugin, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "datacontract", None)
    with pytest.raises(MissingExtra) as missing:
        theirs.validate_contract(orders(FRESH))
    assert missing.value.fix == "pip install 'floe-contracts[datacontract]'"


def test_our_plugin_reads_files_of_the_disk(tmp_path_factory: pytest.TempPathFactory, desk: Desk) -> None:
    path = tmp_path_factory.mktemp("contracts") / "orders.yaml"
    path.write_text(ORDERS)
    assert own_plugin(desk.engine, MonitoringConfig()).parse_contract(path).version == "1.2.0"
