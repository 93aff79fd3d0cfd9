"""When data came: by the history of commits where a table keeps one, else by the times of its files."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any

from ....checks.measured import Arrival, Clock
from ..read.open import Opened
from .delta_history import delta_brought, delta_history, delta_stood
from .iceberg import iceberg_history, iceberg_stood
from .listing import listed
from .relation import Kept, Relation, relation_of

_MS = 1_000


def newest(opened: Opened, as_of_us: int) -> Clock | None:
    """A filter leaves out rows and no commits, so it does not matter here."""
    relation = relation_of(opened.frame, filtered=True)
    if relation is None:
        return None
    if relation.kept is Kept.FILES:
        return _newest_file(relation, as_of_us)
    return newest_commit(_HISTORIES[relation.kept](relation), as_of_us)


def _newest_file(relation: Relation, as_of_us: int) -> Clock:
    """A file that was written after the question was asked counts only where there is no other."""
    times = sorted(one.changed_ms * _MS for one in listed(relation))
    until = [one for one in times if one <= as_of_us] or times[:1]
    return Clock(until[-1] if until else None, "newest file time", as_of_us)


def first_since(opened: Opened, since_us: int) -> Arrival | None:
    """When the first commit at or after a moment was made."""
    relation = relation_of(opened.frame, filtered=True)
    if relation is None:
        return None
    if relation.kept is Kept.FILES:  # they keep no history: one that was written again tells only when that was
        present = any(one.changed_ms * _MS >= since_us for one in listed(relation))
        return Arrival(present, "newest file time")
    return first_commit(_HISTORIES[relation.kept](relation), since_us)


def first_with_times(opened: Opened, span: Span, since_us: int) -> Arrival | None:
    """When data with such times first came; None where no history is kept."""
    relation = relation_of(opened.frame) if opened.whole else None
    if relation is None or relation.kept is Kept.FILES or not relation.plain:
        return None
    return first_with(_HISTORIES[relation.kept](relation), *_asking(relation), span, since_us)


def _asking(relation: Relation) -> tuple[Stood, Stood]:
    """Whether data was there after a commit, and whether a commit brought it, where it was not there before."""
    if relation.kept is Kept.DELTA:
        return partial(delta_stood, relation), partial(delta_brought, relation)
    return partial(iceberg_stood, relation), partial(iceberg_stood, relation)


_HISTORIES: dict[Kept, Callable[[Relation], History]] = {Kept.ICEBERG: iceberg_history, Kept.DELTA: delta_history}


MOST_COMMITS = 300  # that are looked into, one after the other


@dataclass(frozen=True, slots=True)
class Commit:
    """One entry of the history; `java` is whatever its table knows it by."""

    us: int
    name: str  # `snapshot 123`, `version 4`
    java: Any


@dataclass(frozen=True, slots=True)
class History:
    """Commits from the oldest that is kept to the one that is read."""

    commits: tuple[Commit, ...]
    complete: bool  # nothing before the first was forgotten
    changes_data: Callable[[Commit], bool]  # False for compactions and changes of settings


@dataclass(frozen=True, slots=True)
class Span:
    """Times of a column in its own units: from `first` on, and none after `last`, which would be in the future."""

    column: str
    first: int
    last: int


Stood = Callable[[Commit, Span], "bool | None"]  # whether such data was there after a commit; None: nobody can tell


def newest_commit(history: History, as_of_us: int) -> Clock | None:
    """The last one that changed data; one after the question was asked counts only where there is nothing else."""
    if not history.commits:
        return Clock(None, "it has no commits yet", as_of_us)
    asked = [one for one in history.commits if one.us <= as_of_us] or history.commits[:1]
    for one in reversed(asked):
        if history.changes_data(one):
            return Clock(one.us, f"commit time of {one.name}", as_of_us)
    return Clock(None, "no commit brought data", as_of_us) if history.complete else None


def first_commit(history: History, since_us: int) -> Arrival:
    """The first that changed data at or after a moment; its time is open where older ones may have been forgotten."""
    reaches_back = history.complete or any(one.us < since_us for one in history.commits)
    for one in history.commits:
        if one.us >= since_us and history.changes_data(one):
            return Arrival(True, f"commit time of {one.name}", one.us if reaches_back else None)
    return Arrival(False, "history of commits")


def first_with(history: History, stood: Stood, brought: Stood, span: Span, since_us: int) -> Arrival | None:
    """The first commit that brought the data; its time is open when the data was there before the moment."""
    how = f"column {span.column} by the history of commits"
    there = stood(history.commits[-1], span) if history.commits else False
    if not there:
        return None if there is None else Arrival(False, how)
    before = [one for one in history.commits if one.us < since_us]
    after = [one for one in history.commits if one.us >= since_us]
    if len(after) > MOST_COMMITS or (not before and not history.complete):
        return Arrival(True, how)
    if before and stood(before[-1], span) is not False:
        return Arrival(True, how)
    for one in after:
        came = brought(one, span)
        if came:
            return Arrival(True, f"column {span.column} by {one.name}", one.us)
        if came is None:
            break
    return Arrival(True, how)
