"""How bad a broken promise is: by how far it was overrun, and worse when it stays broken."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from typing import TypeAlias

from ..codes import Severity
from ..results import Finding

WARNING_UP_TO = Fraction(3, 2)
ERROR_UP_TO = Fraction(3)
SLOTS_IN_A_ROW = 3  # the third violated slot in a row is critical

Streaks: TypeAlias = "Mapping[tuple[str, str], int]"  # (code, element) -> violated slots directly before this one


def by_overrun(actual: int | Fraction, allowed: int | Fraction) -> Severity | None:
    """None while the promise is kept, and equality keeps it."""
    if actual <= allowed:
        return None
    if actual <= allowed * WARNING_UP_TO:
        return Severity.WARNING
    return Severity.ERROR if actual <= allowed * ERROR_UP_TO else Severity.CRITICAL


def in_a_row(severity: Severity, before: int) -> Severity:
    """Critical once this slot is the third in a row."""
    return Severity.CRITICAL if before + 1 >= SLOTS_IN_A_ROW else severity


def streaks(history: Sequence[Iterable[Finding]]) -> dict[tuple[str, str], int]:
    """How often each violation stood in the slots before this one, without a gap; the newest slot comes first."""
    counted: dict[tuple[str, str], int] = {}
    running: set[tuple[str, str]] | None = None
    for found in history:
        seen = {(item.code.id, item.element) for item in found if item.severity is not Severity.INFO}
        running = seen if running is None else running & seen
        if not running:
            break
        for key in running:
            counted[key] = counted.get(key, 0) + 1
    return counted


_WORDS = {
    word: severity
    for severity, words in (
        (Severity.INFO, "info information low minor trivial"),
        (Severity.WARNING, "warning warn medium moderate"),
        (Severity.ERROR, "error high major"),
        (Severity.CRITICAL, "critical blocker fatal"),
    )
    for word in words.split()
}


def named(word: str | None) -> Severity:
    """The severity that a rule asks for; a rule that asks for none, or for a word nobody knows, is an error."""
    return _WORDS.get((word or "").strip().casefold(), Severity.ERROR)
