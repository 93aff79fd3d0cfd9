"""Options of the commands that look into the store."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

import click

Command = TypeVar("Command", bound=Callable[..., Any])


def store_options(command: Command) -> Command:
    """`--config` and `--store`, as for `floe monitor run`."""
    text = "The store, instead of `store` of the settings: sqlite:///FILE, postgresql://…"
    command = click.option("--store", default="", metavar="URL", help=text)(command)
    text = "Settings instead of .floe/monitoring.yaml."
    return click.option("--config", default="", metavar="FILE", help=text)(command)
