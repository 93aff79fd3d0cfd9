"""The catalogue in a real Chromium."""

from __future__ import annotations

from datetime import datetime, timezone
from pathlib import Path

import pytest
from support.page_width import WIDER
from support.shop_versions import shop_repository
from support.web_driver import Browser

from floe_contracts.app.changelog import read_catalog
from floe_contracts.render.html.catalog.page import render_catalog

pytestmark = pytest.mark.service

SHOWN = """
const cards = [...document.querySelectorAll('[data-card]')].filter(card => card.offsetParent);
return cards.map(card => card.querySelector('h3').innerText);
"""


@pytest.fixture(scope="module")
def page(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("catalogue")
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(shop_repository(folder).path)
        html = render_catalog(read_catalog((), datetime(2026, 1, 10, tzinfo=timezone.utc)))
    path = folder / "catalog.html"
    path.write_text(html, encoding="utf-8")
    return path


@pytest.mark.parametrize(
    ("keys", "shown"),
    [
        ([], ["Payments", "shop-customers", "shop.orders"]),
        (["/", *"pii"], ["shop-customers"]),
        (["/", *"amount was renamed"], ["shop.orders"]),
    ],
    ids=["everything", "a classification", "a change of an old version"],
)
def test_search_finds_columns_and_changes(browser: Browser, page: Path, keys: list[str], shown: list[str]) -> None:
    browser.open(page)
    browser.press(*keys)
    assert browser.run(SHOWN) == shown
    assert browser.complaints() == []


def test_a_stage_is_chosen_by_its_count(browser: Browser, page: Path) -> None:
    browser.open(page)
    browser.click("button[data-state=deprecated]")
    assert browser.run(SHOWN) == ["shop-customers"]


@pytest.mark.parametrize("width", [390, 1280])
def test_nothing_is_wider_than_the_window(browser: Browser, page: Path, width: int) -> None:
    browser.open(page, width=width)
    browser.run("for (const each of document.querySelectorAll('details')) each.open = true")
    assert browser.run("return document.documentElement.scrollWidth") == width
    assert browser.run(WIDER) == []
