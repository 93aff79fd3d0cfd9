"""What the hooks share: arguments without a parser when there are none, and one report printed at the end."""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence

from floe_contracts.adapters.git import INDEX
from floe_contracts.adapters.process.environment import HookRange, pre_commit_range
from floe_contracts.adapters.process.output import put_page
from floe_contracts.app.gate.request import GateRequest

TYPE_CHECKING = False  # importing typing would cost every commit a few milliseconds
if TYPE_CHECKING:
    from argparse import Namespace
    from datetime import date

    from floe_contracts.results import Report


def options(argv: Sequence[str] | None, hook: str, *flags: str, gate: bool = True) -> Namespace | None:
    """The parsed arguments; None when there are none, which is the usual case and costs nothing."""
    words = sys.argv[1:] if argv is None else list(argv)
    if not words:
        return None
    import argparse

    from floe_contracts.adapters.git.arguments import split_arguments

    parser = argparse.ArgumentParser(hook, description="A pre-commit hook of floe-contracts.", allow_abbrev=False)
    parser.add_argument("files", nargs="*", help=argparse.SUPPRESS)
    parser.add_argument("--contracts", action="append", default=[], metavar="GLOB", help="check files that match too")
    if gate:
        from floe_contracts.compat.profiles import PROFILES
        from floe_contracts.results import FAIL_ON

        parser.add_argument("--base", metavar="REF", help="compare with the point where the head left REF")
        parser.add_argument("--profile", choices=tuple(PROFILES), help="which bumps are asked for")
        parser.add_argument("--fail-on", choices=FAIL_ON, help="what blocks")
    for flag in flags:
        parser.add_argument(flag, action="store_true")
    known, files = split_arguments(words, {*flags, "--contracts", "--base", "--profile", "--fail-on"})
    given = parser.parse_args(known)
    return argparse.Namespace(**{**vars(given), "files": [*dict.fromkeys((*given.files, *files))]})


def gate_request(given: Namespace | None, environ: Mapping[str, str]) -> GateRequest:
    """What a hook asks of the gate; a commit in a repository without contracts is no reason to stop anybody."""
    span = pre_commit_range(environ) or HookRange(INDEX, None)
    globs, profile, fail_on = (tuple(given.contracts), given.profile, given.fail_on) if given else ((), None, None)
    return GateRequest((given and given.base) or span.base, span.head, globs, profile, fail_on, allow_empty=True)


def show(report: Report, today: date) -> int:
    """Print the report as a person reads it, and return the exit code; pre-commit shows it when the hook fails."""
    from floe_contracts.render.text import terminal
    from floe_contracts.results import decide

    put_page(terminal.render(report, colour=False, width=0, verbose=False, today=today))
    return int(decide(report))
