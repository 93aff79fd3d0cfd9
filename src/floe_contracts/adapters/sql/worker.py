"""The child process that reads SQL: one question and one answer per line of JSON, each within its limits.

A question that takes more than 2 s of CPU ends the process; one that takes more than 300 MB is answered with "cannot
tell". After the imports nothing is opened, started or connected: an audit hook refuses it.
"""

from __future__ import annotations

import json
import logging
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

CPU_S = 2.0
MEMORY = 300 * 1024 * 1024
_DEPTH = 2_000
_REFUSED = (
    "open",
    "socket.",
    "subprocess.",
    "os.",
    "shutil.",
    "import",
    "ctypes.",
    "urllib.",
    "ftplib.",
    "glob.",
)
_loading = False
Reader = Callable[[dict[str, Any]], dict[str, Any]]


def serve() -> int:
    """Answer until standard input ends."""
    _limit_memory()
    sys.setrecursionlimit(_DEPTH)
    logging.disable(logging.CRITICAL)
    questions, answers = sys.stdin, sys.stdout
    restart_clock = _clock()
    sys.addaudithook(_audit)
    for line in questions:
        question = json.loads(line)
        with _doors_open():
            answer = _load_reader(question)
        restart_clock()
        answers.write(json.dumps(answer(question)) + "\n")
        answers.flush()
    return 0


def _load_reader(question: dict[str, Any]) -> Reader:
    """What answers a question, with all that it imports; where that fails, the answer says so."""
    try:
        from .answers import answer, load_dialect

        load_dialect("")
        load_dialect(question["dialect"], template=bool(question["template"]))
    except ImportError as error:
        lacking = error.name or type(error).__name__
        return _refuser(f"{lacking} cannot be imported where SQL is read; install floe-contracts again")
    except MemoryError:
        return _refuser("the reader of SQL itself needs more memory than 300 MB")
    return answer


def _refuser(reason: str) -> Reader:
    return lambda _: {"cannot_tell": reason, "line": 1}


@contextmanager
def _doors_open() -> Iterator[None]:
    """Importing what a dialect needs is allowed; nothing of the text has been looked at yet."""
    global _loading  # noqa: PLW0603 - the audit hook has no other way to know
    _loading = True
    try:
        yield
    finally:
        _loading = False


def _audit(event: str, _arguments: object) -> None:
    if not _loading and event.startswith(_REFUSED):
        raise PermissionError(f"{event} while SQL is read")


def _limit_memory() -> None:
    try:
        import resource
    except ImportError:  # Windows has no such limit; the parent's clock still ends a child
        return
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def _clock() -> Callable[[], Any]:
    """What begins the time of a question: its signal ends the process, whatever it is doing."""
    import signal

    if not hasattr(signal, "setitimer"):
        return lambda: None
    signal.signal(signal.SIGPROF, signal.SIG_DFL)
    return lambda: signal.setitimer(signal.ITIMER_PROF, CPU_S)
