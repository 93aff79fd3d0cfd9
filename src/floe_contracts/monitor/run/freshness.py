"""The freshness check: asks for the newest time, an arrival or a latency, as each promise needs, each question once."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace

from ...checks.freshness.ages import quantile_of
from ...checks.freshness.deadlines import newest_due
from ...checks.freshness.judge import Measured, MeasuredPromise, judge_freshness
from ...checks.measured import Arrival, Clock, Failure
from ...checks.promises.context import PromiseContext
from ...checks.promises.promise import ClockChoice, Promise, arrival_of, clock_of, explain_no_arrival, promises
from ...checks.verdict import Streaks, count_streaks
from ...contract.meaning.sla_kinds import Kind
from ...contract.model import SchemaObject
from ...results import Outcome
from ..source.binding import Binding, Unbound
from ..source.server_types import Reach
from .context import CheckContext, Checked
from .engine import Engine


def check_freshness(now: CheckContext, engine: Engine) -> Checked:
    """Every promise about when data is there, for every table."""
    questions = _Questions(now, engine)
    answers = [answer for table, where in now.tables(engine) for answer in questions.answers(table, where)]
    result = judge_freshness(
        now.contract,
        answers,
        as_of_us=now.as_of_us,
        calendars=now.target.calendars,
        streaks=current_streaks(now),
        privacy=now.target.privacy,
    )
    return Checked(result)


def current_streaks(now: CheckContext) -> Streaks:
    """How often each violation stood in the slots before this one; slots without a verdict are not gaps."""
    judged = (Outcome.PASSED, Outcome.VIOLATED)
    return count_streaks([outcome.result.findings for outcome in now.before() if outcome.result.outcome in judged])


@dataclass(frozen=True, slots=True)
class _Questions:
    """Questions to the engine, remembered so that two promises about one clock cost one look."""

    now: CheckContext
    engine: Engine
    _clocks: dict[tuple[object, ...], Clock | Failure] = field(default_factory=dict)

    def answers(self, table: SchemaObject, where: Binding | Unbound) -> Iterator[MeasuredPromise]:
        for promise in promises(self.now.contract, table):
            if promise.check != "freshness":
                continue
            if isinstance(where, Unbound):
                yield MeasuredPromise(promise, Failure(where.reason))
            elif promise.problem or self.now.is_gone(where):
                yield MeasuredPromise(
                    promise, Failure(promise.problem or "the slot is over"), past=self.now.is_gone(where)
                )
            else:
                yield MeasuredPromise(promise, self._measure(promise, where))

    def _measure(self, promise: Promise, binding: Binding) -> Measured:
        choice = clock_of(self.now.contract, promise, binding.timestamp_column or None)
        if promise.kind is Kind.LATENCY:
            return self._latency(promise, choice, binding)
        if promise.kind is Kind.TIME_OF_AVAILABILITY:
            return self._arrival(promise, choice, binding)
        return self._clock(promise, choice, binding)

    def _clock(self, promise: Promise, choice: ClockChoice, binding: Binding) -> Clock | Failure:
        skew, group = promise.options.skew_us, promise.options.group_by
        question = (promise.table.name, choice, skew, group)
        if question not in self._clocks:
            clock = self.engine.clock(
                binding,
                choice,
                as_of_us=self.now.as_of_us,
                skew_us=skew,
                group_by=group,
                limit_s=self.now.limit_s,
            )
            self._clocks[question] = _explain_clock(clock, choice, self.now.contract.key)
        return self._clocks[question]

    def _arrival(self, promise: Promise, choice: ClockChoice, binding: Binding) -> Arrival | Failure:
        calendar = self.now.target.calendars.get(promise.options.calendar)
        due = newest_due(PromiseContext(promise, self.now.as_of_us, calendar))
        if due is None:
            return Arrival(False, "no deadline has passed")
        return self.engine.arrival(binding, choice, since_us=due.day_starts_us, limit_s=self.now.limit_s)

    def _latency(self, promise: Promise, choice: ClockChoice, binding: Binding) -> Measured:
        if choice.path is None:
            return Failure("its SLA names no column with the time of the event; add element: to it")
        arrival = arrival_of(self.now.contract, promise)
        if arrival is None and binding.reach is not Reach.KAFKA:  # Kafka keeps the time of arrival itself
            return Failure(explain_no_arrival(self.now.contract))
        return self.engine.latency(
            binding,
            choice,
            arrival,
            quantile=quantile_of(promise.name),
            window=self.now.arrivals,
            limit_s=self.now.limit_s,
        )


def _explain_clock(clock: Clock | Failure, choice: ClockChoice, key: str) -> Clock | Failure:
    """The clock with the reason for its choice; where there is none, the failure with what to write."""
    if isinstance(clock, Clock):
        return replace(clock, how=f"{clock.how} ({choice.why})")
    if choice.path is not None:
        return clock
    fix = f"name a column: element: of the SLA, or timestamp_column: under connections.{key}"
    return Failure(f"{clock.reason}; {choice.why}; {fix}")
