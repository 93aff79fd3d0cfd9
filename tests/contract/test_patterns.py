"""Patterns that can take exponential time are told from those that only look so."""

from __future__ import annotations

import time

import pytest

from floe_contracts.checks.rules.values import FORMATS
from floe_contracts.contract.meaning.pattern.linear import can_spell, spell_linear
from floe_contracts.contract.meaning.pattern.slowness import slowness_of
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
        pytest.param(r"(x)\1(a|aa)+b", "(a|aa)+", id="beside a back reference"),
        pytest.param(r"(?<x>a+)(\k<x>|a)*b", r"(\k<x>|a)*", id="of a back reference"),
        pytest.param(r"x++(a|aa)+b", "(a|aa)+", id="beside a repeat that keeps what it has"),
        pytest.param(r"(?>(a|aa)+$)b", "(a|aa)+", id="in a group that keeps what it has"),
        pytest.param(r"((a|aa)+b)*+", "(a|aa)+", id="in a turn of a repeat that keeps what it has"),
        pytest.param(r"(?:(?>a{1,2})|a)+", "(?:(?>a{1,2})|a)+", id="beside what keeps at most two"),
        pytest.param(r"(?m)^(a|aa)+$", "(a|aa)+", id="with the edges of lines"),
        pytest.param("(?x)( a | aa )+ # of two", "( a | aa )+", id="with blanks and comments"),
        pytest.param(r"(?U)(\w|[^\x00-\x7f])+", r"(\w|[^\x00-\x7f])+", id="with classes of Unicode"),
        pytest.param(r"(a|[a[b]])+", "(a|[a[b]])+", id="with classes in classes"),
        pytest.param(r"([a-z&&[^b]]|a)+", "([a-z&&[^b]]|a)+", id="with an intersection"),
        pytest.param(r"\Q(\E(a|aa)+", "(a|aa)+", id="behind a quotation"),
        pytest.param(r"(\p{InGreek}|α)+", r"(\p{InGreek}|α)+", id="with a block of Unicode"),
        pytest.param(r"(a|aa)+\R\X\G\B\cA\07", "(a|aa)+", id="before rare signs"),
    ],
)
def test_exponential(pattern: str, part: str) -> None:
    slowness = slowness_of(pattern)
    assert slowness
    assert (slowness.kind, slowness.part) == ("exponential", part)


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
    slowness = slowness_of(pattern)
    assert slowness is None or (slowness.kind, slowness.is_bearable) == ("steep", True)


@pytest.mark.parametrize(
    ("pattern", "repeats", "is_bearable"),
    [
        pytest.param("a*a*b", None, True, id="two repeats"),
        pytest.param("a*a*a*b", "a* a* a*", True, id="three repeats"),
        pytest.param("^a*a*a*a*a*b", "a* a* a* a* a*", False, id="five repeats"),
        pytest.param(".*,.*;.*,.*;.*x", ".* .* .* .* .*", False, id="with signs between that they read too"),
        pytest.param("[^,]*,[^,]*,[^,]*,[^,]*,[^,]*,[^,]*x", None, True, id="with signs between that they do not read"),
        pytest.param(r"\w+@\w+\.\w+", None, True, id="parts of an address"),
        pytest.param(r"a*+a*+a*+a*+a*+a*+b", None, True, id="repeats that keep what they have"),
        pytest.param("a*|b*|a*|a*|a*|a*|a*", None, True, id="one or the other"),
        pytest.param("(?:ab)*(?:ab)*(?:ba)*(?:ab)*(?:ab)*x", "(?:ab)* (?:ab)* (?:ab)* (?:ab)*", True, id="of groups"),
        pytest.param("[a-z]{0,99}" * 5 + "!", " ".join(["[a-z]{0,99}"] * 5), False, id="counted repeats"),
    ],
)
def test_steep(pattern: str, repeats: str | None, is_bearable: bool) -> None:
    slowness = slowness_of(pattern)
    assert (slowness.part if slowness else None) == repeats
    assert slowness is None or (slowness.kind, slowness.is_bearable) == ("steep", is_bearable)


@pytest.mark.parametrize(
    "pattern",
    [
        pytest.param("a?" * 40 + "a" * 40, id="many that may be left out"),
        pytest.param("(a|aa)" * 40 + "b", id="many choices"),
        pytest.param("a{1,7}" * 40 + "b", id="many short repeats"),
        pytest.param("(?:a?b?){7}" * 7 + "c", id="short repeats of what may be left out"),
        pytest.param("(?=" + "a?" * 40 + "b)", id="in a look ahead"),
    ],
)
def test_forks(pattern: str) -> None:
    slowness = slowness_of(pattern)
    assert slowness
    assert (slowness.kind, slowness.is_bearable) == ("forks", False)


@pytest.mark.parametrize(
    "pattern",
    [
        r"\+?\d{1,3}[ -]?\(?\d{1,4}\)?[ -]?\d{1,4}[ -]?\d{1,4}[ -]?\d{1,9}",
        r"(Mr|Mrs|Ms)?\.? ?[A-Z][a-z]{1,7} ([A-Z]\.? ?){0,3}[A-Z][a-z]{1,30}",
        r"P(\d+Y)?(\d+M)?(\d+W)?(\d+D)?(T(\d+H)?(\d+M)?(\d+S)?)?",
        r"(?:(?:25[0-5]|2[0-4]\d|1?\d?\d)(?:\.(?!$)|$)){4}",
        r"M{0,4}(CM|CD|D?C{0,3})(XC|XL|L?X{0,3})(IX|IV|V?I{0,3})",
        r"\d{1,2}[./-]?\d{1,2}[./-]?(\d{2})?\d{2}",
    ],
)
def test_what_is_often_optional_is_in_time(pattern: str) -> None:
    assert slowness_of(pattern) is None


@pytest.mark.parametrize(
    "pattern",
    [
        pytest.param("(" + "|".join(f"w{number}" for number in range(500)) + ")+", id="hundreds of places"),
        pytest.param("a+" + "b" * 10_000, id="ten thousand characters"),
        pytest.param(r"(a\1)+", id="a group that refers to itself"),
    ],
)
def test_what_is_not_read_is_unknown(pattern: str) -> None:
    slowness = slowness_of(pattern)
    assert slowness
    assert (slowness.kind, slowness.is_bearable) == ("unknown", False)


def test_a_long_list_of_words_is_in_time() -> None:
    assert slowness_of("^(" + "|".join(f"w{number}" for number in range(1_000)) + ")$") is None


@pytest.mark.parametrize("name", FORMATS)
def test_our_own_formats_are_in_time(name: str) -> None:
    assert slowness_of(FORMATS[name]) is None


@pytest.mark.parametrize(
    "pattern",
    [
        *("(" * 5000, "[a" * 900, "(a|" * 50 + "b" + ")*" * 50, "a{1,7}" * 300, "(a?){7}" * 60),
        *("[a-z]*" * 199, "(.*)" * 199, "(?:ab)*" * 99, "(" + "a?" * 199 + ")*", "(?:" + "a*b" * 90 + ")*" * 2),
    ],
)
def test_a_pattern_made_to_hurt_is_looked_at_briefly(pattern: str) -> None:
    started = time.process_time()
    slowness_of(pattern)
    assert time.process_time() - started < 5


@pytest.mark.parametrize(
    "pattern", [r"(?=a)b", r"a$b", r"\ba", r"(a)\1", r"a++", r"[a[b]]", r"[a&&b]", r"(?m)^a", r"(?x)a", "a{1,1001}"]
)
def test_what_re2_reads_otherwise_is_not_translated(pattern: str) -> None:
    with pytest.raises(Unreadable):
        spell_linear(pattern)
    assert not can_spell(pattern)
