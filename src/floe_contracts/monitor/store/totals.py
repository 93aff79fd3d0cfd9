"""How one more outcome changes where a series stands; every store adds up by these functions."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable
from dataclasses import replace
from decimal import Decimal

from ...results import CheckResult, Outcome
from ...results.facts import QualityFacts, StreamFacts
from .protocol import DURATION_BOUNDS, INTERVAL_GAUGE, CounterKey, RuleCount, SeriesTotals, SlotOutcome, Violation


def moved_on(before: SeriesTotals, outcome: SlotOutcome) -> SeriesTotals:
    """Names, errors, rules, last slots, state and gauges; durations only of what is published."""
    errored = outcome.result.outcome is Outcome.ERRORED
    newest = before.as_of_us is None or outcome.as_of_us >= before.as_of_us
    after = replace(
        before,
        label=outcome.label or before.label,
        version=outcome.version or before.version,
        errors=before.errors + errored,
        rules=_judged(before.rules, outcome),
        last_run_us=_later(before.last_run_us, outcome.slot_us),
        last_done_us=before.last_done_us if errored else _later(before.last_done_us, outcome.slot_us),
    )
    after = _stands(after, outcome) if newest else after
    return _timed(after, outcome.seconds) if outcome.published else after


def raised(before: SeriesTotals, new: Iterable[Violation]) -> SeriesTotals:
    """Counters with violations that were not counted yet."""
    counters: dict[CounterKey, int] = dict(before.counters)
    for violation in new:
        counters[violation.type, violation.severity] = counters.get((violation.type, violation.severity), 0) + 1
    return replace(before, counters=counters)


def _judged(before: RuleCount, outcome: SlotOutcome) -> RuleCount:
    """Nobody else can have filled the slot since it was claimed, so the attempt before knows whether it was counted."""
    last = outcome.claim.previous
    counted = last is not None and last.rules is not None
    return before if counted or outcome.rules is None else before.plus(outcome.rules)


def _stands(before: SeriesTotals, outcome: SlotOutcome) -> SeriesTotals:
    state = outcome.result.outcome
    return replace(
        before,
        as_of_us=outcome.as_of_us,
        interval_us=outcome.key.interval_us or before.interval_us,
        state=state,
        since_us=before.since_us if state is before.state else outcome.slot_us,
        gauges=_measured(before, outcome),
        published=outcome.published,
    )


def _measured(before: SeriesTotals, outcome: SlotOutcome) -> dict[str, Decimal]:
    """What a check no longer measures goes when it was done again; a check after a run says nothing of intervals."""
    if not outcome.published:
        return {}
    done = outcome.result.outcome in (Outcome.PASSED, Outcome.VIOLATED)
    kept = {name: value for name, value in before.gauges.items() if not done or name == INTERVAL_GAUGE}
    return {**kept, **dict(outcome.gauges)}


def _timed(before: SeriesTotals, seconds: Decimal) -> SeriesTotals:
    buckets = list(before.durations or (0,) * (len(DURATION_BOUNDS) + 1))
    buckets[bisect_left(DURATION_BOUNDS, seconds)] += 1
    return replace(before, durations=tuple(buckets), duration_sum=before.duration_sum + seconds)


def _later(before_us: int | None, now_us: int) -> int:
    return now_us if before_us is None else max(before_us, now_us)


def rules_in(result: CheckResult) -> RuleCount | None:
    """None where no rule was judged, and where the check was not done: then the slot may be tried again."""
    facts = result.facts.check if isinstance(result.facts, StreamFacts) else result.facts
    if result.outcome not in (Outcome.PASSED, Outcome.VIOLATED) or not isinstance(facts, QualityFacts):
        return None
    if facts.rules is None or facts.rules_failed is None or facts.rules_failed < 0:
        return None
    passed = facts.rules - facts.rules_failed
    return RuleCount(passed, facts.rules_failed) if facts.rules >= max(1, facts.rules_failed) else None
