"""What the demo counts, each number from where it is kept: the store, the events file, the gateway."""

from __future__ import annotations

import json
import shutil
import socket
import subprocess
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ...adapters.http.client import Call, HttpAnswer, NoAnswer, address_of, send
from ...adapters.store.address import open_store
from ...emit.metric_points import points_of

_VIOLATIONS = "floe_contract_violations_total{"


@dataclass(frozen=True, slots=True)
class DemoCounts:
    """The counts after a run; a slot that could not be checked is tried again, and each attempt has events."""

    slots: int
    attempts: int
    violations: int
    events: int
    shown: int  # violations as the metrics show them


def count_results(store_url: str, events: Path, metrics: str) -> DemoCounts:
    """The counts as they are now, everything read anew."""
    store = open_store(store_url)
    totals = [total for namespace in store.namespaces() for total in store.totals(namespace).values()]
    return DemoCounts(
        slots=sum(filled.slots for namespace in store.namespaces() for filled in store.filled(namespace, 0).values()),
        attempts=sum(sum(total.durations) for total in totals),
        violations=sum(sum(total.counters.values()) for total in totals),
        events=len(events_in(events)),
        shown=shown_violations(metrics.splitlines()),
    )


def shown_violations(lines: Iterable[str]) -> int:
    """The sum over all series of the counter, as Prometheus would add them up."""
    return sum(int(float(line.rpartition(" ")[2])) for line in lines if line.startswith(_VIOLATIONS))


def events_in(path: Path) -> list[dict[str, Any]]:
    """The lineage events of a file, one in each line."""
    if not path.exists():
        return []
    return [json.loads(line) for line in path.read_text("utf-8").splitlines() if line.strip()]


def metrics_text(store_url: str) -> str:
    """All metrics as a gateway would show them, for machines without one."""
    from ...adapters.sinks.prometheus import exposition

    store, texts = open_store(store_url), []
    for group in store.outbox.groups():
        totals = {
            series: total
            for series, total in store.totals(group.namespace).items()
            if series.check_type == group.check_type
        }
        texts.append(exposition(points_of(group.check_type, totals, store.outbox.backlog())))
    return "\n".join(texts)


PROGRAMS = ("prometheus-pushgateway", "pushgateway")
_START_S = 10.0
_MOST_BYTES = 10_000_000


@contextmanager
def pushgateway() -> Iterator[str]:
    """A Pushgateway on loopback: its address; empty where there is none or it does not start."""
    program = next((path for name in PROGRAMS if (path := shutil.which(name))), None)
    if program is None:
        yield ""
        return
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    command = [program, f"--web.listen-address=127.0.0.1:{port}", "--persistence.file="]  # Debian's default is a file
    none = subprocess.DEVNULL
    with subprocess.Popen(command, stdin=none, stdout=none, stderr=none) as running:
        try:
            url = f"http://127.0.0.1:{port}"
            yield url if _answers(url) else ""
        finally:
            running.terminate()


def metrics_of(url: str) -> str:
    """The text of a gateway's metrics, as Prometheus would scrape it."""
    return _get(url, "/metrics", 5.0).text


def _get(url: str, path: str, limit_s: float) -> HttpAnswer:
    return send(address_of(url, "the gateway's address"), Call("GET", path), limit_s, most_bytes=_MOST_BYTES)


def _answers(url: str) -> bool:
    until = time.monotonic() + _START_S
    while not _ready(url):
        if time.monotonic() > until:
            return False
        time.sleep(0.1)
    return True


def _ready(url: str) -> bool:
    try:
        return _get(url, "/-/ready", 1.0).taken
    except NoAnswer:
        return False
