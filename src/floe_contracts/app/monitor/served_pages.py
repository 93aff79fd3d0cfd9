"""What a monitor as a service shows of itself: metrics for Prometheus, and whether it works."""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from threading import Lock

from ...adapters.http.server import HttpPage
from ...checks.moments import iso
from ...emit.metric_points import all_points
from ...monitor.settings.model import MonitoringConfig
from ...monitor.store.protocol import Store
from .loops import CheckLoops

_METRICS = "text/plain; version=0.0.4; charset=utf-8"
_KEEP_S = 5.0  # several Prometheus ask at the same time


@dataclass(slots=True)
class MetricsPage:
    """Where all series of a namespace stand in the store: the numbers that are pushed, whoever counted them."""

    store: Store
    namespace: str
    config: MonitoringConfig
    seconds: Callable[[], float] = time.monotonic
    _kept: tuple[float, str] | None = None
    _lock: Lock = field(default_factory=Lock)

    def __call__(self) -> HttpPage:
        if not (self.config.data_contracts.alerting.prometheus_metrics and self.config.observability.metrics):
            return HttpPage("# Metrics are switched off in the settings.\n", type=_METRICS)
        with self._lock:
            now = self.seconds()
            if self._kept is None or not 0 <= now - self._kept[0] < _KEEP_S:
                self._kept = (now, self._read())
            return HttpPage(self._kept[1], type=_METRICS)

    def _read(self) -> str:
        from ...adapters.sinks.prometheus import exposition

        return exposition(all_points(self.store.totals(self.namespace), self.store.outbox.backlog()))


@dataclass(frozen=True, slots=True)
class HealthPage:
    """Whether the loops run; an outage of store, sources or sinks is no reason to start the service anew."""

    loops: CheckLoops
    contracts: int
    streams: int
    failure: Callable[[], str]

    def __call__(self) -> HttpPage:
        reasons = [self.failure()] if self.failure() else []
        reasons += [] if self.loops.alive else ["a loop of checks has ended"]
        values = {
            "status": "failing" if reasons else "ok",
            "reasons": reasons,
            "contracts": self.contracts,
            "streams": self.streams,
            "last_checked": {check: iso(us) for check, us in sorted(self.loops.last_us.items())},
        }
        return HttpPage(json.dumps(values) + "\n", 503 if reasons else 200, "application/json")
