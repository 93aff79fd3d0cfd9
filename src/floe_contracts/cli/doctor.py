"""`floe doctor`: what the gate would compare here and why, and a proof that a break fails."""

from __future__ import annotations

import sys

import click

from ..adapters.process.console import Console
from ..adapters.process.environment import utc_now
from ..adapters.process.output import put_page, say
from ..contract.meaning.phrase import plural
from ..render.safe import log_safe
from ..results import ExitCode
from .options import global_options


@click.command(short_help="Say what the gate would compare here, and prove that a break fails.")
@click.option("--base", metavar="REF", help="Compare with the point where the head left REF, instead of the default.")
@click.option("--head", default="index", show_default=True, metavar="REF|index|worktree", help="What would be checked.")
@global_options(hidden=True)
@click.pass_obj
def doctor(console: Console, base: str | None, head: str) -> int:
    """Say what the gate would compare in this repository and why, and prove that it blocks a break.

    Ends with 0 when all is well, and with 2 when something would keep the gate from its work.

    \b
    Example:
      floe doctor
    """
    from ..app.doctor import examine
    from ..app.gate.request import GateRequest

    colour = console.colour(sys.stdout)
    ill = 0
    for sign in examine(GateRequest(base=base, head=head), utc_now()):
        mark = "ok " if sign.well else "bad"
        mark = click.style(mark, fg="green" if sign.well else "red") if colour else mark
        put_page(f"{mark} {sign.topic:<11} {log_safe(sign.text, 500)}\n")
        if not sign.well:
            ill += 1
            put_page(f"    {'fix':<11} {log_safe(sign.fix, 500)}\n")
    say("All is well." if not ill else f"{plural(ill, 'thing')} to correct before the gate can work.")
    return int(ExitCode.COULD_NOT_CHECK if ill else ExitCode.PASS)
