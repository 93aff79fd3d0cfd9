"""One micro-batch of one table: the same plan and the same judges as in the jobs, over the rows that are new.

Quality is judged by batch. Age and latency are judged at the moment when the newest row of the batch arrived, so that a
batch that is read late, or once more after a crash, gets the same verdict. Deadlines, schedules, groups and floors of
rows need the whole table and are left to the jobs.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, field, replace

from pyspark.sql import DataFrame

from ....checks.freshness.ages import quantile_of, span_us
from ....checks.freshness.judge import MeasuredPromise, judge_freshness
from ....checks.measured import Clock, Failure, Latency
from ....checks.promises.promise import ClockChoice, Promise, arrival_of, clock_of, explain_no_arrival
from ....checks.quality import TableQuality, judge_quality
from ....checks.rules.results import judge_rules
from ....contract.meaning.duration import Duration
from ....contract.meaning.sla_kinds import Kind
from ....contract.model import Contract, SchemaObject
from ....monitor.run.context import CheckContext, Checked
from ....monitor.run.engine import Surroundings, Window
from ....monitor.run.freshness import current_streaks
from ....monitor.source.binding import Binding, bind
from ....monitor.source.server_types import Reach
from ....monitor.store.protocol import PartitionState
from ....results import CheckResult
from ....results.facts import StreamFacts
from ..clock.clock_answers import STAMPS
from ..engine import SparkEngine
from ..read.messages import ARRIVED, UNREADABLE
from .promises import is_floor, late_promise, plan_batch, readable_rules, row_promises, with_batch, with_late
from .totals import BatchCounts, facts_of, late_rows, readable

_PLAN = "floe/stream/v1"  # under which a store keeps how far a stream has come
_FRAME = "batch"
EVER = Window(1, 253_370_764_800_000_000)  # to the year 9999, the last that literals of every type can tell


@dataclass(frozen=True, slots=True)
class Batch:
    """The new rows of one table; `query` and `number` name the batch for ever."""

    query: str
    number: int
    frame: DataFrame
    binding: Binding
    late_us: int | None = None  # --late-after
    _kept: list[BatchCounts | Failure] = field(default_factory=list)

    @property
    def table(self) -> SchemaObject:
        return self.binding.table

    def judge(self, now: CheckContext) -> Checked:
        """The verdict of one check on this batch."""
        return self._quality(now) if now.check == "quality" else self._freshness(now)

    def facts(self, contract: Contract) -> BatchCounts | Failure:
        if not self._kept:
            self._kept.append(facts_of(self.frame, plan_batch(contract, self.table)))
        return self._kept[0]

    def _quality(self, now: CheckContext) -> Checked:
        plan, facts = plan_batch(now.contract, self.table), self.facts(now.contract)
        judged = replace(now.contract, slas=tuple(sla for sla in now.contract.slas if not is_floor(sla)))
        if isinstance(facts, Failure):
            return Checked(judge_quality(judged, [TableQuality(self.table, skipped=plan.skipped, failure=facts)]))
        values = self._engine().measure(self._bound(), plan, self._surroundings(now))
        if isinstance(values, Failure):
            return Checked(judge_quality(judged, [TableQuality(self.table, skipped=plan.skipped, failure=values)]))
        results = (*readable_rules(self.table, facts), *judge_rules(plan.rules, values.values))
        result = judge_quality(judged, [TableQuality(self.table, results, plan.skipped)])
        counts = StreamFacts(unreadable_rows=facts.unreadable, bad_rows=facts.bad, how=values.how)
        return Checked(self._with_batch(result, facts, counts))

    def _freshness(self, now: CheckContext) -> Checked:
        facts, key = self.facts(now.contract), now.table_key(self.binding, "stream")
        if isinstance(facts, Failure):
            failed = [MeasuredPromise(promise, facts) for promise in row_promises(now.contract, self.table)]
            return Checked(judge_freshness(now.contract, failed, as_of_us=now.as_of_us))
        as_of_us = facts.arrived_us or now.as_of_us
        before = _newest(now, key)
        newest = dict(before)
        answers = [self._answer(now, promise, as_of_us, newest) for promise in row_promises(now.contract, self.table)]
        result = judge_freshness(
            now.contract,
            answers,
            as_of_us=as_of_us,
            calendars=now.target.calendars,
            streaks=current_streaks(now),
            privacy=now.target.privacy,
        )
        late = self._late(now.contract, before)
        with_counts = self._with_batch(with_late(result, self.table, facts, late), facts, StreamFacts())
        state = json.dumps(newest, sort_keys=True).encode()
        return Checked(with_counts, states=(PartitionState(key, _PLAN, self.query, str(self.number), state),))

    def _answer(self, now: CheckContext, promise: Promise, as_of_us: int, newest: dict[str, int]) -> MeasuredPromise:
        choice = clock_of(now.contract, promise, self.binding.timestamp_column or None)
        if promise.problem or choice.path is None:
            return MeasuredPromise(
                promise, Failure(promise.problem or f"a stream has no time of commits; {choice.why}")
            )
        if promise.kind is Kind.LATENCY:
            return MeasuredPromise(promise, self._latency(now, promise, choice))
        skew_us, limit_s = promise.options.skew_us, now.limit_s
        answer = self._engine().clock(
            self._bound(), choice, as_of_us=as_of_us, skew_us=skew_us, group_by="", limit_s=limit_s
        )
        if isinstance(answer, Clock):
            name = ".".join(choice.path)
            known = [moment for moment in (answer.last_us, newest.get(name)) if moment is not None]
            if known:
                newest[name] = max(known)
            answer = replace(answer, last_us=max(known, default=None), how=f"{answer.how} ({choice.why})")
        return MeasuredPromise(promise, answer)

    def _latency(self, now: CheckContext, promise: Promise, event: ClockChoice) -> Latency | Failure:
        arrival = arrival_of(now.contract, promise)
        if arrival is None and ARRIVED not in self.frame.columns:
            return Failure(explain_no_arrival(now.contract))
        return self._engine().latency(
            self._bound(),
            event,
            arrival or STAMPS,
            quantile=quantile_of(promise.name),
            window=EVER,
            limit_s=now.limit_s,
        )

    def _late(self, contract: Contract, before: dict[str, int]) -> tuple[int, int] | None:
        """How many rows were late, and after how long a row is."""
        promise = late_promise(contract, self.table, self.late_us)
        if promise is None:
            return None
        choice = clock_of(contract, promise, self.binding.timestamp_column or None)
        allowed = self.late_us or (span_us(promise.quantity, 0) if isinstance(promise.quantity, Duration) else None)
        if choice.path is None or allowed is None:
            return None
        count = late_rows(readable(self.frame), choice, allowed, before.get(".".join(choice.path)))
        return None if count is None else (count, allowed)

    def _engine(self) -> SparkEngine:
        rows = readable(self.frame)
        rows = rows.drop(UNREADABLE) if UNREADABLE in rows.columns else rows
        return SparkEngine(self.frame.sparkSession, {_FRAME: rows})

    def _bound(self) -> Binding:
        return replace(self.binding, reach=Reach.DATAFRAME, name=_FRAME, filter="")

    def _surroundings(self, now: CheckContext) -> Surroundings:
        tables = ((table.name, bind(now.contract, table, now.target.where)) for table in now.contract.objects)
        others = {name: where for name, where in tables if isinstance(where, Binding) and name != self.table.name}
        return Surroundings(others=others, as_of_us=now.as_of_us, limit_s=now.limit_s)

    def _with_batch(self, result: CheckResult, counts: BatchCounts, facts: StreamFacts) -> CheckResult:
        return with_batch(result, replace(facts, batch=self.number, rows=counts.rows))


def _newest(now: CheckContext, key: str) -> dict[str, int]:
    """The newest time of each clock column in all batches before this one."""
    for part in now.states(key, _PLAN):
        newest = json.loads(part.state)
        return {str(name): int(us) for name, us in newest.items()} if isinstance(newest, dict) else {}
    return {}
