"""What tests of jobs and of `floe monitor` share: a project on disk with contracts, a table in memory, a clock."""

from __future__ import annotations

import io
import json
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, redirect_stderr, redirect_stdout
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from floe_contracts.adapters.process.console import Console
from floe_contracts.app.monitor.judge import RunJudge
from floe_contracts.app.monitor.request import ProcessPorts
from floe_contracts.checks.verdict import Check
from floe_contracts.cli.jobs import run
from floe_contracts.monitor.run.check import engine_judge
from floe_contracts.monitor.settings.model import MonitoringConfig
from support.monitored import NOW, rows
from support.row_engine import RowEngine, RowTable, actual
from support.running import Ran

ORDERS = """\
schema: {name}
version: "1.0.0"
owner: checkout
servers:
  - server: here
    type: custom
fields:
  - name: order_id
    type: STRING
    nullable: false
    primary_key: true
  - name: placed_at
    type: TIMESTAMP
sla:
  element: placed_at
  freshness_minutes: 360
"""
OPTIONS: dict[str, Any] = {
    "paths": (),
    "contracts": (),
    "only": (),
    "config": "",
    "store": "",
    "slot": "",
    "server": "",
    "connection": (),
    "recheck": False,
    "dry_run": False,
    "fail_on_error": False,
    "limit": 600.0,
    "samples": 0,
    "form": "terminal",
    "output": None,
}


def no_judge(_: MonitoringConfig, __: Sequence[Check]) -> Any:
    raise AssertionError("nobody should measure anything")


@dataclass
class Project:
    """A folder with contracts and settings, checked over rows in memory with a real store."""

    folder: Path
    engine: RowEngine = field(default_factory=RowEngine)
    now_us: int = NOW
    environ: dict[str, str] = field(default_factory=dict)
    judging: Callable[..., Any] | None = None
    log_format: Any = "text"
    left: list[int] = field(default_factory=list)  # the codes that a run left with at once

    def contract(self, name: str = "orders", text: str = ORDERS) -> Path:
        path = self.folder / "contracts" / f"{name}.yaml"
        path.parent.mkdir(exist_ok=True)
        path.write_text(text.replace("{name}", name))
        return path

    def table(self, name: str = "orders", *ages_us: int, **more: Any) -> RowTable:
        columns = more.pop("columns", actual(order_id="string", placed_at="timestamp"))
        self.engine.tables[name] = RowTable(rows(*ages_us, now_us=self.now_us), columns, **more)
        return self.engine.tables[name]

    def settings(self, text: str) -> None:
        (self.folder / ".floe").mkdir(exist_ok=True)
        (self.folder / ".floe" / "monitoring.yaml").write_text(text)

    @contextmanager
    def _judging(self, _: MonitoringConfig, __: Sequence[Check]) -> Iterator[RunJudge]:
        yield RunJudge(engine_judge(self.engine), lambda target, _, each: (f"{each} rows of {target.name}",))

    def run(self, *checks: Check, **said: Any) -> Ran:
        """As `floe monitor run` does it."""
        ports = ProcessPorts(self.environ, self.judging or self._judging, lambda: self.now_us, leave=self.left.append)
        out, err = io.StringIO(), io.StringIO()
        scheduled = said.pop("scheduled", False)
        with redirect_stdout(out), redirect_stderr(err):
            console = Console(log_format=self.log_format)
            code = run(console, checks, scheduled=scheduled, ports=ports, **{"run_id": "", **OPTIONS, **said})
        return Ran(code, out.getvalue(), err.getvalue())

    def report(self, *checks: Check, **said: Any) -> dict[str, Any]:
        """The same as JSON."""
        report: dict[str, Any] = json.loads(self.run(*checks, form="json", **said).out)
        return report
