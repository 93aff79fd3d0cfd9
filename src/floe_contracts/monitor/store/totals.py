"""Totals of series: how one more outcome adds to them in every store, and how each series stands by them."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from fnmatch import fnmatchcase

from ...checks.moments import iso, length
from ...errors import UsageError
from ...results import CheckResult, Outcome
from ...results.facts import QualityFacts, StreamFacts
from ..settings.model import CHECKS, MonitoringConfig
from .protocol import (
    DURATION_BOUNDS,
    INTERVAL_GAUGE,
    CounterKey,
    Filled,
    RuleCount,
    RunCount,
    SeriesTotals,
    SlotOutcome,
    Store,
    StreamState,
    Violation,
    counts_rules,
    stream_names,
)
from .slots import STEPS, Series, expected_slots


def add_outcome(before: SeriesTotals, outcome: SlotOutcome) -> SeriesTotals:
    """The totals after one more outcome; durations count only what is published."""
    errored = outcome.result.outcome is Outcome.ERRORED
    newest = before.as_of_us is None or outcome.as_of_us >= before.as_of_us
    after = replace(
        before,
        label=outcome.label or before.label,
        project=outcome.project or before.project,
        gone_us=None,
        version=outcome.version or before.version,
        errors=before.errors + errored,
        rules=_count_rules(before.rules, outcome),
        runs=_count_runs(before.runs, outcome),
        last_run_us=_later(before.last_run_us, outcome.slot_us),
        last_done_us=before.last_done_us if errored else _later(before.last_done_us, outcome.slot_us),
    )
    after = _move_state(after, outcome) if newest else after
    counted = outcome.runs is not None and outcome.claim.previous is not None
    return _count_duration(after, outcome.seconds) if outcome.published and not counted else after


def add_violations(before: SeriesTotals, new: Iterable[Violation]) -> SeriesTotals:
    """The totals with violations that were not counted yet."""
    counters: dict[CounterKey, int] = dict(before.counters)
    for violation in new:
        counters[violation.type, violation.severity] = counters.get((violation.type, violation.severity), 0) + 1
    return replace(before, counters=counters)


def _count_rules(before: RuleCount, outcome: SlotOutcome) -> RuleCount:
    return before.plus(outcome.rules) if outcome.rules is not None and counts_rules(outcome) else before


def _count_runs(before: RunCount, outcome: SlotOutcome) -> RunCount:
    """What this attempt adds to what the attempts before it counted."""
    last = outcome.claim.previous
    known = (last.runs if last else None) or RunCount()
    new = outcome.runs or known
    return RunCount(before.runs + new.runs - known.runs, before.failures + new.failures - known.failures)


def _move_state(before: SeriesTotals, outcome: SlotOutcome) -> SeriesTotals:
    streams = _move_streams(before, outcome)
    worst = max(streams.values(), key=lambda stream: (_WORSE[stream.state], stream.as_of_us), default=None)
    state, gauges = outcome.result.outcome, _merge_gauges(before, outcome)
    if worst is not None:
        state, gauges = worst.state, dict(worst.gauges) if outcome.published else {}
    return replace(
        before,
        as_of_us=outcome.as_of_us,
        interval_us=outcome.key.interval_us or before.interval_us,
        state=state,
        since_us=before.since_us if state is before.state else outcome.slot_us,
        gauges=gauges,
        published=outcome.published,
        streams=streams,
    )


_WORSE = {Outcome.SKIPPED: 0, Outcome.PASSED: 1, Outcome.ERRORED: 2, Outcome.VIOLATED: 3}


def _move_streams(before: SeriesTotals, outcome: SlotOutcome) -> dict[str, StreamState]:
    """The streams with this one as it stands now; none where the outcome is of all tables at once."""
    names = stream_names(outcome.key.run_id)
    if not names:
        return {}
    last = before.streams.get(names[0])
    gauges = _merge_gauges(replace(before, gauges={**_interval(before), **(last.gauges if last else {})}), outcome)
    return {**before.streams, names[0]: StreamState(outcome.result.outcome, outcome.as_of_us, gauges)}


def _interval(before: SeriesTotals) -> dict[str, Decimal]:
    return {name: value for name, value in before.gauges.items() if name == INTERVAL_GAUGE}


def _merge_gauges(before: SeriesTotals, outcome: SlotOutcome) -> dict[str, Decimal]:
    """What a check no longer measures goes when it was done again; a check after a run says nothing of intervals."""
    if not outcome.published:
        return {}
    done = outcome.result.outcome in (Outcome.PASSED, Outcome.VIOLATED)
    kept = {name: value for name, value in before.gauges.items() if not done or name == INTERVAL_GAUGE}
    return {**kept, **dict(outcome.gauges)}


def _count_duration(before: SeriesTotals, seconds: Decimal) -> SeriesTotals:
    buckets = list(before.durations or (0,) * (len(DURATION_BOUNDS) + 1))
    buckets[bisect_left(DURATION_BOUNDS, seconds)] += 1
    return replace(before, durations=tuple(buckets), duration_sum=before.duration_sum + seconds)


def _later(before_us: int | None, now_us: int) -> int:
    return now_us if before_us is None else max(before_us, now_us)


def rules_in(result: CheckResult) -> RuleCount | None:
    """The rules that a result judged; None where it judged none, or was not done and may be tried again."""
    facts = result.facts.check if isinstance(result.facts, StreamFacts) else result.facts
    if result.outcome not in (Outcome.PASSED, Outcome.VIOLATED) or not isinstance(facts, QualityFacts):
        return None
    if facts.rules is None or facts.rules_failed is None or facts.rules_failed < 0:
        return None
    passed = facts.rules - facts.rules_failed
    return RuleCount(passed, facts.rules_failed) if facts.rules >= max(1, facts.rules_failed) else None


@dataclass(frozen=True, slots=True)
class SeriesStatus:
    """One check of one contract; `missed` of `expected` slots in the window have no result."""

    series: Series
    totals: SeriesTotals
    expected: int = 0
    missed: int = 0

    @property
    def name(self) -> str:
        return self.totals.label or self.series.contract


def list_statuses(
    store: Store, *, since_us: int, now_us: int, only: Sequence[str] = (), gone: bool = False
) -> tuple[SeriesStatus, ...]:
    """The status of every series, by namespace, name and check; `only` chooses by name or key, with `*` and `?`.

    Series whose contracts are gone are left out, unless `gone` asks for them too.
    """
    statuses: list[SeriesStatus] = []
    for namespace in store.namespaces():
        filled = store.filled(namespace, since_us)
        for series, totals in store.totals(namespace).items():
            if series.check_type in STEPS:  # of a pipeline, which promises nothing
                continue
            status = _status_of(series, totals, filled.get((series, totals.interval_us)), (since_us, now_us))
            if fits((status.name, series.contract), only) and (gone or totals.gone_us is None):
                statuses.append(status)
    return tuple(sorted(statuses, key=lambda status: (status.series.namespace, status.name, status.series.major)))


def fits(names: Sequence[str], only: Iterable[str]) -> bool:
    """Whether what has these names is among those that were asked for; all are when nobody asked."""
    patterns = tuple(only)
    return not patterns or any(fnmatchcase(name, pattern) for name in names for pattern in patterns)


def _status_of(series: Series, totals: SeriesTotals, filled: Filled | None, window: tuple[int, int]) -> SeriesStatus:
    since_us, now_us = window
    if not totals.interval_us or totals.last_run_us is None:  # checks after a run have no slots to miss
        return SeriesStatus(series, totals)
    known_before = totals.since_us is not None and totals.since_us < since_us
    first_us = filled.first_us if filled is not None and not known_before else since_us
    # A slot counts as due when it is over, or when it was run already.
    until_us = max(now_us - totals.interval_us, totals.last_run_us + 1)
    expected = expected_slots(first_us, until_us, totals.interval_us)
    return SeriesStatus(series, totals, expected, max(0, expected - (filled.slots if filled is not None else 0)))


def refuse_recent(before_us: int, store: Store, config: MonitoringConfig, now_us: int) -> None:
    """Refuses to prune the last two of the longest interval: the slot of now, and the one before, which may be late."""
    intervals = [config.interval_us(check, key) for check in CHECKS for key in ("", *config.contracts)]
    known = [total.interval_us for name in store.namespaces() for total in store.totals(name).values()]
    longest_us = max(*intervals, *known)
    if before_us > now_us - 2 * longest_us:
        raise UsageError(
            f"slots since {iso(now_us - 2 * longest_us)} may still be run, and would be refused after this",
            fix=f"Keep at least {length(2 * longest_us).human}: two of the longest interval of a check.",
        )
