"""Semantic versions: grammar, precedence, and the version a change needs."""

from __future__ import annotations

from itertools import combinations

import pytest
import semver
from hypothesis import given
from hypothesis import strategies as st

from floe_contracts.contract.version import Version, declared_bump, needed_bump, next_version, parse_version
from floe_contracts.results import Bump


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("1.4.0", id="release"),
        pytest.param("0.0.0", id="zeros"),
        pytest.param("1.0.0-alpha.1", id="pre-release"),
        pytest.param("1.0.0-0A.is.legal", id="digits first in a word"),
        pytest.param("1.0.0--", id="dashes are letters"),
        pytest.param("1.0.0+20130313144700", id="build"),
        pytest.param("1.0.0-beta+exp.sha.5114f85", id="pre-release and build"),
        pytest.param("99999999999999999999.0.0", id="beyond 64 bits"),
    ],
)
def test_versions_are_read_and_printed_back(text: str) -> None:
    assert str(parse_version(text)) == text


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("", id="empty"),
        pytest.param("1.0", id="two numbers"),
        pytest.param("1.0.0.0", id="four numbers"),
        pytest.param("v1.0.0", id="letter v"),
        pytest.param("01.0.0", id="leading zero"),
        pytest.param("1.0.0-01", id="leading zero in a numeric word"),
        pytest.param("1.0.0-", id="empty pre-release"),
        pytest.param("1.0.0-a..b", id="empty word"),
        pytest.param("1.0.0+", id="empty build"),
        pytest.param("1.0.0 ", id="blank behind"),
        pytest.param("1.0.0\n", id="line end behind"),
        pytest.param("١.٠.٠", id="digits beyond ASCII"),
        pytest.param("1.0.0-ä", id="letters beyond ASCII"),
        pytest.param("latest", id="word"),
        pytest.param("9" * 5000 + ".0.0", id="thousands of digits"),
    ],
)
def test_anything_else_is_no_version(text: str) -> None:
    assert parse_version(text) is None


def test_precedence_follows_the_standard() -> None:
    ordered = "1.0.0-alpha 1.0.0-alpha.1 1.0.0-alpha.beta 1.0.0-beta 1.0.0-beta.2 1.0.0-beta.11 1.0.0-rc.1 1.0.0 1.0.1"
    versions = [_version(text) for text in ordered.split()]
    assert all(one < other for one, other in combinations(versions, 2))


def test_build_metadata_takes_no_part_in_precedence() -> None:
    one, other = _version("1.0.0+a"), _version("1.0.0+b")
    assert one <= other <= one
    assert str(one) != str(other)


WORDS = st.from_regex(r"\A(?:0|[1-9][0-9]{0,3}|[0-9]{0,2}[A-Za-z-][0-9A-Za-z-]{0,3})\Z")
NUMBERS = st.integers(0, 12)
SUFFIXES = st.lists(WORDS, max_size=3).map(lambda words: ".".join(words) or None)
VERSIONS = st.builds(Version, NUMBERS, NUMBERS, NUMBERS, SUFFIXES, st.sampled_from([None, "b.1"]))
CLOSE = st.builds(Version, st.just(1), st.integers(0, 1), st.integers(0, 1), SUFFIXES, st.sampled_from([None, "b.1"]))


@pytest.mark.parametrize(
    ("text", "valid"),
    [
        pytest.param("1.2.3", True, id="release"),
        pytest.param("1.2.3-rc.1+build.7", True, id="pre-release and build"),
        pytest.param("1.2.3-0a", True, id="word that begins with a zero"),
        pytest.param("1.2", False, id="no patch"),
        pytest.param("1.2.3-01", False, id="number that begins with a zero"),
        pytest.param("1.2.3-rc_1", False, id="underscore"),
        pytest.param("=1.2.3", False, id="sign in front"),
    ],
)
def test_reading_agrees_with_the_semver_package(text: str, valid: bool) -> None:
    assert (parse_version(text) is not None) is semver.Version.is_valid(text) is valid


@given(st.from_regex(r"\A[0-9]{1,2}\.[0-9]{1,2}\.[0-9]{1,2}[-+.]?[0-9a-zA-Z.+-]{0,6}\Z"))
def test_grammar_is_that_of_the_semver_package(text: str) -> None:
    assert (parse_version(text) is not None) == semver.Version.is_valid(text)


@given(CLOSE, CLOSE)
def test_precedence_is_that_of_the_semver_package(one: Version, other: Version) -> None:
    expected = semver.Version.parse(str(one)).compare(str(other))
    assert (one > other) - (one < other) == expected
    assert (one >= other) - (one <= other) == expected
    assert (one == other) is (expected == 0)


@pytest.mark.parametrize(
    ("old", "new", "bump"),
    [
        pytest.param("1.2.3", "2.0.0", Bump.MAJOR, id="major"),
        pytest.param("1.2.3", "3.1.0", Bump.MAJOR, id="two majors"),
        pytest.param("1.2.3", "1.3.0", Bump.MINOR, id="minor"),
        pytest.param("1.2.3", "1.2.9", Bump.PATCH, id="patch"),
        pytest.param("1.2.3", "2.0.0-rc.1", Bump.MAJOR, id="pre-release of a major"),
        pytest.param("1.2.3-rc.1", "1.2.3", Bump.PATCH, id="pre-release to release"),
        pytest.param("1.2.3", "1.2.3", Bump.NONE, id="same"),
        pytest.param("1.2.3", "1.2.3+build", Bump.NONE, id="only build metadata"),
        pytest.param("1.2.3", "1.2.3-rc.1", Bump.NONE, id="back to a pre-release"),
        pytest.param("2.0.0", "1.9.9", Bump.NONE, id="down"),
    ],
)
def test_declared_bump(old: str, new: str, bump: Bump) -> None:
    assert declared_bump(_version(old), _version(new)) is bump


@pytest.mark.parametrize(
    ("old", "required", "following"),
    [
        pytest.param("1.2.3", Bump.MAJOR, "2.0.0", id="break"),
        pytest.param("1.2.3", Bump.MINOR, "1.3.0", id="addition"),
        pytest.param("1.2.3", Bump.PATCH, "1.2.4", id="documentation"),
        pytest.param("1.2.3", Bump.NONE, "1.2.3", id="nothing"),
        pytest.param("0.3.1", Bump.MAJOR, "0.4.0", id="break below 1.0.0"),
        pytest.param("0.3.1", Bump.MINOR, "0.3.2", id="addition below 1.0.0"),
        pytest.param("0.3.1", Bump.PATCH, "0.3.2", id="documentation below 1.0.0"),
        pytest.param("2.0.0-rc.1", Bump.MAJOR, "2.0.0", id="the pre-release opens this major"),
        pytest.param("2.1.0-rc.1", Bump.MAJOR, "3.0.0", id="the pre-release opens only a minor"),
        pytest.param("2.1.0-rc.1", Bump.MINOR, "2.1.0", id="the pre-release opens this minor"),
        pytest.param("2.1.1-rc.1", Bump.PATCH, "2.1.1", id="the pre-release opens this patch"),
        pytest.param("1.2.3+build", Bump.PATCH, "1.2.4", id="build metadata is dropped"),
    ],
)
def test_next_version(old: str, required: Bump, following: str) -> None:
    assert str(next_version(_version(old), required)) == following


@given(VERSIONS, st.sampled_from([Bump.PATCH, Bump.MINOR, Bump.MAJOR]))
def test_the_next_version_is_above_and_enough(old: Version, required: Bump) -> None:
    new = next_version(old, required)
    assert new > old
    assert old.prerelease or declared_bump(old, new).rank >= needed_bump(old, required).rank


def _version(text: str) -> Version:
    version = parse_version(text)
    assert version is not None
    return version
