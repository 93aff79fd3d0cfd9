"""Statements that are too much for a parser as a whole: the acts of an ALTER TABLE one by one, a table without options.

Runs in the child process.
"""

from __future__ import annotations

from typing import Any

from sqlglot import TokenType

_ACTS = frozenset(["ADD", "ALTER", "CHANGE", "DROP", "MODIFY", "SET", "VALIDATE"])
_NEW_NAME_FOLLOWS = frozenset(["COLUMN", "CONSTRAINT", "INDEX", "KEY", "TO"])
_OPTIONS = frozenset([
    "ALGORITHM", "AUTO_INCREMENT", "CHARACTER", "CHARSET", "COLLATE", "COMMENT", "CONVERT", "DEFAULT", "ENGINE", "LOCK",
    "ROW_FORMAT",
])  # fmt: skip
_MYSQL = ("mysql", "singlestore")
_BRINGS_COLUMNS = frozenset([
    "ALTER", "AS", "CALL", "CLONE", "CREATE", "DROP", "EXEC", "EXECUTE", "FROM", "INHERITS", "INSERT", "INTO", "LIKE",
    "OF", "PARTITIONED", "RENAME", "SELECT", "TABLE", "UNION", "WITH",
])  # fmt: skip


def write_tokens(tokens: list[Any], text: str) -> str:
    """The text that tokens next to each other stand for."""
    return text[tokens[0].start : tokens[-1].end + 1]


def split_alter(tokens: list[Any], text: str, dialect: str) -> list[tuple[list[Any], str]]:
    """Each act of an ALTER TABLE as a statement with its text; none where there is one, or one is not a known act."""
    head = tokens[: _length_of_head(tokens)]
    acts = _split_at_commas(tokens[len(head) :]) if head else []
    if len(acts) < 2 or not all(_is_act(act, dialect) for act in acts):
        return []
    return [([*head, *act], f"{write_tokens(head, text)} {write_tokens(act, text)}") for act in acts]


def without_options(tokens: list[Any], dialect: str) -> list[Any]:
    """A CREATE TABLE up to the end of its columns; empty where what follows may bring in others."""
    words = [_word(token) for token in tokens]
    if dialect in ("tsql", "fabric") or words[:1] != ["CREATE"] or "TABLE" not in words[1:6] or "(" not in words:
        return []
    depth, at = 0, words.index("(")
    if words[at - 1] == "IDENTIFIER":  # Snowflake's `IDENTIFIER('name')`
        return []
    for end, word in enumerate(words[at:], at):
        depth += (word == "(") - (word == ")")
        if depth == 0:
            rest = frozenset(words[end + 1 :])
            return [] if not rest or rest & _BRINGS_COLUMNS else tokens[: end + 1]
    return []


def _length_of_head(tokens: list[Any]) -> int:
    """Of ALTER TABLE and the table's name; 0 for other statements."""
    words = [_word(token) for token in tokens]
    if words[:2] != ["ALTER", "TABLE"]:
        return 0
    at = 2
    while at < len(words) and words[at] in ("IF", "EXISTS", "ONLY"):
        at += 1
    at += 1
    while at + 1 < len(words) and words[at] == ".":
        at += 2
    return at


def _split_at_commas(tokens: list[Any]) -> list[list[Any]]:
    parts: list[list[Any]] = [[]]
    depth = 0
    for token in tokens:
        word = _word(token)
        depth += (word == "(") - (word == ")")
        if word == "," and depth == 0:
            parts.append([])
        else:
            parts[-1].append(token)
    return parts


def _is_act(tokens: list[Any], dialect: str) -> bool:
    """Whether a part says what it does; `add a int, b int` goes on without a word."""
    words = [_word(token) for token in tokens[:2]]
    if words[:1] == ["RENAME"]:
        return words[1:] != [] and words[1] in _NEW_NAME_FOLLOWS
    return words != [] and (words[0] in _ACTS or (dialect in _MYSQL and words[0] in _OPTIONS))


def _word(token: Any) -> str:
    if token.token_type in (TokenType.IDENTIFIER, TokenType.STRING):
        return ""
    return str(token.text).upper()
