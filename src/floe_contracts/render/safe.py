"""Text from files made harmless before a person, a log or a Markdown page sees it.

A contract is written by strangers. The GitHub runner obeys `##[command]` anywhere in a line and `::command::` after
leading whitespace (actions/runner, ActionCommand.cs), terminals obey control sequences, and Markdown obeys nearly
everything, so text is made harmless here and nowhere else.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

_ANSI = re.compile(
    r"(?:\x1b\[|\x9b)[0-?]*[ -/]*[@-~]|(?:\x1b\]|\x9d)[^\x07\x1b\x80-\x9f]*(?:\x07|\x1b\\|\x9c)|\x1b[ -/]*[0-~]"
)
_VISIBLE = {"\n": "\\n", "\r": "\\r", "\t": "\\t", "\x0b": "\\x0b", "\x0c": "\\x0c", "\x85": "\\x85"}
# Code points that Unicode calls printable although they show nothing; emoji presentation selectors are left alone.
_BLANK = re.compile("[\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u3164\ufe00-\ufe0d\uffa0\U000e0100-\U000e01ef]")
# What turns, hides or breaks a line that was already made: marks of direction, joiners, separators, a lone return.
_HIDDEN = re.compile(
    f"[\r\x0b\x0c\x85\xad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\U000e0000-\U000e007f]"
    f"|{_BLANK.pattern}"
)
_LEADING_COMMAND = re.compile(r"(\s*):(?=:)")
_BACKTICKS = re.compile(r"`+")


def log_safe(text: str, limit: int = 300) -> str:
    """One harmless line: no control characters, no hidden ones, no runner commands, at most `limit` characters."""
    window = text[: 8 * limit]  # a megabyte of text costs no more than a page
    shown = break_commands(_make_visible(window))
    return shown if len(shown) <= limit and window == text else shown[: limit - 1] + "…"


def hide_logins(text: str) -> str:
    """The text with `…` for the user and password of every address in it."""
    return re.sub(r"(?<=://)[^/?#\s'\"]+@", "…@", text) if "://" in text and "@" in text else text


def code_span(text: str, limit: int = 300) -> str:
    """Text as Markdown code that nothing inside can end: safe in a paragraph and in a list."""
    shown = log_safe(" ".join(text.split()), limit).replace("-->", "-- >")
    fence = "`" * (1 + max((len(run) for run in _BACKTICKS.findall(shown)), default=0))
    inner = f" {shown} " if not shown or shown[0] in "` " or shown[-1] in "` " else shown
    return f"{fence}{inner}{fence}"


def code_block(lines: Iterable[str], language: str = "") -> str:
    """Lines as a fenced block of Markdown code that nothing inside can end."""
    shown = "\n".join(log_safe(line, 1_000) for line in lines).replace("-->", "-- >")
    fence = "`" * max(3, 1 + max((len(run) for run in _BACKTICKS.findall(shown)), default=0))
    return f"{fence}{language}\n{shown}\n{fence}"


def page_safe(text: str) -> str:
    """A renderer's page as a log may show it: lines, tabs and colours stay, commands and hidden characters do not."""
    if "##[" in text or "::" in text:
        text = "\n".join(break_commands(line) for line in text.split("\n"))
    if text.isascii() and "\r" not in text:
        return text
    return _HIDDEN.sub(lambda match: _escape(match.group()), text)


def break_commands(line: str) -> str:
    """The line with whatever a GitHub runner would obey pulled apart by a space."""
    if "##[" in line:
        line = line.replace("##[", "# #[")
    return _LEADING_COMMAND.sub(r"\1: ", line, count=1) if _LEADING_COMMAND.match(line) else line


def _make_visible(text: str) -> str:
    if not text.isprintable():
        text = "".join(_character(each) for each in _ANSI.sub("", text))
    return text if text.isascii() else _BLANK.sub(lambda match: _escape(match.group()), text)


def _character(each: str) -> str:
    if each.isprintable():
        return each
    if each in _VISIBLE:
        return _VISIBLE[each]
    if each.isspace() and each not in "\u2028\u2029" and ord(each) > 0x9F:
        return " "  # no-break and other wide spaces
    return "" if ord(each) <= 0x9F else _escape(each)


def _escape(each: str) -> str:
    number = ord(each)
    return f"\\u{number:04x}" if number <= 0xFFFF else f"\\U{number:08x}"
