"""The one table of metrics: what each is called in Prometheus and OpenTelemetry, and where its number stands.

A label is never a column, a run or a message: the number of series must follow from the number of contracts alone.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from decimal import Decimal
from typing import Literal

from ..checks import context_keys as keys
from ..checks.verdict import Check
from ..monitor.outcome import INTERVAL_GAUGE, STATUS_GAUGE, UPDATED_GAUGE
from ..monitor.settings import CHECKS
from ..monitor.store import Totals
from ..results import Outcome

PREFIX = "floe_contract_"
Kind = Literal["counter", "gauge", "histogram"]
Read = Callable[[Totals], "Decimal | None"]


@dataclass(frozen=True, slots=True)
class Metric:
    """One metric; `read` gives a gauge's number, and None where it is not known: then there is no sample at all."""

    name: str
    kind: Kind
    help: str
    labels: tuple[str, ...] = ("contract",)
    checks: tuple[Check, ...] = CHECKS
    unit: str = "1"  # as UCUM spells it
    read: Read = lambda _: None

    @property
    def otel_name(self) -> str:
        """The seeds' names with a dot, which become the same names in Prometheus again."""
        return self.name.replace(PREFIX, "floe.contract.", 1)


def _gauge(key: str, divided_by: int = 1) -> Read:
    def read(totals: Totals) -> Decimal | None:
        value = totals.gauges.get(key)
        return value if value is None or divided_by == 1 else value / divided_by

    return read


def _seconds(moment_us: int | None) -> Decimal | None:
    return None if moment_us is None else Decimal(moment_us) / 1_000_000


def _errored(totals: Totals) -> Decimal | None:
    return None if totals.state is None else Decimal(totals.state is Outcome.ERRORED)


VIOLATIONS = Metric(
    "floe_contract_violations_total",
    "counter",
    "Violations of the contract, each counted once per slot and never twice.",
    ("contract", "type", "severity"),
    unit="{violation}",
)
DURATION = Metric(
    "floe_contract_check_duration_seconds",
    "histogram",
    "How long checks of the contract took.",
    ("contract", "check_type"),
    unit="s",
)
ERRORS = Metric(
    "floe_contract_check_errors_total",
    "counter",
    "Attempts in which the contract could not be checked; they say nothing about the data.",
    ("contract", "check_type"),
    unit="{attempt}",
    read=lambda totals: Decimal(totals.errors),
)
INFO = Metric(
    "floe_contract_info", "gauge", "Always 1; the label says which version is checked.", ("contract", "version")
)


def _on(check: Check, name: str, read: Read, said: str, unit: str = "1") -> Metric:
    """A gauge that one check moves."""
    return Metric(name, "gauge", said, checks=(check,), unit=unit, read=read)


def _every(name: str, read: Read, said: str, unit: str = "1") -> Metric:
    """A gauge of every check."""
    return Metric(name, "gauge", said, ("contract", "check_type"), unit=unit, read=read)


SEEDS: tuple[Metric, ...] = (
    VIOLATIONS,
    DURATION,
    _on(
        "freshness",
        "floe_contract_freshness_hours",
        _gauge(keys.FRESHNESS_SECONDS, 3600),
        "Hours from the last update of the data to the last check.",
        "h",
    ),
    _on(
        "availability",
        "floe_contract_availability_up",
        _gauge(keys.UP),
        "1 if the last probe could read the data, 0 if not.",
    ),
    _on(
        "quality",
        "floe_contract_quality_score",
        _gauge(keys.SCORE),
        "Weighted share of the quality rules that are met, 0 to 100.",
    ),
    _on(
        "schema_drift",
        "floe_contract_schema_drift_detected",
        _gauge(keys.DRIFT),
        "1 if the table differs from the contract or from what was last seen, 0 if not.",
    ),
)

OPERATIONS: tuple[Metric, ...] = (
    INFO,
    _every("floe_contract_check_status", _gauge(STATUS_GAUGE), "1 while the promise is kept, 0 while it is not."),
    _every("floe_contract_check_errored", _errored, "1 if the newest slot could not be checked, 0 if it could."),
    _every("floe_contract_check_interval_seconds", _gauge(INTERVAL_GAUGE), "How often the check is to run.", "s"),
    _every(
        "floe_contract_check_last_run_timestamp_seconds",
        lambda totals: _seconds(totals.last_run_us),
        "The newest slot that was tried.",
        "s",
    ),
    _every(
        "floe_contract_check_last_success_timestamp_seconds",
        lambda totals: _seconds(totals.last_done_us),
        "The newest slot that could be checked, whatever came of it.",
        "s",
    ),
    _every(
        "floe_contract_check_since_timestamp_seconds",
        lambda totals: _seconds(totals.since_us),
        "The slot since which the check has always come out as it does now.",
        "s",
    ),
    ERRORS,
    _on(
        "freshness",
        "floe_contract_freshness_seconds",
        _gauge(keys.FRESHNESS_SECONDS),
        "Seconds from the last update of the data to the last check.",
        "s",
    ),
    _on(
        "freshness",
        "floe_contract_last_update_timestamp_seconds",
        _gauge(UPDATED_GAUGE),
        "When the data was last updated; time() minus this is its age also when nobody checks.",
        "s",
    ),
    _on(
        "freshness",
        "floe_contract_future_rows",
        _gauge(keys.FUTURE_ROWS),
        "Rows with a time after the check; they are left out of freshness.",
        "{row}",
    ),
    _on(
        "freshness",
        "floe_contract_latency_seconds",
        _gauge(keys.LATENCY_SECONDS),
        "The promised quantile of arrival time minus event time.",
        "s",
    ),
    _on(
        "availability",
        "floe_contract_availability_ratio",
        _gauge(keys.RATIO, 100),
        "Share of good probes in the window of the SLA, 0 to 1.",
    ),
    _on(
        "availability",
        "floe_contract_availability_budget",
        _gauge(keys.BUDGET),
        "Failed probes that the SLA allows in its window.",
        "{probe}",
    ),
    _on(
        "availability",
        "floe_contract_availability_budget_left",
        _gauge(keys.BUDGET_LEFT),
        "Failed probes that the SLA still allows; below 0 when it is broken.",
        "{probe}",
    ),
    _on(
        "availability",
        "floe_contract_availability_burn_rate",
        _gauge(keys.BURN_RATE),
        "Share of failed probes over the share allowed, in the window of the SLA; above 1 the budget will not last.",
    ),
    _on(
        "availability",
        "floe_contract_probe_coverage_ratio",
        _gauge(keys.PROBE_COVERAGE, 100),
        "Share of the expected probes that were made, 0 to 1.",
    ),
    _on(
        "availability",
        "floe_contract_probe_duration_seconds",
        _gauge(keys.PROBE_SECONDS),
        "How long the last probe took.",
        "s",
    ),
    _on(
        "quality",
        "floe_contract_quality_coverage_ratio",
        _gauge(keys.COVERAGE, 100),
        "Share of the columns with a rule that was run, 0 to 1.",
    ),
    _on(
        "quality",
        "floe_contract_quality_rules_failed",
        _gauge(keys.RULES_FAILED),
        "Quality rules that are not met.",
        "{rule}",
    ),
    _on(
        "quality",
        "floe_contract_last_day_rows",
        _gauge(keys.ROWS_OF_DAY),
        "Rows of the last complete day (UTC).",
        "{row}",
    ),
)

OUTBOX_PENDING = Metric(
    "floe_contract_outbox_pending", "gauge", "Messages of the store that wait for a receiver.", (), unit="{message}"
)
OUTBOX_DEAD = Metric(
    "floe_contract_outbox_dead", "gauge", "Messages that a receiver refused for good.", (), unit="{message}"
)
OUTBOX_OLDEST = Metric(
    "floe_contract_outbox_oldest_timestamp_seconds",
    "gauge",
    "When the oldest message that waits was written; no sample when none does.",
    (),
    unit="s",
)

METRICS: tuple[Metric, ...] = (*SEEDS, *OPERATIONS, OUTBOX_PENDING, OUTBOX_DEAD, OUTBOX_OLDEST)
BY_NAME = {one.name: one for one in METRICS}
