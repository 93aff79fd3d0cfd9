"""Values of a document in words: what stands there, what should, and how to write it."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final

from ..meaning.phrase import did_you_mean, plural
from ..model import Json, Pointer
from ..source.scalars import text_of
from .spelling import nearest

MAX_SHOWN: Final = 60
_TYPE_WORDS: Final = {
    "string": "text",
    "number": "a number",
    "integer": "a whole number",
    "boolean": "true or false",
    "array": "a list",
    "object": "a mapping",
    "null": "empty",
}
_SECRET: Final = re.compile(r"passw|secret|token|credential|api_?key", re.IGNORECASE)
_NUMBER: Final = re.compile(r"[-+]?\d+(?:\.\d+)?")
_NAMED: Final = {"models": "table", "elements": "column"}  # mappings that other formats write as lists with names
_BOOLEAN_WORDS: Final = {
    **dict.fromkeys(("yes", "y", "on", "true", "1"), "true"),
    **dict.fromkeys(("no", "n", "off", "false", "0"), "false"),
}
# What databases and languages call the logical types.
_TYPE_NAMES: Final = {
    **dict.fromkeys(("bigint", "byte", "int", "int32", "int64", "long", "short", "smallint", "tinyint"), "integer"),
    **dict.fromkeys(("decimal", "double", "float", "numeric", "real"), "number"),
    **dict.fromkeys(("char", "str", "text", "uuid", "varchar"), "string"),
    **dict.fromkeys(("datetime", "timestamp_ntz", "timestamp_tz", "timestamptz"), "timestamp"),
    **dict.fromkeys(("json", "record", "row", "struct"), "object"),
    **dict.fromkeys(("list", "repeated"), "array"),
    "bool": "boolean",
}


def describe(value: Json, pointer: Pointer = ()) -> str:
    """A value for a message: short, on one line, and never a secret."""
    if isinstance(value, dict):
        return "a mapping"
    if isinstance(value, list):
        return f"a list of {len(value)}"
    if value is None:
        return "empty"
    if pointer and _SECRET.search(str(pointer[-1])):
        return "a hidden value"
    text = _on_one_line(text_of(value))
    return f"'{text}'" if isinstance(value, str) else f"the number {text}" if not isinstance(value, bool) else text


def _on_one_line(text: str) -> str:
    words = " ".join(text.split())
    return words if len(words) <= MAX_SHOWN else f"{words[: MAX_SHOWN - 1]}…"


def name_of(pointer: Pointer) -> str:
    """What a pointer leads to: `'tags'`, `entry 2 of 'tags'`, `the contract`."""
    if not pointer:
        return "the contract"
    last = pointer[-1]
    if isinstance(last, str):
        return f"'{_on_one_line(last)}'"
    return f"entry {last + 1} of {name_of(pointer[:-1])}"


def quote(names: Iterable[str]) -> str:
    """Names in quotes: `'port', 'schema'`."""
    return ", ".join(name_of((name,)) for name in names)


def count_entries(number: int) -> str:
    """A number of entries: `1 entry`, `2 entries`."""
    return plural(number, "entry", "entries")


def types_in_words(types: list[str]) -> str:
    """`text or a mapping` for ["string", "object"]."""
    names = [name for name in dict.fromkeys(types) if not (name == "integer" and "number" in types)]
    return " or ".join(_TYPE_WORDS.get(name, name) for name in names)


def advice_on_type(pointer: Pointer, value: Json, types: list[str]) -> tuple[str, ...]:
    """How to write a value of the right type."""
    key = next((part for part in reversed(pointer) if isinstance(part, str)), "")
    own = f"{key}: " if pointer and pointer[-1] == key else "- "
    if "string" in types and isinstance(value, (bool, int, float)) and len(text_of(value)) <= MAX_SHOWN:
        return (f'Quote it, so that YAML keeps it as text: {own}"{text_of(value)}".',)
    if types == ["object"] and key == "enum" and not isinstance(value, (dict, list)):
        return (f"Write each entry as a mapping: - value: {describe(value)}.",)
    if isinstance(value, str) and (advice := _advice_on_text(pointer, own, value, types)):
        return (advice,)
    if "array" in types and isinstance(value, dict):
        entry = "property: …, value: …" if key == "slaProperties" else "name: …"
        return (f"Write a list: {key}: [{{{entry}}}, …].",)
    if "object" in types and isinstance(value, list) and key in _NAMED:
        return (f"Write the names as keys, without dashes: {key}: {{{_NAMED[key]}: {{…}}}}.",)
    if value is None:
        return (f"Write {types_in_words(types)} there; a key that is not needed may be left out.",)
    return (f"Write {types_in_words(types)} there.",)


def _advice_on_text(pointer: Pointer, own: str, value: str, types: list[str]) -> str:
    if "boolean" in types and value.lower() in _BOOLEAN_WORDS:
        return f"Write {own}{_BOOLEAN_WORDS[value.lower()]}, without quotes."
    if ("number" in types or "integer" in types) and _NUMBER.fullmatch(value):
        return f"Write it without quotes: {own}{value}."
    if ("number" in types or "integer" in types) and _NUMBER.fullmatch(digits := value.replace("_", "")):
        return f"Write the digits only: {own}{digits}."
    if "array" in types:
        return "Write a list, one entry per line, each starting with a dash."
    if "object" in types and own == "description: ":
        return "Write a mapping: description: {purpose: …}."
    if "object" in types and own == "- ":
        return "Write each entry as a mapping of keys and values."
    if types == ["object"] and pointer[-2:-1] == ("elements",) and len(value) <= MAX_SHOWN:
        return f"Write {own}{{type: {_on_one_line(value)}}}."
    return ""


def advice_on_value(pointer: Pointer, value: Json, options: list[Json]) -> tuple[str, ...]:
    """The allowed value that was probably meant."""
    if not isinstance(value, str):
        return ()
    words = [option for option in options if isinstance(option, str)]
    logical = _TYPE_NAMES.get(value.lower().partition("(")[0])
    if pointer[-1] == "logicalType" and logical in words:
        return (f"Write logicalType: {logical}; the database's own name belongs in physicalType.",)
    meant = next((word for word in words if word.lower() == value.lower()), None) or nearest(value, words)
    if meant:
        return (did_you_mean(f"'{meant}'"),)
    return (f"Write {options[0]}." if len(options) == 1 else "Write one of the words that are expected there.",)
