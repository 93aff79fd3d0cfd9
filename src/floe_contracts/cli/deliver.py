"""From a report to the place it was asked for: choose the format, print or write it, return the exit code."""

from __future__ import annotations

import sys
from typing import TextIO

from ..render.outline import headline
from ..results import Report, decide
from .console import Console

FORMATS = ("terminal", "json")


def deliver(report: Report, console: Console, form: str, output: str | None, *, stream: TextIO | None = None) -> int:
    """Print the report, or write it to a file and print the verdict."""
    if output:
        from ..adapters.outfile import write_whole

        write_whole(output, rendered(report, form, verbose=console.verbose))
        console.note(f"{headline(report)} Report written to {output}.")
    else:
        stream = stream or sys.stdout
        text = rendered(report, form, colour=console.colour(stream), width=console.width, verbose=console.verbose)
        stream.write(text)
    return int(decide(report))


def rendered(report: Report, form: str, *, colour: bool = False, width: int = 0, verbose: bool = False) -> str:
    """The report in one of FORMATS; only the renderer that is needed is imported."""
    if form == "json":
        from ..render import json_report

        return json_report.render(report)
    from ..render import terminal

    return terminal.render(report, colour=colour, width=width, verbose=verbose)
