"""Statements that sqlglot cannot take apart, judged by their words: harmless, a routine, or not clear.

Runs in the child process. A statement is harmless only when its first words say so; all others are steps `unclear`
with their words, so that whoever replays them knows which tables may no longer be what they seem.
"""

from __future__ import annotations

import re
from typing import Any

Step = dict[str, Any]
_WORD = re.compile(r"[^\W\d][\w$]*")
_CHANGES = re.compile(  # `alter` and `drop` before a quote or a placeholder are parts of a computed statement
    r"\b(?:sp_rename|rename\b(?!\s+(?:attribute|constraint|index|key|value)\b)"
    r"|(?:alter|drop)\s*(?:'|%|\s(?:(?:external|foreign|materialized)\s+)?"
    r"(?:column|database|domain|extension|owned|schema|table|type|view)\b)"
    r"|create\s+(?:\w+\s+){0,4}(?:table|view)\b)",
    re.IGNORECASE,
)
_TEXT_GOES_ON = r"""["'](?=\s*(?:[,|+)]|\Z))"""
_COMPUTED_NAME = (
    re.compile(  # `'ALTER TABLE ' || name`, `format('DROP TABLE %I', name)`, `CONCAT("DROP TABLE a_", name)`
        r"""\b(?P<verb>alter|create(?:\s+or\s+replace)?|drop)\s*(?:'|%|"(?=\s*[,|+])"""
        r"""|\s(?:\w+\s+){0,3}(?:table|view)\s+"""
        r"""(?:(?:if\s+(?:not\s+)?exists|only)\s+)*(?:[\["`]?\w+[\]"`]?\.)*"""
        rf"""(?:[\["`]?(?:'|%|\{{|\$\{{)|[\[`]?\w*{_TEXT_GOES_ON}|"\w*'(?=\s*[|+,])))""",
        re.IGNORECASE,
    )
)
_KEEPS_COLUMNS = re.compile(  # what follows a computed name and takes no column
    r"""[\w$]*["'`\]]?\s+(?:(?:attach|detach)\s+partition\b|(?:enable|disable|force)\s+row\b|owner\s+to\b"""
    r"""|(?:drop|validate)\s+constraint\b|replica\s+identity\b)(?![^';]*,\s*(?:add|alter|drop|rename)\b)""",
    re.IGNORECASE,
)
_CREATE = r"(?:create|alter|drop)\s+(?:or\s+(?:replace|alter)\s+)?(?:(?:temp|temporary|unique|constraint|event)\s+)*"
_DEFINER = r"(?:definer\s*=\s*\S+\s+)?"
_ROUTINE = re.compile(
    _CREATE + _DEFINER + r"(?:aggregate\s+|window\s+)?(?:function|procedure|proc|package(?:\s+body)?)\s+"
    r"(?:if\s+(?:not\s+)?exists\s+)?(?:[^\s.(]+\.)*[\"`\[]?(?P<name>\w+)(?P<body>.*)",
    re.IGNORECASE | re.DOTALL,
)
_SCHEMA = re.compile(r"(?:alter|drop)\s+(?:schema|database)\b", re.IGNORECASE)
_BLOCK = re.compile(r"(?:do|begin|declare|if|while)\b", re.IGNORECASE)
_HARMLESS = re.compile(
    r"(?:grant|revoke|deny|comment|analyze|vacuum|explain|lock|unlock|listen|notify|reindex|reassign|checkpoint|discard"
    r"|refresh|optimize|print|use|reset|security\s+label|flush|msck|show|describe|kill|attach|detach|install|load"
    r"|exec(?:ute)?\s+(?:sys\.)?sp_(?:refreshview|refreshsqlmodule|\w+extendedproperty)"
    r"|update\s+statistics|set|go|start\s+transaction|commit|end|rollback|savepoint|release)\b",
    re.IGNORECASE,
)
_OTHER_OBJECT = re.compile(
    _CREATE + _DEFINER + r"(?:(?:row\s+access|masking|session|network|password)\s+)?"
    r"(?:access\s+method|aggregate|cast|collation|conversion|credential|database\s+scoped|default\s+privileges|domain"
    r"|event|extension|file\s+format|group|index|integration|language|login|operator|partition\s+(?:function|scheme)"
    r"|pipe|policy|profile|publication|resource|role|secret|sequence|server|share|stage|statistics|stream|subscription"
    r"|synonym|system|tablespace|tag|task|text\s+search|trigger|type|user|warehouse)\b",
    re.IGNORECASE,
)
_NEW_NAME = re.compile(r"\brename\s+to\s+\S+\s*\Z", re.IGNORECASE)  # of an index, a trigger, a type
_HARMLESS_ALTER = re.compile(
    r"alter\s+(?:foreign\s+|materialized\s+)?(?:table|view)\s+(?:if\s+exists\s+)?(?:only\s+)?[^\s(,]+(?:\s*\*)?\s+(?:"
    r"owner\s+to\b|(?:enable|disable|force|no\s+force)\b|(?:attach|detach|exchange|truncate)\s+partition\b"
    r"|(?:add|drop)\s+(?:if\s+(?:not\s+)?exists\s+)?partition\b|cluster\b|set\s+without\b"
    r"|set\s*\(|set\s+(?:logged|unlogged|tablespace|access|tblproperties|options|properties|tag|serde)\b|reset\s*\("
    r"|unset\b|replica\s+identity\b|validate\s+constraint\b|alter\s+constraint\b|rename\s+(?:constraint|index|key)\b"
    r"|alter\s+(?:column\s+)?[^\s(,]+\s+set\s+(?:statistics|storage|compression|\(|masking)"
    r"|alter\s+(?:column\s+)?[^\s(,]+\s+(?:(?:add|set)\s+generated|drop\s+identity|restart)\b"
    r"|add\s+(?:constraint\s+\S+\s+)?check\b|add\s+constraint\s+\S+\s+unique\b|(?:no)?check\s+constraint\b"
    r"|with\s+(?:no)?check\s+(?:(?:no)?check|add\s+constraint)\b"
    r"|(?:add|drop|materialize|clear)\s+(?:index|projection)\b|convert\s+to\s+character\b"
    r"|(?:default\s+)?(?:character\s+set|charset)\b"
    r"|update\s|delete\s+where\b|clear\s+column\b|materialize\s+(?:column|ttl)\b|modify\s+(?:order|setting|ttl)\b"
    r"|(?:engine|auto_increment|comment|row_format|default|collate)\b|execute\s+optimize\b"
    r"|rebuild\b|(?:lock|algorithm)\s*=|(?:drop|suspend|resume)\s+clustering\b|alter\s+(?:sortkey|distkey|diststyle)\b"
    r")(?P<rest>.*)",
    re.IGNORECASE | re.DOTALL,
)
_BRACKETS = re.compile(r"\([^()]*\)|'[^']*'")


def read_unparsed(sql: str) -> list[Step]:
    """The steps of a statement by its words."""
    if _ROUTINE.match(sql):
        return read_routine(sql)
    alter = _HARMLESS_ALTER.match(sql)
    if alter is not None and not _has_more_parts(alter["rest"]) and not _CHANGES.search(alter["rest"]):
        return []
    other = _OTHER_OBJECT.match(sql)
    if other is not None and not _CHANGES.search(_NEW_NAME.sub("", sql[other.end() :])):
        return _read_drop(sql)
    if _SCHEMA.match(sql):
        return [{"do": "unclear", "words": [*_words(sql), *(f"{word}.*" for word in _words(sql))]}]
    if _CHANGES.search(sql):
        return [unclear(sql)]
    if _BLOCK.match(sql):
        return [{"do": "call", "words": _words(sql)}]
    return [] if _HARMLESS.match(sql) else [unclear(sql)]


def read_routine(sql: str) -> list[Step]:
    """A function or procedure: it does nothing until it is called, and then perhaps what its words say."""
    match = _ROUTINE.match(sql)
    if match is None or not _CHANGES.search(match["body"]):
        return []
    return [{**unclear(match["body"]), "do": "routine", "column": match["name"].casefold()}]


def changes_tables(sql: str) -> bool:
    """Whether the words of a statement, those in its texts too, could change a table."""
    return _CHANGES.search(sql) is not None


def unclear(sql: str) -> Step:
    """A statement that may do anything to the tables that it names, to all of them where names are computed."""
    matches = [match for match in _COMPUTED_NAME.finditer(sql) if not _KEEPS_COLUMNS.match(sql, match.end())]
    made_only = {match["verb"].casefold() == "create" for match in matches}
    computed = ["*"] if False in made_only else ["+"] if made_only else []
    return {"do": "unclear", "words": [*_words(sql), *computed]}


def _read_drop(sql: str) -> list[Step]:
    """`DROP TYPE … CASCADE` takes columns along, nobody here knows which."""
    taken = re.match(r"drop\s+(?:type|domain|extension|user)\b.*\bcascade\b", sql, re.IGNORECASE | re.DOTALL)
    return [{"do": "unclear", "words": ["*"]}] if taken else []


def _has_more_parts(rest: str) -> bool:
    """Whether something follows after a comma outside of brackets and texts."""
    before = ""
    while before != rest:
        before, rest = rest, _BRACKETS.sub("", rest)
    return "," in rest


def _words(sql: str) -> list[str]:
    return sorted({word.casefold() for word in _WORD.findall(sql)})
