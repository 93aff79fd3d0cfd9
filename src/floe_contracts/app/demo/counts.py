"""What the demo counts, each number from where it is kept: the store, the events file, the gateway."""

from __future__ import annotations

import json
import shutil
import socket
import subprocess
import time
import urllib.request
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ...adapters.store.address import open_store
from ...emit.exposition import exposition
from ...emit.metric_points import points_of

_VIOLATIONS = "floe_contract_violations_total{"


@dataclass(frozen=True, slots=True)
class DemoCounts:
    """Where a run left things; a slot that could not be checked is tried again, and its attempts have events each."""

    slots: int
    attempts: int
    violations: int
    events: int
    shown: int  # violations as the metrics show them


def counted(store_url: str, events: Path, metrics: str) -> DemoCounts:
    """Read everything anew."""
    store = open_store(store_url)
    totals = [one for namespace in store.namespaces() for one in store.totals(namespace).values()]
    return DemoCounts(
        slots=sum(one.slots for namespace in store.namespaces() for one in store.filled(namespace, 0).values()),
        attempts=sum(sum(one.durations) for one in totals),
        violations=sum(sum(one.counters.values()) for one in totals),
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
    store, found = open_store(store_url), []
    for group in store.outbox.groups():
        totals = {
            one: all_ for one, all_ in store.totals(group.namespace).items() if one.check_type == group.check_type
        }
        found.append(exposition(points_of(group.check_type, totals, store.outbox.backlog())).decode())
    return "\n".join(found)


PROGRAMS = ("prometheus-pushgateway", "pushgateway")
_START_S = 10.0


@contextmanager
def pushgateway() -> Iterator[str]:
    """Its address on loopback; empty where there is none or it does not start."""
    program = next((found for name in PROGRAMS if (found := shutil.which(name))), None)
    if program is None:
        yield ""
        return
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    command = [program, f"--web.listen-address=127.0.0.1:{port}"]
    none = subprocess.DEVNULL
    with subprocess.Popen(command, stdin=none, stdout=none, stderr=none) as running:
        try:
            url = f"http://127.0.0.1:{port}"
            yield url if _answers(url) else ""
        finally:
            running.terminate()


def metrics_of(url: str) -> str:
    """What a Prometheus would scrape."""
    with urllib.request.urlopen(f"{url}/metrics", timeout=5) as answer:  # noqa: S310 - loopback, from above
        return str(answer.read().decode())


def _answers(url: str) -> bool:
    until = time.monotonic() + _START_S
    while not _ready(url):
        if time.monotonic() > until:
            return False
        time.sleep(0.1)
    return True


def _ready(url: str) -> bool:
    try:
        with urllib.request.urlopen(f"{url}/-/ready", timeout=1):  # noqa: S310 - as above
            return True
    except OSError:
        return False
