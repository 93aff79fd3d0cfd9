"""The stream job as people start it: `spark-submit batch/stream.py --checkpoint DIR`, or `floe monitor run stream`."""

from __future__ import annotations

from collections.abc import Sequence
from importlib.util import find_spec
from typing import Any

import click

from ..adapters.process.console import Console
from ..app.monitor.log import RunLog
from ..app.report import deliver
from ..checks.moments import SECOND
from ..contract.meaning.duration import parse_duration
from ..errors import MissingExtra, UsageError
from .options import artifact_options, global_options, report_options
from .program import run_program

_HELP = """Follow the tables of contracts as streams, and judge every batch of new rows.

Topics of Kafka, folders of files and tables with a log can be followed. A batch is judged once, also when it is read
again after a crash; --checkpoint keeps how far each stream has come.

Exit codes: 0 whatever was found, unless a contract's enforcement is block: then 1 for a violation and 2 for a stream
that could not be followed. 2 also when nothing could be followed, or when
Spark's Java ended. SIGTERM ends the job between two batches.
"""
_TEXTS = {
    "--config": ("FILE", "Settings instead of .floe/monitoring.yaml."),
    "--store": ("URL", "Where results are kept, instead of `store` of the settings."),
    "--server": ("NAME", "Which of a contract's servers holds the data."),
}
_MANY = {
    "--contracts": ("PATH", "Files, folders or quoted globs; may be repeated."),
    "--only": ("NAME", "Only contracts of this name, key or path; * is any text."),
    "--connection": ("KEY=VALUE", "Where the data is, as under connections: of the settings; may be repeated."),
}
_LENGTHS = {
    "--trigger": ("30s", "How often a batch is made."),
    "--late-after": ("", "A row is late so long after its time; else the SLA for latency or freshness says."),
    "--limit": ("10m", "How long one question about one batch may take."),
}
_FLAGS = {
    "--available-now": "Read what is there now, and end.",
    "--dry-run": "Say what would be followed; nothing is read.",
    "--fail-on-error": "Exit 2 when a stream could not be followed, whatever its contract's enforcement.",
}


def run_stream(argv: Sequence[str] | None = None) -> int:
    """The job; its exit code."""
    return run_program(stream_command(), "stream", argv)


def stream_command(*, hidden: bool = False) -> click.Command:
    """The job with its options; `hidden` leaves those for every command out of its help."""
    settings = {"help_option_names": ["-h", "--help"], "max_content_width": 100}
    return click.command("stream", context_settings=settings, help=_HELP)(_options(_job, hidden=hidden))


def _options(job: Any, *, hidden: bool) -> Any:
    job = global_options(hidden=hidden)(click.pass_obj(job))
    job = report_options(job)
    for name, text in reversed(_FLAGS.items()):
        job = click.option(name, is_flag=True, help=text)(job)
    for name, (default, text) in reversed(_LENGTHS.items()):
        job = click.option(
            name, callback=_length, default=default, show_default=bool(default), metavar="LENGTH", help=text
        )(job)
    for name, (metavar, text) in reversed(_TEXTS.items()):
        job = click.option(name, default="", metavar=metavar, help=text)(job)
    for name, (metavar, text) in reversed(_MANY.items()):
        job = click.option(name, multiple=True, metavar=metavar, help=text)(job)
    job = artifact_options(job)
    job = click.option("--checkpoint", required=True, metavar="DIR", help="Where streams keep how far they came.")(job)
    return click.argument("paths", nargs=-1, metavar="[PATHS]...")(job)


def _job(console: Console, /, **options: Any) -> int:
    if find_spec("pyspark") is None:
        raise MissingExtra("following streams", "spark")
    form, output, paths = options.pop("form"), options.pop("output"), options.pop("paths")
    now, every_us = options.pop("available_now"), options.pop("trigger")
    if not options["checkpoint"].strip():
        raise UsageError("--checkpoint is empty", fix="Name a folder that outlives the job.")
    from ..app.monitor.request import StreamRequest
    from ..app.monitor.stream import follow

    request = StreamRequest(
        contracts=(*paths, *options.pop("contracts")),
        every_s=None if now else every_us / SECOND,
        late_us=options.pop("late_after"),
        limit_s=options.pop("limit") / SECOND,
        **options,
    )
    log = RunLog(console)
    report = follow(request, log)
    log.finish(report)
    return deliver(report, console, form, output)


def _length(_: click.Context, __: click.Parameter, text: str) -> int | None:
    if not text:
        return None
    duration, problem = parse_duration(f"{text}s" if text.isdigit() else text)
    if duration is None or duration.months or duration.microseconds < SECOND:
        raise click.BadParameter(f"{problem or 'it must be a second at least'}; write 30s, 10m or 1h")
    return duration.microseconds
