"""`floe run`: a product's pipeline with its guardrails."""

from __future__ import annotations

from typing import get_args

import click

from ..adapters.process.console import Console
from ..monitor.pipeline.step import Trigger
from .options import allow_http_option, global_options, refs_option


@click.command("run", short_help="Run a product: compile, transforms, checks.")
@click.argument("folder", default=".", metavar="[FOLDER]")
@click.option("--run-id", default="", metavar="TEXT", help="The run; the same id again goes on where it stopped.")
@click.option(
    "--select",
    multiple=True,
    metavar="NAME",
    help="Only these models, scripts and sources; * is any text, + as in dbt.",
)
@click.option("--from", "start", default="", metavar="STEP", help="Begin with this step; those before it are skipped.")
@click.option("--dry-run", is_flag=True, help="List the steps; nothing is run.")
@click.option(
    "--trigger",
    type=click.Choice(get_args(Trigger)),
    default="manual",
    show_default=True,
    help="What started the run.",
)
@refs_option
@allow_http_option
@click.option("--config", default="", metavar="FILE", help="Settings instead of .floe/monitoring.yaml.")
@click.option("--store", default="", metavar="URL", help="The store, instead of `store` of the settings.")
@global_options(hidden=True)
@click.pass_obj
def run_command(console: Console, /, **options: str) -> int:
    """Run the product in FOLDER: dbt parse, compile, transforms in order, checks of its contracts.

    dbt is the program of FLOE_DBT, else of the PATH; Spark scripts run by spark-submit, ingestions by their command.
    A failed transform ends the run with exit code 1; the same --run-id again repeats nothing that is done. SIGTERM ends
    what is running and the run, with exit code 143.

    \b
    Examples:
      floe run
      floe run products/customer-360 --run-id 2026-01-03 --trigger scheduled
      floe run --select +gold_revenue --dry-run
    """
    from ..app.monitor.log import RunLog
    from ..app.pipeline.request import PipelinePorts, PipelineRequest
    from ..app.pipeline.run import run_pipeline
    from ..app.pipeline.voice import Voice

    request = PipelineRequest(**options)  # type: ignore[arg-type]
    return run_pipeline(request, PipelinePorts(), Voice(console), RunLog(console))
