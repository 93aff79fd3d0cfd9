"""Turns what git says when it fails into an error that tells a person what to do."""

from __future__ import annotations

import re

from ...errors import FloeError

_CREDENTIALS = re.compile(r"(?<=://)[^/\s@]+@")
_LONGEST = 300


def failure_of(command: str, said: str, folder: str) -> FloeError:
    """The error behind git's words; git was run in the C locale, so they are stable."""
    said = _CREDENTIALS.sub("", said)
    if "dubious ownership" in said or "is owned by someone else" in said:
        return _dubious(said, folder)
    if "cannot use bare repository" in said or "must be run in a work tree" in said:
        return FloeError(
            f"{folder} has no work tree: it is a bare repository, or lies inside .git",
            fix="Run floe in a clone, or in a worktree made by `git worktree add`.",
        )
    if "not a git repository" in said:
        return FloeError(
            f"{folder} is not inside a git repository",
            fix="Run floe inside the repository that holds the contracts.",
        )
    if "promisor remote" in said or "lazy fetching" in said:
        return FloeError(
            f"this partial clone lacks objects that git {command} needs, and they could not be fetched: "
            f"{_last_line(said)}",
            fix="Make sure that the remote can be reached, or clone without --filter.",
        )
    return FloeError(f"git {command} failed: {_last_line(said)}", fix="Run the same git command by hand to see why.")


def _dubious(said: str, folder: str) -> FloeError:
    from shlex import quote

    found = re.search(r"repository at '(.+?)'", said) or re.search(r"'(.+?)' is owned by", said)
    place = found.group(1) if found else folder
    return FloeError(
        f"git refuses to read {place}, because the folder belongs to another user",
        fix=f"git config --global --add safe.directory {quote(place)}",
    )


def _last_line(said: str) -> str:
    lines = [line.strip() for line in said.splitlines() if line.strip()]
    told = [line.split(":", 1)[1].strip() for line in lines if line.startswith(("fatal:", "error:"))]
    return ((told or lines or ["it gave no reason"])[-1])[:_LONGEST]
