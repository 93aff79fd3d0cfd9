"""floe-contract-gate: blocks a breaking change without its MAJOR bump, deletions included."""

from __future__ import annotations

import os
from collections.abc import Sequence

from floe_contracts.hooks._run import asked, options, show

from floe_contracts import __version__
from floe_contracts.adapters.boundary import Alarm, guard
from floe_contracts.adapters.ci_environment import pre_commit_range
from floe_contracts.adapters.gating import judged, sides
from floe_contracts.adapters.git import INDEX
from floe_contracts.adapters.git_base import changed_since

_MAY_BE_A_CONTRACT = (".yaml", ".yml", ".json")


def main(argv: Sequence[str] | None = None) -> int:
    """Compare what is about to be committed or pushed with the base branch."""
    return guard(lambda: _run(argv), Alarm(trace=bool(os.environ.get("FLOE_DEBUG"))))


def _run(argv: Sequence[str] | None) -> int:
    given = options(argv, "floe-contract-gate")
    wanted = pre_commit_range(os.environ)
    wishes = asked(given, wanted.head if wanted else INDEX, wanted.base if wanted else None)
    repo, base, head = sides(wishes)
    if not base.empty and not changed_since(repo, base, head, _matters):
        print(f"No contract changed; {base.how}.")
        return 0
    return show(judged(repo, base, head, wishes, tool_version=__version__))


def _matters(path: str) -> bool:
    return path.endswith(_MAY_BE_A_CONTRACT) or path.startswith(".floe/")
