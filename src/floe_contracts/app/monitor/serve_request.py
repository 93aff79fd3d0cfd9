"""The request to watch contracts as a service, and the process around it."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, field

from ...adapters.http.server import ListenAddress
from ...checks.verdict import Check
from ...monitor.settings.model import CHECKS, MonitoringConfig
from .judge import RunJudge, open_judge
from .request import RunRequest
from .service_ports import ServicePorts


@dataclass(frozen=True, slots=True)
class ServeRequest:
    """What to watch, and where its pages are."""

    listen: ListenAddress = ListenAddress("127.0.0.1", 9464)
    contracts: tuple[str, ...] = ()
    artifacts: str = ""
    root: str = ""
    config: str = ""
    store: str = ""
    only: tuple[str, ...] = ()
    server: str = ""
    connection: tuple[str, ...] = ()
    checkpoint: str = ""
    limit_s: float = 600.0

    @property
    def run(self) -> RunRequest:
        """The same as a run of every check that a scheduler started."""
        return RunRequest(
            CHECKS, self.contracts, self.artifacts, self.root, self.config, self.store,
            only=self.only, server=self.server, connection=self.connection, limit_s=self.limit_s,
        )  # fmt: skip


@dataclass(frozen=True, slots=True)
class ServeLimits:
    """How long the end may take: what is running, then what is to be sent; in all less than the 30 s of Kubernetes."""

    checks_s: float = 12.0
    drain_s: float = 6.0
    in_all_s: float = 27.0


@dataclass(frozen=True, slots=True)
class ServePorts:
    """Everything around the service; a test gives its own clocks, environment and engine, and sets `stopping`."""

    outside: ServicePorts = field(default_factory=ServicePorts)
    open_judge: Callable[[MonitoringConfig, Sequence[Check]], AbstractContextManager[RunJudge]] = open_judge
    stopping: threading.Event = field(default_factory=threading.Event)
    limits: ServeLimits = ServeLimits()
    leave: Callable[[int], object] = os._exit  # at once: whatever a thread still waits for
