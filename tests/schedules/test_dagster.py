"""Asset checks and the hook in a real Dagster, in an environment of its own."""

from __future__ import annotations

import json
import os
import re
import subprocess
from pathlib import Path

import pytest
from support.builds import ROOT
from support.environments import Environment, environment
from support.pipelines import ran, write_product

from floe_contracts.adapters.store.address import open_store
from floe_contracts.monitor.store.slots import Series

pytestmark = pytest.mark.slow

SCRIPT = Path(__file__).with_name("dagster_shop.py")


@pytest.fixture(scope="session")
def dagster(tmp_path_factory: pytest.TempPathFactory, floe_wheel: Path) -> Environment:
    return environment(tmp_path_factory.mktemp("dagster") / "venv", "dagster>=1.8", floe_wheel)


def test_checks_and_hook(dagster: Environment, shop: Path, floe: str, tmp_path: Path) -> None:
    store = f"sqlite:///{shop}/.floe/monitoring.db"
    clean = {name: value for name, value in os.environ.items() if not name.startswith(("DAGSTER", "PYTHON"))}
    done = subprocess.run(
        [dagster.python, str(SCRIPT), str(shop / "contracts"), store, floe, str(tmp_path / "told")],
        env={**clean, "DAGSTER_HOME": str(tmp_path)},
        capture_output=True,
        text=True,
        check=False,
        timeout=300,
    )
    assert done.returncode == 0, done.stderr[-3_000:]
    told = json.loads((tmp_path / "told").read_text())
    assert told["success"] is True  # a violation alerts, and the run goes on
    ((name, passed, severity, description),) = told["checks"]
    assert (name, passed, severity) == ("contract_lifecycle", False, "ERROR")
    assert "retired" in description.casefold() or "sunset" in description.casefold()
    slots = {one.key.when: one for one in open_store(store).history(Series("floe", "shop.orders", 1, "lifecycle"), 0)}
    assert set(slots) == {"2026-01-03T00:00:00Z", f"run {told['run_id']}"}  # the schedule's slot, and the hook's run
    assert "shop.orders has 1 violation" in done.stderr
    unknown = {"nightly.stray", "nightly.raw.eu.deep", "shop.named", "nightly.two.nameless", "shop.drawn"}
    assert set(re.findall(r"Contract (\S+) could not be checked", done.stderr)) == unknown


PRODUCT = """\
import subprocess, sys
import dagster as dg

@dg.op
def run_product(context: dg.OpExecutionContext) -> None:
    subprocess.run([*sys.argv[1:], "--run-id", context.run_id, "--trigger", "sensor"], check=True)

@dg.job
def product():
    run_product()

print(product.execute_in_process().run_id)
"""


def test_an_op_runs_a_product_as_its_run(dagster: Environment, floe: str, tmp_path: Path) -> None:
    product, store = write_product(tmp_path / "product", "one", "two"), f"sqlite:///{tmp_path}/runs.db"
    command = [dagster.python, "-c", PRODUCT, floe, "run", str(product), "--store", store]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=300)
    assert done.returncode == 0, done.stderr[-3_000:]
    assert ran(product) == ["one", "two"]
    (run,) = open_store(store).history(Series("customer-360", "customer-360", 0, "pipeline"), 0)
    assert run.key.when == f"run {done.stdout.splitlines()[-1]}"


def test_the_example_is_a_definition_that_dagster_loads(dagster: Environment) -> None:
    example = ROOT / "examples/schedules/dagster_assets.py"
    program = f"import runpy; print(runpy.run_path({str(example)!r})['defs'].resolve_job_def('nightly').name)"
    done = subprocess.run([dagster.python, "-c", program], capture_output=True, text=True, check=False, timeout=300)
    assert done.stdout == "nightly\n", done.stderr[-3_000:]
