"""`floe policy`: whether tiers hold to each other, and why a key has its value."""

from __future__ import annotations

import click

from ..adapters.process.console import Console
from ..adapters.process.output import say
from .options import global_options, refs_option, report_options


@click.group(short_help="Check the tiers of a platform, and explain a key.")
def policy() -> None:
    """Check the tiers of a platform against each other, and say who set which key."""


@policy.command(short_help="Check that no tier weakens the ones above it.")
@click.argument("manifest", required=False, metavar="[MANIFEST]")
@refs_option
@report_options
@global_options(hidden=True)
@click.pass_obj
def check(console: Console, manifest: str | None, refs: tuple[str, ...], form: str, output: str | None) -> int:
    """Check that no manifest weakens the ones above it, and that a product keeps to all of them.

    MANIFEST is a manifest.yaml or a floe.yaml; without it ./floe.yaml, else ./manifest.yaml.

    \b
    Examples:
      floe policy check
      floe policy check domains/sales/manifest.yaml --format json
    """
    from ..app.policy import show_policy_check

    return show_policy_check(console, manifest, refs, form, output)


@policy.command(short_help="Say which tier set a key, and where.")
@click.argument("key", metavar="KEY")
@click.option("--manifest", metavar="FILE", help="A manifest.yaml or floe.yaml instead of the one here.")
@refs_option
@global_options(hidden=True)
def explain(key: str, manifest: str | None, refs: tuple[str, ...]) -> int:
    """Say what every tier writes for a key: value, tier and file:line; the last line says what is effective.

    KEY is written with dots, as in governance.quality_gates.threshold; a block lists every key in it.

    \b
    Examples:
      floe policy explain governance.quality_gates.threshold
      floe policy explain sla_minimums --manifest domains/sales/manifest.yaml
    """
    from ..app.policy import explain_policy

    for line in explain_policy(key, manifest, refs):
        say(line)
    return 0
