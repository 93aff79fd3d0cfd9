"""Programs that a run starts: their lines stream with a prefix, and none outlives the run."""

from __future__ import annotations

import ctypes
import re
import signal
import subprocess
import sys
from collections import deque
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import dropwhile

from ...errors import FloeError
from ...render.safe import log_safe
from .output import say
from .program import Running

_KEPT_LINES = 200  # Spark says some fifty while it ends
_ASIDE = re.compile(  # what loggers say while a program ends, and the middle of stack traces
    r"\[?(?:[\d/-]{8,10}[ T])?[\d:.,]{8,}Z?\W*(?i:TRACE|DEBUG|INFO|WARN(?:ING)?)\b"
    r"|\[?(?:TRACE|DEBUG|INFO|WARN(?:ING)?)\b|at [\w.$/<>]+\(|\.\.\. \d+ (?:more|elided)"
)
_TRACEBACK = "Traceback (most recent call last):"
_WORD = re.compile(r"\w")  # a line of carets points at another
_MESSAGE, _MESSAGE_LINES = 300, 20  # characters and lines of an exception's message
_PARENT_DEATH = 1  # PR_SET_PDEATHSIG of prctl(2)


@dataclass(frozen=True, slots=True)
class ChildEnd:
    """How a program ended, and the last lines that it printed."""

    code: int
    lines: tuple[str, ...] = ()

    @property
    def reason(self) -> str:
        """The exception of a Python program; else the last line that says why, or that says anything."""
        words = [line.strip() for line in reversed(self.lines) if _WORD.search(line)]
        last = next((line for line in words if not _ASIDE.match(line)), words[0] if words else "it said nothing")
        return _exception_in(self.lines) or last


def _exception_in(lines: Sequence[str]) -> str:
    """What follows the frames of the last traceback, in one line; empty when much else came after it."""
    starts = [place for place, line in enumerate(lines) if line.strip() == _TRACEBACK]
    if not starts:
        return ""
    after = dropwhile(lambda line: not line or line[0] == " ", lines[starts[-1] + 1 :])
    words = [line.strip() for line in after if _WORD.search(line) and not _ASIDE.match(line.strip())]
    return " ".join(words)[:_MESSAGE] if len(words) <= _MESSAGE_LINES else ""


def run_child(words: Sequence[str], folder: str, environ: Mapping[str, str], prefix: str) -> ChildEnd:
    """Run a program to its end; whatever ends this call ends the program and all that it started."""
    kept: deque[str] = deque(maxlen=_KEPT_LINES)
    running = Running(_start(words, folder, environ))
    with running.process:
        try:
            for line in running.process.stdout or ():
                text = log_safe(line.rstrip().expandtabs(4), 900)
                kept.append(text)
                say(f"{prefix} | {text}", error=True)
            code = running.process.wait()
        except BaseException:  # SIGTERM too
            running.stop()
            raise
    return ChildEnd(code, tuple(kept))


def _start(words: Sequence[str], folder: str, environ: Mapping[str, str]) -> subprocess.Popen[str]:
    try:
        return subprocess.Popen(
            list(words),
            cwd=folder or None,
            env=dict(environ),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            encoding="utf-8",
            errors="replace",
            start_new_session=True,
            preexec_fn=_die_with_parent if sys.platform == "linux" else None,  # noqa: PLW1509 - no locks are taken in it
        )
    except OSError as error:
        message = f"{log_safe(words[0])} cannot be started: {error.strerror}"
        raise FloeError(message, fix="Name a program that is installed here.") from error


def _die_with_parent() -> None:
    """A run that is killed must not leave a program behind which writes beside the next run."""
    ctypes.CDLL(None).prctl(_PARENT_DEATH, signal.SIGKILL)
