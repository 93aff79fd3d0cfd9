"""`floe monitor serve` inside a test: a project on disk, tables in memory, the service in a thread of its own."""

from __future__ import annotations

import asyncio
import json
import threading
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

from floe_contracts.adapters.http.server import ListenAddress
from floe_contracts.adapters.process.console import Console
from floe_contracts.app.monitor.log import RunLog
from floe_contracts.app.monitor.serve import serve
from floe_contracts.app.monitor.serve_request import ServeLimits, ServePorts, ServeRequest
from floe_contracts.app.monitor.service_ports import ServicePorts
from support.job_desk import Project

PATIENCE_S = 60.0


@dataclass
class Served:
    """A service that runs; its clock is the project's."""

    project: Project
    limits: ServeLimits = field(default_factory=ServeLimits)
    logged: list[tuple[str, str, Mapping[str, str]]] = field(default_factory=list)
    stopping: threading.Event = field(default_factory=threading.Event)
    left: list[int] = field(default_factory=list)
    code: int | None = None
    error: BaseException | None = None

    def request(self, **more: Any) -> ServeRequest:
        return ServeRequest(ListenAddress("127.0.0.1", 0), ("contracts",), **more)

    def serve(self, **more: Any) -> None:
        outside = ServicePorts(
            now_us=lambda: self.project.now_us,
            sleep=lambda _: asyncio.sleep(0.02),
            log=lambda level, message, fields: self.logged.append((level, message, fields)),
            environ=self.project.environ,
        )
        opened = self.project.judging or self.project._judging
        ports = ServePorts(outside, opened, self.stopping, self.limits, self.left.append)
        try:
            self.code = serve(self.request(**more), ports, RunLog(Console(), quiet=True))
        except BaseException as error:
            self.error = error

    @property
    def messages(self) -> list[str]:
        return [message for _, message, _ in self.logged]

    @property
    def url(self) -> str:
        self.until(lambda: any("metrics at" in message for message in self.messages))
        words = next(message for message in self.messages if "metrics at" in message)
        return words.split("metrics at ")[1].removesuffix("/metrics")

    def get(self, path: str, method: str = "GET") -> tuple[int, str]:
        try:
            asked = urllib.request.Request(self.url + path, method=method)
            with urllib.request.urlopen(asked, timeout=10) as answer:
                return answer.status, answer.read().decode()
        except urllib.error.HTTPError as error:
            return error.code, error.read().decode()

    def health(self) -> dict[str, Any]:
        found: dict[str, Any] = json.loads(self.get("/healthz")[1])
        return found

    def until(self, holds: Callable[[], bool]) -> None:
        end = time.monotonic() + PATIENCE_S
        while not holds():
            if self.error is not None:
                raise self.error
            assert time.monotonic() < end, self.logged
            time.sleep(0.01)

    def until_checked(self, *checks: str) -> None:
        wanted = set(checks or ("availability", "freshness", "schema_drift", "quality", "lifecycle"))
        self.until(lambda: wanted <= {fields.get("check_type") for _, said, fields in self.logged if said == "Checked"})


@contextmanager
def serving(served: Served, **more: Any) -> Iterator[Served]:
    """The service until the end of the block, where it is told to stop."""
    thread = threading.Thread(target=served.serve, kwargs=more, daemon=True)
    thread.start()
    try:
        yield served
    finally:
        served.stopping.set()
        thread.join(40)
        assert not thread.is_alive()
