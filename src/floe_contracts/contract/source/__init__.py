"""Bytes into one YAML document of plain values, with its problems as values and lines and columns on demand."""

from __future__ import annotations

import re
from typing import Final

from yaml.error import YAMLError

from ... import codes
from ...frozen import dataclass, field
from ..model import Json, Pointer
from .events import open_events, syntax_problem
from .places import Places, find_places
from .refusals import MAX_DEPTH, MAX_NODES, DocumentProblem, DocumentRefused
from .scalars import Numeral, WholeNumeral, plain, text_of
from .values import build

__all__ = [
    "MAX_BYTES",
    "MAX_DEPTH",
    "MAX_NODES",
    "Document",
    "DocumentProblem",
    "Numeral",
    "WholeNumeral",
    "plain",
    "read_document",
    "text_of",
]

MAX_BYTES: Final = 1024 * 1024

_BOM: Final = b"\xef\xbb\xbf"
_CONTROLS: Final = bytes(set(range(0x20)) - set(b"\t\n\r")) + b"\x7f"
_WIDE_MARKS: Final = (
    (b"\xff\xfe\x00\x00", "UTF-32"),
    (b"\x00\x00\xfe\xff", "UTF-32"),
    (b"\xff\xfe", "UTF-16"),
    (b"\xfe\xff", "UTF-16"),
)
_TAG_LINE: Final = re.compile("(?:^|[\n\r\x85\u2028\u2029])\ufeff?%TAG")  # after every line break that libyaml knows
_SAVE_AS_UTF8: Final = "Save the file as UTF-8."


@dataclass(frozen=True, slots=True)
class Document:
    """One file's value; None when the problems leave nothing that could be used."""

    value: Json
    problems: tuple[DocumentProblem, ...] = ()
    text: str = ""
    has_numerals: bool = False
    _places: list[Places] = field(default_factory=list, compare=False, repr=False)  # empty until somebody asks

    def locate(self, pointer: Pointer, *, key: bool = False) -> tuple[int, int] | None:
        """Line and column of the value, or of its key; of the nearest parent when the pointer leads nowhere.

        Below an alias or a merge the answer is the place where the value itself is written.
        """
        if self.value is None:
            return None
        if not self._places:
            self._places.append(find_places(open_events(self.text)))
        return self._places[0].root.find(pointer, key=key)

    def forget_places(self) -> None:
        """Let go of the places, which take more room than the document; they are found again when somebody asks."""
        self._places.clear()

    def plain(self) -> Json:
        """The value without numerals, as validators want it; the value itself when it has none."""
        return plain(self.value) if self.has_numerals else self.value


def read_document(data: bytes) -> Document:
    """The document in these bytes; whatever is wrong with them becomes a problem, never an exception."""
    problem = _unreadable(data)
    if problem is not None:
        return Document(None, (problem,))
    try:
        text = data.removeprefix(_BOM).decode("utf-8")
    except UnicodeDecodeError as error:
        return Document(None, (_not_utf8(data, error),))
    problem = _tag_directive(text)
    if problem is not None:
        return Document(None, (problem,), text)
    try:
        built = build(open_events(text))
    except DocumentRefused as refused:
        return Document(None, (refused.problem,), text)
    except (YAMLError, ValueError) as error:
        return Document(None, (syntax_problem(error, text),), text)
    if built is None or built.value is None:
        return Document(
            None,
            (DocumentProblem(codes.E501, "yaml-empty", "the document is empty", 1, 1, "Write a contract into it."),),
            text,
        )
    document = Document(built.value, (), text, built.has_numerals)
    return document if not built.has_duplicates else _with_duplicates(document)


def _with_duplicates(document: Document) -> Document:
    places = find_places(open_events(document.text))
    return Document(document.value, places.duplicates, document.text, document.has_numerals, [places])


def _unreadable(data: bytes) -> DocumentProblem | None:
    """What the bytes show before anything is parsed."""
    if len(data) > MAX_BYTES:
        message = f"the file has {len(data):,} bytes; it may have {MAX_BYTES:,}"
        return DocumentProblem(codes.E509, "yaml-size", message, suggestion="Split the file.")
    wide = next((name for mark, name in _WIDE_MARKS if data.startswith(mark)), None)
    if wide is None and len(data.translate(None, _CONTROLS)) == len(data):
        return None
    wide = wide or _guess_wide(data)
    if wide is not None:
        message = f"the file is encoded as {wide}, not UTF-8"
        fix = f"{_SAVE_AS_UTF8} PowerShell writes UTF-16 unless told -Encoding utf8."
        return DocumentProblem(codes.E509, "yaml-encoding", message, 1, 1, fix)
    offset = next(index for index, byte in enumerate(data) if byte in _CONTROLS)
    line, column = _line_and_column(data, offset)
    message = f"byte {offset} is the control character 0x{data[offset]:02x}, which YAML does not allow"
    return DocumentProblem(
        codes.E509, "yaml-control", message, line, column, "Remove it, or write it as an escape in double quotes."
    )


def _guess_wide(data: bytes) -> str | None:
    """UTF-32 and UTF-16 without a byte order mark: ASCII letters leave zeros at three or two of every four places."""
    sample = data[:4096]
    shares = sorted(sample[place::4].count(0) * 4 / len(sample) for place in range(4))
    if shares[0] < 0.1 and shares[1] > 0.9:
        return "UTF-32"
    return "UTF-16" if shares[1] < 0.1 and shares[2] > 0.4 else None


def _not_utf8(data: bytes, error: UnicodeDecodeError) -> DocumentProblem:
    offset = error.start + (len(_BOM) if data.startswith(_BOM) else 0)
    line, column = _line_and_column(data, offset)
    message = f"byte {offset} (0x{data[offset]:02x}) is not UTF-8 text"
    return DocumentProblem(codes.E509, "yaml-encoding", message, line, column, _SAVE_AS_UTF8)


def _line_and_column(data: bytes, offset: int) -> tuple[int, int]:
    start = data.rfind(b"\n", 0, offset) + 1
    column = len(data[start:offset].decode("utf-8", "replace").removeprefix("\ufeff")) + 1
    return data.count(b"\n", 0, offset) + 1, column


def _tag_directive(text: str) -> DocumentProblem | None:
    """libyaml compares each %TAG line with all before it, so many of them would cost minutes."""
    match = _TAG_LINE.search(text) if "%TAG" in text else None
    if match is None:
        return None
    start = match.end() - len("%TAG")
    line, column = text.count("\n", 0, start) + 1, start - text.rfind("\n", 0, start)
    message = "the line declares tags, which are not allowed"
    return DocumentProblem(codes.E509, "yaml-tag", message, line, column, "Remove the line; contracts need no tags.")
