"""What an unquoted YAML word means: the YAML 1.2 core rules, with the spelling of numbers kept."""

from __future__ import annotations

import math
import re
from typing import Final

from ..model import Json

MAX_DIGITS: Final = 300  # every number below 10^300 fits into a float, so nothing downstream can overflow
KINDS: Final = frozenset({"str", "int", "float", "bool", "null"})  # what a tag may say about a scalar

_WORDS: Final[dict[str, bool | None]] = {
    **dict.fromkeys(("", "~", "null", "Null", "NULL")),
    **dict.fromkeys(("true", "True", "TRUE"), True),
    **dict.fromkeys(("false", "False", "FALSE"), False),
}
_FIRST: Final = "-+.0123456789~nNtTfF"  # text that starts otherwise is text; the empty word counts as contained
_WHOLE: Final = re.compile(r"[-+]?(?:0|[1-9][0-9]*)")
_BASED: Final = re.compile(r"0x[0-9a-fA-F]+|0o[0-7]+")
_REAL: Final = re.compile(r"[-+]?(?:\.[0-9]+|(?:0|[1-9][0-9]*)(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?")


class Numeral(float):
    """A number whose spelling a float would lose, as in `1.10` or `1e3`."""

    __slots__ = ("text",)
    text: str

    def __new__(cls, text: str) -> Numeral:
        self = super().__new__(cls, text)
        self.text = text
        return self

    def __getnewargs__(self) -> tuple[str]:  # type: ignore[override]  # copies are made from the text
        return (self.text,)


class WholeNumeral(int):
    """A whole number whose spelling an int would lose, as in `+5` or `0x1F`."""

    text: str

    def __new__(cls, text: str) -> WholeNumeral:
        self = super().__new__(cls, text, 0)
        self.text = text
        return self

    def __getnewargs__(self) -> tuple[str]:  # type: ignore[override]  # copies are made from the text
        return (self.text,)


class TooManyDigits(ValueError):
    """A number that no contract needs and that would only cost time."""


class WrongKind(ValueError):
    """A word that is not of the type its tag names."""


def resolve(text: str) -> Json:
    """The value of an unquoted word: null, a truth value, a finite number, or else the text itself.

    Dates, times, yes/no/on/off, `017`, `1:30`, `1_000`, `.inf` and `.nan` are text.
    """
    if text[:1] not in _FIRST:
        return text
    if text in _WORDS:
        return _WORDS[text]
    if _WHOLE.fullmatch(text):
        return _whole(text)
    if _REAL.fullmatch(text):
        return _real(text)
    return _whole(text) if _BASED.fullmatch(text) else text


def resolve_as(kind: str, text: str) -> Json:
    """The value of a word whose type is written out, as in `!!str 1.10`; raises WrongKind when it is something else."""
    if kind == "str":
        return text
    value = resolve(text)
    if kind == "float" and isinstance(value, int) and _REAL.fullmatch(text):
        return Numeral(text)
    fits = {
        "int": isinstance(value, int) and not isinstance(value, bool),
        "float": isinstance(value, float),
        "bool": isinstance(value, bool),
        "null": value is None,
    }
    if not fits[kind]:
        raise WrongKind(kind)
    return value


def _whole(text: str) -> int:
    if len(text) > MAX_DIGITS:
        raise TooManyDigits(text)
    number = int(text, 0)
    spelling = str(number)
    if spelling == text:
        return number
    if len(spelling) > MAX_DIGITS:
        raise TooManyDigits(text)
    return WholeNumeral(text)


def _real(text: str) -> float | str:
    if len(text) > MAX_DIGITS:
        raise TooManyDigits(text)
    number = float(text)
    if not math.isfinite(number):
        return text
    return number if repr(number) == text else Numeral(text)


def text_of(value: Json) -> str:
    """A scalar as it was written: `1.10` stays `1.10`, true is `true`, an absent value is `null`."""
    if isinstance(value, str):
        return value
    if isinstance(value, (Numeral, WholeNumeral)):
        return value.text
    if value is None:
        return "null"
    return str(value).lower() if isinstance(value, bool) else str(value)


def plain(value: Json) -> Json:
    """The same value made of built-in types only, for validators that refuse subclasses of float and int."""
    if isinstance(value, dict):
        return {key: plain(item) for key, item in value.items()}
    if isinstance(value, list):
        return [plain(item) for item in value]
    if isinstance(value, Numeral):
        return float(value)
    return int(value) if isinstance(value, WholeNumeral) else value
