"""Every rule file is documentation, test and program at once: its examples hold, and it reads well."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import pytest
from support.rule_examples import Case, cases, contract, facts, rule_files
from support.snapshots import assert_matches

from floe_contracts.adapters.files.packaged import rule_ids
from floe_contracts.compat.facts import facts_between
from floe_contracts.compat.kinds import FactKind
from floe_contracts.compat.rule import fields_of
from floe_contracts.compat.rulefile import RuleFile, RuleFileError, read_rule_file
from floe_contracts.contract.model import Dialect
from floe_contracts.results import Bump

FOLDER = Path(__file__).parents[2] / "src/floe_contracts/compat/rules"
CASES = [pytest.param(case, id=case.id) for case in cases()]
RULES = [pytest.param(found, id=rule_id) for rule_id, found in rule_files().items()]


@pytest.mark.parametrize("case", CASES)
def test_an_example_reports_exactly_what_it_expects(case: Case) -> None:
    assert [str(fact.element) for fact in facts(case) if fact.kind.value == case.rule_id] == list(case.example.expect)


@pytest.mark.parametrize("case", CASES)
def test_both_halves_of_an_example_are_silent_against_themselves(case: Case) -> None:
    for text in (case.example.before, case.example.after):
        half = contract(text, case.example.dialect)
        assert facts_between(half, replace(half)) == ()


def test_the_matrix_of_rules_and_examples_is_reviewed() -> None:
    lines = [f"{case.id} -> {' '.join(sorted({fact.kind.value for fact in facts(case)})) or '-'}" for case in cases()]
    assert_matches("../compat/rule_matrix.txt", "\n".join(lines) + "\n")


def test_there_is_one_rule_for_every_kind_and_one_kind_for_every_rule() -> None:
    assert set(rule_ids()) == {kind.value for kind in FactKind}


@pytest.mark.parametrize("found", RULES)
def test_a_rule_has_an_example_that_fires_and_one_that_is_silent(found: RuleFile) -> None:
    assert {bool(example.expect) for example in found.examples} == {True, False}


@pytest.mark.parametrize("found", RULES)
def test_examples_of_a_rule_have_names_of_their_own(found: RuleFile) -> None:
    names = [example.name for example in found.examples]
    assert len(set(names)) == len(names)


def test_examples_come_in_all_dialects() -> None:
    counts = {dialect: sum(case.example.dialect is dialect for case in cases()) for dialect in Dialect}
    assert min(counts.values()) >= 30, counts


@pytest.mark.parametrize("path", [pytest.param(path, id=path.stem) for path in sorted(FOLDER.glob("*.yaml"))])
def test_a_rule_file_stays_short(path: Path) -> None:
    lines = path.read_text("utf-8").splitlines()
    assert len(lines) <= 60
    assert max(map(len, lines)) <= 110


@pytest.mark.parametrize("found", RULES)
def test_a_rule_is_told_in_few_words(found: RuleFile) -> None:
    rule = found.rule
    assert len(rule.title) <= 60
    assert len(rule.why) <= 220
    assert len(re.findall(r"[.!?](?:\s|$)", rule.why)) <= 2
    assert len(rule.fix) <= 180


@pytest.mark.parametrize("found", RULES)
def test_a_rule_reads_like_the_others(found: RuleFile) -> None:
    rule = found.rule
    assert rule.title[0].isupper()
    assert not rule.title.endswith(".")
    assert rule.message[0].islower() or rule.message[0] == "{"
    assert not rule.message.endswith(".")
    for text in filter(None, (rule.why, rule.fix, rule.caution)):
        assert text[0].isupper() or text.startswith("floe")
        assert text.endswith(".")
    assert "!" not in f"{rule.title}{rule.why}{rule.message}{rule.fix}{rule.caution}"


@pytest.mark.parametrize("found", RULES)
def test_the_fix_says_which_version_to_publish(found: RuleFile) -> None:
    if found.rule.bump is Bump.MAJOR:
        assert "next_major" in fields_of(found.rule.fix)
    else:
        assert "`floe bump`" in found.rule.fix


@pytest.mark.parametrize("found", [each for each in RULES if str(each.id).endswith("-incomparable")])
def test_what_cannot_be_compared_is_major_and_says_so(found: RuleFile) -> None:
    assert found.rule.bump is Bump.MAJOR
    assert "cannot prove safe" in found.rule.message


@pytest.mark.parametrize("found", RULES)
def test_no_fix_asks_for_a_mark_that_a_dialect_lacks(found: RuleFile) -> None:
    assert "deprecated" not in found.rule.fix.replace("status: deprecated", "")


MINIMAL = """\
id: some-rule
area: columns
bump: major
direction: both
title: Something
why: Because.
message: "{element} changed"
fix: Publish {next_major}.
since: 0.1.0
examples: []
"""


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        pytest.param("title: Something\n", "", "missing keys ['title']", id="a key is missing"),
        pytest.param("title:", "titel:", "unknown keys ['titel']", id="a key is misspelt"),
        pytest.param("id: some-rule\narea: columns", "area: columns\nid: some-rule", "order", id="keys in disorder"),
        pytest.param("id: some-rule", "id: other-rule", "the file is called some-rule.yaml", id="another file name"),
        pytest.param("bump: major", "bump: huge", "'huge' is none of none, patch, minor, major", id="an unknown bump"),
        pytest.param("{element}", "{elment}", "message asks for elment", id="an unknown word in a template"),
        pytest.param(
            '"{element} changed"', '"{next_major}"', "message asks for next_major", id="a version in a message"
        ),
        pytest.param("why: Because.", "why: ''", "why must be a text", id="an empty text"),
        pytest.param("id: some-rule", "id: [some-rule", "some-rule.yaml: ", id="no YAML"),
    ],
)
def test_a_rule_file_that_cannot_be_used_says_why(old: str, new: str, message: str) -> None:
    assert read_rule_file(MINIMAL.encode(), "some-rule").rule.title == "Something"
    with pytest.raises(RuleFileError, match=re.escape(message)):
        read_rule_file(MINIMAL.replace(old, new).encode(), "some-rule")
