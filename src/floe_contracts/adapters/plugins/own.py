"""Floe's own plugin with what it gets from outside: files, a clock, the gate's verdict, and an engine on Spark."""

from __future__ import annotations

import time

from ...compat.ruleset import make_ruleset
from ...compat.verdict import Terms, judge
from ...contract.load import Loaded
from ...contract.model import Contract
from ...contract.source import read_document
from ...errors import FloeError
from ...monitor.engine import Engine
from ...monitor.odcs_plugin import OdcsPlugin
from ...monitor.settings import MonitoringConfig
from ..files import read_file


def own_plugin(engine: Engine, config: MonitoringConfig) -> OdcsPlugin:
    """The default, `odcs`."""
    return OdcsPlugin(
        engine, read=read_contract, judge_bump=judge_bump, now_us=lambda: time.time_ns() // 1000, config=config
    )


def judge_bump(old: Contract, new: Contract) -> tuple[bool, str]:
    """Whether the version rose enough by the gate's own rules, and what to write when it did not."""
    result = judge(_loaded(old), _loaded(new), Terms(make_ruleset()))
    step = result.version
    blocking = [item.message for item in result.findings if item.blocks]
    if not blocking:
        needed = step.required.value if step else "none"
        return True, f"{old.version} to {new.version} is enough; the change needs {needed}"
    cure = f"; write {step.next}" if step and step.next else ""
    return False, f"{blocking[0]}{cure if cure and step and str(step.next) not in blocking[0] else ''}"


def _loaded(contract: Contract) -> Loaded:
    """A contract without a file: its findings have no place."""
    return Loaded("", read_document(b""), None, contract, ())


def read_contract(path: str) -> bytes:
    """A contract's bytes; a FloeError says why there are none."""
    file = read_file(path)
    if file.problem is not None:
        raise FloeError(f"{path}: {file.problem.message}", code=file.problem.code)
    return file.data
