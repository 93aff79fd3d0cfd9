"""The site of the documentation in a real Chromium, from the disk."""

from __future__ import annotations

import time
from pathlib import Path

import pytest
from support.docs_site import built_site
from support.web_driver import Browser

pytestmark = [pytest.mark.service, pytest.mark.slow]

WIDE = """
const inner = [...document.querySelectorAll('article *')].filter(each => !each.closest('.highlight, .table-wrapper'));
const wide = inner.filter(each => each.getBoundingClientRect().right > window.innerWidth + 1);
return [document.documentElement.scrollWidth, wide.map(each => each.outerHTML.slice(0, 80))];
"""
FOUND = "return [...document.querySelectorAll('#search-results li a')].map(link => link.getAttribute('href'))"


@pytest.fixture(scope="module")
def docs() -> Path:
    return built_site() / "docs"


def test_no_page_is_wider_than_a_phone(browser: Browser, docs: Path) -> None:
    pages = [page for page in sorted(docs.rglob("*.html")) if page.parent.name not in ("adr", "errors")]
    wide = {}
    for page in pages:
        browser.open(page, width=390, height=844)
        if (measured := browser.run(WIDE)) != [390, []]:
            wide[str(page.relative_to(docs))] = measured
    assert wide == {}
    assert len(pages) > 40


@pytest.mark.parametrize("page", ["index.html", "rules/columns.html", "rules.html", "cli.html", "policy.html"])
def test_no_page_is_wider_than_a_screen(browser: Browser, docs: Path, page: str) -> None:
    browser.complaints()
    browser.open(docs / page)
    assert browser.run(WIDE) == [1280, []]
    assert browser.complaints() == []


def test_search_needs_no_server(browser: Browser, docs: Path) -> None:
    browser.open(docs / "search.html")
    browser.run("location.search = '?q=primary+key'")
    found: list[str] = []
    deadline = time.monotonic() + 30
    while not any(link.startswith("rules/keys.html") for link in found) and time.monotonic() < deadline:
        found = browser.run(FOUND)
    assert any(link.startswith("rules/keys.html") for link in found)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("index.html", "docs/index.html"),
        ("docs/rules/index.html#type-changed", "docs/rules/types.html#type-changed"),
        ("docs/errors/index.html#floe-e520", "docs/errors.html#floe-e520"),
    ],
    ids=["no page", "a rule", "a code"],
)
def test_old_addresses_lead_on(browser: Browser, docs: Path, old: str, new: str) -> None:
    path, _, anchor = old.partition("#")
    browser.open(docs / "index.html")
    browser.run(f"location.href = '{(docs.parent / path).as_uri()}#{anchor}'")
    wanted, deadline = (docs.parent / new.partition("#")[0]).as_uri(), time.monotonic() + 30
    while not (at := browser.run("return location.href")).startswith(wanted) and time.monotonic() < deadline:
        time.sleep(0.05)
    assert at.removesuffix("#") == wanted + (f"#{anchor}" if anchor else "")


@pytest.mark.parametrize(("dark", "bright"), [(False, True), (True, False)], ids=["by day", "by night"])
def test_colours_follow_the_system(browser: Browser, docs: Path, dark: bool, bright: bool) -> None:
    browser.open(docs / "index.html", dark=dark)
    colour = browser.run("return getComputedStyle(document.body).backgroundColor.match(/\\d+/g).map(Number)")
    assert (sum(colour[:3]) > 400) is bright


def test_code_can_be_copied(browser: Browser, docs: Path) -> None:
    browser.open(docs / "quick-start.html")
    assert browser.run("return document.querySelectorAll('button.copybtn').length") > 5
