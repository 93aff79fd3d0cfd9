"""Answers about commits from the history that a table keeps: when data last came, and when that of a day first did."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from ....checks.measured import Arrival, Clock

MOST_COMMITS = 300  # that are looked into, one after the other


@dataclass(frozen=True, slots=True)
class TableCommit:
    """One entry of the history; `java` is whatever its table knows it by."""

    us: int
    name: str  # `snapshot 123`, `version 4`
    java: Any


@dataclass(frozen=True, slots=True)
class CommitHistory:
    """Commits from the oldest that is kept to the one that is read."""

    commits: tuple[TableCommit, ...]
    complete: bool  # nothing before the first was forgotten
    changes_data: Callable[[TableCommit], bool]  # False for compactions and changes of settings


@dataclass(frozen=True, slots=True)
class TimeSpan:
    """Times of a column in its own units: from `first` on, and none after `last`, which would be in the future."""

    column: str
    first: int
    last: int


Stood = Callable[
    [TableCommit, TimeSpan], "bool | None"
]  # whether such data was there after a commit; None: nobody can tell


def newest_commit(history: CommitHistory, as_of_us: int) -> Clock | None:
    """The last one that changed data; one after the question was asked counts only where there is nothing else."""
    if not history.commits:
        return Clock(None, "it has no commits yet", as_of_us)
    asked = [one for one in history.commits if one.us <= as_of_us] or history.commits[:1]
    for one in reversed(asked):
        if history.changes_data(one):
            return Clock(one.us, f"commit time of {one.name}", as_of_us)
    return Clock(None, "no commit brought data", as_of_us) if history.complete else None


def first_commit(history: CommitHistory, since_us: int) -> Arrival:
    """The first that changed data at or after a moment; its time is open where older ones may have been forgotten."""
    reaches_back = history.complete or any(one.us < since_us for one in history.commits)
    for one in history.commits:
        if one.us >= since_us and history.changes_data(one):
            return Arrival(True, f"commit time of {one.name}", one.us if reaches_back else None)
    return Arrival(False, "history of commits")


def first_with(history: CommitHistory, stood: Stood, brought: Stood, span: TimeSpan, since_us: int) -> Arrival | None:
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
