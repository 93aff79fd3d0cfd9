"""`floe monitor report` and `floe contract catalog` as people run them, on a real store and a real repository."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from support.git_sandbox import Clone
from support.monitored import Desk, targets
from support.running import Floe
from support.shop_history import CONFIG, stories

from floe_contracts.adapters.store.address import open_store
from floe_contracts.checks.moments import HOUR
from floe_contracts.cli.moments import now_us


def fill(path: Path) -> str:
    """A store in which orders were too old for the last six hours."""
    address = f"sqlite:///{path}"
    now = now_us()
    story = stories(now)[0]
    desk = Desk(store=open_store(address), now_us=now - 6 * HOUR)  # type: ignore[arg-type]
    for left in range(6, -1, -2):
        desk.engine.tables["orders"] = story.world(desk.now_us, left)
        desk.run("freshness", targets(story.contract, config=CONFIG))
        desk.later(2 * HOUR)
    return address


def test_report_is_written_from_the_store(floe: Floe, tmp_path: Path) -> None:
    address = fill(tmp_path / "results.db")
    ran = floe("monitor", "report", "--store", address, "-o", "report.html")
    assert (ran.code, ran.out, ran.err) == (0, "", "Written to report.html.\n")
    html = (tmp_path / "report.html").read_text(encoding="utf-8")
    assert "Data is 18 hours old, SLA is 6 hours" in html
    assert "4 slots in a row" in html


def test_report_knows_owners_and_readers_from_the_contracts(floe: Floe, shop: Clone) -> None:
    address = fill(shop.path.parent / "results.db")
    text = (
        'version: "2.3.0"\nname: orders\ndomain: shop\nowner: Ana\nconsumers: [{name: billing}]\n'
        "models: {orders: {elements: {order_id: {type: string}}}}\n"
    )
    shop.write({"contracts/orders.yaml": text})
    words = floe("monitor", "report", "contracts", "--store", address).out
    assert "owner Ana" in re.sub(r"<[^>]*>", "", words)
    assert "billing" in words


def test_report_without_results_says_so_and_makes_no_store(floe: Floe, tmp_path: Path) -> None:
    ran = floe("monitor", "report", "-o", "report.html")
    assert ran.code == 0
    assert ran.err == "Written to report.html.\nThe store holds no results yet; `floe monitor run` fills it.\n"
    assert sorted(path.name for path in tmp_path.iterdir() if path.name != "home") == ["report.html"]


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--since", "soon"], "--since 'soon' is neither a length of time nor a date"),
        (["--since", "2026-13-01"], "such as 7d, or a date such as 2026-01-03"),
        (["--since", "2999-01-01"], "it lies in the future"),
        (["--store", "sqlite:///absent.db"], "there is no store absent.db"),
        (["--store", "mysql://db"], "the address of the store cannot be used"),
        (["--config", "absent.yaml"], "there is no settings file absent.yaml"),
    ],
    ids=["no length", "no date", "the future", "no store", "an unknown store", "no settings"],
)
def test_what_cannot_be_meant_is_said(floe: Floe, arguments: list[str], said: str) -> None:
    ran = floe("monitor", "report", *arguments, "-o", "report.html")
    assert ran.code == 2
    assert said in ran.err
    assert not Path("report.html").exists()


def test_a_contract_that_cannot_be_read_is_named_and_the_report_is_written(floe: Floe) -> None:
    ran = floe("monitor", "report", "absent.yaml")
    assert ran.code == 0
    assert ran.err.startswith("absent.yaml could not be read as a contract; `floe lint` tells why.")


def _contract(name: str, key: str) -> str:
    columns = "models: {t: {elements: {order_id: {type: string}}}}"
    return f'version: "2.3.0"\nid: {key}\nname: {name}\n{columns}\n'


@pytest.mark.parametrize(
    ("only", "shown"),
    [
        (["orders"], {"orders"}),
        (["stock"], {"stock"}),
        (["?t*", "sal*"], {"stock", "sales"}),
        (["stock", "orders"], {"stock", "orders"}),
        ([], {"orders", "stock", "sales"}),
    ],
    ids=["one that was checked", "one that was not", "patterns", "two", "all"],
)
def test_only_some_contracts(only: list[str], shown: set[str], floe: Floe, shop: Clone) -> None:
    address = fill(shop.path.parent / "results.db")
    shop.write({f"contracts/{name}.yaml": _contract(name, name) for name in ("stock", "sales")})
    words = [word for name in only for word in ("--only", name)]
    ran = floe("monitor", "report", "contracts/stock.yaml", "contracts/sales.yaml", "--store", address, *words)
    html = ran.out
    assert ("No such contract was checked yet" in ran.err) is ("orders" not in shown)
    seen = {name for name in ("stock", "sales") if f"contracts/{name}.yaml" in html}
    assert seen | ({"orders"} if "Data is 18 hours old" in html else set()) == shown


def test_a_contract_with_a_new_name_is_found_by_it(floe: Floe, shop: Clone) -> None:
    address = fill(shop.path.parent / "results.db")
    shop.write({"contracts/purchases.yaml": _contract("purchases", "shop/orders")})
    words = ("monitor", "report", "contracts/purchases.yaml", "--store", address)
    assert "Data is 18 hours old" in floe(*words, "--only", "purchases").out


def test_only_a_contract_that_nobody_knows_is_refused(floe: Floe, tmp_path: Path) -> None:
    ran = floe("monitor", "report", "--store", fill(tmp_path / "results.db"), "--only", "stock", "-o", "report.html")
    assert ran.code == 2
    assert "--only 'stock': no contract has this name" in ran.err
    assert "There are orders." in ran.err
    assert not (tmp_path / "report.html").exists()


def test_a_window_before_everything_still_shows_how_it_stands(floe: Floe, tmp_path: Path) -> None:
    address = fill(tmp_path / "results.db")
    words = floe("monitor", "report", "--store", address, "--since", "5m").out
    assert "Data is 18 hours old" in words


def test_catalog_shows_versions_of_the_repository(floe: Floe, shop: Clone) -> None:
    from support.orders import orders

    shop.commit({"contracts/orders.yaml": orders("1.1.0", columns=("order_id", "total", "coupon"))})
    ran = floe("contract", "catalog", "-o", "catalog.html")
    assert (ran.code, ran.err) == (0, "Written to catalog.html.\n")
    html = (shop.path / "catalog.html").read_text(encoding="utf-8")
    assert "column orders.coupon was added (string)" in html


def test_catalog_names_what_it_could_not_read(floe: Floe, shop: Clone) -> None:
    shop.write({"contracts/broken.yaml": "kind: DataContract\nschema: [\n"})
    ran = floe("contract", "catalog", "-o", "catalog.html")
    assert ran.code == 0
    assert "contracts/broken.yaml could not be read as a contract" in ran.err
