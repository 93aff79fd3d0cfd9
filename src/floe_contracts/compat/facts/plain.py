"""Plain JSON values compared and printed by meaning: 5 is 5.0, true is not 1, an empty value is an absent one."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator

from ...contract.meaning.exact import number_of, spell_number
from ...contract.model import Json, JsonMap
from ...contract.source.scalars import text_of
from .equality import unchanged


def same(old: object, new: object, *, loose: bool = False) -> bool:
    """Whether two values mean the same; `loose` is for documentation: no spacing, no order in lists."""
    if isinstance(old, str) and isinstance(new, str):
        return old == new or compose(old) == compose(new) or (loose and collapse_spaces(old) == collapse_spaces(new))
    if is_blank(old) or is_blank(new):
        return is_blank(old) and is_blank(new)
    return unchanged(old, new) or canonical(old, loose=loose) == canonical(new, loose=loose)


def is_blank(value: object) -> bool:
    """Whether a value says nothing: null, empty text, empty list, empty map."""
    return value is None or (isinstance(value, (str, list, tuple, dict)) and not value)


def compose(text: str) -> str:
    """The text in one Unicode form, because editors and file systems disagree about accents."""
    return text if text.isascii() else unicodedata.normalize("NFC", text)


def collapse_spaces(text: str) -> str:
    """The text with every run of blanks made one."""
    return " ".join(compose(text).split())


def text(value: str | None) -> str:
    """An optional text with absent and empty made one."""
    return compose(value) if value else ""


def fold(value: str | None) -> str:
    """A word whose case and outer spaces mean nothing."""
    return compose(value).strip().casefold() if value else ""


def canonical(value: object, *, loose: bool = False) -> str:
    """One text per meaning; used for equality and fingerprints, not for people."""
    if isinstance(value, str):
        return repr(collapse_spaces(value) if loose else compose(value))
    if isinstance(value, dict):
        pairs = {compose(key): canonical(item, loose=loose) for key, item in value.items() if not is_blank(item)}
        return "{" + ",".join(f"{key!r}:{pairs[key]}" for key in sorted(pairs)) + "}"
    if isinstance(value, (list, tuple)):
        parts = [canonical(item, loose=loose) for item in value]
        return "[" + ",".join(sorted(parts) if loose else parts) + "]"
    if isinstance(value, (int, float)) and not isinstance(value, bool):
        number = number_of(value)
        return repr(value) if number is None else spell_number(number)
    return text_of(value)  # type: ignore[arg-type]  # what is left of Json: bool and None


def show(value: Json) -> str:
    """A value for people; absent is empty."""
    if is_blank(value):
        return ""
    if isinstance(value, dict):
        return ", ".join(f"{key}: {_inner(item)}" for key, item in sorted(value.items()) if not is_blank(item))
    if isinstance(value, (list, tuple)):
        return ", ".join(_inner(item) for item in value)
    return text_of(value)


def _inner(value: Json) -> str:
    if isinstance(value, dict):
        return "{" + show(value) + "}"
    return f"[{show(value)}]" if isinstance(value, (list, tuple)) else text_of(value)


def changed_keys(old: JsonMap, new: JsonMap, *, loose: bool = False) -> Iterator[str]:
    """Keys whose values differ, sorted."""
    if unchanged(old, new):
        return
    for key in sorted(old.keys() | new.keys()):
        if not same(old.get(key), new.get(key), loose=loose):
            yield key
