"""Formats of times as Spark wants them: Java's letters, without those that Spark keeps for weeks."""

from __future__ import annotations

import re

from ....contract.meaning.time_format import respell_time_format
from .paths import CannotAsk

_YEAR = re.compile("('[^']*')|u")  # what stands in quotes is text


def read_time_format(text: str) -> str:
    """The format for Spark; a format in the letters of another program cannot be asked about."""
    right = respell_time_format(text)
    if right is not None:
        raise CannotAsk(f"the format {text!r} is not in the letters of Java; write {right}")
    return _YEAR.sub(lambda part: part[1] or "y", text)
