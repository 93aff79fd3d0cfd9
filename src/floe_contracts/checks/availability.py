"""Judges availability: the probe of this slot, and the share of good probes in the window against the promise.

A failed probe is a violation: a warning, an error when the one before failed too or when a table that was there before
is gone, critical when the window's budget of failures is overspent. The budget is counted in whole probes, exactly. It
is not judged while one failure alone would overspend it (`insufficient_history`; then only runs of two failures count
as outages), nor when fewer than 95 percent of the expected probes were made (`sparse`): a prober that was down says
nothing about the data.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction

from .. import codes
from ..codes import Severity
from ..contract.meaning.quantity import Percent
from ..contract.meaning.sla_kinds import Kind
from ..contract.model import Contract, SchemaObject
from ..frozen import replace
from ..results import CheckResult, Finding
from ..results.facts import AvailabilityFacts, FindingFacts
from .measured import Probe, ProbeHistory
from .promises.promise import promises
from .rules.thresholds import round_down
from .verdict import conclude, errored_part, measured_part, skipped_part

SOURCE_DOWN = "source-down"
LEAST_COVERAGE = Fraction(95, 100)


@dataclass(frozen=True, slots=True)
class TableProbe:
    table: SchemaObject
    probe: Probe
    was_there: bool = False  # some check has read it before


@dataclass(frozen=True, slots=True)
class Budget:
    """What a promise allows in a window of probes, and what is left of it."""

    promised: Fraction  # share of good probes
    good: int
    bad: int
    expected: int | None = None

    @property
    def probes(self) -> int:
        return self.good + self.bad

    @property
    def allowed(self) -> int:
        return math.floor((1 - self.promised) * self.probes)

    @property
    def overspent(self) -> bool:
        return self.bad > self.allowed

    @property
    def coverage(self) -> Fraction:
        """Probes made of those expected; all of them where nobody knows how many were."""
        return min(Fraction(1), Fraction(self.probes, self.expected)) if self.expected else Fraction(1)

    @property
    def burn_rate(self) -> Fraction | None:
        """Failures over what is allowed at this pace: above 1 the budget will not last."""
        lost = 1 - self.promised
        return Fraction(self.bad, self.probes) / lost if self.probes and lost else None

    @property
    def status(self) -> str:
        """Why the window is not judged; empty when it is."""
        if self.coverage < LEAST_COVERAGE:
            return "sparse"
        too_short = self.promised < 1 and self.probes * (1 - self.promised) < 1
        return "insufficient_history" if too_short else ""


def judge_availability(
    contract: Contract, probes: Iterable[TableProbe], history: ProbeHistory | None = None
) -> CheckResult:
    """One result for all tables: the contract is up when every table is. `history` holds the probes before this one."""
    probes, before = tuple(probes), history or ProbeHistory()
    if not probes:
        return conclude("availability", contract, [skipped_part()], AvailabilityFacts(status=("no_table",)))
    up = all(table.probe.ok for table in probes)
    promised, problems = _strictest_promise(contract)
    budget = Budget(promised, before.good + up, before.bad + (not up), before.expected) if promised else None
    spent = budget is not None and not budget.status and budget.overspent
    parts = [measured_part(*(() if table.probe.ok else [_down(table, before, spent=spent)])) for table in probes]
    if up and spent and budget is not None:
        parts.append(measured_part(_overspent(contract, budget)))
    parts += [errored_part(element, problem) for element, problem in problems.items()]
    return conclude("availability", contract, parts, _facts(probes, before, budget, up=up))


def _strictest_promise(contract: Contract) -> tuple[Fraction | None, dict[str, str]]:
    """The strictest promise of any table, as a share, and by element the promises that cannot be read."""
    shares: list[Fraction] = []
    problems: dict[str, str] = {}
    for promise in (each for table in contract.objects for each in promises(contract, table)):
        if promise.kind is not Kind.AVAILABILITY:
            continue
        if isinstance(promise.quantity, Percent) and not promise.problem:
            shares.append(promise.quantity.points / 100)
        else:
            problems[promise.element] = promise.problem or "its SLA is not a percentage"
    return max(shares, default=None), problems


def _down(probed: TableProbe, before: ProbeHistory, *, spent: bool) -> Finding:
    failed = before.failed_in_a_row.get(probed.table.name, 0)
    gone = probed.probe.missing and (probed.was_there or before.good > 0)
    severity, times = Severity.ERROR if failed or gone else Severity.WARNING, failed + 1
    again = f", for the {_ordinal(times)} time in a row" if times > 1 else ""
    return Finding.of(
        codes.E552,
        SOURCE_DOWN,
        f"{probed.table.name} is not available{again}: {probed.probe.reason or 'no reason given'}"
        f"{'; it was there before' if gone else ''}",
        severity=Severity.CRITICAL if spent else severity,
        element=probed.table.name,
        expected="up",
        actual="down",
        facts=FindingFacts(table=probed.table.name, reason=probed.probe.reason),
    )


def _overspent(contract: Contract, budget: Budget) -> Finding:
    promised = Percent(budget.promised * 100).text
    ratio = f"{round_down(Fraction(budget.good, budget.probes) * 100, 3)}%"
    return Finding.of(
        codes.E552,
        "budget-overspent",
        f"{contract.label} was up in {ratio} of {budget.probes} probes, SLA is {promised}: "
        f"{budget.bad} failed and {budget.allowed} may",
        severity=Severity.CRITICAL,
        element=contract.label,
        expected=promised,
        actual=ratio,
    )


def _facts(
    probes: tuple[TableProbe, ...], before: ProbeHistory, budget: Budget | None, *, up: bool
) -> AvailabilityFacts:
    seconds = Decimal(f"{max(table.probe.seconds for table in probes):.3f}")
    facts = AvailabilityFacts(up=up, probe_seconds=seconds, outages=before.outages or None)
    if budget is None:
        return facts
    rate, ratio = budget.burn_rate, Decimal(round_down(Fraction(budget.good, budget.probes) * 100, 4))
    return replace(
        facts,
        status=(budget.status,) if budget.status else (),
        threshold=Decimal(round_down(budget.promised * 100, 4)),
        value=ratio,
        availability=ratio,
        probe_coverage=Decimal(round_down(budget.coverage * 100, 2)),
        error_budget=budget.allowed,
        error_budget_left=budget.allowed - budget.bad,
        burn_rate=Decimal(round_down(rate, 2)) if rate is not None else None,
    )


def _ordinal(number: int) -> str:
    ending = "th" if 10 <= number % 100 <= 20 else {1: "st", 2: "nd", 3: "rd"}.get(number % 10, "th")
    return f"{number}{ending}"
