"""Contracts with their settings: what holds for each, what it is called, and which are meant."""

from __future__ import annotations

import pytest
from support.contracts import FIELDS, MISSPELT, ORDERS
from support.monitored import FRESH, orders, settings, targets

from floe_contracts.checks.moments import MINUTE
from floe_contracts.contract.load import load
from floe_contracts.errors import UsageError
from floe_contracts.monitor.run.targets import (
    ServerChoice,
    Target,
    choose_targets,
    keep_labels,
    label_targets,
    targets_from,
    unmatched_settings,
)
from floe_contracts.monitor.settings.model import MonitoringConfig
from floe_contracts.monitor.source.connection import Connection
from floe_contracts.product.data_contracts import Enforcement


def read(
    config: MonitoringConfig | None = None, choice: ServerChoice | None = None, **files: str
) -> tuple[Target, ...]:
    loaded = [load(text.encode(), path.replace("__", "/") + ".yaml") for path, text in files.items()]
    return targets_from(loaded, config or MonitoringConfig(), choice)


def test_files_become_targets_in_the_order_of_their_paths() -> None:
    found = read(contracts__orders=ORDERS, contracts__customers=FIELDS)
    assert [(one.path, one.name, one.major) for one in found] == [
        ("contracts/customers.yaml", "customers", 2),
        ("contracts/orders.yaml", "orders", 1),
    ]
    assert [one.where.folder for one in found] == ["contracts", "contracts"]


def test_settings_are_found_by_the_contracts_key() -> None:
    config = settings(
        data_contracts={"enforcement": "warn"},
        contracts={"orders": {"enforcement": "block", "freshness": {"check_interval": "1m"}}},
        connections={"orders": {"type": "local", "location": "o.csv"}},
    )
    own, other = read(config, a=ORDERS, b=FIELDS)
    assert (own.enforcement, own.interval_us("freshness")) == (Enforcement.BLOCK, MINUTE)
    assert own.where.connection is config.connections["orders"]
    assert (other.enforcement, other.interval_us("freshness"), other.where.connection) == (
        Enforcement.WARN,
        15 * MINUTE,
        None,
    )


def test_the_command_line_wins_over_the_settings() -> None:
    config = settings(connections={"orders": {"type": "local", "location": "o.csv"}})
    asked = ServerChoice("prod", Connection(type="spark"), "/root")
    (found,) = read(config, asked, a=ORDERS)
    assert (found.where.connection, found.where.server, found.where.root) == (asked.connection, "prod", "/root")


def test_a_contract_with_errors_is_a_target_with_a_problem() -> None:
    (found,) = read(orders=MISSPELT)
    assert found.problem == "the contract has errors"
    assert found.findings[0].code.id == "FLOE-E501"


@pytest.mark.parametrize(
    ("text", "who"),
    [
        pytest.param(MISSPELT, ("orders", "orders", 1), id="a misspelt key"),
        pytest.param(MISSPELT + "id: orders\n", ("orders", "orders", 1), id="a key that stands twice"),
        pytest.param("id: orders\nname: sales\nversion: 2.0.0\n", ("orders", "sales", 2), id="no dialect to be told"),
        pytest.param(ORDERS + "  : [", ("broken.yaml", "broken.yaml", 0), id="no YAML at all: the strictest word"),
        pytest.param("- 1\n", ("broken.yaml", "broken.yaml", 0), id="no map of keys: the strictest word"),
    ],
)
def test_a_contract_that_stops_being_readable_still_blocks(text: str, who: tuple[str, str, int]) -> None:
    config = settings(contracts={"orders": {"enforcement": "block"}, "other": {"enforcement": "warn"}})
    (found,) = read(config, broken=text)
    assert (found.key, found.name, found.major) == who
    assert (found.enforcement, bool(found.problem)) == (Enforcement.BLOCK, True)


def test_a_contract_with_errors_has_the_intervals_of_its_key() -> None:
    config = settings(contracts={"orders": {"freshness": {"check_interval": "1m"}}})
    assert read(config, broken=MISSPELT)[0].interval_us("freshness") == MINUTE


def test_a_contract_with_errors_neither_renames_nor_displaces_a_sound_one() -> None:
    broken, sound = read(a=MISSPELT.replace("version: 1.2.0", "version: next"), b=ORDERS)
    assert (broken.name, sound.name, sound.problem) == ("orders", "orders", "")


def test_a_weaker_threshold_is_the_problem_of_its_contract_alone() -> None:
    config = settings(contracts={"a": {"thresholds": {"freshness": "1d"}}})
    found = targets(orders(FRESH, name="a"), orders(FRESH, name="b"), config=config)
    assert ["weaker" in one.problem for one in found] == [True, False]


def test_a_newer_major_beside_an_older_one_has_a_name_of_its_own() -> None:
    found = targets(orders(version="2.1.0"), orders(version="1.9.0"), orders(name="items", version="3.0.0"))
    assert [one.name for one in found] == ["orders.v2", "orders", "items"]
    assert all(not one.problem for one in found)


def test_the_name_of_a_line_does_not_depend_on_which_files_are_asked_for() -> None:
    (alone,) = label_targets(targets(orders(version="3.0.0")), [("orders", 1), ("items", 0)])
    assert alone.name == "orders.v3"


@pytest.mark.parametrize(
    ("version", "known", "name"),
    [
        pytest.param("3.0.0", [], "orders", id="nothing known"),
        pytest.param("3.0.0", [("items", 1, "items")], "orders", id="another contract"),
        pytest.param("3.0.0", [("orders", 1, "orders")], "orders.v3", id="an older one has the plain name"),
        pytest.param("1.0.0", [("orders", 3, "orders")], "orders.v1", id="a newer one has it"),
        pytest.param("3.0.0", [("orders", 3, "orders.v3")], "orders.v3", id="it was numbered"),
        pytest.param("3.0.0", [("orders", 3, "orders")], "orders", id="it was plain"),
        pytest.param("3.0.0", [("orders", 3, "sales")], "orders", id="it was plain under an older name"),
        pytest.param("3.0.0", [("orders", 3, "orders"), ("orders", 1, "orders")], "orders.v3", id="two had it"),
    ],
)
def test_a_line_keeps_the_name_that_the_store_knows(version: str, known: list[tuple[str, int, str]], name: str) -> None:
    (found,) = keep_labels(targets(orders(version=version)), known)
    assert found.name == name


def test_a_plain_name_that_looks_numbered_is_left_alone() -> None:
    (found,) = keep_labels(targets(orders(name="orders.v2", version="2.0.0")), [("orders.v2", 2, "orders.v2")])
    assert found.name == "orders.v2"


def test_two_files_for_one_line_are_not_both_monitored() -> None:
    found = targets(orders(version="1.2.0"), orders(version="1.3.0"))
    assert [bool(one.problem) for one in found] == [False, True]


def test_settings_that_fit_no_contract_are_told_with_the_nearest_key() -> None:
    config = settings(
        contracts={"orders": {"enforcement": "warn"}, "ordrs": {"enforcement": "block"}},
        connections={"invoices": {"type": "local", "location": "i.csv"}},
    )
    assert unmatched_settings(config, targets(orders(), orders(name="items"))) == (
        "The settings hold contracts.ordrs, which fits no contract. Write orders if that is meant.",
        "The settings hold connections.invoices, which fits no contract. Write a contract's id, or remove it.",
    )


@pytest.mark.parametrize(
    ("only", "names"),
    [
        pytest.param((), ["orders", "orders.v2", "items"], id="nothing said: all"),
        pytest.param(("items",), ["items"], id="by name"),
        pytest.param(("orders.v2",), ["orders.v2"], id="by label"),
        pytest.param(("orders",), ["orders", "orders.v2"], id="by the name that two lines share"),
        pytest.param(("*ers*", "items"), ["orders", "orders.v2", "items"], id="by patterns"),
        pytest.param(("items.yaml",), ["items"], id="by path"),
    ],
)
def test_only_the_named_contracts(only: tuple[str, ...], names: list[str]) -> None:
    found = targets(orders(), orders(version="2.0.0"), orders(name="items"))
    assert [one.name for one in choose_targets(found, only)] == names


def test_a_name_that_fits_nothing_is_an_error_that_lists_the_names() -> None:
    with pytest.raises(UsageError, match="--only ordes fits no contract") as refused:
        choose_targets(targets(orders(), orders(name="items")), ("ordes",))
    assert refused.value.fix == "There are items, orders."
