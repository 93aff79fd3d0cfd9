"""Remarks about the queries of SQL rules: what a run would refuse, by the words alone.

Spark's own parser decides at run time; this list only tells the author early of what is never run.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from ... import codes
from ..model import Contract, QualityRule
from .remark import Remark

_PIECES = (  # compiled when the first query is read; what is never closed runs to the end
    r"(?P<gap>\s+|--[^\n]*|/\*.*?(?:\*/|\Z))"
    r"|(?P<text>'[^'\\]*(?:\\(?:.|\Z)[^'\\]*)*(?:'|\Z)|\"[^\"\\]*(?:\\(?:.|\Z)[^\"\\]*)*(?:\"|\Z))"
    r"|(?P<quoted>`[^`]*(?:`|\Z))"
    r"|(?P<word>[^\W\d]\w*)"
    r"|(?P<sign>\d+|.)"
)
_FUNCTIONS_WORDS = (
    "reflect java_method try_reflect input_file_name input_file_block_start input_file_block_length current_user "
    "session_user user current_catalog current_database current_schema read_files read_kafka read_pubsub read_pulsar "
    "cloud_files python_worker_logs from_protobuf to_protobuf from_avro to_avro from_xml to_xml schema_of_xml xpath "
    "xpath_boolean xpath_double xpath_float xpath_int xpath_long xpath_number xpath_short xpath_string raise_error "
    "assert_true version spark_partition_id secret try_secret http_request ai_query remote_query"
)
_FUNCTIONS = frozenset(_FUNCTIONS_WORDS.split())
_STATEMENTS_WORDS = (
    "add alter analyze begin cache call clear comment copy create declare delete desc describe drop execute explain "
    "export grant import insert install list load lock merge msck optimize refresh repair replace reset revoke set "
    "show truncate uncache undrop unlock update use vacuum"
)
_STATEMENTS = frozenset(_STATEMENTS_WORDS.split())
_INNER = {  # statements that may follow a WITH, by their second word
    "insert": ("into", "overwrite"),
    "delete": ("from",),
    "merge": ("into",),
    "drop": ("table", "view", "database", "schema", "function"),
    "create": ("table", "view", "database", "schema", "function", "or", "temporary"),
    "execute": ("immediate",),
}
_FORMATS_WORDS = "parquet csv json text orc avro delta iceberg binaryfile xml jdbc"
_FORMATS = frozenset(_FORMATS_WORDS.split())
_SUGGESTION = (
    "Write one SELECT over the contract's own tables. Only sql_trust: full in .floe/monitoring.yaml lets others run."
)


def query_remarks(contract: Contract) -> Iterator[Remark]:
    """A remark for every query that a run refuses."""
    for table in contract.objects:
        yield from _remarks(table.quality, table.name)
        for path, prop in table.columns():
            if prop.quality:
                yield from _remarks(prop.quality, f"{table.name}.{'.'.join(path)}")


def _remarks(rules: Sequence[QualityRule], element: str) -> Iterator[Remark]:
    for rule in rules:
        reason = refused_words(rule.query) if rule.query else ""
        if reason:
            yield Remark(
                "sql-refused",
                f"a run refuses this query: {reason}",
                (*rule.at, "query"),
                code=codes.E561,
                element=element,
                expected="one SELECT over the contract's own tables, with functions that only compute",
                suggestion=_SUGGESTION,
            )


def refused_words(query: str) -> str:
    """Why a query is never run, by its words; empty when the words say nothing against it."""
    matches = re.finditer(_PIECES, query, re.DOTALL)
    tokens = [(match.lastgroup or "", match[0]) for match in matches if match.lastgroup != "gap"]
    words = [_word(kind, text) for kind, text in tokens] + ["", "", ""]
    first = next((word for word in words if word != "("), "")
    if first in _STATEMENTS:
        return f"it begins with {first.upper()}, which is not a question"
    kinds = [kind for kind, _ in tokens]
    return next((why for number in range(len(tokens)) if (why := _refused_at(words, kinds, number))), "")


def _refused_at(words: list[str], kinds: list[str], number: int) -> str:
    """What speaks against the word at a place."""
    word, after = words[number], words[number + 1]
    if word == ";" and after:
        return "it is more than one statement"
    if kinds[number] not in ("word", "quoted"):
        return ""
    if after == "(" and word in _FUNCTIONS:
        return f"it calls {word}()"
    if after == "(" and word == "identifier":
        return "it builds a name (IDENTIFIER)"
    if after in _INNER.get(word, ()) and words[number - 1 : number] != ["."]:
        return f"it has {word.upper()} {after.upper()} in it, which is not a question"
    if word == "using" and kinds[number + 1 : number + 2] == ["text"]:
        return "it runs a program (USING)"
    is_path = after == "." and kinds[number + 2 : number + 3] == ["quoted"]
    if is_path and word in _FORMATS and _names_a_table(words, number):
        return f"it reads files or another source ({word}.`…`)"
    return ""


def _names_a_table(words: list[str], number: int) -> bool:
    """Whether a table's name is due at a place: after FROM, JOIN, TABLE or a comma, also in brackets."""
    before = number - 1
    while before > 0 and words[before] == "(":
        before -= 1
    word = words[before] if before >= 0 else ""
    return word in ("from", "join", "table") or (word == "," and before == number - 1)


def _word(kind: str, text: str) -> str:
    if kind == "text":
        return "'"
    return text.strip("`").lower() if kind in ("word", "quoted") else text
