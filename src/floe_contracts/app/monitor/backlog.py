"""Delivers everything that waits in a store, and says what is left."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from ...monitor.settings.model import MonitoringConfig
from ...monitor.store.outbox import Backlog
from ...monitor.store.protocol import Store
from ...render.safe import log_safe
from .drain import Drained, DrainLimits, Sinks, drain
from .run import undelivered
from .sinks import outlets_for


@dataclass(frozen=True, slots=True)
class Flushed:
    """What came of each outlet, and what still waits."""

    drained: tuple[Drained, ...]
    backlog: tuple[Backlog, ...]
    revived: int = 0
    notes: tuple[str, ...] = ()

    @property
    def empty(self) -> bool:
        return not (self.backlog or self.notes or any(one.reason for one in self.drained))

    def lines(self) -> Iterator[str]:
        if self.revived:
            yield f"{self.revived} refused messages wait again."
        for one in self.drained:
            yield log_safe(
                f"{one.outlet}: {one.delivered} delivered{f', {one.refused} refused' if one.refused else ''}"
            )
        yield from self.notes
        yield from (log_safe(line, 600) for line in undelivered(self.drained, self.backlog))
        if not (self.drained or self.notes):
            yield "Nobody is configured to be told: no FLOE_PUSHGATEWAY_URL, FLOE_WEBHOOK_URL, OPENLINEAGE_URL, OTEL_…"

    def values(self) -> dict[str, Any]:
        return {
            "revived": self.revived,
            "outlets": [
                {"name": one.outlet, "delivered": one.delivered, "refused": one.refused, "reason": one.reason}
                for one in self.drained
            ],
            "backlog": [{"sink": one.sink, "pending": one.pending, "dead": one.dead} for one in self.backlog],
            "notes": list(self.notes),
        }


def flushed(
    store: Store,
    config: MonitoringConfig,
    *,
    revive: bool = False,
    limit_s: float = 60.0,
    environ: Mapping[str, str] = os.environ,
    outlets: Sinks | None = None,
) -> Flushed:
    """One long drain that waits for no due time; all groups are pushed, also those that mirrors should have."""
    found = outlets or outlets_for(config, environ)
    revived = sum(store.outbox.revive(one.sink) for one in store.outbox.backlog() if one.dead) if revive else 0
    groups = {(one.namespace, one.check_type) for one in store.outbox.groups()}
    drained = drain(store, found, groups, DrainLimits(limit_s=limit_s, due=False))
    return Flushed(drained, store.outbox.backlog(), revived, found.notes)
