"""A run of `floe monitor run` whose Java is killed at a named place: started by spark/test_dying_jvm.py.

Production code has no such places; they are wrapped here.
"""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Callable
from contextlib import suppress
from typing import Any

from pyspark import SparkContext

from floe_contracts.adapters.spark import engine
from floe_contracts.adapters.spark.session import start
from floe_contracts.adapters.spark.stream.batch import Batch
from floe_contracts.adapters.spark.stream.totals import StreamTotals
from floe_contracts.app.monitor import run as app_run
from floe_contracts.app.monitor.log import RunLog
from floe_contracts.cli.main import main

PLACES = (
    "before the first question",
    "while it measures",
    "after the first contract",
    "after everything was measured",
    "by its own exit",
)
STREAM_PLACES = (
    "before a stream begins",
    "while a batch is judged",
    "after the first batch",
    "by its own exit, in a batch",
)


def kill() -> None:
    """Ends Java as the system does when memory is short, and waits until it is dead."""
    process: Any = SparkContext._gateway.proc  # type: ignore[union-attr]
    if process.poll() is None:
        os.kill(process.pid, signal.SIGKILL)
        process.wait()


def exit_java() -> None:
    """Lets Java end by itself, as a query with System.exit or a lack of memory would."""
    with suppress(Exception):  # it is gone before it can answer
        SparkContext._active_spark_context._jvm.System.exit(0)  # type: ignore[union-attr]


def once(work: Callable[[], None]) -> Callable[[], None]:
    done: list[bool] = []

    def run() -> None:
        if not done:
            done.append(True)
            work()

    return run


def wrap(
    owner: Any, name: str, before: Callable[[], None] | None = None, after: Callable[[], None] | None = None
) -> None:
    inner = getattr(owner, name)

    def wrapped(*args: Any, **named: Any) -> Any:
        if before:
            before()
        answer = inner(*args, **named)
        if after:
            after()
        return answer

    setattr(owner, name, wrapped)


def arrange(place: str) -> None:
    if place == PLACES[0]:
        wrap(start, "spark_session", after=once(kill))
    elif place == PLACES[1]:
        wrap(engine, "measure_table", before=once(kill))
    elif place == PLACES[2]:
        app_run.AT_ONCE = 1
        wrap(RunLog, "count", after=once(kill))
    elif place == PLACES[3]:
        wrap(start, "stop_quietly", before=once(kill))
    elif place == PLACES[4]:
        wrap(engine, "measure_table", before=once(exit_java))
    else:
        arrange_stream(place)


def arrange_stream(place: str) -> None:
    if place == STREAM_PLACES[0]:
        wrap(start, "spark_session", after=once(kill))
    elif place == STREAM_PLACES[1]:
        wrap(Batch, "judge", before=once(kill))
    elif place == STREAM_PLACES[2]:
        wrap(StreamTotals, "add", after=once(kill))
    elif place == STREAM_PLACES[3]:
        wrap(Batch, "judge", before=once(exit_java))


if __name__ == "__main__":
    arrange(sys.argv[1])
    raise SystemExit(main(sys.argv[2:]))
