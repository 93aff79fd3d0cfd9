"""Patterns that can take exponential time are told from those that only look so."""

from __future__ import annotations

import time

import pytest

from floe_contracts.checks.rules.values import FORMATS
from floe_contracts.contract.meaning.pattern.ambiguity import exponential_part
from floe_contracts.contract.meaning.pattern.linear import spell_linear
from floe_contracts.contract.meaning.pattern.tree import Unreadable


@pytest.mark.parametrize(
    ("pattern", "part"),
    [
        pytest.param(r"^(a+)+$", "(a+)+", id="a repeat in a repeat"),
        pytest.param(r"x(a*)*", "(a*)*", id="stars"),
        pytest.param(r"((ab)*)*c", "((ab)*)*", id="of a group"),
        pytest.param(r"([a-z0-9]+-?)+", "([a-z0-9]+-?)+", id="behind an optional sign"),
        pytest.param(r"(\w+\s?)*", r"(\w+\s?)*", id="words"),
        pytest.param(r"(\p{L}+ ?)+", r"(\p{L}+ ?)+", id="letters of any script"),
        pytest.param(r"(x+x+)+y", "(x+x+)+", id="two repeats side by side"),
        pytest.param(r"(.*a){12}", "(.*a){12}", id="a counted repeat"),
        pytest.param(r"(a|a)*", "(a|a)*", id="equal alternatives"),
        pytest.param(r"(a|aa)+$", "(a|aa)+", id="an alternative of two others"),
        pytest.param(r"(ab|a|b)*", "(ab|a|b)*", id="an alternative of the others"),
        pytest.param(r"^(\w|\d)*$", r"(\w|\d)*", id="classes that overlap"),
        pytest.param(r"(?i)(A|a)+", "(A|a)+", id="alike but for case"),
        pytest.param(r"(?=(a+)+b)c", "(a+)+", id="in a look ahead"),
        pytest.param(r"(?<word>[^,]+,?)+?", "(?<word>[^,]+,?)+?", id="a named group, as few as possible"),
    ],
)
def test_exponential(pattern: str, part: str) -> None:
    assert exponential_part(pattern) == part


@pytest.mark.parametrize(
    "pattern",
    [
        *(r"", r"^$", r"^[A-Z]{2}\d{4}$", r"(a|b)*", r"(\w|\s|[.,;:!?-])*", r"(\w+\s)*\w*", r"\w+(\s\w+)*"),
        *(r"[^@]+@[^@]+\.[a-z]+", r"(?:[a-z0-9]+(?:-[a-z0-9]+)*\.)+[a-z]+", r"a*a*a*", r"(ab*)*", r"(.|\n)*"),
        *(r"^([01]\d|2[0-3]):[0-5]\d$", r"(a{1,3}b)*", r"\d{1,3}(,\d{3})*(\.\d+)?", r"(a+)?", r"(a?)*", r"((a))+"),
        *(r"(\d+(,\d+)*)?", r"(a++)+", r"((?>a+))+", "(?i)(a|b)+", r"([\d.]+,)*[\d.]+"),
    ],
)
def test_in_time(pattern: str) -> None:
    assert exponential_part(pattern) == ""


@pytest.mark.parametrize("name", FORMATS)
def test_our_own_formats_are_in_time(name: str) -> None:
    assert exponential_part(FORMATS[name]) == ""


@pytest.mark.parametrize(
    "pattern", ["(" * 5000, "[a" * 900, "(a|" * 50 + "b" + ")*" * 50, "a{1,7}" * 300, "(a?){7}" * 60]
)
def test_a_pattern_made_to_hurt_is_looked_at_briefly(pattern: str) -> None:
    started = time.process_time()
    exponential_part(pattern)
    assert time.process_time() - started < 5


@pytest.mark.parametrize(
    "pattern", [r"(?=a)b", r"a$b", r"\ba", r"(a)\1", r"a++", r"[a[b]]", r"[a&&b]", r"\Qa\E", r"(?x)a"]
)
def test_what_re2_reads_otherwise_is_not_translated(pattern: str) -> None:
    with pytest.raises(Unreadable):
        spell_linear(pattern)
