"""The availability check: probes every table, and counts the probes before this one."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import groupby

from ...checks import gauges
from ...checks.availability import SOURCE_DOWN, TableProbe, judge_availability
from ...checks.measured import ProbeHistory
from ...checks.promises.options import SlaOptions
from ...checks.promises.promise import promises
from ...checks.verdict import conclude, errored_part
from ...contract.meaning.sla_kinds import Kind
from ...results import CheckResult, Outcome
from ..source.binding import Unbound
from ..store.protocol import SlotOutcome
from ..store.slots import expected_slots
from .context import CheckContext, Checked, Values
from .engine import Engine, Window


def check_availability(now: CheckContext, engine: Engine) -> Checked:
    """Probes every table and judges; a contract that says nowhere where its data is has nothing to probe."""
    if now.past:
        return Checked(now.skip("past_slot"))
    tables = list(now.tables(engine))
    unbound = [(table, where) for table, where in tables if isinstance(where, Unbound)]
    if unbound:
        if all(where.silent for _, where in unbound) and not _is_promised(now):
            return Checked(now.skip("no_source"))
        parts = [errored_part(table.name, where.reason) for table, where in unbound]
        return Checked(conclude("availability", now.contract, parts))
    probes = [
        TableProbe(
            table,
            engine.probe(where, limit_s=now.limit_s),
            was_there=now.last_schema(now.table_key(where)) is not None,
        )
        for table, where in tables
        if not isinstance(where, Unbound)
    ]
    return Checked(_judge(now, probes))


def _judge(now: CheckContext, probes: list[TableProbe]) -> CheckResult:
    before = now.gauge(gauges.UP, now.as_of_us - window_us(now))
    return judge_availability(now.contract, probes, probe_history(before, now.window, now.before()))


def _is_promised(now: CheckContext) -> bool:
    return any(
        promise.kind is Kind.AVAILABILITY for table in now.contract.objects for promise in promises(now.contract, table)
    )


def window_us(now: CheckContext) -> int:
    """The longest window that any promise about availability asks for."""
    windows = [
        promise.options.window_us
        for table in now.contract.objects
        for promise in promises(now.contract, table)
        if promise.kind is Kind.AVAILABILITY
    ]
    return max(windows, default=SlaOptions().window_us)


def probe_history(before: Values, slot: Window, outcomes: Sequence[SlotOutcome] = ()) -> ProbeHistory:
    """Earlier probes, newest first; one is expected for every slot since the first, this one included."""
    ups = [bool(value) for _, value in before]
    interval_us = slot.until_us - slot.since_us
    first_us = min((at_us for at_us, _ in before), default=None)
    expected = expected_slots(first_us, slot.until_us, interval_us) if first_us is not None and interval_us else None
    return ProbeHistory(
        good=sum(ups),
        bad=len(ups) - sum(ups),
        failed_in_a_row=_failed_in_a_row(outcomes, _leading_failures(ups)),
        outages=_outages(ups),
        expected=expected,
    )


def _failed_in_a_row(outcomes: Sequence[SlotOutcome], at_most: int) -> dict[str, int]:
    """By table. Only so many outcomes are looked at: who failed in all of them failed as long as the contract did."""
    judged = [
        outcome.result.findings for outcome in outcomes if outcome.result.outcome in (Outcome.PASSED, Outcome.VIOLATED)
    ]
    down = [{item.element for item in findings if item.rule == SOURCE_DOWN} for findings in judged]
    counted = {name: _leading_failures([name not in each for each in down]) for name in (down[0] if down else ())}
    return {name: at_most if count == len(down) else min(count, at_most) for name, count in counted.items()}


def _leading_failures(ups: Sequence[bool]) -> int:
    return next((index for index, up in enumerate(ups) if up), len(ups))


def _outages(ups: Iterable[bool]) -> int:
    return sum(1 for up, run in groupby(ups) if not up and len(list(run)) > 1)
