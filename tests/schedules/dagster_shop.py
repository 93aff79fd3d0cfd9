"""Run by the tests in Dagster's own environment: materialises assets with a hook and with asset checks."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import dagster as dg

from floe_contracts.schedules.dagster import contract_asset_checks, contract_check_hook

contracts, store, floe, target = sys.argv[1:]
more: dict[str, Any] = {"contracts": [contracts], "floe": floe, "options": ["--store", store]}


@dg.asset(metadata={"floe/contract": dg.MetadataValue.text("shop.orders")})
def orders() -> None:
    """Has a contract."""


@dg.asset
def stray() -> None:
    """Has none."""


@dg.asset(key_prefix=["raw", "eu"])
def deep() -> None:
    """Has none, and a key of three parts."""


@dg.multi_asset(
    specs=[
        dg.AssetSpec(["two", "named"], metadata={"floe/contract": "shop.named"}),
        dg.AssetSpec(["two", "nameless"]),
        dg.AssetSpec(["two", "skipped"], skippable=True),
    ]
)
def several() -> Iterator[dg.MaterializeResult]:
    """Makes two of its three assets."""
    yield dg.MaterializeResult(asset_key=["two", "named"])
    yield dg.MaterializeResult(asset_key=["two", "nameless"])


@dg.op
def inner() -> int:
    """A step of a graph."""
    return 1


@dg.graph_asset(metadata={"floe/contract": "shop.drawn"})
def drawn() -> Any:
    """Says its contract where its step does not."""
    return inner()


hook = contract_check_hook(check="lifecycle", assets=[drawn], **more)
checks = contract_asset_checks(orders, checks=["lifecycle"], **more)
assets = [orders, stray, deep, several, drawn]
job = dg.define_asset_job("nightly", selection=dg.AssetSelection.assets(*assets), hooks={hook})
definitions = dg.Definitions(assets=assets, asset_checks=checks, jobs=[job])
done = definitions.resolve_job_def("nightly").execute_in_process(
    tags={".dagster/scheduled_execution_time": "2026-01-03T00:00:00+00:00"}
)
Path(target).write_text(
    json.dumps(
        {
            "success": done.success,
            "run_id": done.run_id,
            "checks": [
                [one.check_name, one.passed, one.severity.value, one.description]
                for one in done.get_asset_check_evaluations()
            ],
        }
    )
)
