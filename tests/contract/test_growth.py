"""Patterns of our own on inputs that grow: the work grows with them, and the answers stay those of a plain matcher."""

from __future__ import annotations

import re
from collections.abc import Callable
from time import process_time

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.builders import column, contract

from floe_contracts.contract.discovery import selection
from floe_contracts.contract.lint.slow_patterns import slow_pattern_remarks
from floe_contracts.contract.meaning.systems import hide_login
from floe_contracts.product.secret import embedded_problem

SMALL, TIMES = 4_000, 8


def _seconds(work: Callable[[int], object], size: int) -> float:
    best = 60.0
    for _ in range(3):
        started = process_time()
        work(size)
        best = min(best, process_time() - started)
    return best


@pytest.mark.parametrize(
    "text",
    [
        pytest.param(lambda size: "a:" * size, id="nothing but colons"),
        pytest.param(lambda size: "a://" + "a:" * size, id="an address of colons"),
        pytest.param(lambda size: "a://" * size, id="schemes without end"),
        pytest.param(lambda size: "a://b:" * size, id="users without a host"),
        pytest.param(lambda size: "jdbc:oracle:/a" * size, id="logins without a host"),
        pytest.param(lambda size: "jdbc:oracle:" + "/a" * size, id="slashes"),
        pytest.param(lambda size: "password" + " " * size, id="blanks"),
        pytest.param(lambda size: "x" * size, id="one long word"),
    ],
)
def test_looking_for_secrets_takes_as_long_as_the_text(text: Callable[[int], str]) -> None:
    texts = {size: text(size) for size in (SMALL, SMALL * TIMES)}
    small, large = (_seconds(lambda size: embedded_problem(texts[size]), size) for size in texts)
    assert large <= small * TIMES * 4 + 0.05  # cubic would be 512 times as long


@pytest.mark.parametrize(
    "text",
    [
        pytest.param(lambda size: "@ //" + ":" * size, id="nothing but colons"),
        pytest.param(lambda size: "@" + "jdbc:oracle::," * size + " ", id="logins without a host"),
        pytest.param(lambda size: "//a:" + "@" * size + " ", id="hosts without a name"),
        pytest.param(lambda size: "=" + "?password" * size, id="names of parameters"),
    ],
)
def test_hiding_logins_takes_as_long_as_the_text(text: Callable[[int], str]) -> None:
    texts = {size: text(size) for size in (SMALL, SMALL * TIMES)}
    small, large = (_seconds(lambda size: hide_login(texts[size]), size) for size in texts)
    assert large <= small * TIMES * 4 + 0.05


@pytest.mark.parametrize(
    ("glob", "path"),
    [
        pytest.param("**/" * 40 + "b.yaml", lambda size: "a/" * size + "x.yaml", id="many folders of any name"),
        pytest.param("**/a/" * 30 + "b.yaml", lambda size: "a/" * size + "x.yaml", id="many folders of one name"),
        pytest.param("*a" * 30 + "b.yaml", lambda size: "a" * size + ".yaml", id="many stars in one name"),
        pytest.param("**/*a*a*a*a/" * 8 + "b.yaml", lambda size: "aaaaaa/" * size + "x.yaml", id="both"),
        pytest.param("a**/" * 5 + "b.yaml", lambda size: "a/" * size + "x.yaml", id="stars behind a letter"),
    ],
)
def test_a_glob_ends(glob: str, path: Callable[[int], str]) -> None:
    chosen = selection([glob])
    paths = {size: path(size) for size in (SMALL // 40, SMALL // 40 * TIMES)}
    small, large = (_seconds(lambda size: paths[size] in chosen, size) for size in paths)
    assert large <= small * TIMES**2 * 4 + 0.05


def test_looking_for_slow_patterns_ends() -> None:
    columns = [column(f"c{number}", pattern="(?:ab)*" * 99 + str(number)) for number in range(300)]
    started = process_time()
    list(slow_pattern_remarks(contract(*columns)))
    assert process_time() - started < 20  # one by one they would take minutes


def _plain(glob: str) -> str:
    """What a glob of letters, slashes and stars means, without a thought for time."""
    pieces = {"**/": "(?:[^/]+/)*", "*": "[^/]*", "?": "[^/]"}
    return "".join(pieces.get("*" if not part.strip("*") else part, part) for part in _PARTS(glob))


_PARTS = re.compile(r"\*\*/|\*+|.").findall


@given(
    st.lists(st.sampled_from(["a", "b", "*", "**/", "/", "?"]), min_size=1, max_size=7).map("".join),
    st.lists(st.sampled_from(["a", "b", "/"]), max_size=7).map("".join),
)
def test_a_glob_means_what_it_meant(glob: str, path: str) -> None:
    if glob.startswith("/") or re.search("//", path) or path.startswith("/"):
        return
    name = f"{path}c.yaml"
    assert (name in selection([f"{glob}c.yaml"])) is bool(re.fullmatch(_plain(f"{glob}c.yaml"), name)), glob
