"""`floe rules`: every kind of change with the bump it asks for, by area."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from typing import Any

import click

from ..adapters.process.console import Console
from ..adapters.process.output import put_page
from ..compat.profiles import DEFAULT_PROFILE, PROFILES
from ..compat.rule import AREAS, Rule
from ..compat.ruleset import all_rules
from ..render.machine.json_report import printed
from ..results import Bump
from .options import format_option, global_options

_STYLES = {Bump.MAJOR: "31", Bump.MINOR: "33", Bump.PATCH: "32"}


@click.command(short_help="List what every kind of change costs.")
@click.option(
    "--profile",
    type=click.Choice(list(PROFILES)),
    default=DEFAULT_PROFILE,
    show_default=True,
    help="Whose prices to show.",
)
@format_option("terminal", "json")
@global_options(hidden=True)
@click.pass_obj
def rules(console: Console, profile: str, form: str) -> int:
    """List every kind of change with the version bump it asks for.

    `floe explain RULE` says why, how to avoid it, and shows examples.
    """
    if form == "json":
        put_page(printed({"schema": "floe/rules/v1", "profile": profile, "rules": list(_entries(profile))}))
    else:
        put_page("\n".join(_table(profile, console.colour(sys.stdout))) + "\n")
    return 0


def rule_entry(rule: Rule) -> dict[str, Any]:
    """A rule as plain values for machines."""
    return {
        "id": rule.id,
        "area": rule.area,
        "title": rule.title,
        "direction": rule.direction.value,
        "bumps": {profile: rule.bump_in(profile).value for profile in PROFILES},
        "why": rule.why,
        "message": rule.message,
        "fix": rule.fix,
        "caution": rule.caution,
        "since": rule.since,
        "docs_url": rule.docs_url,
    }


def _entries(profile: str) -> Iterator[dict[str, Any]]:
    for rule in all_rules():
        entry = rule_entry(rule)
        yield {"id": entry.pop("id"), "bump": rule.bump_in(profile).value, **entry}


def _table(profile: str, colour: bool) -> Iterator[str]:
    listed = list(all_rules())
    width = max(len(rule.id) for rule in listed)
    for area, title in AREAS.items():
        yield f"\x1b[1m{title}\x1b[0m" if colour else title
        for rule in listed:
            if rule.area == area:
                yield f"  {rule.id:<{width}}  {_bump(rule.bump_in(profile), colour)}  {rule.title}"
        yield ""
    yield f"{len(listed)} rules, profile {profile}: {PROFILES[profile]}."
    yield "why and how: floe explain RULE"


def _bump(bump: Bump, colour: bool) -> str:
    text = f"{bump.value:<5}"
    return f"\x1b[{_STYLES[bump]}m{text}\x1b[0m" if colour and bump in _STYLES else text
