"""`floe monitor run`: one check or all of them, now, on the Spark of this machine or the one around."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from ..adapters.process.console import Console
from .options import global_options, run_id_option, run_options

if TYPE_CHECKING:
    from ..checks.verdict import Check

CHECKS: tuple[Check, ...] = ("availability", "freshness", "schema_drift", "quality", "lifecycle")
STREAM = "stream"


class Run(click.Command):
    """`stream` is the one check that goes on and on, so it has options of its own."""

    def make_context(
        self, info_name: str | None, args: list[str], parent: click.Context | None = None, **extra: Any
    ) -> click.Context:
        if args and args[0] == STREAM:
            return self.stream().make_context(f"{info_name} {STREAM}", args[1:], parent, **extra)
        return super().make_context(info_name, args, parent, **extra)

    @staticmethod
    def stream() -> click.Command:
        from .stream_job import stream_command

        return stream_command(hidden=True)


@click.command("run", cls=Run, short_help="Check contracts against the data, now.")
@click.argument("check", type=click.Choice([*CHECKS, "all", "post_run", STREAM]), metavar="CHECK")
@run_id_option
@run_options
@global_options(hidden=True)
@click.pass_obj
def run(console: Console, /, check: str, **options: Any) -> int:
    """Run CHECK on contracts: availability, freshness, schema_drift, quality, lifecycle, or all of them. post_run is
    all of them after a pipeline's run; stream follows new rows (`floe monitor run stream --help`).

    PATHS are files, folders or quoted globs, as for `floe lint`. A run belongs to a slot: the interval of the check in
    which it falls, or the one that --slot names, or the pipeline's run of --run-id. A slot is checked once; running
    again shows what was found, and delivers what could not be sent.

    The exit code is 0 whatever was found, unless a contract's enforcement is block: then 1 for a violation, and 2 for
    a contract that could not be checked. It is 2 also when nothing at all could be checked, or when Spark's Java ended.

    \b
    Examples:
      floe monitor run all contracts/
      floe monitor run quality contracts/orders.yaml --samples 3 --dry-run
      floe monitor run freshness --slot 2026-01-03T10:15:00Z --format json
    """
    from .jobs import run as run_checks
    from .jobs import run_post_run

    if check == STREAM:
        raise click.UsageError("Write stream before its options: floe monitor run stream --checkpoint DIR.")
    if check == "post_run":
        return run_post_run(console, scheduled=False, **options)
    wanted = tuple(name for name in CHECKS if check in (name, "all"))
    return run_checks(console, wanted, scheduled=False, **options)
