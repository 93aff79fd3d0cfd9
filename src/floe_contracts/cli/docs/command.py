"""`floe docs`: the pages of docs/ that are rendered from code, written or compared with what is there."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path

import click

from ...adapters.files.write import write_whole
from ...adapters.process.output import say
from ...codes import CODES
from ...compat.rule import AREAS
from ..main import cli
from .pages import (
    area_page,
    code_page,
    command_page,
    facets_page,
    keys_page,
    metrics_page,
    policy_page,
    rules_page,
    schemas_page,
)

PAGES: dict[str, Callable[[], str]] = {
    "docs/errors.md": lambda: code_page(CODES.values()),
    "docs/rules.md": rules_page,
    **{f"docs/rules/{area}.md": partial(area_page, area) for area in AREAS},
    "docs/metrics.md": metrics_page,
    "docs/facets.md": facets_page,
    "docs/policy.md": policy_page,
    "docs/schemas.md": schemas_page,
    "docs/contract-keys.md": keys_page,
    "docs/cli.md": lambda: command_page(cli),
}


@click.command(hidden=True, short_help="Write the generated pages of docs/.")
@click.option("--check", is_flag=True, help="Write nothing; exit 1 when a page is not current.")
@click.option("--root", default=".", metavar="FOLDER", help="The checkout whose docs/ is meant.")
def docs(check: bool, root: str) -> int:
    """Write the generated pages of docs/."""
    stale = stale_pages(Path(root))
    for path, text in stale.items():
        if check:
            say(f"{path} is not current: run `make docs`", error=True)
        else:
            target = Path(root, path)
            target.parent.mkdir(parents=True, exist_ok=True)
            write_whole(str(target), text)
            say(f"wrote {path}")
    return 1 if check and stale else 0


def stale_pages(root: Path) -> dict[str, str]:
    """Pages whose file is missing or differs, with the text they should have."""
    rendered = {path: render() for path, render in PAGES.items()}
    return {path: text for path, text in rendered.items() if _read(root / path) != text}


def _read(path: Path) -> str | None:
    try:
        return path.read_bytes().decode("utf-8")
    except FileNotFoundError:
        return None
