"""Small pictures in SVG: a value over time with its threshold, a strip of states, and a bar of what is left.

Widths follow the page, so strokes do not scale and every word stands beside the picture, not in it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal

from ..markup import tag, text
from .lines import Mark
from .values import Points

_WIDTH, _HEIGHT = 600, 100
_BUCKETS = 90  # points of a line: more would not be seen
CELLS = 45  # of a strip
_GAP = 4  # buckets without a value after which the line is broken


@dataclass(frozen=True, slots=True)
class ChartWindow:
    """The time that a picture shows."""

    since_us: int
    until_us: int

    def bucket(self, slot_us: int, buckets: int) -> int:
        span = max(1, self.until_us - self.since_us)
        return min(buckets - 1, max(0, (slot_us - self.since_us) * buckets // span))

    @property
    def cell_us(self) -> int:
        return (self.until_us - self.since_us) // CELLS


@dataclass(frozen=True, slots=True)
class ChartThreshold:
    """Where a value must not go: above the limit, or below it where `falling` is what is bad."""

    limit: Decimal | None
    falling: bool = False


def trend(points: Points, window: ChartWindow, promise: ChartThreshold, label: str) -> str:
    """A value over time as a line; of several values in one bucket the worse one is drawn."""
    values = sorted(_worst_by_bucket(points, window, promise).items())
    low, high = _scale([value for _, value in values], promise)

    def y(value: Decimal) -> int:
        return round((high - value) / (high - low) * _HEIGHT)

    parts = []
    if promise.limit is not None:
        edge = min(_HEIGHT, max(0, y(promise.limit)))
        top, height = (edge, _HEIGHT - edge) if promise.falling else (0, edge)
        parts.append(tag("path", d=f"M0 {top}h{_WIDTH}v{height}H0z", class_="beyond"))
        parts.append(tag("path", d=f"M0 {edge}h{_WIDTH}", class_="limit"))
    spots = [(bucket, (2 * bucket + 1) * _WIDTH // (2 * _BUCKETS), y(value)) for bucket, value in values]
    if spots:
        parts.append(tag("path", d="".join(_strokes(spots)), class_="value"))
        parts.append(tag("path", d=f"M{spots[-1][1]} {spots[-1][2]}h.01", class_="now"))
    return _picture("".join(parts), f"0 -8 {_WIDTH} {_HEIGHT + 16}", "trend", label)


def _worst_by_bucket(points: Points, window: ChartWindow, promise: ChartThreshold) -> dict[int, Decimal]:
    worse: Callable[[Iterable[Decimal]], Decimal] = min if promise.falling else max
    values: dict[int, Decimal] = {}
    for slot_us, value in points:
        at = window.bucket(slot_us, _BUCKETS)
        values[at] = worse((value, values.get(at, value)))
    return values


def _scale(values: Sequence[Decimal], promise: ChartThreshold) -> tuple[Decimal, Decimal]:
    """Lowest and highest value to be drawn, with some air on the side of the threshold."""
    shown = [*values, *([promise.limit] if promise.limit is not None else [])] or [Decimal(0)]
    if promise.falling:
        low, high = min(shown), max(Decimal(100), *shown)
        return low - max(Decimal(1), (high - low) / 4), high
    return Decimal(0), max(*shown, Decimal(1)) * Decimal("1.15")


def _strokes(spots: Sequence[tuple[int, int, int]]) -> Iterator[str]:
    before: int | None = None
    for bucket, x, y in spots:
        yield f"{'L' if before is not None and bucket - before <= _GAP else 'M'}{x} {y}"
        before = bucket
    if len(spots) == 1:
        yield "h.01"


def strip(marks: Iterable[tuple[int, Mark]], every_us: int, window: ChartWindow, label: str) -> str:
    """One cell per stretch of time in the colour of the worst that happened in it; a slot lasts until the next."""
    cells: dict[int, Mark] = {}
    for slot_us, mark in marks:
        ends_us = min(window.until_us, slot_us + max(1, every_us) - 1)
        for at in range(window.bucket(slot_us, CELLS), window.bucket(ends_us, CELLS) + 1):
            cells[at] = min(mark, cells.get(at, mark), key=lambda each: each.rank)
    paths = []
    for kind in (*Mark, None):
        those = [cell for cell in range(CELLS) if cells.get(cell) is kind]
        if those:
            drawn = "".join(f"M{10 * each} 0h8v{_HEIGHT}h-8z" for each in those)
            paths.append(tag("path", d=drawn, class_=kind.value if kind else "none"))
    return _picture("".join(paths), f"0 0 {10 * CELLS - 2} {_HEIGHT}", "strip", label)


def bar(part: Decimal, whole: Decimal, label: str) -> str:
    """How much of something is left; nothing when it is overspent."""
    share = min(Decimal(1), max(Decimal(0), part / whole)) if whole > 0 else Decimal(part >= 0)
    width = round(share * _WIDTH)
    kind = "violated" if part < 0 or (part == 0 and whole > 0) else "low" if share < Decimal("0.25") else "passing"
    inside = tag("path", d=f"M0 0h{_WIDTH}v10H0z", class_="ground") + tag("path", d=f"M0 0h{width}v10H0z", class_=kind)
    return _picture(inside, f"0 0 {_WIDTH} 10", "bar", label)


def _picture(inside: str, box: str, kind: str, label: str) -> str:
    return tag(
        "svg",
        tag("title", text(label)),
        inside,
        viewBox=box,
        preserveAspectRatio="none",
        class_=kind,
        role="img",
        aria_label=label,
        focusable="false",
    )
