"""What a run over streams adds up to: the worst result of each contract and check, and rows by stream."""

from __future__ import annotations

from dataclasses import dataclass, field
from threading import Lock

from .... import __version__
from ....checks import context_keys as keys
from ....results import FAIL_ON_ERROR, CheckResult, Outcome, Report

_BADNESS = (Outcome.SKIPPED, Outcome.PASSED, Outcome.ERRORED, Outcome.VIOLATED)
_COUNTED = {keys.ROWS: "rows", keys.UNREADABLE_ROWS: "unreadable", keys.BAD_ROWS: "bad", keys.LATE_ROWS: "late"}


@dataclass
class _Counts:
    batches: set[int] = field(default_factory=set)
    repeated: set[int] = field(default_factory=set)
    numbers: dict[str, int] = field(default_factory=dict)


@dataclass
class Totals:
    """Streams report from threads of their own."""

    changed: bool = False
    _worst: dict[tuple[str, str], CheckResult] = field(default_factory=dict)
    _counts: dict[str, _Counts] = field(default_factory=dict)
    _lock: Lock = field(default_factory=Lock)

    def add(self, stream: str, batch: int | None, result: CheckResult) -> None:
        """One result of one batch; one that was counted by an earlier process is shown and not counted."""
        with self._lock:
            self.changed = True
            key = (result.contract, result.check)
            if key not in self._worst or _badness(result) >= _badness(self._worst[key]):
                self._worst[key] = result
            if batch is None:
                return
            said = dict(result.context)
            counts = self._counts.setdefault(stream, _Counts())
            if said.get("repeated"):
                counts.repeated.add(batch)
                return
            counts.batches.add(batch)
            for name in _COUNTED:
                if name in said and (name != keys.ROWS or result.check == "quality"):
                    counts.numbers[name] = counts.numbers.get(name, 0) + int(said[name])

    def notes(self) -> tuple[str, ...]:
        """One line for each stream."""
        return tuple(f"{name}: {_said(counts)}" for name, counts in sorted(self._counts.items()))

    def report(self, namespace: str, notes: tuple[str, ...], *, fail_on_error: bool) -> Report:
        context = {"check": "stream", "namespace": namespace, FAIL_ON_ERROR: "true" if fail_on_error else ""}
        return Report(
            command="monitor run stream",
            tool_version=__version__,
            results=tuple(self._worst.values()),
            context=tuple((key, text) for key, text in context.items() if text),
            notes=notes if self._worst else (*notes, "There was no new data."),
            fail_on="enforced",
        )


def _badness(result: CheckResult) -> tuple[int, int]:
    return _BADNESS.index(result.outcome), max((item.severity.rank for item in result.findings), default=0)


def _said(counts: _Counts) -> str:
    number = len(counts.batches)
    parts = [f"{number:,} {'batch' if number == 1 else 'batches'}"]
    parts += [f"{counts.numbers[name]:,} {word}" for name, word in _COUNTED.items() if name in counts.numbers]
    if counts.repeated:
        parts.append(f"{len(counts.repeated):,} counted before")
    return ", ".join(parts)
