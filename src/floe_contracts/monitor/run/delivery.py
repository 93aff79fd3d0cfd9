"""The seam between results and whoever is told of them.

A Sink is told of every single result: it renders messages before the result is committed, and delivers them later, in
order, as often as it takes. A Mirror shows where all series of a group stand: it gets absolute totals, so that it may
lose everything and be right again with the next push. Both live in adapters/sinks; `app.monitor.drain` drives them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol, TypeAlias, TypeVar, runtime_checkable

from ..pipeline.step import StepRun
from ..store.outbox import Backlog, Message, MetricsGroup, Pending
from ..store.protocol import Claim, SeriesTotals, SlotOutcome
from ..store.slots import Series
from .targets import Target


@dataclass(frozen=True, slots=True)
class NewResult:
    """One result about to be committed, with what stood before it: the slot's own last attempt, then earlier slots."""

    target: Target
    outcome: SlotOutcome
    before: Callable[[], tuple[SlotOutcome, ...]] = tuple


@dataclass(frozen=True, slots=True)
class Attempt:
    """An attempt that is under way, by what its ids are made of."""

    claim: Claim
    start_us: int


@dataclass(frozen=True, slots=True)
class NewStep:
    """One step of a pipeline about to be committed; a transform knows the pipeline that it belongs to."""

    step: StepRun
    outcome: SlotOutcome
    pipeline: Attempt | None = None


@dataclass(frozen=True, slots=True)
class Delivered:
    """The other side has it."""


@dataclass(frozen=True, slots=True)
class Retry:
    """Not now: no connection, no answer, 5xx or 429. The reason holds no address and no credential."""

    reason: str
    after_s: float | None = None  # as Retry-After says


@dataclass(frozen=True, slots=True)
class MessageRefused:
    """Never: the other side says that the message itself is wrong, as 400 and 422 do."""

    reason: str


New = TypeVar("New")
Delivery: TypeAlias = "Delivered | Retry | MessageRefused"


class Sink(Protocol):
    """`name` is the key in the outbox: stable, and another one for another address where both must be told."""

    @property
    def name(self) -> str: ...

    def messages(self, result: NewResult) -> Iterable[Message]:
        """What to tell, as the bytes that will go over the wire; pure, and the same for the same result."""

    def deliver(self, pending: Pending, limit_s: float) -> Delivery:
        """One try within the limit; an exception counts as Retry."""


@runtime_checkable
class StepSink(Sink, Protocol):
    """A sink that is told of pipelines too."""

    def step_messages(self, new: NewStep) -> Iterable[Message]:
        """What to tell of a step, as of a result."""


class Mirror(Protocol):
    """Pushed one group at a time, under a lock of that group that holds across processes."""

    @property
    def name(self) -> str: ...

    def push(
        self, group: MetricsGroup, totals: Mapping[Series, SeriesTotals], backlog: Sequence[Backlog], limit_s: float
    ) -> Delivery:
        """Show exactly these series of the group; none at all means to remove the group."""


def messages_for(
    result: NewResult, sinks: Sequence[Sink], crashed: Callable[[str, Exception], None] = lambda _, __: None
) -> tuple[Message, ...]:
    """What all sinks have to say of a result; one that cannot render must not cost the others theirs, nor the result.

    Under `warn` a result is in the log and in the history, and no sink gets it.
    """
    if not result.outcome.published:
        return ()
    return tuple(message for sink in sinks for message in _render(sink.messages, result, sink.name, crashed))


def step_messages_for(
    new: NewStep, sinks: Sequence[Sink], crashed: Callable[[str, Exception], None]
) -> tuple[Message, ...]:
    """The same for a step, of those sinks that are told of pipelines."""
    step_sinks = (sink for sink in sinks if isinstance(sink, StepSink))
    return tuple(message for sink in step_sinks for message in _render(sink.step_messages, new, sink.name, crashed))


def _render(
    messages: Callable[[New], Iterable[Message]], new: New, sink: str, crashed: Callable[[str, Exception], None]
) -> tuple[Message, ...]:
    try:
        return tuple(messages(new))
    except Exception as error:  # as above
        crashed(sink, error)
        return ()
