"""Real spark-submit runs of the jobs: a shop with data on disk, an interpreter without floe, and a cluster."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import sysconfig
import time
import zipfile
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from support.ports import free_port
from support.running import Ran

ROOT = Path(__file__).parents[2]
SUBMIT = Path(sysconfig.get_path("scripts")) / "spark-submit"
LOCAL = "local[2]"
_PATIENCE_S = 420.0  # of a machine that has much else to do

ORDERS = """\
schema: orders
version: "1.0.0"
owner: checkout
servers: [{server: here, type: local, path: ../data/orders, format: parquet}]
fields:
  - {name: order_id, type: STRING, nullable: false, primary_key: true}
  - {name: status, type: STRING, enum: [paid, shipped]}
  - {name: email, type: STRING, classification: confidential}
  - {name: placed_at, type: TIMESTAMP}
sla: {element: placed_at, freshness_minutes: 360}
"""
CUSTOMERS = """\
schema: customers
version: "2.0.0"
owner: crm
servers: [{server: here, type: local, path: ../data/customers, format: parquet}]
fields:
  - {name: customer_id, type: BIGINT, nullable: false, primary_key: true}
"""
HOSTILE = "a: &a [x, x]\nb: &b [*a, *a]\nschema: [*b, *b\n"
# Order 7 has a status that nobody promised, and order 3 is there twice; all are eight hours old.
ORDER_ROWS = """\
select concat('o', if(id = 4, 3, id)) order_id, if(id = 7, 'vanished42', 'paid') status, 'ana@example.com' email,
       current_timestamp() - make_dt_interval(0, 8) placed_at
from range(100)"""
BLOCK = "contracts: {orders: {enforcement: block}}\n"
FOUND = [
    "bomb.yaml availability errored FLOE-E501",
    "bomb.yaml freshness errored FLOE-E501",
    "bomb.yaml lifecycle errored FLOE-E501",
    "bomb.yaml quality errored FLOE-E501",
    "bomb.yaml schema_drift errored FLOE-E501",
    "customers availability passed",
    "customers freshness skipped",
    "customers lifecycle passed",
    "customers quality passed score=100.00",
    "customers schema_drift passed",
    "orders availability passed",
    "orders freshness violated FLOE-E550",
    "orders lifecycle passed",
    "orders quality violated FLOE-E553 FLOE-E553 score=33.33",
    "orders schema_drift passed",
]


def shop(folder: Path, spark: Any) -> Path:
    """Two contracts with their tables, and a file that is none."""
    (folder / "contracts").mkdir(parents=True)
    for name, text in (("orders", ORDERS), ("customers", CUSTOMERS), ("bomb", HOSTILE)):
        (folder / "contracts" / f"{name}.yaml").write_text(text)
    spark.sql(ORDER_ROWS).write.parquet(str(folder / "data" / "orders"))
    spark.range(50).withColumnRenamed("id", "customer_id").write.parquet(str(folder / "data" / "customers"))
    return folder


def bare_python(folder: Path) -> Path:
    """This interpreter with its packages, but without floe: the .pth file of an editable install is not read."""
    path = folder / "python"
    packages = sysconfig.get_path("purelib")
    path.write_text(f'#!/bin/sh\nPYTHONPATH="{packages}:$PYTHONPATH" exec {sys.executable} -S "$@"\n')
    path.chmod(0o755)
    return path


@dataclass(frozen=True, slots=True)
class Submit:
    """How jobs are submitted: with which interpreter, which options of Spark and which environment."""

    cwd: Path
    python: Path
    master: str = LOCAL
    job: Path = ROOT / "batch" / "all_checks.py"
    files: Path | None = None  # for --py-files

    def __call__(self, *options: str, **environ: str) -> Ran:
        spark = ["--master", self.master, "--conf", "spark.driver.host=127.0.0.1"]
        spark += ["--conf", "spark.sql.shuffle.partitions=2", "--conf", "spark.driver.bindAddress=127.0.0.1"]
        spark += ["--py-files", str(self.files)] if self.files else []
        around = {name: text for name, text in os.environ.items() if not name.startswith(("PYTHON", "PYSPARK"))}
        around |= {"PYSPARK_PYTHON": str(self.python), "PYSPARK_DRIVER_PYTHON": str(self.python)} | environ
        done = subprocess.run(
            [str(SUBMIT), *spark, str(self.job), *options],
            cwd=self.cwd,
            env=around,
            capture_output=True,
            text=True,
            timeout=_PATIENCE_S,
            check=False,
        )
        return Ran(done.returncode, done.stdout, done.stderr)


def report_of(ran: Ran) -> dict[str, Any]:
    """The report among the JSON lines: it is the last."""
    lines = lines_of(ran)
    assert lines, f"{ran.code}\n{ran.out}\n{ran.err}"
    return lines[-1]


def found_in(report: dict[str, Any]) -> list[str]:
    """What must be the same wherever the job runs."""
    return [_found(one) for one in report["results"]]


def _found(one: dict[str, Any]) -> str:
    codes = sorted(item["code"] for item in one["findings"])
    score = f"score={one['context']['score']}" if "score" in one["context"] else ""
    return " ".join(part for part in (one["contract"], one["check"], one["outcome"], *codes, score) if part)


def lines_of(ran: Ran) -> list[dict[str, Any]]:
    """Everything that the job said; spark-submit prints both of its streams as one, and Java's words on the other."""
    return [json.loads(line) for line in ran.out.splitlines()]


def wheel_job(wheel: Path, folder: Path, name: str) -> Path:
    """The job as a wheel has it, alone in a folder."""
    folder.mkdir(exist_ok=True)
    with zipfile.ZipFile(wheel) as archive:
        (folder / name).write_bytes(archive.read(f"floe_contracts/batch/{name}"))
    return folder / name


@contextmanager
def cluster(folder: Path) -> Iterator[str]:
    """A master and two workers on loopback; the address of the master."""
    folder.mkdir(parents=True, exist_ok=True)
    port = free_port()
    url = f"spark://127.0.0.1:{port}"
    with ExitStack() as stack:
        master = ("master.Master", "--host", "127.0.0.1", "--port", str(port), "--webui-port", "0")
        log = stack.enter_context(_daemon(folder, "master", *master))
        _wait_for(log, r"I have been elected leader|Starting Spark master")
        for name in ("one", "two"):
            worker = ("worker.Worker", "--host", "127.0.0.1", "--webui-port", "0", "--cores", "1", "--memory", "1g")
            place = ("--work-dir", str(folder / name), url)
            one = stack.enter_context(_daemon(folder, name, *worker, *place))
            _wait_for(one, "Successfully registered with master")
        yield url


@contextmanager
def _daemon(folder: Path, name: str, kind: str, *arguments: str) -> Iterator[Path]:
    log = folder / f"{name}.log"
    environ = os.environ | {"SPARK_LOCAL_IP": "127.0.0.1", "SPARK_NO_DAEMONIZE": "1"}
    command = [str(SUBMIT.with_name("spark-class")), f"org.apache.spark.deploy.{kind}", *arguments]
    with log.open("wb") as file, subprocess.Popen(command, stdout=file, stderr=file, env=environ) as process:
        try:
            yield log
        finally:
            process.terminate()
            process.wait(60)


def _wait_for(log: Path, words: str) -> None:
    until = time.monotonic() + 120
    while not re.search(words, text := log.read_text(errors="replace")):
        assert time.monotonic() < until, text[-2_000:]
        time.sleep(0.3)


def clean(folder: Path) -> None:
    """A shop without memory."""
    shutil.rmtree(folder / ".floe", ignore_errors=True)
