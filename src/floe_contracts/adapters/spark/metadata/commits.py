"""When data came: by the history of commits where a table keeps one, else by the times of its files."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from ....checks.measured import Arrival, Clock
from ..read.open import OpenTable
from ..read.relation import TableFormat, TableRelation, list_files, relation_of
from .delta_history import delta_added_times, delta_has_times, delta_history
from .history import CommitHistory, CommitQuestion, TimeSpan, find_first_commit, find_first_with, find_newest_commit
from .iceberg import iceberg_has_times, iceberg_history

_MS = 1_000


def read_newest(opened: OpenTable, as_of_us: int) -> Clock | None:
    """When data last came; a filter leaves out rows and no commits, so it does not matter here."""
    relation = relation_of(opened.listing or opened.frame, filtered=True)
    if relation is None:
        return None
    if relation.kept is TableFormat.FILES:
        return _read_newest_file(relation, as_of_us)
    return find_newest_commit(_HISTORIES[relation.kept](relation), as_of_us)


def _read_newest_file(relation: TableRelation, as_of_us: int) -> Clock:
    """The time of the newest file; one written after the question was asked counts only where there is no other."""
    times = sorted(file.changed_ms * _MS for file in list_files(relation))
    until = [us for us in times if us <= as_of_us] or times[:1]
    return Clock(until[-1] if until else None, "newest file time", as_of_us)


def find_first_since(opened: OpenTable, since_us: int) -> Arrival | None:
    """When the first commit at or after a moment was made."""
    relation = relation_of(opened.listing or opened.frame, filtered=True)
    if relation is None:
        return None
    if relation.kept is TableFormat.FILES:  # they keep no history: one that was written again tells only when that was
        present = any(file.changed_ms * _MS >= since_us for file in list_files(relation))
        return Arrival(present, "newest file time")
    return find_first_commit(_HISTORIES[relation.kept](relation), since_us)


def find_first_with_times(opened: OpenTable, span: TimeSpan, since_us: int) -> Arrival | None:
    """When data with times in a span first came; None where no history is kept."""
    relation = relation_of(opened.frame) if opened.whole else None
    if relation is None or relation.kept is TableFormat.FILES or not relation.plain:
        return None
    return find_first_with(_HISTORIES[relation.kept](relation), *_commit_questions(relation), span, since_us)


def _commit_questions(relation: TableRelation) -> tuple[CommitQuestion, CommitQuestion]:
    """Two questions: whether data was there after a commit, and whether a commit brought it where it was not before."""
    if relation.kept is TableFormat.DELTA:
        return partial(delta_has_times, relation), partial(delta_added_times, relation)
    return partial(iceberg_has_times, relation), partial(iceberg_has_times, relation)


_HISTORIES: dict[TableFormat, Callable[[TableRelation], CommitHistory]] = {
    TableFormat.ICEBERG: iceberg_history,
    TableFormat.DELTA: delta_history,
}
