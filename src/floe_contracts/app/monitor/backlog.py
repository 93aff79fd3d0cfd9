"""The backlog of a store: deliver everything that waits, and say what is left."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from ...contract.meaning.phrase import plural
from ...errors import FloeError
from ...monitor.settings.model import MonitoringConfig
from ...monitor.store.outbox import Backlog
from ...monitor.store.protocol import Store
from ...render.safe import log_safe
from .drain import Drained, DrainLimits, Sinks, drain
from .sinks import load_sinks


@dataclass(frozen=True, slots=True)
class Flushed:
    """The result of a flush: what came of each sink and mirror, and what still waits."""

    drained: tuple[Drained, ...]
    backlog: tuple[Backlog, ...]
    revived: int = 0
    notes: tuple[str, ...] = ()

    @property
    def empty(self) -> bool:
        return not (self.backlog or self.notes or any(drained.reason for drained in self.drained))

    def lines(self) -> Iterator[str]:
        if self.revived:
            yield f"{self.revived} refused messages wait again."
        for drained in self.drained:
            refused = f", {drained.refused} refused" if drained.refused else ""
            yield log_safe(f"{drained.outlet}: {drained.delivered} delivered{refused}")
        yield from self.notes
        yield from (log_safe(line, 600) for line in describe_backlog(self.drained, self.backlog))
        if not (self.drained or self.notes):
            yield "No receiver is configured: no FLOE_PUSHGATEWAY_URL, FLOE_WEBHOOK_URL, OPENLINEAGE_URL, OTEL_…"

    def values(self) -> dict[str, Any]:
        return {
            "revived": self.revived,
            "outlets": [
                {"name": each.outlet, "delivered": each.delivered, "refused": each.refused, "reason": each.reason}
                for each in self.drained
            ],
            "backlog": [{"sink": each.sink, "pending": each.pending, "dead": each.dead} for each in self.backlog],
            "notes": list(self.notes),
        }


def flush(
    store: Store,
    config: MonitoringConfig,
    *,
    revive: bool = False,
    limit_s: float = 60.0,
    environ: Mapping[str, str] = os.environ,
    sinks: Sinks | None = None,
) -> Flushed:
    """Deliver in one long drain that waits for no due time; all groups are pushed, also those pushed before."""
    sinks = sinks or load_sinks(config, environ)
    dead = [waiting.sink for waiting in store.outbox.backlog() if waiting.dead] if revive else []
    revived = sum(map(store.outbox.revive, dead))
    groups = {(group.namespace, group.check_type) for group in store.outbox.groups()}
    drained = drain(store, sinks, groups, DrainLimits(limit_s=limit_s, due=False))
    return Flushed(drained, store.outbox.backlog(), revived, sinks.notes)


def describe_backlog(drained: Iterable[Drained], backlog: Iterable[Backlog]) -> tuple[str, ...]:
    """One line for each sink or mirror that is behind: how much waits, why, and what becomes of it."""
    waiting = {waiting.sink: waiting for waiting in backlog}
    reasons = {sink.outlet: sink.reason for sink in drained}
    lines = [_behind(behind, reasons.get(behind.sink)) for behind in waiting.values()]
    untold = [(name, reason) for name, reason in reasons.items() if reason and name not in waiting]
    lines += [f"{name} got nothing: {reason}. The next run tries again." for name, reason in untold]
    return tuple(lines)


def describe_rest(drained: Iterable[Drained], store: Store) -> tuple[str, ...]:
    """The same of what waits in the store; one that fails now must not take the report of a finished run with it."""
    try:
        return describe_backlog(drained, store.outbox.backlog())
    except Exception as error:  # words of others may hold an address
        why = log_safe(error.message) if isinstance(error, FloeError) else type(error).__name__
        note = f"What waits to be sent is not known: {why}. `floe monitor status` shows it when the store answers."
        return (*describe_backlog(drained, ()), note)


def _behind(backlog: Backlog, reason: str | None) -> str:
    parts = [plural(backlog.pending, "message waits", "messages wait")] if backlog.pending else []
    parts += [f"{backlog.dead} {'was' if backlog.dead == 1 else 'were'} refused"] if backlog.dead else []
    why = reason or backlog.reason
    return f"{backlog.sink}: {' and '.join(parts)}{f' ({why})' if why else ''}. {_cure(backlog, reason)}"


def _cure(backlog: Backlog, reason: str | None) -> str:
    if reason is None:
        return "Nothing here is configured to reach it; `floe monitor prune` forgets what is old."
    if backlog.pending:
        return "The next run delivers them, or `floe monitor flush`."
    return "`floe monitor flush --revive` tries them again."
