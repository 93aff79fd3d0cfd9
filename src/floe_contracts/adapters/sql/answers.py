"""A question to the child process answered: text rendered where it is a template, parsed, and described."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

import sqlglot
from sqlglot import exp
from sqlglot.errors import SqlglotError
from sqlglot.optimizer import annotate_types, normalize_identifiers, qualify_columns, simplify

from .selects import TooLarge, read_select, read_statement_reads
from .statements import read_statements

_IMPORTED_LATE = (annotate_types, normalize_identifiers, qualify_columns, simplify)  # by parsers, when they parse
Answer = dict[str, Any]


def load_dialect(name: str, *, template: bool = False) -> None:
    """Import what a question of this dialect needs."""
    _warm_up(name)
    if template:
        from .template import warm_up

        warm_up()


@cache
def _warm_up(name: str) -> None:
    """Parse and write a little of everything: sqlglot imports parsers and generators when they are first used."""
    for text in (
        "create table t (a int not null, b varchar(3))",
        "alter table t add b int",
        "select cast(a as int) as a",
    ):
        for tree in sqlglot.parse(text, read=name or None):
            if tree is not None:
                tree.sql(dialect=name or None)


def answer(question: dict[str, Any]) -> Answer:
    """The answer, or why there is none."""
    try:
        return _answer(question)
    except RecursionError:
        return _cannot_tell("the SQL is nested too deeply")
    except MemoryError:
        return _cannot_tell("the SQL needs more memory than 300 MB")
    except TooLarge:
        return _cannot_tell("the SQL has too many columns")
    except SqlglotError as error:
        lines = [item.get("line") for item in getattr(error, "errors", ())]
        return _cannot_tell("the SQL cannot be parsed", next((line for line in lines if line), 1))
    except Exception as error:  # whatever a text makes a library do is not an answer, and no crash
        reason = (
            str(error) if type(error).__name__ == "Undecided" else f"reading the SQL ended with {type(error).__name__}"
        )
        return _cannot_tell(reason)


def _answer(question: dict[str, Any]) -> Answer:
    text, line_at, more = _render(question)
    dialect = question["dialect"]
    if question["kind"] == "statements":
        return {"statements": list(read_statements(text, dialect))}
    trees = [tree for tree in sqlglot.parse(text, read=dialect or None) if tree is not None]
    trees = [tree for tree in trees if not isinstance(tree, exp.Semicolon)]
    if question["kind"] == "queries":
        return {"queries": [read_statement_reads(tree, dialect, line_at) for tree in trees]}
    if len(trees) != 1:
        return _cannot_tell("this is not one query" if trees else "there is no SQL in it")
    if not isinstance(trees[0], exp.Query):
        return _cannot_tell("this is not a query")
    return {**read_select(trees[0], dialect, line_at), **more}


def _render(question: dict[str, Any]) -> tuple[str, Callable[[int], int], Answer]:
    given = question.get("template")
    if not given:
        return question["text"], lambda line: line, {}
    from .template import Rendering

    rendering = Rendering(given["adapter"], given["macros"], given["project"])
    text, lines = rendering.render(question["text"])
    return text, lambda line: lines[min(line, len(lines)) - 1], {"macros": sorted(rendering.used)}


def _cannot_tell(reason: str, line: int = 1) -> Answer:
    return {"cannot_tell": reason, "line": line}
