"""Checks of data contracts, written by `floe schedule airflow`; put it into Airflow's folder of DAGs.

Airflow's environment needs floe-contracts without extras. FLOE is the program of the environment that has
floe-contracts[spark] and Java; Spark does not belong into Airflow's own.
"""

from floe_contracts.schedules.airflow import contract_dags

FLOE = "/opt/floe/bin/floe"

globals().update(
    contract_dags(
        "shop",
        contracts=["/srv/shop/contracts"],
        floe=FLOE,
        folder="/srv/shop",
    )
)
