"""The one table of metrics: what each is called in Prometheus and OpenTelemetry, and where its number stands.

A label is never a column, a run or a message: the number of series must follow from the number of contracts alone.
"""

from __future__ import annotations

from decimal import Decimal

from ..checks import gauges
from ..monitor.run.outcome import STATUS_GAUGE, UPDATED_GAUGE
from ..monitor.store.protocol import INTERVAL_GAUGE, SeriesTotals
from ..results import Outcome
from .metric import Metric, gauge, of_check, of_every_check, seconds
from .pipeline_metrics import PIPELINE, TRANSFORM


def _error_flag(totals: SeriesTotals) -> Decimal | None:
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


SEEDS: tuple[Metric, ...] = (
    VIOLATIONS,
    DURATION,
    of_check(
        "freshness",
        "floe_contract_freshness_hours",
        gauge(gauges.FRESHNESS_SECONDS, 3600),
        "Hours from the last update of the data to the last check.",
        "h",
    ),
    of_check(
        "availability",
        "floe_contract_availability_up",
        gauge(gauges.UP),
        "1 if the last probe could read the data, 0 if not.",
    ),
    of_check(
        "quality",
        "floe_contract_quality_score",
        gauge(gauges.SCORE),
        "Weighted share of the quality rules that are met, 0 to 100.",
    ),
    of_check(
        "schema_drift",
        "floe_contract_schema_drift_detected",
        gauge(gauges.DRIFT),
        "1 if the table differs from the contract or from what was last seen, 0 if not.",
    ),
)

OPERATIONS: tuple[Metric, ...] = (
    INFO,
    of_every_check(
        "floe_contract_check_status", gauge(STATUS_GAUGE), "1 while the promise is kept, 0 while it is not."
    ),
    of_every_check(
        "floe_contract_check_errored", _error_flag, "1 if the newest slot could not be checked, 0 if it could."
    ),
    of_every_check(
        "floe_contract_check_interval_seconds", gauge(INTERVAL_GAUGE), "How often the check is to run.", "s"
    ),
    of_every_check(
        "floe_contract_check_last_run_timestamp_seconds",
        lambda totals: seconds(totals.last_run_us),
        "The newest slot that was tried.",
        "s",
    ),
    of_every_check(
        "floe_contract_check_last_success_timestamp_seconds",
        lambda totals: seconds(totals.last_done_us),
        "The newest slot that could be checked, whatever came of it.",
        "s",
    ),
    of_every_check(
        "floe_contract_check_since_timestamp_seconds",
        lambda totals: seconds(totals.since_us),
        "The slot since which the check has always come out as it does now.",
        "s",
    ),
    ERRORS,
    of_check(
        "freshness",
        "floe_contract_freshness_seconds",
        gauge(gauges.FRESHNESS_SECONDS),
        "Seconds from the last update of the data to the last check.",
        "s",
    ),
    of_check(
        "freshness",
        "floe_contract_last_update_timestamp_seconds",
        gauge(UPDATED_GAUGE),
        "When the data was last updated; time() minus this is its age also when nobody checks.",
        "s",
    ),
    of_check(
        "freshness",
        "floe_contract_future_rows",
        gauge(gauges.FUTURE_ROWS),
        "Rows with a time after the check; they are left out of freshness.",
        "{row}",
    ),
    of_check(
        "freshness",
        "floe_contract_latency_seconds",
        gauge(gauges.LATENCY_SECONDS),
        "The promised quantile of arrival time minus event time.",
        "s",
    ),
    of_check(
        "freshness",
        "floe_contract_stream_late_rows",
        gauge(gauges.LATE_ROWS),
        "Rows of a stream's batch that came later than promised.",
        "{row}",
    ),
    of_check(
        "availability",
        "floe_contract_availability_ratio",
        gauge(gauges.RATIO, 100),
        "Share of good probes in the window of the SLA, 0 to 1.",
    ),
    of_check(
        "availability",
        "floe_contract_availability_budget",
        gauge(gauges.BUDGET),
        "Failed probes that the SLA allows in its window.",
        "{probe}",
    ),
    of_check(
        "availability",
        "floe_contract_availability_budget_left",
        gauge(gauges.BUDGET_LEFT),
        "Failed probes that the SLA still allows; below 0 when it is broken.",
        "{probe}",
    ),
    of_check(
        "availability",
        "floe_contract_availability_burn_rate",
        gauge(gauges.BURN_RATE),
        "Share of failed probes over the share allowed, in the window of the SLA; above 1 the budget will not last.",
    ),
    of_check(
        "availability",
        "floe_contract_probe_coverage_ratio",
        gauge(gauges.PROBE_COVERAGE, 100),
        "Share of the expected probes that were made, 0 to 1.",
    ),
    of_check(
        "availability",
        "floe_contract_probe_duration_seconds",
        gauge(gauges.PROBE_SECONDS),
        "How long the last probe took.",
        "s",
    ),
    of_check(
        "quality",
        "floe_contract_quality_coverage_ratio",
        gauge(gauges.COVERAGE, 100),
        "Share of the columns with a rule that was run, 0 to 1.",
    ),
    of_check(
        "quality",
        "floe_contract_quality_rules_failed",
        gauge(gauges.RULES_FAILED),
        "Quality rules that are not met.",
        "{rule}",
    ),
    of_check(
        "quality",
        "floe_contract_last_day_rows",
        gauge(gauges.ROWS_OF_DAY),
        "Rows of the last complete day (UTC).",
        "{row}",
    ),
    of_check("quality", "floe_contract_stream_rows", gauge(gauges.ROWS), "Rows of a stream's batch.", "{row}"),
    of_check(
        "quality",
        "floe_contract_stream_unreadable_rows",
        gauge(gauges.UNREADABLE_ROWS),
        "Rows of a stream's batch that are not as promised, so that nothing else can be judged about them.",
        "{row}",
    ),
    of_check(
        "quality",
        "floe_contract_stream_bad_rows",
        gauge(gauges.BAD_ROWS),
        "Rows of a stream's batch that are unreadable or lack a value that is required.",
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

METRICS: tuple[Metric, ...] = (*SEEDS, *PIPELINE, *TRANSFORM, *OPERATIONS, OUTBOX_PENDING, OUTBOX_DEAD, OUTBOX_OLDEST)
BY_NAME = {metric.name: metric for metric in METRICS}
