"""Two texts of one contract side by side: the lines that differ or carry a finding, with a little around them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from difflib import SequenceMatcher

from ...frozen import dataclass
from .markup import tag, text

_LINE_END = re.compile(r"\r\n|\r|\n")  # not splitlines(): it also ends lines where no editor does
_AROUND = 3  # equal lines shown before and after
_MOST_LINES = 5_000  # of one text; comparing more takes too long
_LONGEST_LINE = 1_000


@dataclass(frozen=True, slots=True)
class Sources:
    """The whole text of a contract on both sides."""

    old: str
    new: str

    def shows(self, line: int) -> bool:
        """Whether a line of the new text can be pointed to."""
        return self.comparable and line <= len(_lines(self.new))

    @property
    def comparable(self) -> bool:
        return max(len(_lines(self.old)), len(_lines(self.new))) <= _MOST_LINES


@dataclass(frozen=True, slots=True)
class _Pair:
    """A row: the line numbers, counted from 1, on the sides that have one."""

    old: int | None
    new: int | None
    same: bool


def side_by_side(sources: Sources, card: str, noted: Mapping[int, str]) -> str:
    """A table of both texts; `noted` says which finding stands on a line of the new text."""
    if not sources.comparable:
        return tag("p", f"Not shown: more than {_MOST_LINES} lines.", class_="soft")
    old, new = _lines(sources.old), _lines(sources.new)
    rows = list(_pairs(old, new))
    shown = _choose_rows(rows, noted)
    body: list[str] = []
    last = -1
    for index in shown:
        body += _gap(index - last - 1)
        body.append(_row(rows[index], old, new, card, noted))
        last = index
    body += _gap(len(rows) - last - 1)
    head = tag("thead", tag("tr", *(tag("th", name, scope="col", colspan="2") for name in ("before", "after"))))
    columns = '<colgroup><col class="number"><col><col class="number"><col></colgroup>'
    table = tag("table", columns, head, tag("tbody", *body), class_="diff")
    return tag("div", table, class_="scroll", tabindex="0", role="region", aria_label="Both texts side by side")


def line_anchor(card: str, line: int) -> str:
    return f"{card}-line-{line}"


def _lines(whole: str) -> list[str]:
    lines = _LINE_END.split(whole)
    return lines if lines[-1] else lines[:-1]


def _pairs(old: list[str], new: list[str]) -> Iterator[_Pair]:
    for kind, old_from, old_to, new_from, new_to in SequenceMatcher(None, old, new).get_opcodes():
        left, right = range(old_from + 1, old_to + 1), range(new_from + 1, new_to + 1)
        for index in range(max(len(left), len(right))):
            yield _Pair(
                left[index] if index < len(left) else None,
                right[index] if index < len(right) else None,
                kind == "equal",
            )


def _choose_rows(rows: list[_Pair], noted: Mapping[int, str]) -> list[int]:
    centres = [index for index, row in enumerate(rows) if not row.same or (row.new or 0) in noted]
    near = {other for index in centres for other in range(index - _AROUND, index + _AROUND + 1)}
    edges = near | {-1, len(rows)}
    near |= {index for index in range(len(rows)) if {index - 1, index + 1} <= edges}  # a gap of one line saves nothing
    return sorted(index for index in near if 0 <= index < len(rows))


def _gap(number: int) -> list[str]:
    if number <= 0:
        return []
    words = f"{number} equal lines" if number > 1 else "1 equal line"
    return [tag("tr", tag("td", words, colspan="4"), class_="gap")]


def _row(row: _Pair, old: list[str], new: list[str], card: str, noted: Mapping[int, str]) -> str:
    left = old[row.old - 1] if row.old else None
    right = new[row.new - 1] if row.new else None
    differs = None if row.same or left is None or right is None else _ends(left, right)
    finding = noted.get(row.new or 0)
    number = str(row.new or "")
    cells = (
        _number(str(row.old or "")),
        _line(left, differs, "" if row.same else "old"),
        _number(
            tag("a", f"● {number}", href=f"#{finding}", aria_label=f"finding on line {number}") if finding else number
        ),
        _line(right, differs, "" if row.same else "new"),
    )
    anchor = line_anchor(card, row.new) if row.new else None
    return tag("tr", *cells, id=anchor, class_="noted" if finding else None)


def _number(inside: str) -> str:
    return tag("td", inside, class_="number")


def _line(line: str | None, differs: tuple[int, int] | None, side: str) -> str:
    if line is None:
        return tag("td", class_="none")
    shown = text(line, _LONGEST_LINE)
    if differs:
        start, end = differs[0], len(line) - differs[1]
        parts = (line[:start], line[start:end], line[end:])
        before, middle, after = (text(part, _LONGEST_LINE) for part in parts)
        shown = f"{before}{tag('mark', middle)}{after}" if middle else shown
    return tag("td", shown, class_=side or None)


def _ends(left: str, right: str) -> tuple[int, int]:
    """How many characters two lines share at the start and at the end."""
    start = _count_shared(left, right)
    return start, _count_shared(left[start:][::-1], right[start:][::-1])


def _count_shared(left: str, right: str) -> int:
    return next(
        (index for index, (a, b) in enumerate(zip(left, right, strict=False)) if a != b), min(len(left), len(right))
    )
