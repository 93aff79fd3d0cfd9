"""Type names of every engine read into one shape, so that a respelled type is not a changed type.

Where engines give one word different widths, the reading that most SQL engines share wins: `int8` is eight bytes
(PostgreSQL, Redshift, MySQL, DuckDB), `integer` is four, `float` is four (Spark, Hive, Iceberg, Avro). A timestamp
that does not say whether it knows its zone stays `Zone.UNSPECIFIED`, because engines disagree about the default.
"""

from __future__ import annotations

import re
from functools import lru_cache

from ...frozen import dataclass, replace
from .typewords import CLOCKS, FAMILIES, FIXED_PARAMS, INTEGERS, LOGICAL, UINTS, Family, Zone

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
    """Whether brackets match, and are not nested too deeply to be read."""
    depth = _depth(text)
    return depth is not None and depth <= MAX_DEPTH


def has_open_bracket(text: str) -> bool:
    """Whether a bracket is opened and not closed, or closed and not opened."""
    return _depth(text) is None


def _depth(text: str) -> int | None:
    """How deep brackets are nested; None when they do not match."""
    open_brackets: list[str] = []
    deepest = 0
    for mark in TOKEN.findall(text):
        if mark in _PAIRS.values():
            open_brackets.append(mark)
            deepest = max(deepest, len(open_brackets))
        elif mark in _PAIRS and (not open_brackets or open_brackets.pop() != _PAIRS[mark]):
            return None
    return None if open_brackets else deepest


__all__ = ["Family", "TypeExpr", "Zone", "has_open_bracket", "logical_for", "normal_type", "parse_type"]

_MAX_DIMENSIONS = 6  # of `int[][]`, as in PostgreSQL


@dataclass(frozen=True, slots=True)
class TypeExpr:
    """A type by meaning: two spellings of one type are equal. `text` is the canonical spelling."""

    family: Family
    params: tuple[int, ...] = ()
    children: tuple[tuple[str, TypeExpr], ...] = ()
    text: str = ""
    zone: Zone = Zone.UNSPECIFIED
    unsigned: bool = False
    required: bool = False  # NOT NULL written inside the type

    def child(self, name: str) -> TypeExpr | None:
        return next((item for label, item in self.children if label == name), None)


@lru_cache(maxsize=4096)
def parse_type(text: str) -> TypeExpr | None:
    """The meaning of a type as written; UNKNOWN for words no engine here knows, None for empty or unbalanced text."""
    if not text.strip() or not is_balanced(text):
        return None
    try:
        cursor = Cursor(TOKEN.findall(text))
        parsed = _read_type(cursor)
        return parsed if cursor.at_end() else _unknown(text)
    except UnreadError:
        return _unknown(text)


def normal_type(text: str) -> str:
    """One spelling for all spellings of a type; text that cannot be read only loses its extra spaces."""
    parsed = parse_type(text)
    return parsed.text if parsed else collapse(text)


def logical_for(text: str) -> str | None:
    """The ODCS logical type of a physical type, or None when the standard has no word for it."""
    parsed = parse_type(text)
    return LOGICAL.get(parsed.family) if parsed else None


_AFTER_TYPE = frozenset({"not", "null", "comment", "options"})


def _read_type(cursor: Cursor) -> TypeExpr:
    head = _words(cursor)
    if not head:
        raise UnreadError
    expression = _build(head, cursor)
    for _ in range(_MAX_DIMENSIONS):
        if cursor.skip("["):
            if cursor.peek() != "]":
                _number(cursor)
            cursor.take("]")
        elif not cursor.skip("array"):
            break
        expression = _add_text(TypeExpr(Family.ARRAY, children=(("", expression),)))
    return _read_constraints(expression, cursor)


def _words(cursor: Cursor) -> str:
    """The words before brackets; what may follow a finished type ends them."""
    words: list[str] = []
    while WORD.match(cursor.peek()):
        word = cursor.peek().casefold()
        if words and (word in _AFTER_TYPE or word == "array"):
            break
        words.append(word)
        cursor.take()
    return " ".join(words)


def _build(head: str, cursor: Cursor) -> TypeExpr:
    family = FAMILIES.get(head)
    opening = cursor.peek() if cursor.peek() in ("<", "(") else ""
    if opening and family in (Family.ARRAY, Family.MAP, Family.STRUCT, Family.VECTOR):
        closing = ">" if opening == "<" else ")"
        cursor.take()
        nested = _read_nested(family, closing, cursor)
        cursor.take(closing)
        return _add_text(nested)
    params = _params(cursor) if opening == "(" else ()
    if WORD.match(cursor.peek()) and cursor.peek().casefold() not in (*_AFTER_TYPE, "array"):
        head = f"{head} {_words(cursor)}"  # timestamp(6) with time zone
    return _add_text(_scalar(head, params))


def _read_nested(family: Family, closing: str, cursor: Cursor) -> TypeExpr:
    if family is Family.ARRAY:
        return TypeExpr(family, children=(("", _read_type(cursor)),))
    if family is Family.MAP:
        key = _read_type(cursor)
        cursor.take(",")
        return TypeExpr(family, children=(("key", key), ("value", _read_type(cursor))))
    if family is Family.VECTOR:
        item = () if cursor.peek().isdecimal() else (("", _read_type(cursor)),)
        if item:
            cursor.take(",")
        return TypeExpr(family, params=(_number(cursor),), children=item)
    return TypeExpr(family, children=_fields(closing, cursor))


def _fields(closing: str, cursor: Cursor) -> tuple[tuple[str, TypeExpr], ...]:
    """Struct fields sorted by name, because names bind; unnamed ones (`row(int, text)`) keep their place."""
    fields: list[tuple[str, TypeExpr]] = []
    while cursor.peek() != closing:
        if fields:
            cursor.take(",")
        name = ""
        if cursor.peek(1) not in (",", closing, "(", "<"):
            name = cursor.take().strip("`\"'")
            cursor.skip(":")
        fields.append((name, _read_type(cursor)))
    return tuple(fields if any(not name for name, _ in fields) else sorted(fields, key=lambda field: field[0]))


def _params(cursor: Cursor) -> tuple[int, ...]:
    """Numbers in brackets; `varchar(max)` has no limit and `varchar2(20 char)` counts characters as all others do."""
    cursor.take("(")
    if cursor.skip("max"):
        cursor.take(")")
        return ()
    numbers = [_number(cursor)]
    cursor.skip("char")
    while cursor.skip(","):
        numbers.append(_number(cursor))
    cursor.take(")")
    return tuple(numbers)


def _number(cursor: Cursor) -> int:
    token = cursor.take()
    if not re.fullmatch(r"-?[0-9]{1,9}", token):
        raise UnreadError
    return int(token)


def _scalar(head: str, params: tuple[int, ...]) -> TypeExpr:
    if head in CLOCKS:
        family, zone, digits = CLOCKS[head]
        if len(params) > 1 or (params and digits is not None):
            raise UnreadError
        return TypeExpr(family, params if digits is None else (digits,), zone=zone)
    if head.startswith("interval "):
        return TypeExpr(Family.INTERVAL, params, text=" ".join((head, *map(str, params))))
    unsigned = head in UINTS or "unsigned" in head.split()
    word = " ".join(part for part in head.split() if part not in ("unsigned", "signed"))
    kind = UINTS.get(word) or FAMILIES.get(word)
    if kind is None or (unsigned and kind not in INTEGERS):
        raise UnreadError
    if kind in INTEGERS:
        return TypeExpr(kind, unsigned=unsigned)  # int(11) is a display width
    return _read_sized(kind, word, params)


def _read_sized(family: Family, word: str, params: tuple[int, ...]) -> TypeExpr:
    if family in (Family.DECIMAL, Family.NUMBER):
        params = params or FIXED_PARAMS.get(word, ())
        if len(params) > 2:
            raise UnreadError
        return TypeExpr(Family.DECIMAL if params else family, (*params, 0)[:2] if params else ())
    if family is Family.FLOAT32 and params:
        return TypeExpr(Family.FLOAT32 if params[0] <= 24 else Family.FLOAT64)  # ANSI float(p) counts binary digits
    if family is Family.CHAR:
        return TypeExpr(family, params[:1] or (1,)) if len(params) < 2 else _refuse()
    if family in (Family.STRING, Family.BINARY):
        return TypeExpr(family, params) if len(params) < 2 else _refuse()
    return TypeExpr(family) if not params else _refuse()


def _refuse() -> TypeExpr:
    raise UnreadError


def _read_constraints(expression: TypeExpr, cursor: Cursor) -> TypeExpr:
    if cursor.skip("not"):
        cursor.take("null")
        expression = replace(expression, required=True, text=f"{expression.text} not null")
    else:
        cursor.skip("null")
    if cursor.skip("comment"):
        cursor.take()
    return expression


def _add_text(expression: TypeExpr) -> TypeExpr:
    if expression.text:
        return expression
    named = expression.family is Family.STRUCT
    inner = [f"{_quote(name)}:{item.text}" if named and name else item.text for name, item in expression.children]
    numbers = [str(number) for number in expression.params]
    if expression.family is Family.VECTOR:
        inner, numbers = [], inner + numbers
    text = (
        expression.family.value
        + (f"<{','.join(inner)}>" if inner else "")
        + (f"({','.join(numbers)})" if numbers else "")
    )
    for more in (expression.zone.value, "unsigned" if expression.unsigned else ""):
        text += f" {more}" if more else ""
    return replace(expression, text=text)


def _quote(name: str) -> str:
    return name if WORD.match(name) else f"`{name}`"


def _unknown(text: str) -> TypeExpr:
    return TypeExpr(Family.UNKNOWN, text=collapse(text))
