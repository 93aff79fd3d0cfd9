"""What the hooks share: arguments without a parser when there are none, and one report printed at the end."""

from __future__ import annotations

import sys
from collections.abc import Sequence

from floe_contracts.app.gate.run import GateRequest

TYPE_CHECKING = False  # importing typing would cost every commit a few milliseconds
if TYPE_CHECKING:
    from argparse import Namespace

    from floe_contracts.results import Report


def options(argv: Sequence[str] | None, hook: str, *flags: str, gate: bool = True) -> Namespace | None:
    """The parsed arguments; None when there are none, which is the usual case and costs nothing."""
    words = sys.argv[1:] if argv is None else list(argv)
    if not words:
        return None
    import argparse

    parser = argparse.ArgumentParser(prog=hook, description="A pre-commit hook of floe-contracts.")
    parser.add_argument("files", nargs="*", help=argparse.SUPPRESS)
    parser.add_argument("--contracts", action="append", default=[], metavar="GLOB", help="check files that match too")
    if gate:
        profiles = ("floe", "consumer", "full", "lakehouse")
        parser.add_argument("--base", metavar="REF", help="compare with the point where the head left REF")
        parser.add_argument("--profile", choices=profiles, help="which bumps are asked for")
        parser.add_argument("--fail-on", choices=("any", "breaking", "never"), help="what blocks")
    for flag in flags:
        parser.add_argument(flag, action="store_true")
    return parser.parse_args(words)


def asked(given: Namespace | None, head: str, base: str | None) -> GateRequest:
    """The gate's wishes of a hook; a commit in a repository without contracts is no reason to stop anybody."""
    if given is None:
        return GateRequest(base=base, head=head, allow_empty=True)
    return GateRequest(given.base or base, head, tuple(given.contracts), given.profile, given.fail_on, allow_empty=True)


def may_matter(path: str) -> bool:
    """Whether a changed path is a reason to look closer: contracts and settings all end like this."""
    return path.endswith((".yaml", ".yml", ".json"))


def show(report: Report) -> int:
    """Print the report as a person reads it; pre-commit shows it when the hook fails."""
    from datetime import datetime, timezone

    from floe_contracts.render.text import terminal
    from floe_contracts.results import decide

    today = datetime.now(timezone.utc).date()
    sys.stdout.write(terminal.render(report, colour=False, width=0, verbose=False, today=today))
    return int(decide(report))
