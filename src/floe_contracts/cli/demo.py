"""`floe demo`: the whole of floe on a small shop, with real git and real Spark."""

from __future__ import annotations

from pathlib import Path

import click

from ..adapters.process.console import Console
from .options import global_options


@click.command(short_help="Show the whole of floe on a small shop.")
@click.argument("folder", default="floe-demo", metavar="[FOLDER]")
@global_options(hidden=True)
@click.pass_obj
def demo(console: Console, folder: str) -> int:
    """Show the whole of floe on a small shop that is made in FOLDER (floe-demo unless named): about two minutes.

    A good change passes the gate, a breaking one is blocked, a bump turns it green. A product that promises less than
    its platform asks for does not compile. Then Spark writes tables with faults, all checks run in one spark-submit,
    and a second run counts nothing twice. At last the product runs: a night that fails, and one that does not.
    Metrics, lineage and a report stay in FOLDER. Needs git, Java 17 or 21, and floe-contracts[spark]; uses a
    Pushgateway where one is installed.

    \b
    Example:
      floe demo
    """
    from ..app.demo.story import play

    return play(console, Path(folder))
