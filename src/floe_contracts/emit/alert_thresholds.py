"""Alerts with the thresholds of one contract: what it promises, looked at by the clock of Prometheus.

A check looks at the data every now and then; its age grows all the time. What only the check itself can judge (working
days, schedules, deadlines, single columns) has no threshold here: the alerts on its verdicts tell of it.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from fractions import Fraction

from ..checks.promises.promise import Promise, promises
from ..checks.rules.thresholds import round_down
from ..checks.verdict import ERROR_UP_TO, Check
from ..codes import Severity
from ..contract.meaning.quantity import Count, Duration, Percent
from ..contract.meaning.sla_kinds import Kind
from ..monitor.run.targets import Target
from .alerts import Alert, AlertGroup, AlertOptions, duration, in_time, plain, selector

_SECOND = 1_000_000
_LATE_CHECK_S = 120  # a check starts late, takes its time, and is scraped later still
# How fast a budget of 30 days may be spent before somebody is woken, or told: 2 percent in an hour, 5 percent in six.
_BURNS = ((3600, Fraction(144, 10), Severity.CRITICAL), (6 * 3600, Fraction(6), Severity.WARNING))


def contract_alerts(namespace: str, target: Target, name: str, options: AlertOptions) -> AlertGroup:
    """One group for a contract; `name` is its label in metrics."""
    own = _Own(namespace, target, name, options)
    alerts = (*own.age(), *own.burn_rate(), *own.score(), *own.rows(), *own.latency(), *own.missing_checks())
    return AlertGroup(f"floe {namespace} {name}", tuple(alerts))


@dataclass(frozen=True, slots=True)
class _Own:
    namespace: str
    target: Target
    name: str
    options: AlertOptions

    @property
    def series(self) -> str:
        return selector(floe_namespace=self.namespace, contract=self.name)

    def find_promises(self, *kinds: Kind) -> list[Promise]:
        contract = self.target.contract
        every = (promise for table in contract.objects for promise in promises(contract, table))
        return [promise for promise in every if promise.kind in kinds]

    def age(self) -> Iterator[Alert]:
        """Alerts on old data: the gauge shows the oldest table, so the longest promise is surely broken."""
        spans = [_span_s(promise) for promise in self.find_promises(Kind.FRESHNESS, Kind.FREQUENCY)]
        allowed = [span for span in spans if span]
        if not allowed or len(allowed) < len(spans):
            return
        age = f"time() - floe_contract_last_update_timestamp_seconds{self.series}"
        # What came since the last check is not known yet: data that is in time may look one interval older.
        unseen = self.target.interval_us("freshness") // _SECOND
        for severity, limit in ((Severity.WARNING, max(allowed)), (Severity.CRITICAL, int(max(allowed) * ERROR_UP_TO))):
            yield self._alert(
                "FloeContractStale",
                f"{age} > {limit + unseen + _LATE_CHECK_S}",
                severity,
                f"The data is {{{{ $value | humanizeDuration }}}} old, SLA is {duration(max(allowed))}",
                "Look at the run that should have brought the data. The age is counted also while no check runs.",
                "freshness",
            )

    def burn_rate(self) -> Iterator[Alert]:
        """Alerts on failed probes, in two windows: the long one says that it matters, the short one that it goes on."""
        promised = self.find_promises(Kind.AVAILABILITY)
        shares = [promise.quantity.points / 100 for promise in promised if isinstance(promise.quantity, Percent)]
        if not shares or max(shares) >= 1:
            return
        interval = self.target.interval_us("availability") // _SECOND
        for window, rate, severity in _BURNS:
            long, short = max(window, 6 * interval), max(window // 12, 2 * interval)
            # One failed probe alone wakes nobody: probes are too few to tell it from bad luck.
            limit = max(rate * (1 - max(shares)), Fraction(3 * interval, 2 * long))
            if limit >= 1:
                continue
            up = f"floe_contract_availability_up{self.series}"
            bad = " and ".join(
                f"(1 - avg_over_time({up}[{duration(span)}])) > {round_down(limit, 6)}" for span in (long, short)
            )
            yield self._alert(
                "FloeContractAvailabilityBurning",
                f"{bad} {in_time(self.series, self.options.missed)}",
                severity,
                f"{{{{ $value | humanizePercentage }}}} of the probes of {duration(long)} failed, SLA is "
                f"{Percent(max(shares) * 100).text}",
                "The source is failing now, and fast enough to break the promise.",
                "availability",
            )

    def score(self) -> Iterator[Alert]:
        """The alert on quality: the gauge is over all rules, so it answers only promises about all of them."""
        promised = self.find_promises(Kind.QUALITY)
        whole = [promise for promise in promised if promise.column is None and not promise.problem]
        tables = {promise.table.name for promise in whole}
        points = [promise.quantity.points for promise in whole if isinstance(promise.quantity, Percent)]
        if points and len(tables) == len(self.target.contract.objects):
            yield self._alert(
                "FloeContractQualityBelowPromise",
                f"floe_contract_quality_score{self.series} < {round_down(max(points), 4)} "
                f"{in_time(self.series, self.options.missed)}",
                Severity.ERROR,
                f"The quality score is {{{{ $value }}}}, SLA is {Percent(max(points)).text}",
                "`floe monitor history` lists the rules that are not met.",
                "quality",
            )

    def rows(self) -> Iterator[Alert]:
        promised = self.find_promises(Kind.MIN_ROWS_PER_DAY)
        floors = [promise.quantity.value for promise in promised if isinstance(promise.quantity, Count)]
        if floors:  # the gauge shows the smallest table, so the smallest floor is the one that it certainly breaks
            yield self._alert(
                "FloeContractTooFewRows",
                f"floe_contract_last_day_rows{self.series} < {round_down(min(floors), 4)} "
                f"{in_time(self.series, self.options.missed)}",
                Severity.ERROR,
                f"The last complete day has {{{{ $value }}}} rows, SLA is {round_down(min(floors), 0)} rows per day",
                "Look for a source that stopped delivering, or a filter that grew too strict.",
                "quality",
            )

    def latency(self) -> Iterator[Alert]:
        spans = [_span_s(promise) for promise in self.find_promises(Kind.LATENCY)]
        if len(spans) == 1 and spans[0]:
            yield self._alert(
                "FloeContractLate",
                f"floe_contract_latency_seconds{self.series} > {spans[0]} {in_time(self.series, self.options.missed)}",
                Severity.WARNING,
                f"Data takes {{{{ $value | humanizeDuration }}}} to arrive, SLA is {duration(spans[0])}",
                "Look for backlog between the source and the table.",
                "freshness",
            )

    def missing_checks(self) -> Iterator[Alert]:
        """Alerts on checks without metrics: a contract that is not monitored looks like one without faults."""
        for check in _checks(self.target):
            labels = selector(floe_namespace=self.namespace, contract=self.name, check_type=check)
            missing = self._alert(
                "FloeContractNeverChecked",
                f"absent(floe_contract_check_last_run_timestamp_seconds{labels})",
                Severity.ERROR,
                "There are no metrics of this check at all",
                "Look whether its job is scheduled, reaches the gateway, and knows this contract.",
                check,
            )
            yield replace(missing, for_s=max(3600, self.options.missed * self.target.interval_us(check) // _SECOND))

    def _alert(self, name: str, expr: str, severity: Severity, summary: str, action: str, check: Check) -> Alert:
        owner = plain(self.target.contract.owner or "")
        labels = {"contract": self.name, "floe_namespace": self.namespace, "check_type": check}
        labels = {key: plain(text) for key, text in labels.items()}
        labels |= {"owner": owner} if owner else {}
        return Alert(name, expr, severity, f"{plain(self.name)}: {summary}", action, labels=labels)


def _checks(target: Target) -> tuple[Check, ...]:
    """Checks that certainly say something: every contract has a schema and a source; the others need a promise."""
    promised = {promise.check for table in target.contract.objects for promise in promises(target.contract, table)}
    every: tuple[Check, ...] = ("availability", "freshness", "schema_drift", "quality")
    return tuple(check for check in every if check in promised or check in ("availability", "schema_drift"))


def _span_s(promise: Promise) -> int:
    """A promised length of time in seconds; 0 where only the check itself can judge it."""
    by_check = promise.problem or promise.schedule or promise.options.calendar
    if by_check or not isinstance(promise.quantity, Duration) or promise.quantity.months:
        return 0
    return (promise.quantity.microseconds + promise.options.grace_us) // _SECOND
