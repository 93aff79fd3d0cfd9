"""The metrics of pipelines and their transforms; what an engine does not say has no sample."""

from __future__ import annotations

from decimal import Decimal

from ..monitor.pipeline.step import BYTES_GAUGE, ROWS_GAUGE
from .metric import Metric, gauge

PIPELINE: tuple[Metric, ...] = (
    Metric(
        "floe_pipeline_duration_seconds",
        "histogram",
        "How long runs of the product took; a run that was tried again counts with its first end.",
        ("product",),
        ("pipeline",),
        "s",
        otel="floe.pipeline.duration",
    ),
    Metric(
        "floe_pipeline_runs_total",
        "counter",
        "Runs of the product, each run id counted once.",
        ("product",),
        ("pipeline",),
        "{run}",
        lambda totals: Decimal(totals.runs.runs),
        "floe.pipeline.runs",
    ),
    Metric(
        "floe_pipeline_failures_total",
        "counter",
        "Runs of the product that failed, each run id counted once.",
        ("product",),
        ("pipeline",),
        "{run}",
        lambda totals: Decimal(totals.runs.failures),
        "floe.pipeline.failures",
    ),
)
TRANSFORM: tuple[Metric, ...] = (
    Metric(
        "floe_transform_duration_seconds",
        "histogram",
        "How long a model, script or ingestion took, each run id counted once.",
        ("model",),
        ("transform",),
        "s",
        otel="floe.transform.duration",
    ),
    Metric(
        "floe_transform_rows_affected",
        "gauge",
        "Rows that the last run wrote, where the engine says it.",
        ("model",),
        ("transform",),
        "{row}",
        gauge(ROWS_GAUGE),
        "floe.transform.rows_affected",
    ),
    Metric(
        "floe_transform_bytes_processed",
        "gauge",
        "Bytes that the last run processed, where the engine says it.",
        ("model",),
        ("transform",),
        "By",
        gauge(BYTES_GAUGE),
        "floe.transform.bytes_processed",
    ),
)
