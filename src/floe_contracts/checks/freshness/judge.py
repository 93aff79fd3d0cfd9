"""Judges freshness: every promise about when data is there, each by its own rule, in one result per contract."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from ...contract.meaning.privacy import PrivacyRules
from ...contract.meaning.sla_kinds import Kind
from ...contract.model import Contract
from ...frozen import replace
from ...results import CheckResult, Outcome
from ...results.facts import FindingFacts, FreshnessFacts, facts_pairs
from ..measured import Arrival, Clock, Failure, Latency
from ..promises.calendar import Calendar
from ..promises.context import PromiseContext
from ..promises.promise import Promise
from ..verdict import PartResult, Streaks, conclude, errored_part, skipped_part
from .ages import judge_age, judge_latency
from .deadlines import judge_deadline, judge_schedule

Measured = Clock | Arrival | Latency | Failure


@dataclass(frozen=True, slots=True)
class MeasuredPromise:
    """What was measured for one promise; `past` says that the slot is over and the data of then cannot be read."""

    promise: Promise
    measured: Measured
    past: bool = False


def judge_freshness(
    contract: Contract,
    answers: Iterable[MeasuredPromise],
    *,
    as_of_us: int,
    calendars: Mapping[str, Calendar] | None = None,
    streaks: Streaks | None = None,
    privacy: PrivacyRules | None = None,
) -> CheckResult:
    """One result for all promises of all tables; `streaks` counts the violated slots directly before this one."""
    rules = privacy or PrivacyRules()
    parts = [_judge(answer, as_of_us, calendars or {}, streaks or {}, rules) for answer in answers]
    worst = max(parts, key=_badness, default=skipped_part(FreshnessFacts(status=("no_promise",))))
    each = [part.freshness for part in parts or [worst] if part.freshness is not None]
    ages = [facts.freshness_seconds for facts in each if facts.freshness_seconds is not None]
    facts = replace(
        worst.freshness or FreshnessFacts(),
        how="; ".join(dict.fromkeys(facts.how for facts in each if facts.how)),
        status=tuple(dict.fromkeys(word for facts in each for word in facts.status)),
    )
    order = _order(facts, skipped=worst.outcome is Outcome.SKIPPED, aged=bool(ages))
    if ages:
        facts = replace(facts, freshness_seconds=max(ages))
    return conclude("freshness", contract, parts, facts, order)


def _order(worst: FreshnessFacts, *, skipped: bool, aged: bool) -> tuple[str, ...]:
    """Keys of the context that stand elsewhere than their facts: published JSON keeps the order it always had."""
    if aged and worst.freshness_seconds is None:
        return ("key", "version", *(name for name, _ in facts_pairs(worst)))
    return ("key", "version", "status") if skipped else ()


def _badness(part: PartResult) -> tuple[bool, int]:
    return bool(part.findings), part.overrun


def _judge(
    answer: MeasuredPromise,
    as_of_us: int,
    calendars: Mapping[str, Calendar],
    streaks: Streaks,
    privacy: PrivacyRules,
) -> PartResult:
    promise, measured = answer.promise, answer.measured
    if promise.problem:
        return errored_part(promise.element, promise.problem, FindingFacts(sla=promise.sla.property))
    if promise.options.calendar and promise.options.calendar not in calendars:
        reason = f"the settings have no calendar called {promise.options.calendar!r}"
        return errored_part(promise.element, reason, FindingFacts(sla=promise.sla.property))
    if answer.past:
        return skipped_part(FreshnessFacts(status=("past_slot",)))
    if isinstance(measured, Failure):
        return errored_part(promise.element, measured.reason, FindingFacts(sla=promise.sla.property))
    calendar = calendars.get(promise.options.calendar) if promise.options.calendar else None
    return _judge_kind(PromiseContext(promise, as_of_us, calendar, streaks, privacy), measured)


def _judge_kind(context: PromiseContext, measured: Clock | Arrival | Latency) -> PartResult:
    kind = context.promise.kind
    if kind is Kind.LATENCY and isinstance(measured, Latency):
        return judge_latency(context, measured)
    if kind is Kind.TIME_OF_AVAILABILITY and isinstance(measured, (Clock, Arrival)):
        return judge_deadline(context, measured)
    if isinstance(measured, Clock) and kind in (Kind.FRESHNESS, Kind.FREQUENCY):
        return judge_schedule(context, measured) if context.promise.schedule else judge_age(context, measured)
    return errored_part(context.promise.element, f"{type(measured).__name__} says nothing about {kind.value}")
