"""Which of two promises is stricter: a service level that gives readers more, a classification that admits fewer."""

from __future__ import annotations

from collections.abc import Mapping

from .quantity import Duration, Text, compare
from .sla import Kind, SlaMeaning

Ranks = Mapping[str, int]  # a level or category in lower case: how strict it is

_LEVELS = {"public": 0, "internal": 10, "confidential": 20, "restricted": 30}
_CATEGORIES = {"identifier": 10, "sensitive": 20, "pii": 30, "phi": 30}
RANKS: Ranks = {**_LEVELS, **_CATEGORIES}  # where no platform says otherwise


def compare_slas(sla: SlaMeaning, other: SlaMeaning) -> int | None:
    """1, 0 or -1 as a service level is stricter than, as strict as or weaker than another of its kind, else None."""
    if sla.quantity is None or other.quantity is None:
        return None
    order = compare(sla.quantity, other.quantity)
    if order is None and sla.kind is other.kind is Kind.RETENTION:  # data kept without limit are kept longest
        kinds = (type(sla.quantity), type(other.quantity))
        order = {(Text, Duration): 1, (Duration, Text): -1}.get(kinds)
    if order is None or order == 0:
        return order
    return order * sla.direction.sign or None  # of an unknown kind nobody knows which direction is better


def compare_classifications(word: str, other: str, ranks: Ranks = RANKS) -> int | None:
    """1, 0 or -1 as a classification is stricter than, as strict as or weaker than another; None for other words."""
    rank, beside = (ranks.get(name.strip().casefold()) for name in (word, other))
    return None if rank is None or beside is None else (rank > beside) - (rank < beside)
