"""The HTML page: complete in itself, accessible, and deaf to what contracts say."""

from __future__ import annotations

import re
from base64 import b64encode
from dataclasses import replace
from hashlib import sha256

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.hostile import PLANTED, reports
from support.page_reader import PageReader
from support.runner_model import obeyed
from support.samples import HOSTILE, LINKS, REPORTS, TODAY, sample_report
from support.snapshots import assert_matches

from floe_contracts.render.html import report as page
from floe_contracts.render.html.assets import report_sheet
from floe_contracts.render.html.sources import Sources
from floe_contracts.results import Reader, Report

PATH = "contracts/orders.odcs.yaml"
OLD = "".join(
    f"{line}\n" for line in ("id: orders", "version: 2.3.0", *(f"c{index}" for index in range(40)), "gone", "last")
)
NEW = OLD.replace("2.3.0", "2.4.0").replace("gone\n", "") + f"note: {HOSTILE}\n"
EXPECTED_TAGS = {
    "html",
    "head",
    "meta",
    "title",
    "style",
    "body",
    "a",
    "header",
    "div",
    "span",
    "h1",
    "main",
    "ul",
    "li",
}
EXPECTED_TAGS |= {
    "nav",
    "section",
    "h2",
    "h3",
    "p",
    "strong",
    "code",
    "article",
    "dl",
    "dt",
    "dd",
    "table",
    "thead",
    "tbody",
}
EXPECTED_TAGS |= {"tr", "th", "td", "colgroup", "col", "details", "summary", "pre", "mark", "footer"}


def shown(report: Report, sources: dict[str, Sources] | None = None) -> str:
    return page.render(report, today=TODAY, links=LINKS, sources=sources)


def read(report: Report, sources: dict[str, Sources] | None = None) -> PageReader:
    return PageReader(shown(report, sources))


def test_report_looks_as_reviewed() -> None:
    html = shown(sample_report(), {PATH: Sources(OLD, NEW)})
    assert_matches("page-blocked.html", re.sub("sha256-[^']+", "…", html.replace(report_sheet(), "\n")))


@pytest.mark.parametrize("name", REPORTS)
def test_the_verdict_comes_first(name: str) -> None:
    words = "".join(read(REPORTS[name]).words)
    assert re.search(r"Skip to the findings\s*(BLOCKED|PASS|COULD NOT CHECK|NOTHING CHECKED)", words)


@pytest.mark.parametrize("name", REPORTS)
def test_every_anchor_leads_somewhere_on_a_well_formed_page(name: str) -> None:
    found = read(REPORTS[name], {PATH: Sources(OLD, NEW)})
    assert found.open == []
    assert len(found.ids) == len(set(found.ids))
    inner = {address[1:] for address in found.addresses if address.startswith("#")}
    assert inner - set(found.ids) == set()
    assert all(
        address.startswith(("#", "https://floe.dev/", "https://github.example.com/")) for address in found.addresses
    )


def test_nothing_is_loaded_and_nothing_runs() -> None:
    html = shown(sample_report())
    digest = b64encode(sha256(re.search("<style>(.*)</style>", html, re.DOTALL)[1].encode()).digest()).decode()  # type: ignore[index]
    assert f"default-src 'none'; style-src 'sha256-{digest}'; base-uri 'none'; form-action 'none'" in html
    assert "url(" not in report_sheet()
    assert "@import" not in report_sheet()


def test_findings_stand_on_their_lines_in_both_texts() -> None:
    html = shown(sample_report(), {PATH: Sources(OLD, NEW)})
    assert 'id="contract-1-line-14" class="noted"' in html
    assert 'href="#contract-1-line-14"' in html
    assert "equal lines</td>" in html
    assert "<mark>3</mark>" in html
    assert '<td class="old">gone</td>' in html


def test_texts_that_are_too_long_are_not_compared() -> None:
    assert "Not shown: more than 5000 lines." in shown(sample_report(), {PATH: Sources("a\n" * 6_000, "b\n")})


def check_deaf(html: str) -> None:
    found = PageReader(html)
    assert found.open == []
    assert found.tags <= EXPECTED_TAGS
    assert found.attributes <= {
        "lang", "charset", "http-equiv", "content", "name", "class", "id", "href", "aria-label", "role", "tabindex",
        "scope", "colspan", "open",
    }  # fmt: skip
    assert not [address for address in found.addresses if not address.startswith(("#", "https://"))]
    assert obeyed(html) == []
    html.encode()


@settings(max_examples=60)
@given(reports(), st.text(), st.text())
def test_nothing_from_a_contract_becomes_a_tag(report: Report, old: str, new: str) -> None:
    check_deaf(shown(report, {result.path: Sources(old, f"{new}\n{HOSTILE}{PLANTED}") for result in report.results}))


def luminance(colour: str) -> float:
    channels = [int(colour[start : start + 2], 16) / 255 for start in (1, 3, 5)]
    linear = [each / 12.92 if each <= 0.04045 else ((each + 0.055) / 1.055) ** 2.4 for each in channels]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(one: str, other: str) -> float:
    darker, lighter = sorted((luminance(one), luminance(other)))
    return (lighter + 0.05) / (darker + 0.05)


THEMES = [
    dict(re.findall(r"--([a-z-]+): (#[0-9a-f]{6})", block))
    for block in re.findall(r":root \{(.*?)\}", report_sheet(), re.DOTALL)
]


@pytest.mark.parametrize("theme", THEMES, ids=["light", "dark", "paper"])
@pytest.mark.parametrize(
    ("ink", "ground"),
    [
        *((ink, ground) for ink in ("ink", "soft", "link") for ground in ("page", "card", "code")),
        *((colour, f"{colour}-bg") for colour in ("red", "amber", "green", "blue")),
        *(("ink", ground) for ground in ("old", "new", "old-mark", "new-mark", "amber-bg")),
        ("red", "card"),
        ("red", "code"),
        ("soft", "old"),
        ("soft", "new"),
    ],
)
def test_words_can_be_read(theme: dict[str, str], ink: str, ground: str) -> None:
    assert contrast(theme[ink], theme[ground]) >= 4.5


def test_who_is_reached_is_drawn() -> None:
    chain = (Reader("gold"), Reader("x" * 40, through="gold"), Reader("<b>", through="gold"))
    (result,) = [each for each in sample_report().results if each.contract == "orders"]
    html = shown(replace(sample_report(), results=(replace(result, readers=chain),)))
    assert 'aria-label="1 reader of orders, 2 further down"' in html
    assert html.count("<rect ") == 4
    assert f"<title>{'x' * 40}</title>" in html.replace("\n", "")
    assert "<b>" not in html
