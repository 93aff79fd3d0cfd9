"""RFC 8785 (JSON Canonicalization Scheme) built from the leaves up: every function returns canonical JSON text.

Numbers are written as `{"number": "<decimal>"}`, so that 5 and 5.0 are one value, integers of any size are exact, and
a number is never mistaken for a text. Strings are in Unicode normal form C. The empty text means "leave it out".
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from json.encoder import encode_basestring  # escapes exactly as RFC 8785 demands

from ..meaning.exact import number_of, spell_number
from ..model import Json


def text(value: str | None) -> str:
    """A string as it is, but for its normal form."""
    return encode_basestring(_normal(value)) if value else ""


def words(value: str | None) -> str:
    """A string whose spacing has no meaning, such as documentation or SQL."""
    return text(" ".join(value.split())) if value else ""


def word(value: str | None) -> str:
    """A string whose spacing and case have no meaning, such as a classification."""
    return words(value.casefold()) if value else ""


def flag(value: bool | None) -> str:
    """True, or nothing: false is the default everywhere."""
    return "true" if value else ""


def count(value: int | None) -> str:
    """A whole number that is at least one."""
    return exact(value) if value is not None and value > 0 else ""


def exact(value: Json) -> str:
    """Any value, order of lists and spelling of strings kept."""
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        return encode_basestring(_normal(value))
    if isinstance(value, list):
        return "[" + ",".join(map(exact, value)) + "]"
    if isinstance(value, dict):
        return mapping({key: exact(item) for key, item in value.items()}) or "{}"
    number = number_of(value)
    return mapping({"number": text(spell_number(number) if number is not None else repr(value))})


def some(value: Json) -> str:
    """Like exact, but an absent or empty value is left out."""
    return "" if value is None or value == "" or value == [] or value == {} else exact(value)


def loose(value: Json) -> str:
    """Documentation: empty parts left out, spacing taken out, lists as sets."""
    if isinstance(value, str):
        return words(value)
    if isinstance(value, list):
        return sorted_array(map(loose, value))
    if isinstance(value, dict):
        return mapping({key: loose(item) for key, item in value.items()})
    return some(value)


def mapping(members: Mapping[str, str]) -> str:
    """An object of members that are canonical already; empty ones are left out, and so is an empty object."""
    named = [(_normal(key), value) for key, value in members.items() if value]
    if not named:
        return ""
    if not all(key.isascii() for key, _ in named):
        named.sort(key=lambda member: member[0].encode("utf-16-be", "surrogatepass"))  # RFC 8785 §3.2.3
    else:
        named.sort()
    return "{" + ",".join(f"{encode_basestring(key)}:{value}" for key, value in named) + "}"


def array(members: Iterable[str]) -> str:
    """An array in its order, without the empty members; no array at all when none is left."""
    kept = [member for member in members if member]
    return "[" + ",".join(kept) + "]" if kept else ""


def sorted_array(members: Iterable[str]) -> str:
    """An array whose order has no meaning."""
    return array(sorted(members))


def _normal(value: str) -> str:
    if value.isascii():
        return value
    from unicodedata import normalize  # most contracts are ASCII

    return normalize("NFC", value)
