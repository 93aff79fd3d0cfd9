"""Airflow: a pipeline whose output is checked before anybody reads it.

`contracts` belongs to the pipeline's run, so a retry counts nothing twice. It fails when a contract under `block` is
violated; then `publish` does not run.
"""

from datetime import datetime, timezone

from airflow.providers.standard.operators.bash import BashOperator
from airflow.sdk import DAG

from floe_contracts.schedules.airflow import after_run

with DAG("shop_nightly", schedule="@daily", start_date=datetime(2026, 1, 1, tzinfo=timezone.utc), catchup=False):
    load = BashOperator(task_id="load", bash_command="spark-submit /srv/shop/load_orders.py")
    contracts = after_run(contracts=["/srv/shop/contracts/orders.yaml"], floe="/opt/floe/bin/floe")
    publish = BashOperator(task_id="publish", bash_command="/srv/shop/publish")
    load >> contracts >> publish
