"""What `floe lint` costs as a process, and what the same work costs by datacontract-cli's API."""

from __future__ import annotations

import logging
import resource
import statistics
import subprocess
import sys
import time
from pathlib import Path

MANY = 1_000
COLUMNS = 20


def install(place: Path, wheel: Path) -> Path:
    """The `floe` of a base install, as hooks and actions have it: an editable one starts more slowly."""
    uv = [str(Path(sys.executable).with_name("uv")), "--quiet"]
    subprocess.run([*uv, "venv", place], check=True)
    options = ["--compile-bytecode", "--constraint", "constraints.txt", "--python", str(place)]
    subprocess.run([*uv, "pip", "install", *options, wheel], check=True)
    return place / "bin/floe"


def contracts(many: Path) -> tuple[Path, Path]:
    """One contract, and the folder of many that differ from each other; about 4 KB each."""
    many.mkdir()
    for number in range(MANY):
        (many / f"table-{number}.odcs.yaml").write_text(_contract(number))
    return many / "table-0.odcs.yaml", many


def cpu_seconds(floe: Path, *arguments: str, runs: int = 9) -> float:
    """The least CPU time of a whole process: what the machine does besides only adds to it."""
    return min(_cpu_of_process([str(floe), *arguments]) for _ in range(runs))


def _cpu_of_process(command: list[str]) -> float:
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(command, stdout=subprocess.DEVNULL, check=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def peer_cpu_seconds(contract: Path, runs: int = 9) -> float:
    """Median CPU time of one lint in a process that has imported everything."""
    from datacontract.data_contract import DataContract

    logging.disable(logging.CRITICAL)
    times = []
    for _ in range(runs):
        started = time.process_time()
        run = DataContract(data_contract_file=str(contract), inline_references=False).lint()
        times.append(time.process_time() - started)
        if run.result != "passed":
            raise SystemExit(f"datacontract-cli says {run.result}: {run.checks}")
    return statistics.median(times)


def _contract(number: int) -> str:
    columns = "".join(
        f"""
      - name: column_{index}
        logicalType: string
        physicalType: varchar({number % 200 + 20})
        required: {str(index % 2 == 0).lower()}
        classification: internal
        description: What column {index} of table {number} means to those who read it."""
        for index in range(COLUMNS)
    )
    return f"""apiVersion: v3.1.0
kind: DataContract
id: table-{number}
name: Table {number}
version: 1.{number}.0
status: active
domain: bench
schema:
  - name: table_{number}
    physicalType: table
    properties:{columns}
slaProperties:
  - property: latency
    value: 6
    unit: h
    element: table_{number}.column_0
"""
