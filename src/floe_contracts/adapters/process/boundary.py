"""The one place where an exception becomes a message and an exit code; nothing below it prints a trace."""

from __future__ import annotations

import errno
import gc
import os
import sys
from collections.abc import Callable

from ...codes import E592, E599, publish_site_at
from ...errors import FloeError
from ...frozen import dataclass
from ...render.safe import hide_logins
from ...results import ExitCode
from .environment import site_from
from .output import put, say

INTERRUPTED = 130  # 128 + SIGINT, as shells report it
PIPE_CLOSED = 141  # 128 + SIGPIPE
_NO_ROOM = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO)
_PLAIN = {"→": "->", "·": "-", "–": "-", "…": "..."}
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
        publish_site_at(site_from(os.environ))
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
    except OSError as error:
        if error.errno not in _NO_ROOM:
            _tell_bug(alarm, error)
            return int(ExitCode.BUG)
        _silence_stdout()
        _tell(alarm, E592.id, f"the output cannot be written: {error.strerror}", "Make room for it, and run again.")
        return int(ExitCode.COULD_NOT_CHECK)
    except Exception as error:  # the last resort: a bug
        _tell_bug(alarm, error)
        return int(ExitCode.BUG)
    return code


def _tell(alarm: Alarm, code: str, message: str, fix: str) -> None:
    message, fix = hide_logins(message), hide_logins(fix)  # an address may come from a command line or the environment
    if alarm.json_lines:
        import json

        line = {"level": "error", "code": code, "message": message, "fix": fix}
        put(json.dumps(line).replace("##[", "##\\u005b") + "\n", error=True)
        return
    say(f"{code} {message}", error=True)
    if fix:
        say(f"  fix: {fix}", error=True)


def _tell_bug(alarm: Alarm, error: Exception) -> None:
    if alarm.trace:
        import traceback

        trace = "".join(traceback.format_exception(type(error), error, error.__traceback__))
        for line in trace.splitlines():
            say(line, error=True)
    fix = "Report the trace above." if alarm.trace else "Run again with --verbose for the trace, and report it."
    _tell(alarm, E599.id, f"internal error, {type(error).__name__}: {error}", fix)


def _never_fail_to_print() -> None:
    if sys.stdout is None or sys.stderr is None:  # closed by the caller, who only wants the exit code
        sys.stdout = sys.stdout or open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115
        sys.stderr = sys.stderr or open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115
    for stream in (sys.stdout, sys.stderr):
        reconfigure = getattr(stream, "reconfigure", None)
        if reconfigure is not None:
            reconfigure(errors="backslashreplace" if stream.encoding.lower() == "utf-8" else _plain_errors())


def _plain_errors() -> str:
    """Our own marks as ASCII where a terminal knows no others; the rest as escapes, never a UnicodeEncodeError."""
    import codecs

    def replace_mark(error: UnicodeError) -> tuple[str, int]:
        assert isinstance(error, UnicodeEncodeError)  # noqa: S101 - only writing asks
        text = error.object[error.start : error.end]
        return "".join(
            _PLAIN.get(sign) or sign.encode("ascii", "backslashreplace").decode() for sign in text
        ), error.end

    codecs.register_error("floe", replace_mark)
    return "floe"


def _silence_stdout() -> None:
    # https://docs.python.org/3/library/signal.html#note-on-sigpipe
    try:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    except (OSError, ValueError):
        return  # a stream without a file descriptor has nothing to flush at exit
