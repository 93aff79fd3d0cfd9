"""The gate run on real repositories, and its report in short."""

from __future__ import annotations

from datetime import datetime, timedelta, timezone

from floe_contracts.adapters.process.environment import utc_today
from floe_contracts.app.gate.request import GateRequest
from floe_contracts.app.gate.run import run_gate
from floe_contracts.results import Report, decide
from support.git_sandbox import Clone
from support.orders import ending

ORDERS = "contracts/orders.yaml"
CONFIG = ".floe/config.yaml"
WAIVERS = ".floe/waivers.yaml"


def gate(repo: Clone, *, folder: str = ".", base: str | None = None, head: str = "HEAD", **more: object) -> Report:
    """The gate's report on a commit of a work tree, unless index or worktree is asked for."""
    where = str(repo.path / folder)
    request = GateRequest(base=base, head=head, folder=where, **more)  # type: ignore[arg-type]  # names are checked
    return run_gate(request, utc_today())


def verdict(report: Report) -> list[str]:
    """The exit code, then every blocking finding as `code rule path`."""
    blocking = sorted(
        f"{item.code.id.removeprefix('FLOE-')} {item.rule} {item.location.path if item.location else ''}".rstrip()
        for item in report.all_findings()
        if item.blocks
    )
    return [str(int(decide(report))), *blocking]


def rules(report: Report) -> set[str]:
    """The rules of all findings, blocking or not."""
    return {item.rule for item in report.all_findings()}


def day(offset: int) -> str:
    """A date so many days from today, by the clock that the gate reads."""
    return str(datetime.now(timezone.utc).date() + timedelta(days=offset))


RETIRED = ending(day(-90), day(-30))
SUNSET = ending(day(-40), day(-3))
DEPRECATED = ending(day(-5), day(60))


def waiver(fingerprint: str, expires: int = 30) -> str:
    """A waiver file with one entry."""
    return (
        f'waivers:\n  - {{fingerprint: "{fingerprint}", reason: agreed, approver: dana, expires: "{day(expires)}"}}\n'
    )
