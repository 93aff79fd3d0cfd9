"""The log of a run while it runs: a line of progress for people, or one JSON line per result for machines.

Under spark-submit everything that a job writes to standard error comes out on standard output.
"""

from __future__ import annotations

import json
import sys
import time
import traceback
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from threading import Lock
from typing import TextIO

from ...adapters.process.console import Console
from ...checks.moments import iso
from ...errors import FloeError
from ...monitor.run.run import Request
from ...monitor.run.targets import Target
from ...results import CheckResult, Outcome, Report, decide
from ...results.facts import RunFacts, shown, status_of, threshold_and_value

PATIENCE_S = 2.0  # a run that ends before needs no progress
_REFRESH_S, _LINE_S = 0.2, 10.0  # on a terminal, and in a log
_LEVELS = {Outcome.ERRORED: "error", Outcome.VIOLATED: "warning"}


class RunLog:
    """Standard error of one run; contracts are checked in several threads, lines come one after the other."""

    def __init__(
        self,
        console: Console,
        stream: TextIO | None = None,
        *,
        quiet: bool = False,
        seconds: Callable[[], float] = time.monotonic,
    ) -> None:
        self._stream, self._quiet, self._seconds = stream or sys.stderr, quiet, seconds
        self._lock = Lock()
        self.trouble: tuple[str, ...] = ()  # what nobody foresaw, for the notes of the report
        self._machines = console.log_format == "json"
        self._live = not self._machines and self._stream.isatty()
        self._next = float("inf")
        self._done = self._total = 0
        self._shown = False

    @contextmanager
    def show_progress(self, requests: Sequence[Request], targets: Sequence[Target]) -> Iterator[None]:
        """Progress over so many results; the live line is gone afterwards."""
        self._total, self._next = len(requests) * len(targets), self._seconds() + PATIENCE_S
        try:
            yield
        finally:
            self._next = float("inf")
            if self._shown and self._live:
                self._write("\r\x1b[K")

    def count(self, result: CheckResult) -> None:
        """Count a result, and show it to machines."""
        with self._lock:
            self._done += 1
            if self._machines:
                self._lines_of(result)
            elif not self._quiet and self._seconds() >= self._next:
                self._next = self._seconds() + (_REFRESH_S if self._live else _LINE_S)
                self._shown = True
                text = f"checked {self._done:,} of {self._total:,} …"
                self._write(f"\r{text}" if self._live else f"{text}\n")

    def note_crash(self, target: Target, error: Exception) -> None:
        """Note an unforeseen error by place and type; its words may hold data and are left out."""
        self._write_trouble("error", "Internal error", contract=target.name, **crash_fields(error))

    def note_unrendered(self, sink: str, error: Exception) -> None:
        """Note a sink that could not render a result."""
        self._write_trouble("error", "Internal error of a sink", sink=sink, error=type(error).__name__)

    def note_end(self, slots: int) -> None:
        """Say that the run was ended before it was done."""
        given = f"{slots} slot{'s'[: slots != 1]} under way given back" if slots else "no slot was under way"
        message = f"Told to end before everything was checked: {given}; the next run checks what is missing."
        if self._machines:
            self._line("warning", message)
        else:
            self._write(("\r\x1b[K" if self._live else "") + f"{message}\n")

    def finish(self, report: Report) -> None:
        """The verdict, for machines; people read it in the report."""
        if self._machines:
            for note in report.notes:
                self._line("warning", note)
            outcomes = {outcome.value: sum(each.outcome is outcome for each in report.results) for outcome in Outcome}
            self._line("info", "Run finished", verdict=report.verdict, exit_code=int(decide(report)), **outcomes)

    def _lines_of(self, result: CheckResult) -> None:
        run = result.run or RunFacts()
        about = {"contract": result.contract, "check_type": result.check, "slot": run.slot}
        for item in result.findings:
            level = {"info": "info", "warning": "warning"}.get(item.severity.value, "error")
            kind = item.violation_type.value if item.violation_type else ""
            what = "Contract violation" if kind else "Contract could not be checked"
            more = {"code": item.code.id, "type": kind, "severity": item.severity.value, "element": item.element}
            self._line(level, what, **about, **more, detail=item.message)
        threshold, value = threshold_and_value(result.facts)
        skipped = (run.skipped.value,) if run.skipped else ()
        named = {
            "attempt": "" if run.attempt is None else str(run.attempt),
            "enforcement": run.enforcement,
            "repeated": "true" if run.repeated else "",
            "status": ", ".join((*skipped, *status_of(result.facts))),
            "value": shown(value),
            "threshold": shown(threshold),
            "slice": run.slice,
        }
        level = _LEVELS.get(result.outcome, "info")
        self._line(level, "Contract checked", **about, outcome=result.outcome.value, **named)

    def _write_trouble(self, level: str, message: str, **fields: str) -> None:
        with self._lock:
            if self._machines:
                self._line(level, message, **fields)
            words = " ".join(f"{key}={text}" for key, text in fields.items())
            self.trouble = (*self.trouble, f"{message}: {words}")

    def _line(self, level: str, message: str, **fields: str | int) -> None:
        """Keys without a value are left out; forged commands of CI systems are broken."""
        kept = {key: value for key, value in fields.items() if value != ""}
        text = json.dumps({"time": iso(time.time_ns() // 1000), "level": level, "message": message, **kept})
        self._write(text.replace("##[", "##\\u005b") + "\n")

    def _write(self, text: str) -> None:
        """Write to the log; where nobody reads it any more, the run goes on without."""
        with suppress(OSError):
            self._stream.write(text)
            self._stream.flush()


def crash_fields(error: Exception) -> dict[str, str]:
    """What an unforeseen error was and where it was raised, without its own words; of a plugin's error the cause."""
    cause = error.__cause__ if isinstance(error, FloeError) and error.__cause__ else error
    where = " > ".join(_frame(frame) for frame in traceback.extract_tb(cause.__traceback__)[-8:])
    return {"error": type(cause).__name__, "at": where}


def _frame(frame: traceback.FrameSummary) -> str:
    return f"{Path(frame.filename).name}:{frame.lineno} {frame.name}"
