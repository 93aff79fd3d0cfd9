"""The one place where an exception becomes a message and an exit code; nothing below it prints a trace."""

from __future__ import annotations

import gc
import os
import sys
from collections.abc import Callable

from ..codes import E599
from ..errors import FloeError
from ..frozen import dataclass
from ..render.safe import log_safe
from ..results import ExitCode

INTERRUPTED = 130  # 128 + SIGINT, as shells report it
PIPE_CLOSED = 141  # 128 + SIGPIPE
_ALLOCATIONS = 200_000  # between two looks for garbage: contracts hold no cycles, and looking took a fifth of the time


@dataclass(frozen=True, slots=True)
class Alarm:
    """How to tell of a failure: with or without the trace, as text or as one JSON line."""

    trace: bool = False
    json_lines: bool = False


def guard(run: Callable[[], int], alarm: Alarm) -> int:
    """The exit code of `run`, whatever happens inside it."""
    gc.set_threshold(_ALLOCATIONS)
    try:
        _never_fail_to_print()
        code = run()
        sys.stdout.flush()  # a closed pipe must be noticed here, not when the interpreter ends
    except FloeError as error:
        _tell(alarm, error.code.id, error.message, error.fix or error.code.fix)
        return error.exit_code
    except KeyboardInterrupt:
        return INTERRUPTED
    except BrokenPipeError:
        _silence_stdout()
        return PIPE_CLOSED
    except Exception as error:  # the last resort: a bug
        _tell_bug(alarm, error)
        return int(ExitCode.BUG)
    return code


def _tell(alarm: Alarm, code: str, message: str, fix: str) -> None:
    if alarm.json_lines:
        import json

        line = {"level": "error", "code": code, "message": message, "fix": fix}
        print(json.dumps(line).replace("##[", "##\\u005b"), file=sys.stderr)
        return
    print(f"{code} {log_safe(message, 1_000)}", file=sys.stderr)
    if fix:
        print(f"  fix: {log_safe(fix, 1_000)}", file=sys.stderr)


def _tell_bug(alarm: Alarm, error: Exception) -> None:
    if alarm.trace:
        import traceback

        trace = "".join(traceback.format_exception(type(error), error, error.__traceback__))
        print("\n".join(log_safe(line, 1_000) for line in trace.splitlines()), file=sys.stderr)
    fix = "Report the trace above." if alarm.trace else "Run again with --verbose for the trace, and report it."
    _tell(alarm, E599.id, f"internal error, {type(error).__name__}: {error}", fix)


def _never_fail_to_print() -> None:
    # A terminal that knows only ASCII gets \u2192 instead of an arrow, never a UnicodeEncodeError.
    for stream in (sys.stdout, sys.stderr):
        reconfigure = getattr(stream, "reconfigure", None)
        if reconfigure is not None:
            reconfigure(errors="backslashreplace")


def _silence_stdout() -> None:
    # https://docs.python.org/3/library/signal.html#note-on-sigpipe
    try:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    except (OSError, ValueError):
        return  # a stream without a file descriptor has nothing to flush at exit
