"""When data came: by the history of commits where a table keeps one, else by the times of its files."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from ....checks.measured import Arrival, Clock
from ..read.open import Opened
from .delta_history import delta_brought, delta_history, delta_stood
from .history import CommitHistory, Stood, TimeSpan, first_commit, first_with, newest_commit
from .iceberg import iceberg_history, iceberg_stood
from .relation import TableFormat, TableRelation, listed, relation_of

_MS = 1_000


def newest(opened: Opened, as_of_us: int) -> Clock | None:
    """A filter leaves out rows and no commits, so it does not matter here."""
    relation = relation_of(opened.frame, filtered=True)
    if relation is None:
        return None
    if relation.kept is TableFormat.FILES:
        return _newest_file(relation, as_of_us)
    return newest_commit(_HISTORIES[relation.kept](relation), as_of_us)


def _newest_file(relation: TableRelation, as_of_us: int) -> Clock:
    """A file that was written after the question was asked counts only where there is no other."""
    times = sorted(one.changed_ms * _MS for one in listed(relation))
    until = [one for one in times if one <= as_of_us] or times[:1]
    return Clock(until[-1] if until else None, "newest file time", as_of_us)


def first_since(opened: Opened, since_us: int) -> Arrival | None:
    """When the first commit at or after a moment was made."""
    relation = relation_of(opened.frame, filtered=True)
    if relation is None:
        return None
    if relation.kept is TableFormat.FILES:  # they keep no history: one that was written again tells only when that was
        present = any(one.changed_ms * _MS >= since_us for one in listed(relation))
        return Arrival(present, "newest file time")
    return first_commit(_HISTORIES[relation.kept](relation), since_us)


def first_with_times(opened: Opened, span: TimeSpan, since_us: int) -> Arrival | None:
    """When data with such times first came; None where no history is kept."""
    relation = relation_of(opened.frame) if opened.whole else None
    if relation is None or relation.kept is TableFormat.FILES or not relation.plain:
        return None
    return first_with(_HISTORIES[relation.kept](relation), *_asking(relation), span, since_us)


def _asking(relation: TableRelation) -> tuple[Stood, Stood]:
    """Whether data was there after a commit, and whether a commit brought it, where it was not there before."""
    if relation.kept is TableFormat.DELTA:
        return partial(delta_stood, relation), partial(delta_brought, relation)
    return partial(iceberg_stood, relation), partial(iceberg_stood, relation)


_HISTORIES: dict[TableFormat, Callable[[TableRelation], CommitHistory]] = {
    TableFormat.ICEBERG: iceberg_history,
    TableFormat.DELTA: delta_history,
}
