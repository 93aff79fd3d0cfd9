"""The DAGs in a real Airflow, in an environment of its own: imported, and run with the slot of their interval."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from support.builds import ROOT
from support.environments import Environment, environment
from support.needs import cannot_run
from support.pipelines import ran as steps_of
from support.pipelines import write_product
from support.retired_shop import write_shop

from floe_contracts.adapters.store.address import open_store
from floe_contracts.cli.main import main
from floe_contracts.monitor.store.slots import Series

pytestmark = pytest.mark.slow

PACKAGES = ("apache-airflow>=3,<4", "apache-airflow-providers-standard", "apache-airflow-providers-apache-spark")
NIGHTLY = """\
from airflow.providers.standard.operators.bash import BashOperator
from airflow.providers.standard.operators.empty import EmptyOperator
from airflow.sdk import DAG

from floe_contracts.schedules.airflow import after_run, contract_dags

with DAG("nightly", schedule=None):
    write = EmptyOperator(task_id="write")
    kept = ["--store", "{store}-run"]
    write >> after_run(contracts=["{shop}/contracts"], floe="{floe}", check="lifecycle", options=kept)

with DAG("product", schedule=None):
    words = "--run-id '{{{{ dag.dag_id }}}}/{{{{ run_id }}}}' --trigger scheduled"
    BashOperator(task_id="run", bash_command=f"{floe} run {product} --store {store}-product {{words}}")

globals().update(
    contract_dags(
        "submitted",
        contracts=["{shop}/contracts"],
        checks=["lifecycle", "freshness"],
        submit=True,
        options=["--store", "{store}-submitted"],
    )
)
"""
UNNAMED = """\
from floe_contracts.schedules.airflow import contract_dags

globals().update(contract_dags("unnamed", contracts=[], submit=True))
"""
RUN = ("shop_contracts_lifecycle", "nightly", "product", "submitted_contracts_lifecycle")


@dataclass(frozen=True, slots=True)
class Ran:
    """What Airflow says of its DAGs, and where their checks were kept."""

    told: dict[str, Any]
    store: str
    product: Path


@pytest.fixture(scope="module")
def ran(tmp_path_factory: pytest.TempPathFactory, floe_wheel: Path, floe: str) -> Ran:
    """One Airflow for all tests here: it takes its time to start."""
    place = tmp_path_factory.mktemp("airflow")
    submit = ROOT / ".venv-spark/bin"
    if not (submit / "spark-submit").exists():
        cannot_run("there is no .venv-spark with spark-submit; `make test-spark` makes it")
    made, shop, dags = environment(place / "venv", *PACKAGES, floe_wheel), place / "shop", place / "home/dags"
    write_shop(shop)
    product = write_product(place / "product", "one", "two")
    dags.mkdir(parents=True)
    store = f"sqlite:///{shop}/.floe/monitoring.db"
    words = ("--folder", str(shop), "--floe", floe, "-o", str(dags / "shop.py"))
    assert main(["schedule", "airflow", *words]) == 0
    shutil.copy(ROOT / "examples/schedules/airflow_after_run.py", dags)
    (dags / "nightly.py").write_text(NIGHTLY.format(shop=shop, floe=floe, store=store, product=product))
    (dags / "unnamed.py").write_text(UNNAMED)
    environ = _environ(place, made, submit)
    _run(environ, made.program("airflow"), "db", "migrate")
    _run(environ, made.python, str(Path(__file__).with_name("airflow_shop.py")), *RUN, str(place / "told.json"))
    return Ran(json.loads((place / "told.json").read_text()), store, product)


def _environ(place: Path, made: Environment, submit: Path) -> dict[str, str]:
    """Spark's programs come before Airflow's, whose own Spark package has none."""
    clean = {name: value for name, value in os.environ.items() if not name.startswith(("AIRFLOW", "PYTHON", "FLOE"))}
    return {
        **clean,
        "AIRFLOW_HOME": str(place / "home"),
        "AIRFLOW__CORE__LOAD_EXAMPLES": "False",
        "AIRFLOW_CONN_SPARK_DEFAULT": json.dumps({"conn_type": "spark", "host": "local[2]"}),
        "PATH": os.pathsep.join([str(submit), str(made.place / "bin"), os.environ["PATH"]]),
    }


def _run(environ: dict[str, str], *command: str) -> None:
    done = subprocess.run(command, env=environ, capture_output=True, text=True, check=False, timeout=900)
    assert done.returncode == 0, done.stdout[-4_000:] + done.stderr[-4_000:]


def _slots(store: str) -> list[str]:
    return [one.key.when for one in open_store(store).history(Series("floe", "shop.orders", 1, "lifecycle"), 0)]


def test_every_dag_is_imported_and_runs(ran: Ran) -> None:
    checks = ("availability", "freshness", "lifecycle", "quality", "schema_drift")
    assert [Path(path).name for path in ran.told["errors"]] == ["unnamed.py"]
    assert {f"shop_contracts_{check}" for check in checks} | {"shop_nightly"} <= set(ran.told["dags"])
    assert ran.told["states"] == dict.fromkeys(RUN, "success")


def test_a_submitted_check_without_contracts_is_refused(ran: Ran) -> None:
    (said,) = ran.told["errors"].values()
    assert "the DAGs 'unnamed' must name contracts" in said


def test_a_check_fills_the_slot_of_its_interval(ran: Ran) -> None:
    assert _slots(ran.store) == ["2026-01-03T00:00:00Z"]


def test_spark_submit_fills_the_same_slot(ran: Ran) -> None:
    assert _slots(f"{ran.store}-submitted") == ["2026-01-03T00:00:00Z"]


def test_a_check_after_a_run_belongs_to_that_run(ran: Ran) -> None:
    assert _slots(f"{ran.store}-run") == [f"run nightly/{ran.told['run_ids']['nightly']}"]


def test_a_task_runs_a_product_as_the_run_of_its_dag(ran: Ran) -> None:
    assert steps_of(ran.product) == ["one", "two"]
    (run,) = open_store(f"{ran.store}-product").history(Series("customer-360", "customer-360", 0, "pipeline"), 0)
    assert run.key.when == f"run product/{ran.told['run_ids']['product']}"
