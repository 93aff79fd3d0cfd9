"""Tables that a service follows with `mode: continuous`: those that Spark can read as streams, in a thread."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from threading import Event, Thread
from typing import TYPE_CHECKING, Any

from ...errors import EngineGone, FloeError
from ...monitor.run.targets import Target
from ...monitor.store.protocol import Store
from .drain import Sinks
from .log import RunLog
from .notify import Log
from .run import Prepared

if TYPE_CHECKING:
    from ...adapters.spark.stream.queries import Following
    from .stream import StreamJob

_FOLDER = ".floe/streams"
_EVERY_S = 30.0


@dataclass(slots=True)
class ServedStreams:
    """The streams of a service; none unless its settings say so."""

    names: tuple[str, ...] = ()
    followed: frozenset[str] = frozenset()  # contracts all of whose tables are
    stopping: Event = field(default_factory=Event)
    follow: Callable[[Event], str] | None = None  # blocks; why it ended, when nobody told it to
    failure: str = ""
    _thread: Thread | None = None

    def start(self) -> None:
        if self.follow is not None:
            self._thread = Thread(target=self._run, args=(self.follow,), name="floe streams", daemon=True)
            self._thread.start()

    def stop(self) -> None:
        self.stopping.set()

    def join(self, limit_s: float) -> bool:
        """Whether they have ended within the limit."""
        if self._thread is None:
            return True
        self._thread.join(limit_s)
        return not self._thread.is_alive()

    def _run(self, follow: Callable[[Event], str]) -> None:
        try:
            self.failure = follow(self.stopping)
        except FloeError as error:
            self.failure = error.message
        except Exception as error:  # only the type: the words of an error may hold data
            self.failure = f"the streams ended ({type(error).__name__})"


def stream_job(prepared: Prepared, store: Store, sinks: Sinks, log: RunLog, project: str, limit_s: float) -> StreamJob:
    """The job that follows streams, as `floe monitor run stream` has it."""
    from .stream import StreamJob

    monitoring = prepared.project.config.data_contracts.monitoring
    return StreamJob(prepared.namespace, monitoring, store, sinks, log, project, limit_s=limit_s)


def serve_streams(job: StreamJob, targets: Sequence[Target], root: str, checkpoint: str, log: Log) -> ServedStreams:
    """The streams of every contract all of whose tables can be followed; the others have their intervals."""
    from ...adapters.spark.session.start import spark_session
    from ...adapters.spark.stream.queries import StreamPace
    from .stream import absolute_checkpoint, hold_checkpoint

    spark = spark_session("floe streams")
    followed = [streams for target in targets if (streams := _streams_of(target, spark, log))]
    names = tuple(stream.name for streams in followed for stream in streams)
    place = absolute_checkpoint(checkpoint or os.path.join(root, _FOLDER))

    def follow(stopping: Event) -> str:
        job.stopping = stopping
        with hold_checkpoint(job.store, place):
            report = job.run(spark, [each for streams in followed for each in streams], StreamPace(place, _EVERY_S))
        gone = any(result.run is not None and result.run.engine_gone for result in report.results)
        return f"{EngineGone().message}. {EngineGone().fix}" if gone else ""

    contracts = frozenset(streams[0].target.name for streams in followed)
    return ServedStreams(names, contracts, job.stopping, follow if names else None)


def _streams_of(target: Target, spark: Any, log: Log) -> list[Following]:
    """The streams of all tables of a contract, or none."""
    from ...adapters.spark.session.failures import SPARK_ERRORS
    from ...adapters.spark.stream.sources import open_stream
    from .stream import find_streams, is_wanted

    if not is_wanted(target):
        return []
    streams, problems = find_streams([target])
    why = problems[0][1] if problems else ""
    try:
        for stream in streams:
            open_stream(spark, stream.binding)
    except FloeError as error:
        why = why or error.message
    except SPARK_ERRORS as error:
        why = why or type(error).__name__
    if why:
        log("info", "Checked by its interval, because it cannot be followed", {"contract": target.name, "reason": why})
    return [] if why else streams
