"""What it costs to show the metrics of a thousand contracts: from the totals in a store to the gateway's answer."""

from __future__ import annotations

import resource
import shutil
import socket
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from decimal import Decimal
from pathlib import Path

from floe_contracts.adapters.sinks.pushgateway import Pushgateway, from_environment
from floe_contracts.adapters.store.address import open_store
from floe_contracts.adapters.store.sql_store import SqlStore
from floe_contracts.app.monitor.drain import DrainLimits, Sinks, drain
from floe_contracts.codes import Severity, ViolationType
from floe_contracts.monitor.run.outcome import GAUGES, STATUS_GAUGE
from floe_contracts.monitor.settings.model import CHECKS, MonitoringConfig
from floe_contracts.monitor.store.protocol import INTERVAL_GAUGE, Claim, SlotOutcome, Store, Violation
from floe_contracts.monitor.store.slots import SlotKey
from floe_contracts.results import CheckResult, Outcome

MANY = 1_000
_NOW = 1_767_435_300_000_000
_HOUR = 3_600_000_000


def cpu_seconds(place: Path, runs: int = 3) -> float | None:
    """The CPU time of one group's push, the gateway's own included; None where there is no gateway."""
    program = shutil.which("prometheus-pushgateway")
    if program is None:
        return None
    store = open_store(f"sqlite:///{place / 'store.db'}")
    _fill(store)
    ours, before = 0.0, _children()
    with _gateway(program, place) as mirror:
        for _ in range(runs):
            started = time.process_time()
            _push_all(store, mirror)
            ours += time.process_time() - started
    if isinstance(store, SqlStore):
        store.close()
    return (ours + _children() - before) / runs / len(CHECKS)


def _children() -> float:
    """CPU time of processes that have ended."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def _push_all(store: Store, mirror: Pushgateway) -> None:
    groups = [("shop", check) for check in CHECKS]
    (done,) = drain(store, Sinks(mirrors=(mirror,)), groups, DrainLimits(limit_s=240.0, try_s=60.0))
    if (done.delivered, done.reason) != (len(CHECKS), ""):  # one PUT for each group
        raise SystemExit(f"the gateway did not take the metrics: {done}")


def _fill(store: Store) -> None:
    for check in CHECKS:
        gauges = tuple((name, Decimal(1)) for name in (*GAUGES[check], STATUS_GAUGE, INTERVAL_GAUGE))
        for number in range(MANY):
            name = f"contract-{number}"
            claim = store.claim(SlotKey("shop", name, 1, check, _HOUR, _NOW), now_us=_NOW)
            if not isinstance(claim, Claim):
                raise SystemExit(f"the store gave no slot: {claim}")
            found = Violation(ViolationType.QUALITY, Severity.WARNING, "x", _NOW)
            result = CheckResult(check, name, Outcome.VIOLATED)
            outcome = SlotOutcome(claim, result, _NOW, name, "1.0.0", violations=(found,), gauges=gauges)
            store.commit(outcome, now_us=_NOW)


@contextmanager
def _gateway(program: str, place: Path) -> Iterator[Pushgateway]:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    command = [program, f"--web.listen-address=127.0.0.1:{port}", "--persistence.file=", "--log.level=error"]
    with (place / "gateway.log").open("wb") as log:
        running = subprocess.Popen(command, stdout=log, stderr=log)
    try:
        _wait(port)
        mirror = from_environment(MonitoringConfig(), {"FLOE_PUSHGATEWAY_URL": f"http://127.0.0.1:{port}"})
        if mirror is not None:
            yield mirror
    finally:
        running.terminate()
        running.wait(20)


def _wait(port: int) -> None:
    for _ in range(100):
        with socket.socket() as probe:
            if probe.connect_ex(("127.0.0.1", port)) == 0:
                return
        time.sleep(0.1)
    raise SystemExit("the gateway does not listen")
