"""The demo runs to its end, and its numbers are those of the store, the gateway, the events and the report."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest
from support.lineage_spec import conforms

from floe_contracts.adapters.store.address import open_store

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def shown(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, str]:
    folder = tmp_path_factory.mktemp("demo") / "shop"
    floe = Path(sys.executable).with_name("floe")
    done = subprocess.run([floe, "demo", folder], capture_output=True, text=True, check=False, timeout=900)
    assert done.returncode == 0, done.stdout[-3_000:] + done.stderr[-3_000:]
    return folder, done.stdout


def _number(pattern: str, text: str) -> int:
    found = re.search(pattern, text)
    assert found, pattern
    return int(found[1])


def test_every_fault_is_found(shown: tuple[Path, str]) -> None:
    _, said = shown
    for fault in (
        *("customer_id is never null: 7 rows break it", "status is one of 4 values: 3 rows break it"),
        *("order_id is unique: 2 values break it", "lifetime_value is missing from customers"),
        *(
            "loyalty_tier is a column that the contract does not name",
            "SLA is 1 hour",
            "shop.shipments is not available",
        ),
        "has reached its sunset",
    ):
        assert fault in said, fault


def test_a_product_that_weakens_its_platform_is_fixed(shown: tuple[Path, str]) -> None:
    _, said = shown
    failed, compiled = said.index("[5/6] Compilation FAILED"), said.index("[6/6] Writing compiled artifacts")
    assert failed < compiled


def test_a_product_that_failed_runs_the_next_night_and_both_stand_on_the_page(shown: tuple[Path, str]) -> None:
    folder, said = shown
    failed = "Pipeline FAIL in .*: ingest.refunds: it ended with exit code 1: finance delivered no refunds tonight"
    assert re.search(failed, said)
    assert re.search(r"history: COMPLETE \(.* s, 2,?398 rows\)", said)
    assert re.search(r"^Pipeline COMPLETE in ", said, re.MULTILINE)
    page = (folder / "report.html").read_text()
    section = page[page.index('id="pipelines"') : page.index('id="drift"')]
    for words in ("order-history", "2 runs, 1 failed", "monday", "tuesday", "finance delivered no refunds tonight"):
        assert words in section, words


def test_the_numbers_agree(shown: tuple[Path, str]) -> None:
    folder, said = shown
    counted = _number(r"violations counted +(\d+) by the first run", said)
    assert _number(r"violations counted .* (\d+) after the second", said) == counted
    store = open_store(f"sqlite:///{folder}/monitoring.db")
    assert sum(sum(one.counters.values()) for one in store.totals("floe").values()) == counted
    metrics = (folder / "metrics.prom").read_text()
    shown_there = re.findall(r"^floe_contract_violations_total\{.*\} (\d+)$", metrics, re.MULTILINE)
    assert sum(map(int, shown_there)) == counted
    events = (folder / "lineage-events.jsonl").read_text().splitlines()
    assert len(events) == _number(r"(\d+) OpenLineage events", said)
    facets = [json.loads(line)["run"]["facets"].get("contractViolation", {}) for line in events]
    assert sum(one.get("violationCount", 0) for one in facets) == counted
    for line in events:
        conforms(line.encode())


def test_the_report_names_every_contract(shown: tuple[Path, str]) -> None:
    folder, _ = shown
    page = (folder / "report.html").read_text()
    for name in ("shop.orders", "shop-customers", "payments", "shop.shipments", "shop.coupons"):
        assert name in page
