"""`floe help`: the same text as `--help`, for those who type the word first."""

from __future__ import annotations

import click

from ..adapters.process.output import put_page


@click.command("help", short_help="Show what a command does and takes.")
@click.argument("words", metavar="[COMMAND]...", nargs=-1)
@click.pass_context
def help_command(ctx: click.Context, words: tuple[str, ...]) -> None:
    """Show what a command does and takes: `floe help monitor run`."""
    place = ctx.find_root()
    for word in words:
        group = place.command
        if not isinstance(group, click.Group):
            ctx.fail(
                f"'{place.command_path}' has no commands of its own. `{place.command_path} --help` says what it takes."
            )
        name, command, _ = group.resolve_command(place, [word])
        if command is not None:  # an unknown name has ended this already
            place = click.Context(command, info_name=name, parent=place, **command.context_settings)
    put_page(place.get_help() + "\n")
