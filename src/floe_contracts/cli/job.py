"""`floe job`: the files that spark-submit takes."""

from __future__ import annotations

import click

from ..adapters.process.output import say
from .options import global_options

JOBS = {
    "availability": "availability",
    "freshness": "freshness",
    "schema_drift": "schema_drift",
    "quality": "quality",
    "lifecycle": "lifecycle",
    "post_run": "post_run",
    "all": "all_checks",
    "stream": "stream",
}


@click.group(short_help="Find the jobs that spark-submit runs.")
def job() -> None:
    """Find the jobs that spark-submit runs."""


@job.command(short_help="Print where a job's file is.")
@click.argument("check", type=click.Choice([*JOBS]), metavar="CHECK")
@global_options(hidden=True)
def path(check: str) -> int:
    """Print the path of the job of CHECK as it is installed here; post_run and all are jobs of several
    checks, stream follows new rows.

    \b
    Example:
      spark-submit "$(floe job path freshness)" --contracts contracts/
    """
    from ..adapters.files.packaged import job_file

    say(job_file(JOBS[check]))
    return 0
