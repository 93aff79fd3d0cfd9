"""The stream job from its options to its report: settings, contracts, store, session, and a clean end."""

from __future__ import annotations

import os
import re
import signal
import threading
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from types import FrameType

from ... import __version__
from ...adapters.spark.session.start import session_for_run
from ...adapters.spark.stream.queries import Following, StreamPace
from ...errors import FloeError
from ...monitor.run.targets import Target, chosen
from ...monitor.settings.model import Enforcement
from ...monitor.settings.namespace import namespace_of
from ...monitor.source.binding import Binding, bind
from ...monitor.store.protocol import Store
from ...results import Report
from .log import RunLog
from .project import opened_store, project_here
from .sinks import load_sinks
from .stream_job import StreamJob
from .targets import file_targets

_COMMAND = "monitor run stream"


@dataclass(frozen=True, slots=True)
class StreamRequest:
    """One run as its options say it."""

    contracts: tuple[str, ...] = ()
    checkpoint: str = ""
    every_s: float | None = None  # None: what is there now
    late_us: int | None = None
    config: str = ""
    store: str = ""
    only: tuple[str, ...] = ()
    server: str = ""
    connection: tuple[str, ...] = ()
    dry_run: bool = False
    fail_on_error: bool = False
    limit_s: float = 600.0


def follow(
    request: StreamRequest,
    log: RunLog,
    environ: Mapping[str, str] = os.environ,
    stopping: threading.Event | None = None,
) -> Report:
    """Follow what the contracts name; returns when everything is read, or after a signal to end."""
    project = project_here(request.config)
    if not project.config.data_contracts.monitoring.enabled:
        note = "Monitoring is switched off (data_contracts.monitoring.enabled is false); nothing was followed."
        return Report(_COMMAND, __version__, notes=(note,), fail_on="enforced")
    every = file_targets(project, request.contracts, server=request.server, connection=request.connection)
    wanted = chosen(every, request.only)
    targets = [target for target in wanted if target.enforcement is not Enforcement.OFF]
    if not targets:
        off = ("The enforcement of every contract is off; nothing was followed.",) if wanted else ()
        return Report(_COMMAND, __version__, notes=off, fail_on="enforced", allow_empty=bool(wanted))
    streams, problems = followings(targets)
    if request.dry_run:
        notes = [f"{stream.name} would follow {stream.binding.source}." for stream in streams]
        notes += [f"{target.name} cannot be followed: {reason}." for target, reason in problems]
        return Report(_COMMAND, __version__, notes=tuple(notes), fail_on="enforced")
    stopping = stopping or threading.Event()
    with opened_store(project, request.store) as store, _alone(store, request.checkpoint), _ending(stopping):
        job = StreamJob(
            namespace=namespace_of(project.config.observability, environ.get("OPENLINEAGE_NAMESPACE", "")),
            monitoring=project.config.data_contracts.monitoring,
            store=store,
            outlets=load_sinks(project.config, environ),
            log=log,
            late_us=request.late_us,
            limit_s=request.limit_s,
            fail_on_error=request.fail_on_error,
            stopping=stopping,
        )
        for target, reason in problems:
            job.failed(target, target.name, reason)
        with session_for_run("floe stream") as spark:
            return job.run(spark, streams, StreamPace(_absolute(request.checkpoint), request.every_s))


def followings(targets: Sequence[Target]) -> tuple[list[Following], list[tuple[Target, str]]]:
    """Every table that can be followed, and why the others cannot."""
    streams: list[Following] = []
    problems: list[tuple[Target, str]] = []
    for target in targets:
        if target.problem:
            problems.append((target, target.problem))
            continue
        for table in target.contract.objects:
            where = bind(target.contract, table, target.where)
            if isinstance(where, Binding):
                streams.append(Following(target, where))
            else:
                problems.append((target, where.reason))
    return streams, problems


@contextmanager
def _alone(store: Store, checkpoint: str) -> Iterator[None]:
    """Two processes on one checkpoint would undo each other's work, and Spark notices it only when it is too late."""
    with store.lock(f"stream {_absolute(checkpoint)}", 0.0) as held:
        if not held:
            raise FloeError(
                f"another process follows the streams of the checkpoint {checkpoint}",
                fix="Stop it first, or give this one a --checkpoint of its own.",
            )
        yield


@contextmanager
def _ending(stopping: threading.Event) -> Iterator[None]:
    """SIGTERM and Ctrl-C end the job between two batches; a second one ends it at once."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return

    def end(_: int, __: FrameType | None) -> None:
        if stopping.is_set():
            raise KeyboardInterrupt
        stopping.set()

    before = {number: signal.signal(number, end) for number in (signal.SIGTERM, signal.SIGINT)}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def _absolute(checkpoint: str) -> str:
    """A folder on this disk whatever the working folder is; addresses stay as they are."""
    return checkpoint if re.match(r"[A-Za-z][A-Za-z0-9+.-]+:", checkpoint) else os.path.abspath(checkpoint)
