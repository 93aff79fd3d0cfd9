"""A click group that knows its commands by name and imports one only when it is called."""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module
from typing import Any

import click

from ..contract.meaning.phrase import close_names, did_you_mean
from ..frozen import dataclass


@dataclass(frozen=True, slots=True)
class CommandEntry:
    """Where a command lives and its line in the help."""

    target: str  # "module:attribute", relative to this package
    help: str
    hidden: bool = False


class LazyGroup(click.Group):
    """click asks a group for its commands through these methods, so this is one of the few subclasses in floe."""

    def __init__(self, *positional: Any, table: Mapping[str, CommandEntry], **named: Any) -> None:
        super().__init__(*positional, **named)
        self.table = table

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(self.table)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        entry = self.table.get(cmd_name)
        if entry is None:
            return None
        module, _, attribute = entry.target.partition(":")
        command: click.Command = getattr(import_module(module, __package__), attribute)
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        name = args[0]
        if name not in self.table and not ctx.resilient_parsing:
            close = close_names(name, [each for each, entry in self.table.items() if not entry.hidden])
            names, otherwise = (f"'{each}'" for each in close), f"`{ctx.command_path} --help` lists them."
            ctx.fail(f"There is no command '{name}'. {did_you_mean(*names, otherwise=otherwise)}")
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        rows = [(name, entry.help) for name, entry in self.table.items() if not entry.hidden]
        if rows:
            with formatter.section("Commands"):
                formatter.write_dl(rows)
