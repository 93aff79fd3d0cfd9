"""Who is reached by a break as a picture in SVG: the contract, its readers, and their readers, in columns."""

from __future__ import annotations

from collections.abc import Iterator

from ...contract.meaning.phrase import plural
from ..outline import ContractSection, blast_edges
from .markup import tag, text

_WIDTH, _HEIGHT, _GAP_X, _GAP_Y = 190, 30, 60, 12
_MOST_NAMES = 60
_LETTERS = 24


def blast_picture(group: ContractSection) -> Iterator[str]:
    """The picture, where there is somebody beyond the readers and not too many."""
    edges = blast_edges(group)
    places = _places(group.title, edges)
    if not group.downstream or len(places) > _MOST_NAMES:
        return
    width = (max(column for column, _ in places.values()) + 1) * (_WIDTH + _GAP_X) - _GAP_X
    height = (max(row for _, row in places.values()) + 1) * (_HEIGHT + _GAP_Y) - _GAP_Y
    arrows = [_arrow(places[start], places[end]) for start, end in edges]
    boxes = [_box(name, *place) for name, place in places.items()]
    label = f"{plural(len(group.readers), 'reader')} of {group.title}, {len(group.downstream)} further down"
    box = f"0 0 {width} {height}"
    svg = tag("svg", *arrows, *boxes, viewBox=box, width=str(width), height=str(height), role="img", aria_label=label)
    yield tag("div", svg, class_="wide blast", tabindex="0", role="region", aria_label="Who is reached")


def _places(first: str, edges: tuple[tuple[str, str], ...]) -> dict[str, tuple[int, int]]:
    """The column and row of every name; an edge always leads to a later column."""
    columns = {first: 0}
    for start, end in edges:
        columns.setdefault(end, columns.get(start, 0) + 1)
    rows: dict[int, int] = {}
    places = {}
    for name, column in columns.items():
        places[name] = (column, rows.get(column, 0))
        rows[column] = rows.get(column, 0) + 1
    return places


def _box(name: str, column: int, row: int) -> str:
    x, y = column * (_WIDTH + _GAP_X), row * (_HEIGHT + _GAP_Y)
    shown = name if len(name) <= _LETTERS else f"{name[: _LETTERS - 1]}…"
    frame = tag("rect", x=str(x + 1), y=str(y + 1), width=str(_WIDTH - 2), height=str(_HEIGHT - 2), rx="6")
    words = tag("text", text(shown), x=str(x + 10), y=str(y + 20))
    return tag("g", tag("title", text(name)), frame, words)


def _arrow(start: tuple[int, int], end: tuple[int, int]) -> str:
    x, y = start[0] * (_WIDTH + _GAP_X) + _WIDTH, start[1] * (_HEIGHT + _GAP_Y) + _HEIGHT // 2
    to_x, to_y = end[0] * (_WIDTH + _GAP_X), end[1] * (_HEIGHT + _GAP_Y) + _HEIGHT // 2
    middle = (x + to_x) // 2
    return tag("path", d=f"M{x} {y}C{middle} {y} {middle} {to_y} {to_x - 2} {to_y}m-6 -4l6 4l-6 4")
