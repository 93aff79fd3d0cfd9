"""Dagster: asset checks on a schedule, and a hook that checks whatever a job has just materialised."""

import dagster as dg

from floe_contracts.schedules.dagster import contract_asset_checks, contract_check_hook

CONTRACTS = ["/srv/shop/contracts"]
FLOE = "/opt/floe/bin/floe"  # of the environment that has floe-contracts[spark] and Java


@dg.asset(metadata={"floe/contract": "shop.orders"})
def orders() -> None:
    """Written by your own code."""


checks = contract_asset_checks(orders, contracts=CONTRACTS, floe=FLOE)
after = contract_check_hook(contracts=CONTRACTS, floe=FLOE)  # alerts, and never fails the run
nightly = dg.define_asset_job("nightly", selection=dg.AssetSelection.assets(orders), hooks={after})

defs = dg.Definitions(
    assets=[orders],
    asset_checks=checks,
    jobs=[nightly],
    schedules=[dg.ScheduleDefinition(job=nightly, cron_schedule="0 3 * * *")],
)
