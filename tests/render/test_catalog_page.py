"""The catalogue of contracts: every version from git in the words of the rules, and deaf to what contracts say."""

from __future__ import annotations

from dataclasses import replace
from datetime import date, datetime, timezone
from pathlib import Path

import pytest
from support.git_sandbox import Clone
from support.page_reader import PageReader
from support.runner_model import obeyed
from support.samples import HOSTILE
from support.shop_versions import ORDERS, commit_in, shop_repository

from floe_contracts.app.changelog import read_catalog
from floe_contracts.contract.lifecycle import Lifecycle, Stage
from floe_contracts.contract.model import (
    Contract,
    CustomProperty,
    Deprecation,
    EnumValue,
    Property,
    QualityRule,
    SchemaObject,
    Server,
    Sla,
    Threshold,
    ValueOptions,
)
from floe_contracts.render.html.catalog.page import render_catalog
from floe_contracts.render.html.catalog.promises import promises
from floe_contracts.render.html.catalog.values import Catalog, CatalogEntry, VersionChange, VersionEntry
from floe_contracts.results import Bump, Reader

TODAY = datetime(2026, 1, 10, tzinfo=timezone.utc)


@pytest.fixture
def shop(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Clone:
    clone = shop_repository(tmp_path)
    monkeypatch.chdir(clone.path)
    return clone


def words_of(html: str) -> str:
    return " ".join(" ".join(PageReader(html).words).split())


def versions(name: str, catalog: Catalog) -> dict[str, list[str]]:
    (found,) = (one for one in catalog.entries if one.contract.label == name)
    return {each.number: [f"{one.bump.value} {one.rule}" for one in each.changes] for each in found.versions}


def test_each_version_says_what_it_changed(shop: Clone) -> None:
    assert versions("shop.orders", read_catalog((), TODAY)) == {
        "2.1.0": ["minor property-added-optional"],
        "2.0.0": ["major property-renamed"],
        "1.0.0": [],
    }


def test_versions_know_the_day_and_the_commit_that_brought_them(shop: Clone) -> None:
    (orders,) = read_catalog((ORDERS,), TODAY).entries
    assert [one.day for one in orders.versions] == [date(2025, 10, 4), date(2025, 9, 3), date(2025, 7, 1)]
    assert all(len(one.commit) == 10 for one in orders.versions)
    assert [one.first for one in orders.versions] == [False, False, True]


def test_what_is_not_committed_yet_is_a_version_too(shop: Clone) -> None:
    path = shop.path / ORDERS
    path.write_text(path.read_text().replace('"2.1.0"', '"2.1.1"').replace("owner: checkout-team", "owner: shop-team"))
    found = read_catalog((ORDERS,), TODAY)
    assert next(iter(versions("shop.orders", found).items())) == ("2.1.1", ["patch owner-changed"])
    assert "2.1.1 not committed yet" in words_of(render_catalog(found))


def test_a_moved_contract_keeps_its_past(shop: Clone) -> None:
    (shop.path / "contracts/sales").mkdir()
    (shop.path / ORDERS).rename(shop.path / "contracts/sales/orders.yaml")
    commit_in(shop, 6)
    assert list(versions("shop.orders", read_catalog((), TODAY))) == ["2.1.0", "2.0.0", "1.0.0"]


def test_outside_a_repository_there_are_contracts_without_a_past(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "datacontract.yaml").write_text('schema: a\nversion: "1.0.0"\nfields: [{name: x, type: STRING}]\n')
    (found,) = read_catalog((), TODAY).entries
    assert [(one.number, one.day) for one in found.versions] == [("1.0.0", None)]


@pytest.mark.parametrize(
    "words",
    [
        "3 contracts · commit",
        "shop.orders 2.1.0 checkout-team 6 columns · 2 readers active",
        "shop-customers 1.4.0 customer-team@shop.example · sales 4 columns deprecated",
        "replaced by shop-people",
        "email string required unique format email pii",
        "freshness PT6H updated_at",
        "min_rows_per_day 500 placed_at",
        "finance-reports – every column",
        'major column "shop.orders".amount was renamed to total',
        "first version",
    ],
)
def test_it_says(shop: Clone, words: str) -> None:
    assert words in words_of(render_catalog(read_catalog((), TODAY)))


def test_the_guide_to_move_on_is_named() -> None:
    notice = Deprecation("2026-01-01", "2026-02-20", "orders-2", migration_guide="https://wiki/orders-2")
    entry = CatalogEntry(
        Contract("orders", "1.0.0", deprecation=notice), "orders.yaml", "odcs", Lifecycle(Stage.DEPRECATED)
    )
    words = words_of(render_catalog(Catalog((entry,))))
    assert "replaced by orders-2 how to move on https://wiki/orders-2" in words


def test_the_same_catalogue_is_the_same_page(shop: Clone) -> None:
    assert render_catalog(read_catalog((), TODAY)) == render_catalog(read_catalog((), TODAY))


def test_the_page_is_well_formed_and_loads_nothing(shop: Clone) -> None:
    found = PageReader(render_catalog(read_catalog((), TODAY)))
    assert found.open == []
    assert len(found.ids) == len(set(found.ids))
    assert all(address.startswith("#") for address in found.addresses)


def test_a_file_that_cannot_be_read_is_named(shop: Clone) -> None:
    (shop.path / "contracts/broken.yaml").write_text("kind: DataContract\nschema: [\n")
    assert "contracts/broken.yaml could not be read" in words_of(render_catalog(read_catalog((), TODAY)))


def test_nothing_from_a_contract_becomes_a_tag_or_a_command() -> None:
    column = Property(
        HOSTILE, physical_type=HOSTILE, classification=HOSTILE, unit=HOSTILE, docs={"description": HOSTILE}
    )
    contract = Contract(
        HOSTILE,
        HOSTILE,
        id=HOSTILE,
        domain=HOSTILE,
        product=HOSTILE,
        owner=HOSTILE,
        status="draft",
        deprecation=Deprecation("2026-01-01", "2026-02-20", HOSTILE, migration_guide=HOSTILE),
        objects=(SchemaObject(HOSTILE, properties=(column,), docs={"description": HOSTILE}),),
        slas=(Sla(HOSTILE, HOSTILE, unit=HOSTILE, element=HOSTILE),),
        servers=(Server(HOSTILE, HOSTILE, coordinates={"password": "Ωsecret"}),),
        tags=(HOSTILE,),
        docs={"description": {"purpose": HOSTILE}},
        custom=(CustomProperty(HOSTILE, HOSTILE),),
    )
    change = VersionChange(Bump.MAJOR, HOSTILE, HOSTILE)
    entry = CatalogEntry(
        contract,
        HOSTILE,
        HOSTILE,
        Lifecycle(Stage.SUNSET, None, date(2026, 1, 1)),
        (Reader(HOSTILE, HOSTILE, (HOSTILE,)),),
        (VersionEntry(HOSTILE, date(2026, 1, 1), HOSTILE, (change,)),),
    )
    html = render_catalog(Catalog((entry, replace(entry, path="other")), (HOSTILE,), False, HOSTILE, HOSTILE))
    found = PageReader(html)
    assert found.open == []
    assert "b" not in found.tags
    assert obeyed(html) == []
    assert "\u202e" not in html
    assert "Ωsecret" not in html, "where the data is stays in the contract"


def test_values_bounds_and_thresholds_are_shown() -> None:
    values = (EnumValue("open"), EnumValue("paid"))
    rule = QualityRule("library", metric="nullValues", thresholds=((Threshold.LESS_THAN, 5),), unit="percent")
    limited = ValueOptions(minimum=0, maximum=100, min_length=3, max_length=3, pattern="[A-Z]+")
    shown = promises(Property("status", enum=values, options=limited, quality=(rule,)))
    for words in (
        "allowed: <code>open</code> <code>paid</code>",
        "at least 0 and at most 100",
        "exactly 3 characters",
        "matches <code>[A-Z]+</code>",
        "<code>nullValues</code> must be less than 5 percent",
    ):
        assert words in shown
