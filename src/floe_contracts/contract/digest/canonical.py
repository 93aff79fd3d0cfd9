"""RFC 8785 (JSON Canonicalization Scheme) built from the leaves up: every function returns canonical JSON text.

Numbers are written as `{"number": "<decimal>"}`, so that 5 and 5.0 are one value, integers of any size are exact, and
a number is never mistaken for a text. Strings but names are in Unicode normal form C. The empty text means "leave it
out".
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from json.encoder import encode_basestring  # escapes exactly as RFC 8785 demands

from ..meaning.exact import number_of, spell_number
from ..meaning.texts import collapse_spaces, compose, fold
from ..model import Json, JsonMap


def name(value: str | None) -> str:
    """A name by its letters: data knows a column in one Unicode form only."""
    return encode_basestring(value) if value else ""


def text(value: str | None) -> str:
    """A string as it is, but for its normal form."""
    return encode_basestring(compose(value)) if value else ""


def words(value: str | None) -> str:
    """A string whose spacing has no meaning, such as documentation."""
    return text(collapse_spaces(value)) if value else ""


def word(value: str | None) -> str:
    """A string whose case and outer spaces have no meaning, such as a classification."""
    return text(fold(value))


def flag(value: bool | None) -> str:
    """True, or nothing: false is the default everywhere."""
    return "true" if value else ""


def count(value: int | None) -> str:
    """A whole number that is at least one."""
    return exact(value) if value is not None and value > 0 else ""


def exact(value: Json, *, loose: bool = False) -> str:
    """Any value, spelling of strings and order of lists kept unless it is `loose`; empty members are absent ones."""
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        return encode_basestring(collapse_spaces(value) if loose else compose(value))
    if isinstance(value, (list, tuple)):
        parts = [exact(item, loose=loose) for item in value]
        return "[" + ",".join(sorted(parts) if loose else parts) + "]"
    if isinstance(value, dict):
        return mapping({key: some(item, loose=loose) for key, item in value.items()}) or "{}"
    number = number_of(value)
    return mapping({"number": text(spell_number(number) if number is not None else repr(value))})


def some(value: Json, *, loose: bool = False) -> str:
    """Like exact, but an absent or empty value is left out."""
    return "" if value is None or value == "" or value == [] or value == {} else exact(value, loose=loose)


def fields(values: JsonMap, *, loose: bool = False) -> str:
    """Keys of a node, of which an empty one is as good as none."""
    return mapping({key: some(value, loose=loose) for key, value in values.items()})


def mapping(members: Mapping[str, str]) -> str:
    """An object of members that are canonical already; empty ones are left out, and so is an empty object."""
    named = [(compose(key), value) for key, value in members.items() if value]
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


def set_array(members: Iterable[str]) -> str:
    """An array whose order and repetitions have no meaning."""
    return array(sorted(set(members)))
