"""Rules speak in whole sentences, and nothing that a contract says can become part of a template."""

from __future__ import annotations

import pytest

from floe_contracts.compat.fact import Element, ElementKind, Fact, Segment
from floe_contracts.compat.kinds import FactKind
from floe_contracts.compat.rule import name_element, sentence
from floe_contracts.compat.ruleset import make_ruleset

COLUMN = (Segment(ElementKind.OBJECT, "orders"), Segment(ElementKind.PROPERTY, "note"))


def fact(kind: FactKind, old: str = "", new: str = "", segments: tuple[Segment, ...] = COLUMN) -> Fact:
    return Fact(kind, Element(segments), old, new)


@pytest.mark.parametrize(
    ("segments", "words"),
    [
        pytest.param(COLUMN, "orders.note", id="a column"),
        pytest.param((*COLUMN, Segment(ElementKind.ITEMS)), "orders.note[]", id="the items of an array"),
        pytest.param(
            (*COLUMN, Segment(ElementKind.QUALITY, "filled")), "filled of orders.note", id="a rule of a column"
        ),
        pytest.param(
            (*COLUMN, Segment(ElementKind.QUALITY, "no gaps")), '"no gaps" of orders.note', id="a name with a space"
        ),
        pytest.param((Segment(ElementKind.SLA, "freshness"),), "freshness", id="a service level"),
        pytest.param(
            (Segment(ElementKind.SLA, "freshness"), Segment(ElementKind.SLA_ELEMENT, "placed_at")),
            "freshness of placed_at",
            id="a service level of a column",
        ),
        pytest.param(
            (Segment(ElementKind.SERVER, "prod"), Segment(ElementKind.ROLE, "reader")),
            "reader of prod",
            id="a server's role",
        ),
        pytest.param((Segment(ElementKind.CONTRACT, "status"),), "status", id="a field of the contract"),
        pytest.param((), "the contract", id="the whole contract"),
    ],
)
def test_an_element_is_said_as_people_say_it(segments: tuple[Segment, ...], words: str) -> None:
    assert name_element(Element(segments)) == words


@pytest.mark.parametrize(
    ("template", "old", "new", "words"),
    [
        pytest.param("{element}: {old} → {new}", "a", "b", "orders.note: a → b", id="both sides"),
        pytest.param("{old} → {new}", "", "b", "nothing → b", id="nothing before"),
        pytest.param("{old|no limit} → {new|no limit}", "a", "", "a → no limit", id="a word of its own for nothing"),
        pytest.param("{old}", "two\n  lines", "", "two lines", id="lines are joined"),
        pytest.param("{old}", "{new} {0} {next_major}", "x", "{new} {0} {next_major}", id="braces in a contract"),
        pytest.param("{old} {new}", "{new}", "{old}", "{new} {old}", id="fields in a contract"),
        pytest.param("{old}", r"\1 \g<0>", "", r"\1 \g<0>", id="backslashes in a contract"),
    ],
)
def test_a_template_takes_the_words_of_a_fact_as_they_are(template: str, old: str, new: str, words: str) -> None:
    assert sentence(template, fact(FactKind.DOCS_CHANGED, old, new)) == words


def test_a_rule_names_the_version_to_publish() -> None:
    rule = make_ruleset().rule(FactKind.PROPERTY_REMOVED)
    removed = fact(FactKind.PROPERTY_REMOVED, "STRING")
    assert rule.describe(removed) == "column orders.note was removed (STRING)"
    assert rule.fixes(removed, next_major="3.0.0")[0].endswith("or publish 3.0.0 beside this version.")
