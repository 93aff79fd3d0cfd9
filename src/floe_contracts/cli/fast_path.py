"""`floe gate` and `floe lint`, and the short way to them: bare words need no parser (docs/adr/0030)."""

from __future__ import annotations

import os
from collections.abc import Sequence

from .. import __version__
from ..adapters.process.boundary import Alarm, guard
from ..adapters.process.console import Console
from ..app.report import deliver
from ..frozen import replace

TYPE_CHECKING = False  # importing typing would cost every call a few milliseconds
if TYPE_CHECKING:
    from ..app.gate.run import GateRequest


def is_plain(words: Sequence[str]) -> bool:
    """Whether these arguments mean the same without a parser; the shell's completion asks for one."""
    if "_FLOE_COMPLETE" in os.environ or not words:
        return False
    return words == ["gate"] or (words[0] == "lint" and not any(word.startswith("-") for word in words))


def main(words: Sequence[str]) -> int:
    """The exit code of arguments that are plain."""
    return guard(lambda: _run(words), Alarm(trace=bool(os.environ.get("FLOE_DEBUG")), json_lines=False))


def _run(words: Sequence[str]) -> int:
    if words[0] == "lint":
        return run_lint(Console(), tuple(words[1:]))
    from ..app.gate.run import GateRequest

    return run_gate(Console(), GateRequest())


def run_lint(
    console: Console,
    paths: tuple[str, ...],
    *,
    strict: bool = False,
    allow_empty: bool = False,
    form: str = "terminal",
    output: str | None = None,
) -> int:
    from ..app.lint import take
    from ..results import Report
    from .progress import Progress

    with Progress("linted") as progress:
        taken = progress.over(take(paths, strict=strict, allow_empty=allow_empty))
        results = tuple(each.result for each in taken)
    report = Report("lint", __version__, results, allow_empty=allow_empty)
    return deliver(report, console, form, output)


def run_gate(console: Console, asked: GateRequest, form: str = "terminal", output: str | None = None) -> int:
    from ..app.gate.run import judged, sides, unseen

    repo, found, commit = sides(asked)
    report = judged(repo, found, commit, asked, tool_version=__version__)
    report = replace(report, notes=(*report.notes, *unseen(repo, commit, asked)))
    if form != "html":
        return deliver(report, console, form, output)
    from ..app.gate.run import both_texts

    return deliver(report, console, form, output, sources=both_texts(repo, found, commit, report))
