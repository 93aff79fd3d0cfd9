"""Sends a result to lineage, metrics and the log, in this order; none of them can undo a result or stop a check."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Protocol, runtime_checkable

from ...contract.model import Json
from ...emit.lineage import job_name, terminal_event
from ...monitor.plugin.results import violations_in
from ...monitor.run.delivery import NewResult
from ...monitor.run.targets import Target
from ...monitor.settings.model import MonitoringConfig
from ...monitor.store.protocol import Committed, SlotOutcome, Violation
from ...product.data_contracts import Enforcement
from ...results import Outcome

Log = Callable[[str, str, Mapping[str, str]], None]  # level, message, fields


class LineageEmitter(Protocol):
    """As the seed calls it; START events and run ids are the emitter's own business."""

    def __call__(self, *, event_type: str, job: str, facets: Mapping[str, Json]) -> object: ...


@runtime_checkable
class Metrics(Protocol):
    """A registry of metrics; adapters wrap the real ones."""

    def record(self, outcome: SlotOutcome, counted: tuple[Violation, ...]) -> None: ...


@dataclass(frozen=True, slots=True)
class Emission:
    """Sends new results; under `warn` to the log alone."""

    config: MonitoringConfig
    lineage: LineageEmitter
    metrics: Metrics | None
    log: Log

    def __call__(self, target: Target, outcome: SlotOutcome, committed: Committed) -> None:
        if target.enforcement.rank >= Enforcement.ALERT_ONLY.rank:
            if self.config.data_contracts.alerting.openlineage_events and self.config.observability.lineage:
                self._guard("lineage", target, lambda: self._to_lineage(target, outcome))
            metrics = self.metrics if self.config.data_contracts.alerting.prometheus_metrics else None
            if metrics is not None and self.config.observability.metrics:
                self._guard("metrics", target, lambda: metrics.record(outcome, committed.counted))
        self._guard("log", target, lambda: log_outcome(self.log, outcome))

    def _guard(self, sink: str, target: Target, deliver: Callable[[], object]) -> None:
        try:
            deliver()
        except Exception as error:  # a sink that is down must not stop a check
            # Only the type: the words of an error may hold addresses with credentials.
            fields = {"contract": target.name, "sink": sink, "error": type(error).__name__}
            self.log("error", "Could not be delivered", fields)

    def _to_lineage(self, target: Target, outcome: SlotOutcome) -> None:
        event_type, facets = terminal_event(NewResult(target, outcome))
        self.lineage(event_type=event_type, job=job_name(outcome), facets=facets)


def log_outcome(log: Log, outcome: SlotOutcome) -> None:
    """A line for each violation of a result, or one that says why there is no result."""
    fields = {"contract": outcome.label, "check_type": outcome.key.check_type, "slot": outcome.key.when}
    for violation in violations_in(outcome.result, outcome.version, outcome.as_of_us):
        more = {
            "type": violation.violation_type.value,
            "severity": violation.severity.value,
            "detail": violation.message,
        }
        log("info" if violation.severity.value == "info" else "warning", "Contract violation", {**fields, **more})
    if outcome.result.outcome is Outcome.ERRORED:
        reasons = "; ".join(item.message for item in outcome.result.findings)
        log("error", "Contract could not be checked", {**fields, "detail": reasons})
