"""A file of SQL cut into statements: at semicolons outside of blocks, at T-SQL's GO and at Oracle's slash.

Runs in the child process. What stands between BEGIN and END is one statement with what it belongs to, because nobody
can tell whether and when it is run.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import sqlglot
from sqlglot import TokenType

_GO = re.compile(r"^[ \t]*GO(?:[ \t]+\d+)?[ \t]*;?[ \t]*\r?$", re.IGNORECASE | re.MULTILINE)
_SLASH = re.compile(r"^[ \t]*/[ \t]*\r?$", re.MULTILINE)
_ENDS = {"tsql": _GO, "fabric": _GO, "oracle": _SLASH}
_ONLY_MYSQL_RUNS = re.compile(r"/\*M?!\d*(.*?)\*/", re.DOTALL)  # `/*!50001 CREATE VIEW … */` is not a comment there
_MYSQL = ("mysql", "singlestore", "starrocks", "doris")
_NO_BLOCK = frozenset(
    [
        "TRAN",
        "TRANSACTION",
        "WORK",
        "ISOLATION",
        "READ",
        "DEFERRED",
        "IMMEDIATE",
        "EXCLUSIVE",
        "CONCURRENT",
        "DISTRIBUTED",
        ";",
    ]
)
_MAY_HOLD_BLOCK = frozenset(
    ["BEGIN", "CREATE", "ALTER", "IF", "WHILE", "FOR", "LOOP", "REPEAT", "DECLARE", "DELIMITER", "EXECUTE"]
)
_CLOSED_BY_END = frozenset(["IF", "LOOP", "WHILE", "REPEAT", "FOR"])  # their END closes no BEGIN


def split_batches(text: str, dialect: str) -> list[str]:
    """The parts of a text that an engine is given one by one; each keeps its lines."""
    if dialect in _MYSQL:
        text = _ONLY_MYSQL_RUNS.sub(lambda match: f"{' ' * (match.start(1) - match.start())}{match[1]}  ", text)
    end = _ENDS.get(dialect)
    if end is None:
        return [text]
    parts, at = [], 0
    for match in [*end.finditer(text), None]:
        stop = match.start() if match else len(text)
        parts.append("\n" * text.count("\n", 0, at) + text[at:stop])
        at = match.end() if match else stop
    return parts


def split_statements(text: str, dialect: str) -> Iterator[list[Any]]:
    """The tokens of each statement."""
    tokens = sqlglot.Dialect.get_or_raise(dialect or None).tokenize(text)
    chunk: list[Any] = []
    blocks = brackets = 0
    for index, token in enumerate(tokens):
        word = _word(token)
        following = _word(tokens[index + 1]) if index + 1 < len(tokens) else ";"
        brackets = max(0, brackets + (word == "(") - (word == ")"))
        if word == "BEGIN" and following not in _NO_BLOCK and not brackets:
            blocks += bool(blocks) or _may_hold_block(chunk, dialect)
        elif blocks and word == "CASE" and not (chunk and _word(chunk[-1]) == "END"):
            blocks += 1
        elif blocks and word == "END" and (following not in _CLOSED_BY_END or dialect in ("tsql", "fabric")):
            blocks -= 1
        if word == ";" and not blocks:
            if chunk:
                yield chunk
            chunk, brackets = [], 0
        else:
            chunk.append(token)
    if chunk:
        yield chunk


def _may_hold_block(chunk: list[Any], dialect: str) -> bool:
    """Whether a BEGIN after these words opens a block; elsewhere it may be a column's name."""
    words = [_word(token) for token in chunk[:2]]
    if not words or dialect in ("tsql", "fabric"):
        return True
    return words[0] in _MAY_HOLD_BLOCK and words[-1] not in ("TABLE", "VIEW")


def _word(token: Any) -> str:
    kind = token.token_type
    if kind in (TokenType.IDENTIFIER, TokenType.STRING):
        return ""
    return ";" if kind == TokenType.SEMICOLON else str(token.text).upper()
