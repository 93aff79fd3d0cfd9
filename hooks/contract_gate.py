"""floe-contract-gate: blocks a breaking change without its MAJOR bump, deletions included."""

from __future__ import annotations

import os
from collections.abc import Sequence

from floe_contracts.adapters.process.boundary import Alarm, guard
from floe_contracts.adapters.process.environment import utc_today
from floe_contracts.adapters.process.output import say
from floe_contracts.app.gate.request import find_revisions

from ._run import gate_request, options, show


def main(argv: Sequence[str] | None = None) -> int:
    """Compare what is about to be committed or pushed with the base branch."""
    return guard(lambda: _run(argv), Alarm(trace=bool(os.environ.get("FLOE_DEBUG"))))


def _run(argv: Sequence[str] | None) -> int:
    request = gate_request(options(argv, "floe-contract-gate"), os.environ)
    revisions = find_revisions(request)
    if not revisions.may_block():
        result = "NOTHING WAS COMPARED, the head is its own base" if revisions.is_base() else "No contract changed"
        say(f"{result}; {revisions.base.how} · base {', '.join(revisions.base.commits)}.")
        return 0
    from floe_contracts.app.gate.run import run_gate

    today = utc_today()
    return show(run_gate(request, today, revisions), today)
