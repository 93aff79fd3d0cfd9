"""What the terminal and the environment allow: colour, width and how much to say."""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping
from typing import Literal, TextIO

from ...frozen import dataclass
from ...render.safe import log_safe
from .output import put

LogFormat = Literal["text", "json"]


@dataclass(frozen=True, slots=True)
class Console:
    """How this run talks to people; results go to stdout, everything else to stderr."""

    verbose: bool = False
    quiet: bool = False
    no_color: bool = False
    log_format: LogFormat = "text"

    def colour(self, stream: TextIO) -> bool:
        return not self.no_color and wants_colour(os.environ, stream)

    @property
    def width(self) -> int:
        """Columns to wrap at; 0 (no wrapping) when nobody watches."""
        try:
            return min(os.get_terminal_size(sys.stdout.fileno()).columns, 120)
        except (OSError, ValueError):  # a pipe, a file, or a stream without a descriptor
            return 0

    def note(self, message: str) -> None:
        """One line on stderr that is not a result; none where people want silence."""
        if self.quiet:
            return
        if self.log_format == "json":
            import json

            line = json.dumps({"level": "info", "message": message}).replace("##[", "##\\u005b")
        else:
            line = log_safe(message, 1_000)
        put(f"{line}\n", error=True)


def wants_colour(environment: Mapping[str, str], stream: TextIO) -> bool:
    """NO_COLOR (no-color.org) beats FORCE_COLOR and CLICOLOR_FORCE, which beat TERM=dumb, which beats the terminal."""
    if environment.get("NO_COLOR"):
        return False
    if any(environment.get(name, "0") not in ("", "0") for name in ("FORCE_COLOR", "CLICOLOR_FORCE")):
        return True
    if environment.get("TERM") == "dumb" or environment.get("CLICOLOR") == "0":
        return False
    return stream.isatty()
