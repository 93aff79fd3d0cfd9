"""The report page of monitoring: complete in itself, the same for the same store, and deaf to what contracts say."""

from __future__ import annotations

import re
from base64 import b64encode
from dataclasses import replace
from functools import cache
from hashlib import sha256

import pytest
from support.monitored import NOW
from support.page_reader import PageReader
from support.runner_model import obeyed
from support.samples import HOSTILE
from support.shop_history import Story, known, played, shop_record, stories

from floe_contracts.app.monitor.history import read_record
from floe_contracts.checks.moments import DAY, HOUR
from floe_contracts.contract.model import Consumer, Deprecation
from floe_contracts.monitor.store.outbox import Backlog, Message
from floe_contracts.render.html.assets import page_script, page_sheet
from floe_contracts.render.html.board import Record, board
from floe_contracts.results import Finding


@cache
def three_days() -> Record:
    return shop_record(3, only=("orders", "products", "sessions", "stock"))


def words_of(html: str) -> str:
    return " ".join(" ".join(PageReader(html).words).split())


def test_the_same_record_is_the_same_page_byte_for_byte() -> None:
    assert board(three_days()) == board(replace(three_days(), tool_version="0.3.0"))


def test_the_page_is_well_formed_and_every_anchor_leads_somewhere() -> None:
    found = PageReader(board(three_days()))
    assert found.open == []
    assert len(found.ids) == len(set(found.ids))
    inner = {address[1:] for address in found.addresses if address.startswith("#")}
    assert inner <= set(found.ids)
    assert all(address.startswith(("#", "https://floe.dev/docs/", "mailto:payments@")) for address in found.addresses)


@pytest.mark.parametrize(
    ("content", "kind"), [(page_sheet(), "style"), (page_script(), "script")], ids=["style", "script"]
)
def test_only_its_own_style_and_script_may_apply(content: str, kind: str) -> None:
    html = board(three_days())
    inside = re.search(f"<{kind}>(.*?)</{kind}>", html, re.DOTALL)
    assert inside
    assert inside[1] == content
    assert f"{kind}-src 'sha256-{b64encode(sha256(content.encode()).digest()).decode()}'" in html
    assert "default-src 'none'" in html


def test_nothing_is_loaded_from_anywhere() -> None:
    html = board(three_days())
    assert not re.search(r"url\(|@import|<link|<img|src=|fetch\(|XMLHttpRequest| style=| on[a-z]+=", html)


def test_the_worst_contract_comes_first() -> None:
    names = re.findall(r"<h3>(.*?)</h3>", board(three_days()))
    assert names == ["orders", "products", "sessions", "stock"]


@pytest.mark.parametrize(
    "words",
    [
        "3 a promise is broken",
        "1 every promise is kept",
        "Data is 18 hours old, SLA is 6 hours",
        "expected 6 hours actual 18 hours",
        "violated in 6 slots in a row",
        "since 2026-01-03 00:00 (10 hours ago)",
        "18 hours old 6 hours allowed",
        "score 100 at least 95 promised",
        "too few probes yet to judge the budget",
        "amount is missing from products",
        "still so",
        "sessions deprecated ends in 19 days announced 2025-12-14 sunset 2026-01-22 retired 2026-01-29",
        "billing-service payments@shop.example",
        "openlineage 14 1 3 hours ago connection refused",
        "floe 0.3.0 · times are UTC",
    ],
)
def test_it_says(words: str) -> None:
    assert words in words_of(board(three_days()))


def test_no_value_of_the_data_is_on_the_page() -> None:
    html = board(three_days())
    assert not re.search(r"\bo[0-9]{1,2}\b", words_of(html)), "an order id"
    assert "lost" not in html, "a status"


def test_pictures_are_told_in_words_too() -> None:
    labels = re.findall(r'<svg[^>]*role="img"[^>]*aria-label="([^"]*)"', board(three_days()))
    assert "Age of the data over time, now 18 hours old, 6 hours allowed" in labels
    assert any(label.startswith("Schema over time: ") and "violated slots" in label for label in labels)
    assert all(labels)


def _hostile() -> Story:
    story = stories()[0]
    people = (Consumer(HOSTILE, HOSTILE, (HOSTILE,)),)
    notice = Deprecation("2026-01-01", "2026-02-20", HOSTILE, migration_guide=HOSTILE)
    bad = replace(story.contract, owner=HOSTILE, version="1.0.0", consumers=people, deprecation=notice)
    return replace(story, contract=bad)


def test_nothing_from_a_contract_or_a_sink_becomes_a_tag_or_a_command() -> None:
    story = _hostile()
    record = shop_record(1, only=("orders",))
    kept = [
        replace(
            one,
            standing=replace(one.standing, totals=replace(one.standing.totals, label=HOSTILE, version=HOSTILE)),
            outcomes=tuple(
                replace(
                    each, result=replace(each.result, findings=tuple(_angry(item) for item in each.result.findings))
                )
                for each in one.outcomes
            ),
        )
        for one in record.kept
    ]
    sinks = (Backlog(HOSTILE, 1, 1, NOW, HOSTILE),)
    facts = replace(known(story), path=HOSTILE, major=2)
    html = board(replace(record, kept=tuple(kept), known=(facts,), backlog=sinks, tool_version=HOSTILE))
    found = PageReader(html)
    assert found.open == []
    assert "b" not in found.tags
    assert obeyed(html) == []
    assert "\u202e" not in html
    assert all(address.startswith(("#", "https://floe.dev/")) for address in found.addresses)


def _angry(item: Finding) -> Finding:
    return replace(item, message=HOSTILE, element=HOSTILE, expected=HOSTILE, actual=HOSTILE, suggestions=(HOSTILE,))


def test_a_store_without_results_says_how_to_get_some() -> None:
    html = board(Record(NOW, NOW - DAY))
    assert "The store holds no results yet; floe monitor run fills it." in words_of(html)


def test_the_guide_to_move_on_is_named() -> None:
    story = stories()[0]
    notice = Deprecation("2026-01-01", "2026-02-20", "orders-2", migration_guide="https://wiki/orders-2")
    leaving = replace(story, contract=replace(story.contract, deprecation=notice))
    words = words_of(board(Record(NOW, NOW - DAY, known=(known(leaving),))))
    assert "read orders-2 instead how to move on: https://wiki/orders-2" in words


def test_a_contract_that_was_never_checked_is_listed() -> None:
    html = board(Record(NOW, NOW - DAY, known=(known(stories()[0]),)))
    assert "orders 2.3.0 not checked yet idle team-orders" in words_of(html)


def test_without_contracts_the_store_alone_tells_stage_and_sunset() -> None:
    record = replace(shop_record(1, only=("sessions",)), known=())
    assert "sessions deprecated ends in 19 days sunset 2026-01-22" in words_of(board(record))


def test_what_ended_before_the_window_still_stands() -> None:
    desk = played(stories()[0], 1)
    record = read_record(desk.store, now_us=NOW + 9 * DAY, since_us=NOW + 8 * DAY)
    words = words_of(board(record))
    assert "Data is 18 hours old" in words


def test_the_backlog_of_sinks_is_that_of_the_store() -> None:
    store = played(stories()[7], 0).store
    (first, *_) = store.totals("shop")
    store.outbox.write(store.history(first, 0)[0], [Message("webhook", "FAIL", b"{}")], NOW - HOUR)
    assert "webhook 1 0 1 hour ago –" in words_of(board(read_record(store, now_us=NOW, since_us=NOW - DAY)))
