"""Plain values written as YAML that people like to read and that every reader, YAML 1.1 or 1.2, takes the same way."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Final

from ..model import Json
from ..source.scalars import Numeral, WholeNumeral

_WIDTH: Final = 100  # a list of scalars goes on one line up to here
_LONGEST_KEY: Final = 120  # YAML ends implicit keys after 1024 characters

# Words that some reader takes for a truth value or for nothing.
_WORDS: Final = frozenset(("y", "n", "yes", "no", "on", "off", "true", "false", "null", "nan", "inf"))
# Text that begins with a letter is never a number or a date; the rest of the rule is YAML's own.
_PLAIN: Final = re.compile(r"[^\W\d][^\x00-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff\ufeff\ufffe\uffff]*")
_BREAKS_PLAIN: Final = re.compile(r": |:$| #|\t")
_BREAKS_FLOW: Final = re.compile(r"[,\[\]{}:]")
_BLOCK: Final = re.compile(r"[^\s\x00-\x1f][^\x00-\x08\x0b-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff\ufeff\ufffe\uffff]*")
_UNSAFE: Final = re.compile(r"[\x7f-\x9f\u2028\u2029\ud800-\udfff\ufeff\ufffe\uffff]")
_NUMBER: Final = re.compile(r"[-+]?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?")


def yaml_text(value: Json) -> str:
    """One document; the same value gives the same bytes."""
    if isinstance(value, (dict, list)) and value:
        return "".join(f"{line}\n" for line in _lines(value))
    return f"{_inline(value)}\n"


def _lines(value: Json) -> Iterator[str]:
    if isinstance(value, dict):
        for key, item in value.items():
            head = _scalar(key)
            if len(head) > _LONGEST_KEY:
                yield f"? {head}"
                head = ""
            yield from _entry(f"{head}:", item)
    elif isinstance(value, list):
        for item in value:
            yield from _item(item)


def _entry(head: str, value: Json) -> Iterator[str]:
    """A key with its value: beside it when short, below it and indented when not."""
    if isinstance(value, str) and "\n" in value and _fits_block(value):
        yield f"{head} {_block_mark(value)}"
        yield from _indent(value.removesuffix("\n").split("\n"))
    elif value and isinstance(value, (dict, list)) and not _is_short(value):
        yield head
        yield from _indent(_lines(value))
    else:
        yield f"{head} {_inline(value)}"


def _item(value: Json) -> Iterator[str]:
    """A list entry; the first line of what it holds stands beside the dash."""
    if isinstance(value, (dict, list)) and value and not _is_short(value):
        lines = _lines(value)
        yield f"- {next(lines)}"
        yield from _indent(lines)
    else:
        yield from _entry("-", value)


def _indent(lines: Iterator[str] | list[str]) -> Iterator[str]:
    for line in lines:
        yield f"  {line}" if line else line


def _is_short(value: Json) -> bool:
    if not isinstance(value, list):
        return False
    scalars = all(not isinstance(item, (dict, list)) for item in value)
    return scalars and len(_inline(value)) <= _WIDTH


def _inline(value: Json) -> str:
    if isinstance(value, list):
        return f"[{', '.join(_scalar(item, flow=True) for item in value)}]"
    return "{}" if isinstance(value, dict) else _scalar(value)


def _scalar(value: Json, *, flow: bool = False) -> str:
    if isinstance(value, str):
        return value if _is_plain(value, flow) else _quote(value)
    if value is None or isinstance(value, bool):
        return {None: "null", True: "true", False: "false"}[value]
    return _number(value) if isinstance(value, (int, float)) else _quote(str(value))


_COMMAND = re.compile(r"##\[|^\s*::", re.MULTILINE)  # what a runner would obey in its log, and a log would then alter


def _is_plain(text: str, flow: bool) -> bool:
    if (
        not _PLAIN.fullmatch(text)
        or text[-1].isspace()
        or _COMMAND.search(text)
        or not text.isprintable()
        or _BREAKS_PLAIN.search(text)
        or (flow and _BREAKS_FLOW.search(text))
    ):
        return False
    return text.lower() not in _WORDS


def _quote(text: str) -> str:
    """JSON's quoting is YAML's, but for a few characters that YAML wants escaped."""
    quoted = _UNSAFE.sub(lambda match: f"\\u{ord(match[0]):04x}", json.dumps(text, ensure_ascii=False))
    if not quoted.isprintable():  # marks of direction and the like, which would turn what a person reads
        quoted = "".join(each if each.isprintable() else _escape(each) for each in quoted)
    return quoted.replace("##[", "##\\u005b")


def _escape(each: str) -> str:
    return f"\\u{ord(each):04x}" if ord(each) <= 0xFFFF else f"\\U{ord(each):08x}"


def _number(value: float) -> str:
    """The spelling that was read, where both versions of YAML see the same number in it."""
    if isinstance(value, (Numeral, WholeNumeral)) and _NUMBER.fullmatch(value.text):
        return value.text
    if isinstance(value, int):
        return str(int(value))
    text = repr(float(value))
    return text.replace("e", ".0e") if "e" in text and "." not in text else text


def _fits_block(text: str) -> bool:
    body = text.removesuffix("\n")
    if "\n" in body[-1:] or not _BLOCK.fullmatch(body) or _COMMAND.search(body):
        return False
    if not body.replace("\n", "").replace("\t", "").isprintable():
        return False
    return "\n\t" not in body


def _block_mark(text: str) -> str:
    return "|" if text.endswith("\n") else "|-"
