"""From a report to the place it was asked for: choose the format, print or write it, return the exit code."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, TextIO

from ..adapters.files.write import write_whole
from ..adapters.process.console import Console
from ..adapters.process.environment import utc_today
from ..adapters.process.output import put, put_page
from ..frozen import dataclass, field, replace
from ..render.headline import headline
from ..render.outline import scope_line
from ..render.safe import page_safe
from ..results import Report, decide

if TYPE_CHECKING:
    from datetime import date

    from ..render.html.sources import Sources
    from ..render.links import Links


@dataclass(frozen=True, slots=True)
class Shape:
    """How to render: what a format may need beside the report."""

    colour: bool = False
    width: int = 0
    verbose: bool = False
    sources: Mapping[str, Sources] = field(default_factory=dict)  # both texts of a contract, by its path
    today: date = field(default_factory=utc_today)  # dates the ready waivers

    @property
    def links(self) -> Links:
        """To the commit that a GitHub workflow checks; elsewhere to nowhere."""
        return links_here()


def links_here() -> Links:
    """To the commit and the run of a GitHub workflow; elsewhere to nowhere."""
    from ..render.links import Links

    return Links(*(os.environ.get(f"GITHUB_{name}", "") for name in ("SERVER_URL", "REPOSITORY", "SHA", "RUN_ID")))


def deliver(
    report: Report,
    console: Console,
    form: str,
    output: str | None,
    *,
    stream: TextIO | None = None,
    shape: Shape | None = None,
) -> int:
    """Print the report, or write it to a file and print the verdict; `-` is standard output, as elsewhere."""
    shape = replace(shape or Shape(), verbose=console.verbose)
    if output and output != "-":
        write_whole(output, render_report(report, form, shape))
        scope = scope_line(report) if report.command == "gate" else ""
        console.note(f"{headline(report)} {f'{scope}. ' if scope else ''}Report written to {output}.")
    elif not (console.quiet and form == "terminal" and headline(report).word == "PASS"):  # an alert may exit 0
        stream = stream or sys.stdout
        shape = replace(shape, colour=console.colour(stream), width=console.width)
        page = render_report(report, form, shape)
        put(page if form == "github" else page_safe(page), error=stream is sys.stderr)
    return int(decide(report))


def render_report(report: Report, form: str, shape: Shape) -> str:
    """The report in one of FORMATS; only the renderer that is needed is imported."""
    return _RENDERERS[form](report, shape)


def _terminal(report: Report, shape: Shape) -> str:
    from ..render.text import terminal

    return terminal.render(report, colour=shape.colour, width=shape.width, verbose=shape.verbose, today=shape.today)


def _json(report: Report, _: Shape) -> str:
    from ..render.machine import json_report

    return json_report.render(report)


def _github(report: Report, _: Shape) -> str:
    from ..render.machine import github

    return github.render(report)


def _markdown(report: Report, shape: Shape) -> str:
    from ..render.markdown import report as markdown

    return markdown.render(report, today=shape.today, links=shape.links, limit=markdown.SUMMARY_LIMIT)


def _sarif(report: Report, _: Shape) -> str:
    from ..render.machine import sarif

    return sarif.render(report)


def _junit(report: Report, _: Shape) -> str:
    from ..render.machine import junit

    return junit.render(report)


def _gitlab(report: Report, _: Shape) -> str:
    from ..render.machine import gitlab

    return gitlab.render(report)


def _html(report: Report, shape: Shape) -> str:
    from ..render.html import report as page

    return page.render(report, today=shape.today, links=shape.links, sources=shape.sources)


_RENDERERS: dict[str, Callable[[Report, Shape], str]] = {
    "terminal": _terminal,
    "json": _json,
    "github": _github,
    "markdown": _markdown,
    "sarif": _sarif,
    "junit": _junit,
    "gitlab": _gitlab,
    "html": _html,
}
FORMATS = tuple(_RENDERERS)


def write_page(console: Console, page: str, output: str | None) -> None:
    """Write a page; people are told where."""
    if output is None or output == "-":
        put_page(page)
        return
    write_whole(output, page)
    console.note(f"Written to {output}.")
