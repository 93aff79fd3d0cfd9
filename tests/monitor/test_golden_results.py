"""Published JSON and stored records of run-time checks, byte for byte as 0.1.0 wrote them."""

from __future__ import annotations

import json
from collections.abc import Iterator
from decimal import Decimal

from support.judgements import at, clock, judged, sla
from support.judgements import orders as shop_orders
from support.monitored import FRESH, HOUR, Desk, orders, settings, targets
from support.shop_history import played, stories
from support.snapshots import assert_matches

from floe_contracts.adapters.store.result_record import result_record
from floe_contracts.checks.measured import Arrival, Failure, Latency
from floe_contracts.monitor.settings.model import CHECKS
from floe_contracts.render.machine import json_report
from floe_contracts.results import CheckResult


def test_stored_records_are_as_they_were() -> None:
    """One record for every set of facts that checks can have, as the store keeps them."""
    kept: dict[str, str] = {}
    for result in (*_history(), *_judged()):
        record = result_record(result)
        shape = [result.check, result.outcome.value, [key for key, _ in record["context"]]]
        shape += [[item["code"], [key for key, _ in item["context"]]] for item in record["findings"]]
        kept.setdefault(json.dumps(shape), json.dumps(record))
    assert_matches("golden-records.jsonl", "".join(f"{kept[shape]}\n" for shape in sorted(kept)))


def test_published_reports_are_as_they_were() -> None:
    """A run, the same slot again, a dry run, one after a pipeline, and contracts that are off."""
    desk = Desk()
    desk.put("orders", 8 * HOUR)
    off = settings(contracts={"orders": {"enforcement": "off"}})
    reports = []
    for check in CHECKS:
        reports.append(desk.run(check, targets(orders(FRESH))))
        reports.append(desk.run(check, targets(orders(FRESH))))
        reports.append(desk.run(check, targets(orders(FRESH)), dry_run=True, fail_on_error=True))
        reports.append(desk.run(check, targets(orders(FRESH)), run_id="nightly/1"))
        reports.append(desk.run(check, targets(orders(FRESH), config=off)))
    assert_matches("golden-reports.jsonl", "".join(map(json_report.one_line, reports)))


def _history() -> Iterator[CheckResult]:
    for story in stories():
        desk = played(story, 2)
        for series in desk.store.totals("shop"):
            for outcome in desk.store.history(series, 0, desk.now_us + HOUR, limit=200):
                yield outcome.result


def _judged() -> Iterator[CheckResult]:
    deadline, updates = sla("timeOfAvailability", "06:00 UTC"), sla("frequency", "0 6 * * *", scheduler="cron")
    latency = sla("latency", "PT1H")
    by_region = sla("freshness", "PT6H", group_by="region")
    yield judged(deadline, Arrival(True, "commits", at("2026-01-03 07:00")))
    yield judged(deadline, Arrival(False, "commits"))
    yield judged(deadline, clock("2026-01-03 05:10"))
    yield judged(updates, clock("2026-01-02 05:00"))
    yield judged(updates, clock("2026-01-03 07:00"))
    yield judged(latency, Latency(5000, Decimal("0.99"), 7_200_000_000, negatives=2, how="scan"))
    yield judged(latency, Latency(3, Decimal("0.99"), None, negatives=1, how="scan"))
    yield judged(by_region, clock("2026-01-03 01:00", groups={"eu": "2026-01-03 01:00", "us": None}))
    yield judged(sla("freshness", "PT6H", on_empty="skip"), clock(None))
    yield judged(sla("freshness", "PT6H"), clock(None, rows=0))
    yield judged(sla("freshness", "PT6H"), clock("2026-01-03 01:00", future=3))
    yield judged(sla("freshness", "PT6H"), Failure("connection refused"))
    yield judged(sla("freshness", "PT6H"), clock("2026-01-03 09:00"), past=True)
    yield judged(shop_orders(sla("freshness", "PT0S")), clock("2026-01-03 09:00"))
