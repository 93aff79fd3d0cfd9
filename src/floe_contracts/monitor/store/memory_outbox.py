"""The outbox of a store that lives as long as its process."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from threading import Lock
from typing import TypeAlias

from .outbox import Backlog, Message, MetricsGroup, Pending
from .protocol import SlotOutcome
from .slots import Kind

Revisions: TypeAlias = "Mapping[tuple[str, Kind], int]"


@dataclass(slots=True)
class MemoryOutbox:
    """All rules of `monitor.store.outbox`; `revisions` says where the groups of its store stand."""

    revisions: Callable[[], Revisions]
    _waiting: dict[int, Pending] = field(default_factory=dict)
    _dead: dict[int, Pending] = field(default_factory=dict)
    _seen: dict[str, dict[tuple[str, Kind], int]] = field(default_factory=dict)
    _last_id: int = 0
    _lock: Lock = field(default_factory=Lock)

    def write(self, outcome: SlotOutcome, messages: Iterable[Message], now_us: int) -> None:
        """For the store alone: messages of an outcome that it commits."""
        with self._lock:
            series, slot, attempt = str(outcome.key.series), str(outcome.key), outcome.claim.attempt
            for sequence, message in enumerate(messages):
                self._last_id += 1
                entry = Pending(self._last_id, message, series, slot, attempt, sequence, now_us)
                self._waiting[entry.id] = entry

    def pending(self, sink: str, *, after: int = 0, limit: int = 100) -> tuple[Pending, ...]:
        with self._lock:
            messages = [entry for entry in self._waiting.values() if entry.message.sink == sink and entry.id > after]
        return tuple(sorted(messages, key=lambda entry: entry.id)[:limit])

    def mark_delivered(self, message: Pending) -> None:
        with self._lock:
            self._waiting.pop(message.id, None)

    def mark_failed(self, message: Pending, reason: str, due_us: int = 0) -> None:
        with self._lock:
            entry = self._waiting.get(message.id)
            if entry is not None:
                self._waiting[entry.id] = replace(entry, tries=entry.tries + 1, reason=reason, due_us=due_us)

    def bury(self, message: Pending, reason: str) -> None:
        with self._lock:
            entry = self._waiting.pop(message.id, None)
            if entry is not None:
                self._dead[entry.id] = replace(entry, tries=entry.tries + 1, reason=reason)

    def revive(self, sink: str) -> int:
        with self._lock:
            letters = [entry for entry in self._dead.values() if entry.message.sink == sink]
            for letter in letters:
                self._waiting[letter.id] = replace(self._dead.pop(letter.id), due_us=0)
            return len(letters)

    def backlog(self) -> tuple[Backlog, ...]:
        with self._lock:
            waiting, dead = list(self._waiting.values()), list(self._dead.values())
        return tuple(
            _backlog(sink, [entry for entry in waiting if entry.message.sink == sink], dead)
            for sink in sorted({entry.message.sink for entry in (*waiting, *dead)})
        )

    def forget(self, before_us: int) -> int:
        """For the store alone: dead letters that are older go, messages that wait become dead letters."""
        with self._lock:
            old = [entry.id for entry in self._dead.values() if entry.since_us < before_us]
            for each in old:
                del self._dead[each]
            for entry in [entry for entry in self._waiting.values() if entry.since_us < before_us]:
                self._dead[entry.id] = replace(self._waiting.pop(entry.id), reason=TOO_OLD)
            return len(old)

    def outdate(self, groups: Iterable[tuple[str, Kind]]) -> None:
        """For the store alone: groups that lost a series are to be pushed again, whatever their revision."""
        with self._lock:
            for key in groups:
                for seen in self._seen.values():
                    seen.update({key: -1} if key in seen else {})

    def groups(self) -> tuple[MetricsGroup, ...]:
        return tuple(MetricsGroup(*key, revision) for key, revision in sorted(self.revisions().items()))

    def unpushed(self, mirror: str) -> tuple[MetricsGroup, ...]:
        now = self.revisions()
        with self._lock:
            seen = dict(self._seen.get(mirror, {}))
        gone = {key: 0 for key in seen if key not in now}
        changed = {key: revision for key, revision in now.items() if seen.get(key) != revision}
        return tuple(MetricsGroup(*key, revision) for key, revision in sorted({**changed, **gone}.items()))

    def mark_pushed(self, mirror: str, group: MetricsGroup) -> None:
        with self._lock:
            seen, key = self._seen.setdefault(mirror, {}), (group.namespace, group.check_type)
            if group.revision:
                seen[key] = group.revision
            else:
                seen.pop(key, None)


TOO_OLD = "it could not be delivered for so long that its slot was forgotten"


def _backlog(sink: str, waiting: list[Pending], dead: list[Pending]) -> Backlog:
    refused = [entry for entry in dead if entry.message.sink == sink]
    oldest = min(waiting, key=lambda entry: entry.id, default=None)
    tried = [entry for entry in sorted((*waiting, *refused), key=lambda entry: entry.id) if entry.reason]
    return Backlog(
        sink,
        len(waiting),
        len(refused),
        oldest.since_us if oldest else None,
        tried[0].reason if tried else "",
    )
