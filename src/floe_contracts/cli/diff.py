"""`floe diff`: two contract files, compared as the gate compares them."""

from __future__ import annotations

import os
from datetime import datetime, timezone

import click

from .. import __version__
from ..adapters.process.console import Console
from ..app.lint import LintedFile, lint_files
from ..app.report import Shape, deliver
from ..compat.consumers import Register
from ..compat.gate import as_base
from ..compat.profiles import DEFAULT_PROFILE, PROFILES
from ..compat.retirement import pair_findings
from ..compat.ruleset import make_ruleset
from ..compat.verdict import GatePolicy, judge
from ..contract.lifecycle import NOTICE_DAYS
from ..errors import UsageError
from ..render.html.sources import Sources
from ..results import CheckResult, Outcome, Report
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
    gate's: 0 when NEW's version covers the change, 1 when it does not or NEW is no valid contract, 2 when OLD is none
    or a file cannot be read.

    \b
    Examples:
      floe diff contracts/orders.v2.yaml contracts/orders.v3.yaml
      floe diff old.yaml new.yaml --ignore-version
      git show main:contracts/orders.yaml | floe diff - contracts/orders.yaml
    """

    report = compare_files(old, new, profile=profile, ignore_version=ignore_version, tool_version=__version__)
    return deliver(report, console, form, output, shape=Shape(sources=both_texts(old, new) if form == "html" else {}))


def compare_files(old: str, new: str, *, profile: str, ignore_version: bool, tool_version: str) -> Report:
    """The report on NEW as the successor of OLD, as the gate would give it; a file that cannot be read is an error."""
    sides = _both(old, new)
    if any(each.result.outcome is Outcome.ERRORED for each in sides):
        results = tuple(_report_unread(each) for each in sides if each.result.outcome is Outcome.ERRORED)
    else:
        results = (_compare(*sides, GatePolicy(make_ruleset(profile), ignore_version=ignore_version)),)
    scope = GateScope(base=old, head=new, profile=profile)
    return Report("diff", tool_version, results, scope=scope, allow_empty=False)


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


def _compare(old: LintedFile, new: LintedFile, terms: GatePolicy) -> CheckResult:
    """A base with lint errors is compared as far as it was read; one that is no contract leaves nothing to compare."""
    before = as_base(old.loaded) if old.loaded else None
    if before is None or before.contract is None:
        return _report_unread(old)
    after = new.loaded
    if after is None or after.contract is None:
        return CheckResult("diff", new.result.contract, Outcome.VIOLATED, new.path, new.result.findings)
    contract, today = before.contract, datetime.now(timezone.utc).date()
    ending = () if terms.ignore_version else pair_findings(contract, after.contract, after, today, NOTICE_DAYS)
    return judge(before, after, terms, readers=lambda facts: Register().mark_affected(contract, facts), more=ending)


def _report_unread(side: LintedFile) -> CheckResult:
    return CheckResult("diff", side.result.contract, Outcome.ERRORED, side.path, side.result.findings)
