"""Fitting a page into a size limit: whole sections are dropped, the most important ones stay, and the loss is said."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from ...frozen import dataclass

_LEAST_ROWS = 3  # a table with fewer rows is not worth its heading
_LOSSES = 300  # characters kept free for saying what was left out


@dataclass(frozen=True, slots=True)
class Section:
    """A part of a page; only its rows may be cut short."""

    kind: tuple[str, str]  # what it is called when it is left out: one, several
    head: str
    rows: tuple[str, ...] = ()
    tail: str = ""
    row_kind: tuple[str, str] = ("finding", "findings")

    def text(self, rows: int | None = None) -> str:
        kept = self.rows if rows is None else self.rows[:rows]
        more = len(self.rows) - len(kept)
        remark = f"\n\nand {amount(more, self.row_kind)} more" if more else ""
        return "".join((self.head, *(f"\n{row}" for row in kept), remark, self.tail))


def fit(top: str, sections: Iterable[Section], bottom: str, *, limit: int, rest: str) -> str:
    """A page below `limit` bytes of UTF-8; sections come in the order in which they are kept."""
    room = limit - size(top) - size(bottom) - _LOSSES - size(rest)
    kept, lost = [top], Counter[tuple[str, str]]()
    for section in sections:
        text = _cut(section, room - 2)
        if text:
            kept.append(text)
            room -= size(text) + 2  # and the blank line before it
        else:
            lost[section.kind] += 1
    if lost:
        names = ", ".join(amount(number, kind) for kind, number in lost.items())
        kept.append(f"Left out to keep this page short: {names}. {rest}")
    return "\n\n".join(part for part in (*kept, bottom) if part) + "\n"


def size(text: str) -> int:
    """Bytes of UTF-8: never fewer than the characters that a limit may count instead."""
    return len(text.encode("utf-8", "backslashreplace"))


def amount(number: int, kind: tuple[str, str]) -> str:
    return f"{number} {kind[number != 1]}"


def _cut(section: Section, room: int) -> str:
    """The section whole, or with as many rows as fit, or an empty text."""
    whole = section.text()
    if size(whole) <= room:
        return whole
    left = room - size(section.text(0)) - 20  # the count in the remark may grow by some digits
    rows = 0
    for row in section.rows:
        left -= size(row) + 1
        if left < 0:
            break
        rows += 1
    return section.text(rows) if rows >= min(_LEAST_ROWS, len(section.rows)) and rows else ""
