"""Run by the tests in Dagster's own environment: materialises assets with a hook and with asset checks."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import dagster as dg

from floe_contracts.schedules.dagster import contract_asset_checks, contract_check_hook

contracts, store, floe, target = sys.argv[1:]
more: dict[str, Any] = {"contracts": [contracts], "floe": floe, "options": ["--store", store]}


@dg.asset(metadata={"floe/contract": "shop.orders"})
def orders() -> None:
    """Has a contract."""


@dg.asset
def stray() -> None:
    """Has none."""


hook = contract_check_hook(check="lifecycle", **more)
checks = contract_asset_checks(orders, checks=["lifecycle"], **more)
job = dg.define_asset_job("nightly", selection=dg.AssetSelection.assets(orders, stray), hooks={hook})
definitions = dg.Definitions(assets=[orders, stray], asset_checks=checks, jobs=[job])
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
