"""The Markdown page: verdict and cure on top, nothing alive in it that a contract wrote, always below its limit."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from markdown_it import MarkdownIt
from support.hostile import PLANTED, reports
from support.markdown_model import alive
from support.runner_model import obeyed
from support.samples import HOSTILE, LINKS, REPORTS, TODAY, green_report, lint_report, sample_report
from support.snapshots import assert_matches

from floe_contracts.compat.ruleset import all_rules
from floe_contracts.render.markdown import report as markdown
from floe_contracts.results import Bump, CheckResult, Finding, Reader, Report, VersionStep

OURS = re.compile(r"</?(?:details|summary|sub|br)>|<!-- floe-contracts [A-Za-z0-9._/-]* -->")
ADDRESS = re.compile(r"https://(?:floe\.dev/docs/|github\.example\.com/shop/data/blob/)[A-Za-z0-9._~%/#-]+")


def shown(report: Report, **more: object) -> str:
    return markdown.render(report, today=TODAY, **{"key": "gate", "links": LINKS, **more})  # type: ignore[arg-type]


@pytest.mark.parametrize("name", REPORTS)
def test_report_looks_as_reviewed(name: str) -> None:
    assert_matches(f"markdown-{name}.md", shown(REPORTS[name]))


def test_marker_then_verdict_and_cure() -> None:
    first, second = shown(sample_report()).split("\n")[:2]
    assert first == markdown.marker("gate")
    assert second.startswith("### ❌ BLOCKED: `orders` needs version `3.0.0`")


def test_a_summary_has_no_marker() -> None:
    assert shown(green_report(), key="").startswith("### ✅ PASS: 5 contracts checked, no errors.")


@pytest.mark.parametrize("key", ["a b", "--> <b>", "x" * 40, "ä/ö", "a--b"])
def test_no_key_ends_the_marker_early(key: str) -> None:
    assert re.fullmatch("<!-- floe-contracts [A-Za-z0-9._/-]+ -->", markdown.marker(key))
    assert "--" not in markdown.marker(key)[4:-3]


@pytest.mark.parametrize(
    ("words", "count"),
    [
        pytest.param('Write `version: "3.0.0"` in this file; `floe bump` does it.', 1, id="the version to write"),
        pytest.param(
            "/blob/4f1c2aa0b9d8e7f6a5b4c3d2e1f0a9b8c7d6e5f4/contracts/orders.odcs.yaml#L14)", 1, id="line link"
        ),
        pytest.param("- `revenue-dashboard` (`bi@example.com`) reads", 1, id="who breaks, with the owner"),
        pytest.param("waived: `until 2026-03-01 by dana: agreed with all readers`", 1, id="waivers in force"),
        pytest.param("  - fingerprint: 9b1c4e0d2f7a5588\n", 1, id="the ready waiver"),
        pytest.param("    expires: 2026-03-03\n", 2, id="waivers run out after a month"),
        pytest.param("compared `4f1c2aa (main)` with `index`", 1, id="the compared commits"),
        pytest.param("<details><summary>4 changes that do not block</summary>", 1, id="allowed findings are folded"),
    ],
)
def test_blocked_page_holds(words: str, count: int) -> None:
    assert shown(sample_report()).count(words) == count


def test_a_file_bound_to_its_major_is_left_alone() -> None:
    step = VersionStep("2.3.0", "2.4.0", Bump.MINOR, Bump.MAJOR, next="3.0.0", beside="contracts/orders.v3.yaml")
    (result,) = [replace(each, version=step) for each in sample_report().results if each.contract == "orders"]
    page = shown(Report("gate", "1", (result,)))
    assert "is declared. Publish it as `contracts/orders.v3.yaml` and leave the old file as it was." in page
    assert "\nPublish `3.0.0` as `contracts/orders.v3.yaml` and leave this file as it was.\n" in page


def test_a_green_page_offers_no_waiver_and_no_list_of_errors() -> None:
    page = shown(green_report())
    assert "fingerprint" not in page
    assert "**Error**" not in page


def test_without_links_places_are_plain_text() -> None:
    assert " · `contracts/orders.odcs.yaml:14` · " in shown(sample_report(), links=None)
    assert "blob" not in shown(sample_report(), links=None)


def test_words_of_rules_are_harmless() -> None:
    """Their templates are printed as they are, so they may hold code spans and nothing else."""
    fields = re.compile(r"[{}]|\|(?=[^{}|]*\})")
    words = [fields.sub("", text) for rule in all_rules() for text in (rule.id, rule.message, rule.fix, rule.caution)]
    assert [
        text for text in words if re.search(r"[|<>@*\\\n]|\]\(|https?:", alive(text).text) or text.count("`") % 2
    ] == []


def crowd(number: int, contracts: int) -> Report:
    """A blocked report of many findings, each with hostile text that is long in bytes."""
    (result,) = [each for each in sample_report().results if each.contract == "orders"]
    many = tuple(
        replace(item, element=f"orders.c{index}", expected=HOSTILE * 4 + "ü" * index, fingerprint=f"{index:016x}")
        for index in range(number)
        for item in result.findings[:1]
    )
    return replace(
        sample_report(),
        results=tuple(
            replace(result, contract=f"orders{index}", path=f"contracts/{index}.yaml", findings=many)
            for index in range(contracts)
        ),
    )


@pytest.mark.parametrize(
    ("findings", "contracts", "said"),
    [
        pytest.param(2, 2, [], id="everything fits"),
        pytest.param(900, 1, [r"and \d+ findings more"], id="one table alone is too long: its first rows stay"),
        pytest.param(3, 300, [r"Left out to keep this page short: \d+ contracts"], id="whole contracts are dropped"),
    ],
)
@pytest.mark.parametrize("limit", [20_000, markdown.COMMENT_LIMIT])
def test_too_much_is_cut_and_said(findings: int, contracts: int, said: list[str], limit: int) -> None:
    page = shown(crowd(findings, contracts), limit=limit)
    assert len(page.encode()) < limit
    assert page.split("\n")[1].startswith("### ❌ BLOCKED: ")
    assert [words for words in said if not re.search(words, page)] == []
    assert ("Left out" in page or "more\n" in page) is bool(said)
    assert page.count("<details>") == page.count("</details>")


def test_what_blocks_is_kept_before_what_does_not() -> None:
    page = shown(replace(crowd(60, 3), results=(*crowd(60, 3).results, *green_report().results)), limit=30_000)
    assert "#### `orders0`" in page
    assert "changes that do not block" not in page
    assert "1 list of excused findings" in page


def test_the_full_report_is_one_click_away() -> None:
    links = replace(LINKS, run_id="42")
    address = "https://github.example.com/shop/data/actions/runs/42"
    assert f"<sub>[Full report of this run]({address})<br>" in shown(sample_report(), links=links)
    assert f"The [full report]({address}) has the rest." in shown(crowd(3, 300), links=links)
    assert "The log and the JSON report of this run have the rest." in shown(crowd(3, 300))


@pytest.mark.parametrize(
    ("bump", "label"),
    [(Bump.MAJOR, "Breaking"), (Bump.MINOR, "Minor"), (Bump.PATCH, "Patch")],
    ids=["a break", "an addition", "a correction of the docs"],
)
def test_each_change_says_how_much_it_is(bump: Bump, label: str) -> None:
    assert f"\n- **{label}** `orders.customer_id`: " in shown(changes_of(bump))


def test_changes_go_from_breaking_to_patch() -> None:
    page = shown(changes_of(Bump.PATCH, Bump.MAJOR, Bump.MINOR))
    assert re.findall(r"- \*\*(\w+)\*\*", page) == ["Breaking", "Minor", "Patch"]


def test_a_break_that_no_registered_consumer_reads_says_so() -> None:
    words = "No consumer is registered for this contract"
    assert words in shown(changes_of(Bump.MAJOR))
    assert words not in shown(changes_of(Bump.MINOR))
    assert words not in shown(sample_report())


def test_the_way_of_a_break_is_drawn() -> None:
    (result,) = changes_of(Bump.MAJOR).results
    chain = (Reader("gold", places=("m/gold.sql:7",)), Reader('b"oard]', "a@x.io", through="gold"))
    page = shown(Report("gate", "1", (replace(result, readers=chain),)))
    assert "- `gold` reads every column at `m/gold.sql:7`\n" in page
    assert '- `b"oard]` (`a@x.io`) reads `gold`\n' in page
    assert '```mermaid\ngraph LR\n  n0["orders"]\n  n1["gold"]\n  n2["b·oard·"]\n  n0 ==> n1\n  n1 ==> n2\n```' in page


def changes_of(*bumps: Bump) -> Report:
    """A blocked contract that nobody registered for, with one change for each bump."""
    (result,) = [each for each in sample_report().results if each.contract == "orders"]
    changes = tuple(replace(result.findings[0], bump=bump) for bump in bumps)
    return Report("gate", "1", (replace(result, findings=changes, readers=()),))


def check_harmless(page: str) -> None:
    rest = alive(page)
    assert rest.open_fence == ""
    assert PLANTED not in rest.text, "text from a contract stands outside code"
    without = OURS.sub("", rest.text)
    assert not re.search(r"[<@\\]|-->|!\[|&#?\w+;", without)
    assert "-->" not in page.split("\n", 1)[1]
    links = re.findall(r"\]\(([^)]*)\)", without)
    assert [link for link in links if not ADDRESS.fullmatch(link)] == []
    assert not re.search(r"https?:|www\.", re.sub(r"\]\([^)]*\)", "", without))


@settings(max_examples=80)
@given(reports())
def test_nothing_from_a_contract_is_alive(report: Report) -> None:
    page = shown(report)
    check_harmless(page)
    assert obeyed(page) == []
    page.encode()


@settings(max_examples=60)
@given(reports())
def test_a_real_parser_agrees(report: Report) -> None:
    tokens = MarkdownIt("commonmark", {"html": True}).enable("table").parse(shown(report))
    leaves = [leaf for token in tokens for leaf in (token.children or [token])]
    assert [leaf.content for leaf in leaves if leaf.type == "text" and PLANTED in leaf.content] == []
    html = "".join(leaf.content for leaf in leaves if leaf.type in ("html_inline", "html_block"))
    assert PLANTED not in html
    assert (
        re.sub(r"\d+ changes? that (?:do|does) not block|Accept these findings for now", "", OURS.sub("", html)).strip()
        == ""
    )
    targets = [str(leaf.attrs["href"]) for leaf in leaves if leaf.type == "link_open"]
    assert [target for target in targets if not ADDRESS.fullmatch(target)] == []
    assert not any(leaf.type == "image" for leaf in leaves)


@settings(max_examples=30)
@given(reports(), st.integers(1, 400), st.integers(20_000, 60_000))
def test_any_page_is_below_its_limit(report: Report, times: int, limit: int) -> None:
    results = tuple(
        replace(result, path=f"{index}{result.path}", findings=_many(result, times), readers=result.readers * times)
        for index, result in enumerate(report.results)
    )
    page = shown(replace(report, results=results, notes=report.notes * times), limit=limit)
    assert len(page.encode()) < limit
    check_harmless(page)


def _many(result: CheckResult, times: int) -> tuple[Finding, ...]:
    return tuple(replace(item, element=f"{item.element}{index}") for item in result.findings for index in range(times))


def test_a_lint_page_says_what_is_wrong() -> None:
    assert "<br>Expected: `" in shown(lint_report())
