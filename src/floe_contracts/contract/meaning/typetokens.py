"""Type text cut into tokens, with a cursor to read them by."""

from __future__ import annotations

import re

MAX_DEPTH = 32
TOKEN = re.compile(r"""`[^`]*`|"[^"]*"|'[^']*'|-?\d+(?![\w-])|[^\W\d][\w$-]*|[<>()\[\],:]|\S""")
WORD = re.compile(r"[^\W\d][\w$-]*\Z")
_PAIRS = {">": "<", ")": "(", "]": "["}


class UnreadError(Exception):
    """Text that follows no grammar known here."""


class Cursor:
    """Tokens and a position; running out is an empty token."""

    def __init__(self, tokens: list[str]) -> None:
        self._tokens = tokens
        self._at = 0

    def peek(self, ahead: int = 0) -> str:
        place = self._at + ahead
        return self._tokens[place] if place < len(self._tokens) else ""

    def take(self, *wanted: str) -> str:
        token = self.peek()
        if wanted and token.casefold() not in wanted:
            raise UnreadError
        self._at += 1
        return token

    def skip(self, *unwanted: str) -> bool:
        if self.peek().casefold() in unwanted and not self.at_end():
            self._at += 1
            return True
        return False

    def at_end(self) -> bool:
        return self._at >= len(self._tokens)


def collapse(text: str) -> str:
    """Case and spacing taken out, except inside quotes."""
    tokens = (token if token[0] in "`\"'" else token.casefold() for token in TOKEN.findall(text))
    return re.sub(r" ?([<>()\[\],:]) ?", r"\1", " ".join(tokens))


def is_balanced(text: str) -> bool:
    open_brackets: list[str] = []
    for mark in TOKEN.findall(text):
        if mark in _PAIRS.values():
            open_brackets.append(mark)
            if len(open_brackets) > MAX_DEPTH:
                return False
        elif mark in _PAIRS and (not open_brackets or open_brackets.pop() != _PAIRS[mark]):
            return False
    return not open_brackets
