"""The OpenLineage sinks: events of every attempt; each receiver is a sink of its own, with a backlog of its own."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from importlib import metadata
from pathlib import Path

from ...emit.lineage import job_name, lineage_events
from ...emit.lineage_facets import Speaker
from ...emit.lineage_parent import parent_of
from ...emit.pipeline_lineage import step_events
from ...monitor.run.delivery import Delivery, NewResult, NewStep
from ...monitor.settings.model import MonitoringConfig
from ...monitor.store.outbox import Message, Pending
from .openlineage_config import lineage_config
from .openlineage_transports import Transport, transport_for

# The package whose version is that of the engine below each plugin.
_ENGINES = {"odcs": ("spark", "pyspark"), "datacontract-cli": ("datacontract-cli", "datacontract-cli")}


@dataclass(frozen=True, slots=True)
class LineageSink:
    """One receiver."""

    transport: Transport
    speaker: Speaker
    hidden: tuple[re.Pattern[str], ...] = ()

    @property
    def name(self) -> str:
        return f"openlineage {self.transport.place}"

    def messages(self, result: NewResult) -> Iterator[Message]:
        if any(pattern.match(job_name(result.outcome)) for pattern in self.hidden):
            return
        for event in lineage_events(result, self.speaker):
            yield Message(self.name, event.type, event.body)

    def step_messages(self, new: NewStep) -> Iterator[Message]:
        if any(pattern.match(new.step.name) for pattern in self.hidden):
            return
        for event in step_events(new, self.speaker):
            yield Message(self.name, event.type, event.body)

    def deliver(self, pending: Pending, limit_s: float) -> Delivery:
        return self.transport.send(pending.message.body, limit_s)


def from_environment(config: MonitoringConfig, environ: Mapping[str, str]) -> tuple[LineageSink, ...] | None:
    """Every receiver that OpenLineage's own configuration names; None where there is none, or lineage is off."""
    if not (config.data_contracts.alerting.openlineage_events and config.observability.lineage):
        return None
    folder = Path.cwd()
    lineage = lineage_config(environ, folder)
    transports = tuple(map(transport_for, lineage.transports))
    if not transports:
        return None
    speaker = Speaker(config.observability, _engine(config.data_contracts.plugin.type), parent_of(environ), str(folder))
    return tuple(LineageSink(transport, speaker, lineage.hidden) for transport in transports)


def _engine(plugin: str) -> tuple[str, str] | None:
    name, package = _ENGINES.get(plugin, ("", ""))
    try:
        return (name, metadata.version(package)) if name else None
    except metadata.PackageNotFoundError:
        return None
