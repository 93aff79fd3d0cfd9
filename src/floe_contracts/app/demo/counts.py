"""What the demo counts, each number from where it is kept: the store, the events file, the gateway."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ...adapters.store.address import open_store
from ...emit.exposition import exposition
from ...emit.metric_points import points_of

_VIOLATIONS = "floe_contract_violations_total{"


@dataclass(frozen=True, slots=True)
class Counted:
    """Where a run left things; a slot that could not be checked is tried again, and its attempts have events each."""

    slots: int
    attempts: int
    violations: int
    events: int
    shown: int  # violations as the metrics show them


def counted(store_url: str, events: Path, metrics: str) -> Counted:
    """Read everything anew."""
    store = open_store(store_url)
    totals = [one for namespace in store.namespaces() for one in store.totals(namespace).values()]
    return Counted(
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
