"""`floe diff`: two contract files, compared as the gate compares them."""

from __future__ import annotations

import click

from .. import __version__
from ..adapters.console import Console
from ..adapters.deliver import deliver
from ..adapters.options import global_options, report_options


@click.command(short_help="Compare two versions of a contract.")
@click.argument("old", metavar="OLD")
@click.argument("new", metavar="NEW")
@click.option("--ignore-version", is_flag=True, help="Fail on any breaking change, whatever the version says.")
@click.option(
    "--profile",
    type=click.Choice(["floe", "consumer", "full", "lakehouse"]),
    default="floe",
    show_default=True,
    help="Which bumps are asked for.",
)
@report_options
@global_options(hidden=True)
@click.pass_obj
def diff(
    console: Console, old: str, new: str, ignore_version: bool, profile: str, form: str, output: str | None
) -> int:
    """Compare two contract files and say which version the change needs.

    OLD and NEW may be written in different dialects; one of them may be - for standard input. The verdict is the
    gate's: 0 when NEW's version covers the change, 1 when it does not or NEW is no valid contract, 2 when OLD is none
    or a file cannot be read.

    \b
    Examples:
      floe diff contracts/orders.v2.yaml contracts/orders.v3.yaml
      floe diff old.yaml new.yaml --ignore-version
      git show main:contracts/orders.yaml | floe diff - contracts/orders.yaml
    """
    from .comparing import both_texts, compared_files

    report = compared_files(old, new, profile=profile, ignore_version=ignore_version, tool_version=__version__)
    return deliver(report, console, form, output, sources=both_texts(old, new) if form == "html" else None)
