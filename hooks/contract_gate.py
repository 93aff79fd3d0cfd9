"""floe-contract-gate: blocks a breaking change without its MAJOR bump, deletions included."""

from __future__ import annotations

import os
from collections.abc import Sequence

from floe_contracts import __version__
from floe_contracts.adapters.git import INDEX
from floe_contracts.adapters.git.base import changed_since
from floe_contracts.adapters.process.boundary import Alarm, guard
from floe_contracts.adapters.process.environment import pre_commit_range
from floe_contracts.app.gate.run import judged, sides

from ._run import asked, may_matter, options, show


def main(argv: Sequence[str] | None = None) -> int:
    """Compare what is about to be committed or pushed with the base branch."""
    return guard(lambda: _run(argv), Alarm(trace=bool(os.environ.get("FLOE_DEBUG"))))


def _run(argv: Sequence[str] | None) -> int:
    given = options(argv, "floe-contract-gate")
    span = pre_commit_range(os.environ)
    wishes = asked(given, span.head if span else INDEX, span.base if span else None)
    repo, base, head = sides(wishes)
    if not base.empty and not changed_since(repo, base, head, may_matter):
        print(f"No contract changed; {base.how}.")
        return 0
    return show(judged(repo, base, head, wishes, tool_version=__version__))
