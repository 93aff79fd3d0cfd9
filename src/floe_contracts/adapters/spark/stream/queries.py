"""Runs one streaming query per table, restarts those that fail, and stops all of them between two batches."""

from __future__ import annotations

import hashlib
import re
import threading
import time
from collections.abc import Callable, Iterable
from contextlib import suppress
from dataclasses import dataclass, field

from py4j.protocol import Py4JJavaError
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql.streaming.query import StreamingQuery

from ....errors import EngineGone, FloeError
from ....monitor.run.targets import Target
from ....monitor.source.binding import Binding
from ..session.death import GONE_ERRORS, is_gone
from ..session.failures import SPARK_ERRORS, reason_of
from .sources import open_stream

GRACE_S = 20.0  # for batches under way when the job is asked to stop; Kubernetes kills after 30
_LOOK_S = 0.5
_FIRST_WAIT_S, _LONGEST_WAIT_S = 2.0, 300.0  # before a query that failed is started again; doubled every time
_QUERY_ID = "sql.streaming.queryId"


@dataclass(frozen=True, slots=True)
class Following:
    """One table of one contract to follow."""

    target: Target
    binding: Binding

    @property
    def name(self) -> str:
        """Of the query and of its folder under the checkpoint."""
        return name_stream(self.target, self.binding.table.name)


def name_stream(target: Target, table: str) -> str:
    """The name of a table's stream: readable, and another one for another table."""
    full = f"{target.key}.v{target.major}.{table}"
    plain = re.sub(r"[^A-Za-z0-9._-]", "_", full)
    return plain if plain == full else f"{plain}-{hashlib.sha256(full.encode()).hexdigest()[:8]}"


@dataclass(frozen=True, slots=True)
class StreamPace:
    """When batches are made; `every_s` None takes what is there now, and ends."""

    checkpoint: str
    every_s: float | None = None


OnBatch = Callable[[Following, str, int, DataFrame], None]  # the stream, its query with its id, the batch, its rows
OnFailure = Callable[[Following, str], None]


@dataclass
class _RunningQuery:
    following: Following
    query: StreamingQuery | None = None
    failures: int = 0
    batches: int = 0  # of this start
    again_at: float = 0.0


@dataclass
class Streams:
    """All queries of one job; a failure of one leaves the others alone."""

    spark: SparkSession
    pace: StreamPace
    on_batch: OnBatch
    on_failure: OnFailure
    stopping: threading.Event = field(default_factory=threading.Event)

    def run(self, streams: Iterable[Following], meanwhile: Callable[[], None] = lambda: None) -> None:
        """Until all is read, or until `stopping` is set; `meanwhile` is called between two looks.

        EngineGone when Spark has ended: no query can be asked or started any more.
        """
        running = [_RunningQuery(stream) for stream in streams]
        try:
            while running and not self.stopping.is_set():
                running = [each for each in running if self._goes_on_here(each)]
                meanwhile()
                self.stopping.wait(_LOOK_S if running else 0)
        finally:
            self.stopping.set()
            self._stop([each.query for each in running if each.query is not None])

    def _goes_on_here(self, running: _RunningQuery) -> bool:
        try:
            return self._goes_on(running)
        except GONE_ERRORS:
            if is_gone(self.spark):
                raise EngineGone from None
            raise

    def _goes_on(self, running: _RunningQuery) -> bool:
        """Whether there is more to come from this stream."""
        if running.query is None:
            return time.monotonic() < running.again_at or self._start(running)
        if running.query.isActive:
            return True
        query, running.query = running.query, None
        error = query.exception()
        return error is not None and self._note_failure(running, _reason(query, error))

    def _start(self, running: _RunningQuery) -> bool:
        running.batches = 0
        try:
            running.query = self._query(running)
        except FloeError as error:
            return self._note_failure(running, " ".join(error.message.split()))
        except SPARK_ERRORS as error:
            return self._note_failure(running, reason_of(error))
        except Exception as error:  # one contract's trouble must not become the others'
            return self._note_failure(running, f"{type(error).__name__} inside floe")
        return True

    def _note_failure(self, running: _RunningQuery, reason: str) -> bool:
        """A query that got further than the time before begins to wait anew."""
        if is_gone(self.spark):  # which is why it failed, and why all the others will
            raise EngineGone
        running.failures = 1 if running.batches else running.failures + 1
        self.on_failure(running.following, reason)
        running.again_at = time.monotonic() + min(_LONGEST_WAIT_S, _FIRST_WAIT_S * 2 ** (running.failures - 1))
        return self.pace.every_s is not None

    def _query(self, running: _RunningQuery) -> StreamingQuery:
        following = running.following

        def batch(frame: DataFrame, number: int) -> None:
            name = f"{following.name}@{(_property(frame.sparkSession, _QUERY_ID) or '')[:8]}"
            self.on_batch(following, name, number, frame)
            running.batches += 1

        self.spark.sparkContext.setLocalProperty("spark.scheduler.pool", following.name)
        writer = (
            open_stream(self.spark, following.binding)
            .writeStream.queryName(following.name)
            .option("checkpointLocation", f"{self.pace.checkpoint.rstrip('/')}/{following.name}")
            .foreachBatch(batch)
        )
        if self.pace.every_s is None:
            return writer.trigger(availableNow=True).start()
        return writer.trigger(processingTime=f"{int(self.pace.every_s * 1000)} milliseconds").start()

    def _stop(self, queries: list[StreamingQuery]) -> None:
        until = time.monotonic() + GRACE_S
        while time.monotonic() < until and any(_at_work(query) for query in queries):
            time.sleep(_LOOK_S / 5)
        for query in queries:
            with suppress(*GONE_ERRORS):  # it has ended already, or Spark has
                query.stop()


def _at_work(query: StreamingQuery) -> bool:
    try:
        return query.isActive and bool(query.status["isTriggerActive"])
    except GONE_ERRORS:
        return False


def _property(spark: SparkSession, name: str) -> str | None:
    return spark.sparkContext.getLocalProperty(name)


def _reason(query: StreamingQuery, error: Exception) -> str:
    """A stream's error wraps its cause, and the words of both may quote the data: only ours are repeated."""
    ours = re.search(r"floe: ([^\n]+)", str(error))
    if ours:
        return ours[1].strip()
    java = query._jsq.exception().get()  # Python's error has lost the chain of causes
    return f"its stream ended: {reason_of(Py4JJavaError('', java))}"
