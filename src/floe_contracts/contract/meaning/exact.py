"""Numbers from a document without rounding: a float is read by its spelling, never by its binary value."""

from __future__ import annotations

import re
from fractions import Fraction

from ..model import Json

_NUMBER = r"[-+]?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE]([-+]?[0-9]{1,9}))?"
_REACH = 400  # digits and powers of ten; more would only spend memory


def number_of(value: Json) -> Fraction | None:
    """The number that a YAML number or a numeric text stands for; None for anything else."""
    if isinstance(value, bool) or value is None:
        return None
    if isinstance(value, int):
        return Fraction(int(value))
    if isinstance(value, float):
        spelling = getattr(value, "text", None)
        return _read(spelling if isinstance(spelling, str) else repr(value))
    return _read(value.strip()) if isinstance(value, str) else None


def _read(text: str) -> Fraction | None:
    match = re.fullmatch(_NUMBER, text)
    if match is None or len(text) > _REACH or abs(int(match[1] or 0)) > _REACH:
        return None
    return Fraction(text)


def spell_number(number: Fraction) -> str:
    """One text per value, without exponent or trailing zeros: 5.0 is `5`, a third is `1/3`."""
    places, rest = 0, number.denominator
    while rest % 10 == 0:
        places, rest = places + 1, rest // 10
    while rest % 5 == 0 or rest % 2 == 0:
        places, rest = places + 1, rest // (5 if rest % 5 == 0 else 2)
    if rest != 1:
        return f"{number.numerator}/{number.denominator}"
    digits = str(abs(number.numerator) * 10**places // number.denominator).rjust(places + 1, "0")
    sign = "-" if number < 0 else ""
    return f"{sign}{digits[:-places]}.{digits[-places:]}" if places else sign + digits


_LONGEST = 60


def quote_value(value: Json) -> str:
    """The value as written, in quotes and not too long, for a sentence."""
    text = value if isinstance(value, str) else getattr(value, "text", None) or str(value)
    return repr(text if len(text) <= _LONGEST else f"{text[:_LONGEST]}…")
