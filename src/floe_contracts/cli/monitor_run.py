"""`floe monitor run`: one check or all of them, now, on the Spark of this machine or the one around."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from ..adapters.console import Console
from ..adapters.monitoring_options import run_id_option, run_options
from ..adapters.options import global_options

if TYPE_CHECKING:
    from ..checks.verdict import Check

CHECKS: tuple[Check, ...] = ("availability", "freshness", "schema_drift", "quality", "lifecycle")


@click.command("run", short_help="Check contracts against the data, now.")
@click.argument("check", type=click.Choice([*CHECKS, "all"]), metavar="CHECK")
@run_id_option
@run_options
@global_options(hidden=True)
@click.pass_obj
def run(console: Console, /, check: str, **options: Any) -> int:
    """Run CHECK on contracts: availability, freshness, schema_drift, quality, lifecycle, or all of them.

    PATHS are files, folders or quoted globs, as for `floe lint`. A run belongs to a slot: the interval of the check in
    which it falls, or the one that --slot names, or the pipeline's run of --run-id. A slot is checked once; running
    again shows what was found, and delivers what could not be sent.

    The exit code is 0 whatever was found, unless a contract's enforcement is block: then 1 for a violation, and 2 for
    a contract that could not be checked. It is 2 also when nothing at all could be checked.

    \b
    Examples:
      floe monitor run all contracts/
      floe monitor run quality contracts/orders.yaml --samples 3 --dry-run
      floe monitor run freshness --slot 2026-01-03T10:15:00Z --format json
    """
    from ..adapters.jobs import run as run_checks

    wanted = tuple(one for one in CHECKS if check in (one, "all"))
    return run_checks(console, wanted, scheduled=False, **options)
