"""No string from a file may steer a terminal, a log or a Markdown page."""

from __future__ import annotations

import re
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from floe_contracts.render.safe import break_commands, code_span, log_safe

HOSTILE_PIECES = [
    "##[",
    "::",
    "\x1b[31m",
    "\x9b1m",
    "\r",
    "\n",
    "\u202e",
    "\u200b",
    "`",
    "|",
    "\\",
    "-->",
    "#",
    "[",
    ":",
    " ",
    "…",
]
hostile = st.one_of(st.text(), st.lists(st.sampled_from(HOSTILE_PIECES), max_size=30).map("".join))


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        pytest.param("orders.total", "orders.total", id="plain text is left alone"),
        pytest.param("größe 金額 🚀", "größe 金額 🚀", id="other scripts are left alone"),
        pytest.param("a\r\nb\tc", "a\\r\\nb\\tc", id="line ends and tabs become visible"),
        pytest.param("a\x00b\x07c\x7fd", "abcd", id="control characters are dropped"),
        pytest.param("\x1b[1;31mred\x1b[0m", "red", id="colours are dropped whole"),
        pytest.param("\x9b31mred", "red", id="eight-bit colours are dropped whole"),
        pytest.param("\x1b]8;;http://evil\x07link\x1b]8;;\x1b\\", "link", id="terminal hyperlinks are dropped whole"),
        pytest.param("\u202eexe.png", "\\u202eexe.png", id="right-to-left override becomes visible"),
        pytest.param("pay\u200bments", "pay\\u200bments", id="zero-width space becomes visible"),
        pytest.param("a\u2028b", "a\\u2028b", id="unicode line separator becomes visible"),
        pytest.param("a\u3164b", "a\\u3164b", id="a letter that shows nothing becomes visible"),
        pytest.param("a\U000e0041b", "a\\U000e0041b", id="tag characters become visible"),
        pytest.param("a\udcffb", "a\\udcffb", id="an undecodable byte of a path becomes visible"),
        pytest.param("a\u00a0b", "a b", id="no-break space becomes a space"),
        pytest.param("x ##[error]y", "x # #[error]y", id="legacy command in the middle of a line"),
        pytest.param("#\x00#[error]y", "# #[error]y", id="legacy command hidden by a control character"),
        pytest.param("::error::y", ": :error::y", id="command at the start"),
        pytest.param("  ::error::y", "  : :error::y", id="command after whitespace"),
        pytest.param("\u00a0::error::y", " : :error::y", id="command after a no-break space"),
        pytest.param("a::b", "a::b", id="colons inside a line are harmless"),
    ],
)
def test_log_safe_shows(text: str, shown: str) -> None:
    assert log_safe(text) == shown


@pytest.mark.parametrize(("limit", "shown"), [(5, "abcd…"), (6, "abcdef")])
def test_log_safe_cuts_at_its_limit(limit: int, shown: str) -> None:
    assert log_safe("abcdef", limit) == shown


def test_log_safe_says_that_hidden_text_was_cut() -> None:
    assert log_safe("a" + "\x00" * 10_000 + "b").endswith("…")


@given(hostile, st.integers(2, 400))
def test_log_safe_is_one_harmless_line(text: str, limit: int) -> None:
    shown = log_safe(text, limit)
    assert shown.isprintable()
    assert len(shown) <= limit
    assert "##[" not in shown
    assert not shown.lstrip().startswith("::")
    assert not re.search("[\u202a-\u202e\u2066-\u2069\u200b-\u200f\ufeff]", shown)


@given(hostile)
def test_log_safe_leaves_safe_text_alone(text: str) -> None:
    assert log_safe(log_safe(text)) == log_safe(text)


@given(st.lists(hostile, min_size=1, max_size=4).map("".join))
def test_broken_commands_stay_broken_when_joined(text: str) -> None:
    line = break_commands(log_safe(text) + ": " + log_safe(text))
    assert "##[" not in line
    assert not line.lstrip().startswith("::")


@pytest.mark.parametrize(
    ("text", "span"),
    [
        pytest.param("orders", "`orders`", id="plain"),
        pytest.param("a`b", "``a`b``", id="fence longer than the run inside"),
        pytest.param("``", "``` `` ```", id="backticks at the edges are padded"),
        pytest.param("a|b", "`a|b`", id="a pipe is itself: no page has a table"),
        pytest.param("a\n\n  b", "`a b`", id="newlines collapse"),
        pytest.param("--> x", "`-- > x`", id="an HTML comment cannot be ended"),
        pytest.param("\u202eb", "`\\u202eb`", id="bidi becomes visible"),
        pytest.param("", "`  `", id="empty text is still a code span"),
    ],
)
def test_code_span_shows(text: str, span: str) -> None:
    assert code_span(text) == span


@given(hostile)
def test_nothing_escapes_a_code_span(text: str) -> None:
    span = code_span(text)
    fence = re.match("`+", span)
    assert fence
    inner = span[len(fence.group()) : -len(fence.group())]
    assert span.endswith(fence.group())
    assert all(len(run) < len(fence.group()) for run in re.findall("`+", inner))
    assert "-->" not in span
    assert "\n" not in span


def test_a_megabyte_of_escape_openers_costs_nothing() -> None:
    started = time.process_time()
    for opener in ("\x1b]", "\x9d", "\x1b[", "\x9b0", "`", "#"):
        log_safe(opener * 500_000)
        code_span(opener * 500_000)
    assert time.process_time() - started < 2
