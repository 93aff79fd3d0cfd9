"""What waits to be told: messages with their bytes, and groups of totals that a mirror has not seen yet.

A message is written in the transaction of the slot it tells of, so there is no result without its messages and no
message without its result. It is deleted when it was delivered. Whoever dies in between delivers it twice, with the
same bytes.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Protocol

from .slots import Kind


@dataclass(frozen=True, slots=True)
class Message:
    """One thing to tell to one sink; `kind` is for people (`START`, `FAIL`), the bytes are for the wire."""

    sink: str
    kind: str
    body: bytes = field(repr=False)


@dataclass(frozen=True, slots=True)
class Pending:
    """A message that waits. Those of one `series` stay in order; `slot`, `attempt` and `sequence` name it for ever."""

    id: int
    message: Message
    series: str
    slot: str
    attempt: int
    sequence: int
    since_us: int = 0  # when it was written
    tries: int = 0
    due_us: int = 0  # not before; 0: at any time
    reason: str = ""  # why the last try failed


@dataclass(frozen=True, slots=True)
class Backlog:
    """How much waits for one sink; dead letters were refused for good and wait for a person."""

    sink: str
    pending: int = 0
    dead: int = 0
    oldest_us: int | None = None
    reason: str = ""  # of the oldest that failed


@dataclass(frozen=True, slots=True)
class MetricsGroup:
    """All series of one check in one namespace; the revision changes with every commit, 0 says that none is left."""

    namespace: str
    check_type: Kind
    revision: int


class Outbox(Protocol):
    """The part of a store that deliveries work with; times are UTC microseconds and come from the caller."""

    def pending(self, sink: str, *, after: int = 0, limit: int = 100) -> tuple[Pending, ...]:
        """The oldest messages with an id above `after`, in the order in which they are to be delivered."""

    def mark_delivered(self, message: Pending) -> None: ...

    def mark_failed(self, message: Pending, reason: str, due_us: int = 0) -> None:
        """One more try was in vain."""

    def bury(self, message: Pending, reason: str) -> None:
        """Refused for good: kept as a dead letter, in nobody's way."""

    def revive(self, sink: str) -> int:
        """Dead letters wait again, in their old order; how many."""

    def backlog(self) -> tuple[Backlog, ...]:
        """By name of the sink; sinks for which nothing waits are left out."""

    def groups(self) -> tuple[MetricsGroup, ...]:
        """All groups as they stand."""

    def unpushed(self, mirror: str) -> tuple[MetricsGroup, ...]:
        """Groups that changed since this mirror had them; one with revision 0 is to be removed there."""

    def mark_pushed(self, mirror: str, group: MetricsGroup) -> None:
        """The mirror now shows this revision."""
