"""floe-contract-policy: every floe.yaml of the repository is held to the manifests above it, offline."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence

from floe_contracts.adapters.git import WORKTREE, open_repository
from floe_contracts.adapters.process.boundary import Alarm, guard
from floe_contracts.adapters.process.environment import utc_today

from ._run import show

_PRODUCT = "floe.yaml"


def main(argv: Sequence[str] | None = None) -> int:
    """Check every product as the work tree has it; nothing is written, and what is not known is a warning."""
    return guard(lambda: _run(sys.argv[1:] if argv is None else argv), Alarm(trace=bool(os.environ.get("FLOE_DEBUG"))))


def _run(argv: Sequence[str]) -> int:
    refs = _refs(argv) if argv else []
    repo = open_repository()
    paths = list(repo.files(WORKTREE, _is_product))
    if not paths:
        return 0
    from floe_contracts.app.products import check_products

    today = utc_today()
    report = check_products(repo.top, paths, refs, today)
    return show(report, today) if report.results else 0


def _refs(argv: Sequence[str]) -> list[str]:
    import argparse

    parser = argparse.ArgumentParser("floe-contract-policy", description=__doc__, allow_abbrev=False)
    parser.add_argument("--refs", action="append", default=[], metavar="FOLDER", help="look up ref/… references here")
    refs: list[str] = parser.parse_args(argv).refs
    return refs


def _is_product(path: str) -> bool:
    return path == _PRODUCT or path.endswith(f"/{_PRODUCT}")
