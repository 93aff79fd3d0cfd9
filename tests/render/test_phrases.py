"""Sentences taken apart: what a rule says is told from what a contract says, for every rule there is."""

from __future__ import annotations

import re

import pytest

from floe_contracts import codes
from floe_contracts.compat.rule import WORDS, Rule, fill_template
from floe_contracts.compat.ruleset import all_rules
from floe_contracts.render.phrases import Words, caution, cures, join_words, mark_message
from floe_contracts.results import Finding

DATA = {name: f"<{name} of a contract>" for name in WORDS}


def mark(text: str) -> str:
    return f"[{text}]"


def said(rule: Rule, words: dict[str, str]) -> Finding:
    fix = fill_template(rule.fix, words)
    return Finding.of(codes.E520, rule.id, fill_template(rule.message, words), suggestions=(fix,), fingerprint="0123")


@pytest.mark.parametrize("rule", tuple(all_rules()), ids=lambda rule: rule.id)
def test_only_the_words_of_the_contract_are_marked(rule: Rule) -> None:
    item = said(rule, DATA)
    marked = {name: mark(text) for name, text in DATA.items()}
    assert mark_message(item, mark) == fill_template(rule.message, marked)
    assert list(cures(item, mark)) == [fill_template(rule.fix, marked)]


@pytest.mark.parametrize("rule", tuple(all_rules()), ids=lambda rule: rule.id)
def test_what_a_rule_says_for_an_absent_side_is_its_own(rule: Rule) -> None:
    item = said(rule, {**DATA, "old": "", "new": ""})
    assert set(re.findall(r"\[(.*?)\]", mark_message(item, mark))) <= {DATA["element"], DATA["next_major"]}


def test_a_sentence_that_no_rule_wrote_is_marked_whole() -> None:
    item = Finding.of(codes.E520, "property-removed", "look at http://x", suggestions=("and here",), fingerprint="0123")
    assert mark_message(item, mark) == "[look at http://x]"
    assert list(cures(item, mark)) == ["[and here]"]


def test_a_finding_that_is_no_change_is_marked_whole() -> None:
    item = Finding.of(codes.E520, "property-removed", "column a was removed (b)")
    assert mark_message(item, mark) == "[column a was removed (b)]"


def test_without_a_suggestion_the_code_has_one() -> None:
    assert list(cures(Finding.of(codes.E501, "r", "m"), mark)) == [codes.E501.fix]


def test_a_caution_is_told_of_the_rules_that_have_one() -> None:
    cautious = [rule for rule in all_rules() if rule.caution]
    assert [caution(said(rule, DATA)) for rule in cautious] == [rule.caution for rule in cautious]
    assert caution(Finding.of(codes.E501, "r", "m")) == ""


@pytest.mark.parametrize("rule", tuple(all_rules()), ids=lambda rule: rule.id)
def test_no_word_of_a_contract_stands_in_a_rules_own_code(rule: Rule) -> None:
    """Between backticks it would end the code, and the rest of it would be Markdown."""
    pieces = re.split(r"\{\w+(?:\|[^{}]*)?\}", f"{rule.message}\0{rule.fix}")
    assert [piece for piece in pieces if piece.count("`") % 2] == []


@pytest.mark.parametrize(
    ("pieces", "joined"),
    [
        pytest.param([Words("pass `-s "), Words("x", strange=True), Words("` on")], "pass [-s x] on", id="in code"),
        pytest.param([Words("a", strange=True), Words("b", strange=True)], "[a] [b]", id="side by side"),
        pytest.param([Words("`a`"), Words("b", strange=True)], "`a` [b]", id="beside code"),
        pytest.param([Words("see "), Words("`", strange=True), Words(".")], "see [`].", id="a backtick"),
        pytest.param([Words("open ` "), Words("a", strange=True)], "open [ a]", id="code that never ends"),
    ],
)  # fmt: skip
def test_code_around_and_beside_strange_words_is_one_span_each(pieces: list[Words], joined: str) -> None:
    assert join_words(pieces, mark, str) == joined
