"""The report page in a real Chromium: it renders, filters, searches and obeys the keyboard, light and dark."""

from __future__ import annotations

from pathlib import Path

import pytest
from support.page_width import WIDER
from support.shop_history import large_record, shop_record
from support.web_driver import Browser

from floe_contracts.render.html.board import board

pytestmark = pytest.mark.service

SHOWN = """
const cards = [...document.querySelectorAll('[data-card]')].filter(card => card.checkVisibility());
return cards.map(card => card.querySelector('h3').textContent.trim());
"""
FOCUSED = "return document.activeElement.querySelector('h3')?.textContent.trim() || document.activeElement.id"
OPEN = "return document.activeElement.closest('[data-card]').open"


@pytest.fixture(scope="module")
def page(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("page") / "report.html"
    path.write_text(board(shop_record(2)), encoding="utf-8")
    return path


@pytest.fixture
def fresh(browser: Browser, page: Path) -> Browser:
    browser.open(page)
    return browser


def choose(browser: Browser, name: str, words: str) -> None:
    browser.run(
        f"const list = document.querySelector('select[data-filter={name}]');"
        f"list.value = [...list.options].find(o => o.text === {words!r}).value;"
        "list.dispatchEvent(new Event('input', {bubbles: true}))"
    )


EVERYBODY = [
    *("orders", "customers", "payments", "products", "visits", "sessions"),
    *("refunds", "shipments", "stock", "suppliers"),
]


def test_every_contract_is_there_and_the_console_is_silent(fresh: Browser) -> None:
    assert fresh.run(SHOWN) == EVERYBODY
    assert fresh.complaints() == []
    assert fresh.run("return document.getElementById('count').innerText") == "10 contracts"


@pytest.mark.parametrize(
    ("state", "shown"),
    [("violated", EVERYBODY[:6]), ("missed", ["refunds"]), ("passing", EVERYBODY[7:]), ("errored", ["payments"])],
)
def test_a_state_is_chosen_by_its_count_and_left_by_the_same(fresh: Browser, state: str, shown: list[str]) -> None:
    fresh.click(f"button[data-state={state}]")
    assert fresh.run(SHOWN) == shown
    fresh.click(f"button[data-state={state}]")
    assert fresh.run(SHOWN) == EVERYBODY


def test_check_and_state_together_mean_that_check_in_that_state(fresh: Browser) -> None:
    fresh.click("button[data-state=violated]")
    choose(fresh, "check", "Freshness")
    assert fresh.run(SHOWN) == ["orders"]


def test_an_owner_has_contracts(fresh: Browser) -> None:
    choose(fresh, "owner", "team-payments")
    assert fresh.run(SHOWN) == ["payments", "refunds"]


@pytest.mark.parametrize(
    ("typed", "shown"),
    [
        ("billing-service", ["orders", "payments"]),
        ("TEAM-CRM", ["customers"]),
        ("missing amount", ["products"]),
        ("no such thing", []),
    ],
    ids=["a reader", "in capitals", "two words of a message", "nothing"],
)
def test_search_reads_everything_that_a_card_says(fresh: Browser, typed: str, shown: list[str]) -> None:
    fresh.press("/", *typed)
    assert fresh.run(SHOWN) == shown
    assert fresh.run("return !document.getElementById('nothing').hidden") is (not shown)


def test_nothing_found_can_be_undone(fresh: Browser) -> None:
    fresh.press("/", *"no such thing")
    fresh.click("#clear")
    assert fresh.run(SHOWN) == EVERYBODY


@pytest.mark.parametrize(
    ("keys", "focused"),
    [
        (["/"], "search"),
        (["j"], "orders"),
        (["j", "j", "j", "k"], "customers"),
        (["j", "ArrowDown", "ArrowDown", "ArrowUp"], "customers"),
        (["/", *"team-web", "Enter"], "visits"),
        (["/", *"team-web", "ArrowDown", "j", "j", "j"], "sessions"),
    ],
    ids=["slash", "first", "j and k", "arrows", "enter in the search", "not beyond what is shown"],
)
def test_keys_move_the_focus(fresh: Browser, keys: list[str], focused: str) -> None:
    fresh.press(*keys)
    assert fresh.run(FOCUSED) == focused


def test_enter_opens_a_contract_and_escape_closes_it_then_clears_the_search(fresh: Browser) -> None:
    fresh.press("/", *"stock", "Enter", "Enter")
    assert fresh.run(OPEN) is True
    fresh.press("Escape")
    assert fresh.run(OPEN) is False
    fresh.press("Escape")
    assert fresh.run(SHOWN) == EVERYBODY


def test_focus_can_be_seen(fresh: Browser) -> None:
    fresh.press("j")
    assert fresh.run("return getComputedStyle(document.activeElement).outlineStyle") == "solid"


def test_a_link_to_a_contract_opens_it(fresh: Browser) -> None:
    card = "[...document.querySelectorAll('[data-card]')].at(-1)"
    assert fresh.run(f"return {card}.open") is False
    fresh.run(f"location.hash = {card}.id")
    fresh.run("return new Promise(done => requestAnimationFrame(done))")
    assert fresh.run(f"return {card}.open") is True


@pytest.mark.parametrize("width", [390, 768, 1280])
def test_nothing_is_wider_than_the_window(browser: Browser, page: Path, width: int) -> None:
    browser.open(page, width=width)
    browser.run("for (const each of document.querySelectorAll('details')) each.open = true")
    assert browser.run("return document.documentElement.scrollWidth") == width


def test_dark_is_dark_and_light_is_light(browser: Browser, page: Path) -> None:
    grounds = {}
    for dark in (False, True):
        browser.open(page, dark=dark)
        grounds[dark] = browser.run("return getComputedStyle(document.body).backgroundColor")
    assert grounds == {False: "rgb(246, 247, 249)", True: "rgb(15, 20, 26)"}


def test_without_scripts_everything_is_visible_and_no_tool_pretends_to_work(browser: Browser, page: Path) -> None:
    browser.command("Emulation.setScriptExecutionDisabled", value=True)
    try:
        browser.open(page)
        nodes = browser.command("DOM.getDocument", depth=-1)["root"]["nodeId"]
        cards = browser.command("DOM.querySelectorAll", nodeId=nodes, selector="[data-card]:not([hidden])")["nodeIds"]
        tools = browser.command("DOM.querySelectorAll", nodeId=nodes, selector="#tools[hidden], button:disabled")
    finally:
        browser.command("Emulation.setScriptExecutionDisabled", value=False)
    assert len(cards) == len(EVERYBODY)
    assert len(tools["nodeIds"]) == 5


def test_a_policy_refuses_what_got_in_by_mistake(browser: Browser, page: Path, tmp_path: Path) -> None:
    planted = page.read_text(encoding="utf-8").replace("<main>", "<main><script>document.title = 'owned'</script>")
    path = tmp_path / "planted.html"
    path.write_text(planted, encoding="utf-8")
    browser.open(path)
    assert browser.run("return document.title") != "owned"
    assert any("Content Security Policy" in each for each in browser.complaints())


@pytest.fixture(scope="module")
def large(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("large") / "report.html"
    path.write_text(board(large_record(200)), encoding="utf-8")
    return path


def test_two_hundred_contracts_fit_a_phone_at_first_sight(browser: Browser, large: Path) -> None:
    browser.open(large, width=390, height=844)
    assert browser.run("return document.documentElement.scrollHeight") <= 8_000
    assert len(browser.run(SHOWN)) == 20
    assert browser.run("return document.querySelectorAll('[data-card][open]').length") == 3


@pytest.mark.parametrize("width", [390, 1280])
def test_no_element_is_wider_than_the_page_under_names_of_sixty_letters(
    browser: Browser, large: Path, width: int
) -> None:
    browser.open(large, width=width)
    browser.run("for (const each of [...document.querySelectorAll('details')].slice(0, 60)) each.open = true")
    assert browser.run(WIDER) == []


def test_a_search_opens_what_was_folded_and_clearing_it_closes_that_again(browser: Browser, large: Path) -> None:
    browser.open(large)
    browser.press("/", *"_7_")
    assert [name.split("_")[1] for name in browser.run(SHOWN)] == ["7"]
    browser.press("Escape", "Escape")
    assert len(browser.run(SHOWN)) == 20


@pytest.mark.slow
def test_two_thousand_contracts_load_in_three_seconds(browser: Browser, tmp_path: Path) -> None:
    path = tmp_path / "report.html"
    path.write_text(board(large_record(2_000)), encoding="utf-8")
    browser.command("Performance.enable", timeDomain="threadTicks")  # whatever else this machine is doing
    before = seconds_at_work(browser)
    browser.open(path, width=390, height=844)
    assert seconds_at_work(browser) - before <= 3


def seconds_at_work(browser: Browser) -> float:
    metrics = browser.command("Performance.getMetrics")["metrics"]
    return float(next(metric["value"] for metric in metrics if metric["name"] == "TaskDuration"))
