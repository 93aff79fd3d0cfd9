"""Remarks about the types of columns: brackets that do not close, near misses of known words, words nobody knows."""

from __future__ import annotations

import re
from collections.abc import Iterator

from ...codes import Severity
from ...frozen import dataclass
from ..meaning.typenames import TOKEN, WORD, Family, has_open_bracket, normal_type, parse_type
from ..meaning.typewords import CLOCKS, ENGINE_WORDS, FAMILIES, UINTS
from ..model import Dialect, Property
from .remark import Remark

_KNOWN = frozenset(word for words in (*FAMILIES, *CLOCKS, *UINTS) for word in words.split())
_DIGITS = re.compile(r"\d")
_SUBSCRIPT = re.compile(r"\[([^\[\]\d][^\[\]]*)\]")  # list[str], as programs write it


@dataclass(frozen=True, slots=True)
class _Doubt:
    """What is wrong with a type; `certain` when no engine can have it."""

    message: str
    fix: str
    certain: bool = False


def type_remarks(prop: Property, element: str, dialect: Dialect) -> Iterator[Remark]:
    """Remarks on each type that is written at a column, at the key that holds it."""
    for key, text in _written(prop, dialect):
        doubt = _doubt(text)
        if doubt is None:
            continue
        # A platform may have any type of its own, so a near miss in `physicalType` proves nothing.
        certain = doubt.certain and (key == "type" or has_open_bracket(text))
        yield Remark(
            "type-unknown",
            doubt.message,
            (*prop.at, key),
            severity=Severity.ERROR if certain else Severity.WARNING,
            element=element,
            expected="a type such as string, decimal(12,2) or array<string>",
            actual=text,
            suggestion=doubt.fix,
        )


def _written(prop: Property, dialect: Dialect) -> Iterator[tuple[str, str]]:
    if prop.type_word:
        yield "type", prop.type_word
    if prop.physical_type and dialect is not Dialect.FIELDS and prop.physical_type != prop.type_word:
        yield "physicalType", prop.physical_type


def _doubt(text: str) -> _Doubt | None:
    if not text.strip():
        return _Doubt("the type is blank", "Write a type, for instance string.", certain=True)
    parsed = parse_type(text)
    if parsed and parsed.family is not Family.UNKNOWN:
        return None
    if has_open_bracket(text):
        fix = "Close every bracket that is opened, and open every one that is closed."
        return _Doubt(f"the brackets of the type {text!r} do not match", fix, certain=True)
    subscript = _SUBSCRIPT.sub(r"<\1>", text)
    if subscript != text and _is_known(subscript):
        return _Doubt(f"floe does not read the type {text!r}", f"Write {normal_type(subscript)}.")
    strange = _strange_words(text)
    if not strange:
        return None  # an engine's own way of writing types that exist
    meant = _meant(text, strange, most=1)
    if meant is not None:
        return _Doubt(f"no engine has a type {text!r}; did you mean {meant}?", f"Write {meant}.", certain=True)
    meant = _meant(text, strange, most=2)
    return _Doubt(
        f"floe does not know the type {text!r}, so it is only compared as text",
        f"Did you mean {meant}? Keep it if the platform has such a type."
        if meant
        else "Correct it, or keep it if the platform has such a type.",
    )


def _strange_words(text: str) -> list[str]:
    """The words that no engine has, without names of fields and values in quotes."""
    tokens = TOKEN.findall(text)
    words = [
        token for token, after in zip(tokens, [*tokens[1:], ""], strict=True) if WORD.match(token) and after != ":"
    ]
    return [word for word in words if word.lower() not in _KNOWN and word.lower() not in ENGINE_WORDS]


def _meant(text: str, strange: list[str], most: int) -> str | None:
    """The same text with misspelt words replaced by the nearest known ones; None when that is not a type either."""
    pairs = {word: meant for word in strange if (meant := _nearest_type(word, most))}
    for chosen in (*({word: meant} for word, meant in pairs.items()), pairs):
        replaced = _replace(text, chosen)
        if chosen and (_is_known(replaced) or not _strange_words(replaced)):
            return replaced
    return None


def _nearest_type(word: str, most: int) -> str | None:
    """The known word that is at most so many edits away, digits apart: engines number types of their own."""
    from ..structure.spelling import count_edits

    text = word.lower()
    if len(text) < 3 * most:
        return None
    alike = [name for name in _KNOWN if len(name) > 2 and (len(text) > 4 or _begins_alike(text, name))]
    scored = [
        (count_edits(text, name, most), name[0] != text[0], len(name), name)
        for name in alike
        if _DIGITS.findall(name) == _DIGITS.findall(text)
    ]
    nearest = min(scored, default=None)
    return nearest[3] if nearest and nearest[0] <= most else None


def _begins_alike(text: str, name: str) -> bool:
    """Whether a short word may be the other with a slip: rate is not a date, adte and ate are."""
    return name[0] == text[0] or name[1:] == text or (name[1], name[0]) == (text[0], text[1])


def _replace(text: str, chosen: dict[str, str]) -> str:
    def respell(match: re.Match[str]) -> str:
        meant = chosen.get(match[0])
        return match[0] if meant is None else meant.upper() if match[0].isupper() else meant

    return re.sub(r"[^\W\d]\w*(?!\w|\s*:)", respell, text)


def _is_known(text: str) -> bool:
    parsed = parse_type(text)
    return parsed is not None and parsed.family is not Family.UNKNOWN
