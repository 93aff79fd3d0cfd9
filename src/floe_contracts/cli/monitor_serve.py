"""`floe monitor serve`: every check as often as the settings say, in one process with one Spark."""

from __future__ import annotations

import click

from ..adapters.process.console import Console
from .options import artifact_options, global_options, limit_option


@click.command("serve", short_help="Watch contracts as a service, with metrics to scrape.")
@click.argument("paths", nargs=-1, metavar="[PATHS]...")
@click.option(
    "--listen",
    default="127.0.0.1:9464",
    show_default=True,
    metavar="HOST:PORT",
    help="Where /metrics and /healthz are; who can reach it can read them.",
)
@click.option("--contracts", multiple=True, metavar="PATH", help="Files, folders or quoted globs; may be repeated.")
@artifact_options
@click.option("--only", multiple=True, metavar="NAME", help="Only contracts of this name, key or path; * is any text.")
@click.option("--config", default="", metavar="FILE", help="Settings instead of .floe/monitoring.yaml.")
@click.option("--store", default="", metavar="URL", help="Where results are kept, instead of `store` of the settings.")
@click.option("--server", default="", metavar="NAME", help="Which of a contract's servers holds the data.")
@click.option("--connection", multiple=True, metavar="KEY=VALUE", help="Where the data is; may be repeated.")
@click.option(
    "--checkpoint",
    default="",
    metavar="DIR",
    help="Where streams keep how far they came, with mode: continuous.  [default: .floe/streams]",
)
@limit_option("10m", "How long one question about one table may take.")
@global_options(hidden=True)
@click.pass_obj
def serve(
    console: Console,
    paths: tuple[str, ...],
    listen: str,
    contracts: tuple[str, ...],
    artifacts: str,
    root: str,
    only: tuple[str, ...],
    config: str,
    store: str,
    server: str,
    connection: tuple[str, ...],
    checkpoint: str,
    limit: float,
) -> int:
    """Check every contract at the intervals of the settings until SIGTERM, in one process with one Spark.

    Settings, store and sinks are those of the jobs, and slots are claimed as they claim them: after a restart, or
    beside jobs, nothing is counted twice. With mode: continuous, tables that can be followed are judged as their rows
    come. Contracts and settings are read at the start.

    SIGTERM ends the service within 30 seconds: checks under way are finished or given back, and what waits is sent.
    The exit code is then 0; it is 2 when Spark's Java has ended, so that a supervisor starts the service anew.

    \b
    Examples:
      floe monitor serve contracts/
      floe monitor serve --artifacts target/floe/compiled.json --listen 0.0.0.0:9464
    """
    from ..adapters.http.server import read_listen
    from ..app.monitor.log import RunLog
    from ..app.monitor.serve import serve as watch
    from ..app.monitor.serve_request import ServePorts, ServeRequest
    from ..app.monitor.service_log import ServiceLog
    from ..app.monitor.service_ports import ServicePorts

    request = ServeRequest(
        read_listen(listen), (*paths, *contracts), artifacts, root, config, store, only, server, connection,
        checkpoint, limit,
    )  # fmt: skip
    outside = ServicePorts(log=ServiceLog(console.log_format == "json"))
    return watch(request, ServePorts(outside), RunLog(console, quiet=True))
