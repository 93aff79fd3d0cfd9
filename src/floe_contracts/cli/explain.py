"""`floe explain`: what a code means, why it is there and what to do about it, without a network."""

from __future__ import annotations

import sys

import click

from ..codes import CODES, Code, find_code
from ..render.safe import log_safe
from .console import Console
from .options import format_option, global_options


@click.command(short_help="Say what a code means and how to get out of it.")
@click.argument("codes", nargs=-1, metavar="[CODE]...")
@format_option("terminal", "json")
@global_options(hidden=True)
@click.pass_obj
def explain(console: Console, codes: tuple[str, ...], form: str) -> int:
    """Say what a code means and how to get out of it. Without CODE, list all codes.

    CODE is written as FLOE-E520, E520 or 520.
    """
    chosen = [_find(text) for text in codes]
    if form == "json":
        _print_json(chosen or list(CODES.values()))
    elif chosen:
        print("\n\n".join(page(code, colour=console.colour(sys.stdout)) for code in chosen))
    else:
        print("\n".join(f"{code.id}  {code.title}" for code in CODES.values()))
    return 0


def page(code: Code, *, colour: bool) -> str:
    """One code as a short page."""
    from textwrap import fill

    rows = [("severity", code.severity.value), ("cause", code.cause), ("fix", code.fix), ("docs", code.docs_url)]
    if code.violation_type:
        rows.insert(1, ("violation", code.violation_type.value))
    lines = [f"\x1b[1m{code.id}  {code.title}\x1b[0m" if colour else f"{code.id}  {code.title}"]
    for label, text in rows:
        first = f"  {label:<10}"
        lines.append(fill(text, 100, initial_indent=first, subsequent_indent=" " * 12, break_long_words=False))
    return "\n".join(lines)


def _find(text: str) -> Code:
    code = find_code(text)
    if code is not None:
        return code
    from difflib import get_close_matches

    wanted = text.strip().upper().removeprefix("FLOE-")
    short = {each.removeprefix("FLOE-"): each for each in CODES}
    close = [each for each in short if each.startswith(wanted)][:3] or get_close_matches(wanted, short, 3, cutoff=0.5)
    hint = f"Did you mean {' or '.join(close)}?" if close else "`floe explain` lists all codes."
    raise click.UsageError(f"There is no code '{log_safe(text, 60)}'. {hint}")


def _print_json(chosen: list[Code]) -> None:
    import json

    entries = [
        {
            "code": code.id,
            "title": code.title,
            "severity": code.severity.value,
            "violation_type": code.violation_type.value if code.violation_type else None,
            "cause": code.cause,
            "fix": code.fix,
            "docs_url": code.docs_url,
        }
        for code in chosen
    ]
    print(json.dumps({"schema": "floe/codes/v1", "codes": entries}, indent=2))
