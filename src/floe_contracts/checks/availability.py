"""Judges availability: the probe of this slot, and the share of good probes in the window against the promise.

A failed probe is a violation: a warning, an error when the one before failed too, critical when the window's budget of
failures is overspent. The budget is counted in whole probes, exactly. It is not judged while one failure alone would
overspend it (`insufficient_history`; then only runs of two failures count as outages), nor when fewer than 95 percent
of the expected probes were made (`sparse`): a prober that was down says nothing about the data.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction

from .. import codes
from ..codes import Severity
from ..contract.meaning.quantity import Percent
from ..contract.meaning.sla_kinds import Kind
from ..contract.model import Contract, SchemaObject
from ..results import CheckResult, Finding, finding
from . import context_keys as keys
from .measured import Probe, ProbeHistory
from .promises.promise import promises
from .rules.thresholds import places
from .verdict import concluded, errored, judged, skipped

SOURCE_DOWN = "source-down"
LEAST_COVERAGE = Fraction(95, 100)


@dataclass(frozen=True, slots=True)
class TableProbe:
    table: SchemaObject
    probe: Probe


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
        return concluded("availability", contract, [skipped("no_table")], {keys.STATUS: "no_table"})
    up = all(one.probe.ok for one in probes)
    promised, problems = _promised(contract)
    budget = Budget(promised, before.good + up, before.bad + (not up), before.expected) if promised else None
    spent = budget is not None and not budget.status and budget.overspent
    parts = [judged(_down(one, before, spent=spent)) if not one.probe.ok else judged() for one in probes]
    if up and spent and budget is not None:
        parts.append(judged(_overspent(contract, budget)))
    parts += [errored(element, problem) for element, problem in problems.items()]
    return concluded("availability", contract, parts, _context(probes, before, budget, up=up))


def _promised(contract: Contract) -> tuple[Fraction | None, dict[str, str]]:
    """The strictest promise of any table, as a share, and by element the promises that cannot be read."""
    shares: list[Fraction] = []
    problems: dict[str, str] = {}
    for one in (each for table in contract.objects for each in promises(contract, table)):
        if one.kind is not Kind.AVAILABILITY:
            continue
        if isinstance(one.quantity, Percent) and not one.problem:
            shares.append(one.quantity.points / 100)
        else:
            problems[one.element] = one.problem or "its SLA is no percentage"
    return max(shares, default=None), problems


def _down(one: TableProbe, before: ProbeHistory, *, spent: bool) -> Finding:
    failed = before.failed_in_a_row.get(one.table.name, 0)
    severity, times = Severity.ERROR if failed else Severity.WARNING, failed + 1
    again = f", for the {_ordinal(times)} time in a row" if times > 1 else ""
    return finding(
        codes.E552,
        SOURCE_DOWN,
        f"{one.table.name} is not available{again}: {one.probe.reason or 'no reason given'}",
        severity=Severity.CRITICAL if spent else severity,
        element=one.table.name,
        expected="up",
        actual="down",
        context=((keys.TABLE, one.table.name), (keys.REASON, one.probe.reason)),
    )


def _overspent(contract: Contract, budget: Budget) -> Finding:
    promised = Percent(budget.promised * 100).text
    ratio = f"{places(Fraction(budget.good, budget.probes) * 100, 3)}%"
    return finding(
        codes.E552,
        "budget-overspent",
        f"{contract.label} was up in {ratio} of {budget.probes} probes, SLA is {promised}: "
        f"{budget.bad} failed and {budget.allowed} may",
        severity=Severity.CRITICAL,
        element=contract.label,
        expected=promised,
        actual=ratio,
    )


def _context(
    probes: tuple[TableProbe, ...], before: ProbeHistory, budget: Budget | None, *, up: bool
) -> dict[str, str]:
    said = {
        keys.UP: "1" if up else "0",
        keys.PROBE_SECONDS: f"{max(one.probe.seconds for one in probes):.3f}",
        keys.OUTAGES: str(before.outages) if before.outages else "",
    }
    if budget is None:
        return said
    rate = budget.burn_rate
    return {
        **said,
        keys.STATUS: budget.status,
        keys.THRESHOLD: places(budget.promised * 100, 4),
        keys.VALUE: places(Fraction(budget.good, budget.probes) * 100, 4),
        keys.RATIO: places(Fraction(budget.good, budget.probes) * 100, 4),
        keys.PROBE_COVERAGE: places(budget.coverage * 100, 2),
        keys.BUDGET: str(budget.allowed),
        keys.BUDGET_LEFT: str(budget.allowed - budget.bad),
        keys.BURN_RATE: places(rate, 2) if rate is not None else "",
    }


def _ordinal(number: int) -> str:
    ending = "th" if 10 <= number % 100 <= 20 else {1: "st", 2: "nd", 3: "rd"}.get(number % 10, "th")
    return f"{number}{ending}"
