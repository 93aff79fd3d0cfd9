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


CommitQuestion = Callable[[TableCommit, TimeSpan], "bool | None"]  # about data with such times; None: nobody can tell


def find_newest_commit(history: CommitHistory, as_of_us: int) -> Clock | None:
    """The last commit that changed data; one after the question was asked counts only where there is nothing else."""
    if not history.commits:
        return Clock(None, "it has no commits yet", as_of_us)
    commits = [commit for commit in history.commits if commit.us <= as_of_us] or history.commits[:1]
    for commit in reversed(commits):
        if history.changes_data(commit):
            return Clock(commit.us, f"commit time of {commit.name}", as_of_us)
    return Clock(None, "no commit brought data", as_of_us) if history.complete else None


def find_first_commit(history: CommitHistory, since_us: int) -> Arrival:
    """The first commit that changed data at or after a moment; its time is open where older ones may be forgotten."""
    reaches_back = history.complete or any(commit.us < since_us for commit in history.commits)
    for commit in history.commits:
        if commit.us >= since_us and history.changes_data(commit):
            return Arrival(True, f"commit time of {commit.name}", commit.us if reaches_back else None)
    return Arrival(False, "history of commits")


def find_first_with(
    history: CommitHistory, has: CommitQuestion, added: CommitQuestion, span: TimeSpan, since_us: int
) -> Arrival | None:
    """The first commit that brought data of a span; its time is open when the data was there before the moment."""
    how = f"column {span.column} by the history of commits"
    there = has(history.commits[-1], span) if history.commits else False
    if not there:
        return None if there is None else Arrival(False, how)
    before = [commit for commit in history.commits if commit.us < since_us]
    after = [commit for commit in history.commits if commit.us >= since_us]
    if len(after) > MOST_COMMITS or (not before and not history.complete):
        return Arrival(True, how)
    if before and has(before[-1], span) is not False:
        return Arrival(True, how)
    for commit in after:
        came = added(commit, span)
        if came:
            return Arrival(True, f"column {span.column} by {commit.name}", commit.us)
        if came is None:
            break
    return Arrival(True, how)
