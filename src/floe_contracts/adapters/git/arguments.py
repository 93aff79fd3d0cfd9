"""Arguments of a hook told apart: a file of the index is a file, even if its name reads as an option."""

from __future__ import annotations

import os
from collections.abc import Collection, Mapping, Sequence

from .command import git_at

_MARKS = ("-", "@")  # what a parser may take for an option, or for a file of arguments


def split_arguments(
    words: Sequence[str], flags: Collection[str], environ: Mapping[str, str] | None = None
) -> tuple[list[str], list[str]]:
    """What the parser may see, and the files that it may not.

    pre-commit appends file names to the `args:` of a user, with no `--` between. A word that is a flag to the letter
    stays one, because a file of that name must not switch it off; it and its value count as files beside that.
    """
    if not any(word.startswith(_MARKS) for word in words):
        return list(words), []
    tracked = _tracked(words, os.environ if environ is None else environ)
    if not any(word.startswith(_MARKS) for word in tracked):
        return list(words), []
    options = [word for word in words if word in flags or not (word in tracked and word.startswith(_MARKS))]
    return options, [word for word in dict.fromkeys(words) if word in tracked]


def _tracked(words: Sequence[str], environ: Mapping[str, str]) -> frozenset[str]:
    """Those of the words that are paths in the index, as seen from the current folder; none without a repository."""
    answer = git_at(".", environ).ask("ls-files", "-z", "--", *(word for word in words if word))
    return frozenset(os.fsdecode(answer.out).split("\0")) & frozenset(words)
