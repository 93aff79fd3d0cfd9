"""`floe diff`: two contract files, compared as the gate compares them."""

from __future__ import annotations

import os

import click

from ..adapters.process.console import Console
from ..app.api import compare_sides
from ..app.lint import LintedFile, lint_files
from ..app.report import Shape, deliver
from ..compat.profiles import DEFAULT_PROFILE, PROFILES
from ..errors import UsageError
from ..render.html.sources import Sources
from ..results.facts import GateScope
from .options import global_options, report_options


@click.command(short_help="Compare two versions of a contract.")
@click.argument("old", metavar="OLD")
@click.argument("new", metavar="NEW")
@click.option("--ignore-version", is_flag=True, help="Fail on any breaking change, whatever the version says.")
@click.option(
    "--profile",
    type=click.Choice(tuple(PROFILES)),
    default=DEFAULT_PROFILE,
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
    gate's: 0 when NEW's version covers the change, 1 when it does not or NEW is not a valid contract, 2 when OLD is
    not one or a file cannot be read.

    \b
    Examples:
      floe diff contracts/orders.v2.yaml contracts/orders.v3.yaml
      floe diff old.yaml new.yaml --ignore-version
      git show main:contracts/orders.yaml | floe diff - contracts/orders.yaml
    """

    scope = GateScope(base=old, head=new, profile=profile)
    report = compare_sides(*_both(old, new), scope, ignore_version=ignore_version)
    return deliver(report, console, form, output, shape=Shape(sources=both_texts(old, new) if form == "html" else {}))


def both_texts(old: str, new: str) -> dict[str, Sources]:
    """Both texts by the path of the new one, for a format that shows them side by side."""
    if "-" in (old, new):  # standard input has been read
        return {}
    before, after = _both(old, new)
    texts = (side.loaded.document.text if side.loaded else "" for side in (before, after))
    return {after.path: Sources(*texts)}


def _both(old: str, new: str) -> tuple[LintedFile, LintedFile]:
    if old == new == "-":
        raise UsageError("standard input can be one of the files, not both", fix="Name the other file.")
    return _only(old), _only(new)


def _only(path: str) -> LintedFile:
    if os.path.isdir(path):
        raise UsageError(f"{path!r} is a folder", fix="Name one contract; `floe gate` compares whole repositories.")
    return next(iter(lint_files([path])))
