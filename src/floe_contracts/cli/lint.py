"""`floe lint`: everything that is wrong with the contracts, all at once, each with its line."""

from __future__ import annotations

import click

from ..adapters.process.console import Console
from .options import global_options, report_options


@click.command(short_help="Check contracts for everything that cannot be right.")
@click.argument("paths", nargs=-1, metavar="[PATHS]...")
@click.option("--strict", is_flag=True, help="Treat warnings as errors.")
@click.option("--allow-empty", is_flag=True, help="Pass when there is no contract at all.")
@report_options
@global_options(hidden=True)
@click.pass_obj
def lint(
    console: Console, paths: tuple[str, ...], strict: bool, allow_empty: bool, form: str, output: str | None
) -> int:
    """Check contracts for everything that cannot be right or cannot be enforced as written.

    PATHS are files, folders, quoted globs, or - for standard input. Without PATHS every file below the current
    folder is checked that matches contracts/**/*.yaml, **/datacontract.yaml, **/*.odcs.yaml or
    **/*.datacontract.yaml (.yml too), seen from there or from the top of the repository. In a named folder other
    YAML files count when they are contracts.

    \b
    Examples:
      floe lint
      floe lint contracts/orders.yaml --strict
      floe lint 'products/**/contract.yaml' --format json --output report.json
    """
    from ..app.lint import show_lint

    return show_lint(console, paths, strict=strict, allow_empty=allow_empty, form=form, output=output)
