"""Every message and fix of every rule with hostile names, rendered by GitHub's own Markdown: all of it stays code."""

from __future__ import annotations

import subprocess
from collections.abc import Iterator
from datetime import date
from html.parser import HTMLParser
from itertools import islice

from support.hostile import PLANTED, RULES, planted_names
from support.needs import needs

from floe_contracts import codes
from floe_contracts.compat.rule import WORDS, fill_template
from floe_contracts.render.markdown.report import render
from floe_contracts.render.phrases import mark_message
from floe_contracts.render.safe import code_span
from floe_contracts.results import Bump, CheckResult, Finding, Outcome, Reader, Report, VersionStep

NAMES, BATCH, RULES_PER_NAME = 20_000, 4_000, 3
OURS = {"h3", "h4", "p", "sub", "br", "table", "thead", "tbody", "tr", "th", "td", "strong", "ul", "li", "a"}
OURS |= {"details", "summary", "code", "pre", "em", "hr"}


class Alive(HTMLParser):
    """What a page does outside code: its tags, where its links lead, and its text."""

    def __init__(self) -> None:
        super().__init__()
        self.depth, self.tags, self.links, self.words = 0, set[str](), set[str](), list[str]()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.add(tag)
        self.links |= {value or "" for name, value in attrs if name in ("href", "src")}
        self.depth += tag in ("code", "pre")

    def handle_endtag(self, tag: str) -> None:
        self.depth -= tag in ("code", "pre")

    def handle_data(self, data: str) -> None:
        if not self.depth:
            self.words.append(data)


def _finding(rule_id: str, name: str, other: str) -> Finding:
    rule, words = RULES[rule_id], {**dict.fromkeys(WORDS, name), "new": other}
    return Finding(
        code=codes.E520,
        rule=rule_id,
        message=fill_template(rule.message, words),
        severity=codes.Severity.ERROR,
        contract=name,
        element=name,
        expected=name,
        actual=other,
        suggestions=(fill_template(rule.fix, words),),
        bump=Bump.MAJOR,
        fingerprint="0123456789ab",
    )


def _pages() -> Iterator[str]:
    """Pages with every name in some rules, and every rule with thousands of names."""
    names, rules = planted_names(NAMES), sorted(RULES)
    pairs = (
        (rules[(number * RULES_PER_NAME + more) % len(rules)], name, names[-1 - number])
        for number, name in enumerate(names)
        for more in range(RULES_PER_NAME)
    )
    while batch := list(islice(pairs, BATCH)):
        findings = tuple(_finding(*pair) for pair in batch)
        _, name, other = batch[0]
        step = VersionStep(name, other, Bump.PATCH, Bump.MAJOR, name)
        result = CheckResult(
            "gate", name, Outcome.VIOLATED, other, findings, step, (Reader(name, other, (name,), True),)
        )
        yield render(Report("gate", name, (result,), notes=(name,)), today=date(2026, 1, 1), limit=10**9)
        yield "\n\n".join(mark_message(item, code_span) for item in findings)


def _rendered(page: str) -> Alive:
    command = [needs("cmark-gfm"), "--unsafe", "-e", "table", "-e", "autolink", "-e", "strikethrough"]
    page = page.encode("utf-8", "backslashreplace").decode()
    html = subprocess.run(command, input=page, capture_output=True, text=True, check=True, encoding="utf-8").stdout
    alive = Alive()
    alive.feed(html)
    return alive


def test_nothing_hostile_is_alive_on_the_page() -> None:
    for page in _pages():
        alive = _rendered(page)
        words = " ".join(alive.words)
        assert PLANTED not in words, words[max(0, words.index(PLANTED) - 80) :][:200]
        assert "@" not in words
        assert alive.tags <= OURS
        assert all(link.startswith("https://floe.dev/docs/") for link in alive.links)


def test_the_test_would_see_a_name_that_gets_out() -> None:
    alive = _rendered(f"`--server {code_span(f'@acme/everyone {PLANTED} <img src=x>')}`")
    assert PLANTED in "".join(alive.words)
    assert "img" in alive.tags
