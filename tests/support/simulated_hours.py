"""A process of its own that serves for some simulated time, and prints how much memory it takes after each minute.

`python -m support.simulated_hours FOLDER MINUTES SPEED`: a minute takes 60 / SPEED seconds. Sinks are those that the
environment names; whoever started it takes them away and brings them back.
"""

from __future__ import annotations

import asyncio
import gc
import os
import resource
import sys
import time
from collections.abc import Callable
from pathlib import Path
from threading import Event, Thread

from floe_contracts.adapters.http.server import ListenAddress
from floe_contracts.adapters.process.console import Console
from floe_contracts.app.monitor.log import RunLog
from floe_contracts.app.monitor.serve import serve
from floe_contracts.app.monitor.serve_request import ServePorts, ServeRequest
from floe_contracts.app.monitor.service_ports import ServicePorts
from floe_contracts.checks.moments import HOUR, MINUTE
from support.job_desk import ORDERS, Project
from support.monitored import NOW

CONTRACTS = 3
SETTINGS = """\
store: sqlite:///.floe/monitoring.db
data_contracts:
  monitoring:
    availability: {check_interval: 1m}
    freshness: {check_interval: 1m}
    schema_drift: {check_interval: 1m}
    quality: {check_interval: 1m}
"""


def main(folder: str, minutes: int, speed: float) -> int:
    os.chdir(folder)
    shop, stopping, watching = Project(Path(folder)), Event(), Event()
    began = time.monotonic()
    shop.settings(SETTINGS)
    for number in range(CONTRACTS):
        shop.contract(f"orders_{number}", ORDERS)
        shop.table(f"orders_{number}", number * 2 * HOUR)

    def now_us() -> int:
        """Time passes only from the moment on when the service has started."""
        return NOW + int((time.monotonic() - began) * speed * 1_000_000 if watching.is_set() else 0)

    def log(level: str, message: str, _: object) -> None:
        nonlocal began
        if message.startswith("Watching"):
            began = time.monotonic()
            watching.set()
        if level == "error":
            _say(f"{level} {message}")

    outside = ServicePorts(now_us, sleep=lambda seconds: asyncio.sleep(seconds / speed), log=log)
    Thread(target=_watch, args=(shop, now_us, minutes, speed, stopping), daemon=True).start()
    request = ServeRequest(ListenAddress("127.0.0.1", 0), ("contracts",))
    return serve(request, ServePorts(outside, shop._judging, stopping), RunLog(Console(), quiet=True))


def _watch(shop: Project, now_us: Callable[[], int], minutes: int, speed: float, stopping: Event) -> None:
    for minute in range(1, minutes + 1):
        while now_us() < NOW + minute * MINUTE:
            time.sleep(0.2 / speed)
        shop.engine.asked.clear()
        gc.collect()
        _say(f"minute {minute} {_rss_kb()}")
    stopping.set()


def _say(line: str) -> None:
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


def _rss_kb() -> int:
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * resource.getpagesize() // 1024


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], int(sys.argv[2]), float(sys.argv[3])))
