"""Run by the tests in Airflow's own environment: loads the folder of DAGs, runs each as told, prints how it ended."""

from __future__ import annotations

import json
import sys
from datetime import datetime, timezone
from pathlib import Path

from airflow.dag_processing.dagbag import DagBag

LOGICAL = datetime(2026, 1, 3, tzinfo=timezone.utc)

wanted, target = sys.argv[1:-1], Path(sys.argv[-1])
bag = DagBag()
runs = {name: bag.dags[name].test(logical_date=LOGICAL) for name in wanted}
target.write_text(
    json.dumps(
        {
            "errors": bag.import_errors,
            "dags": sorted(bag.dags),
            "states": {name: str(run.state) for name, run in runs.items()},
            "run_ids": {name: run.run_id for name, run in runs.items()},
        }
    )
)
