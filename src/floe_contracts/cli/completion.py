"""`floe completion`: the script that teaches a shell to complete floe's commands and options."""

from __future__ import annotations

import click
from click.shell_completion import ShellComplete, get_completion_class

from ..adapters.process.output import put_page
from .main import cli


@click.command(short_help="Print the shell completion script.")
@click.argument("shell", type=click.Choice(["bash", "zsh", "fish"]))
def completion(shell: str) -> int:
    """Print the completion script for a shell.

    \b
    bash:  floe completion bash > ~/.local/share/bash-completion/completions/floe
    zsh:   floe completion zsh > "${fpath[1]}/_floe"
    fish:  floe completion fish > ~/.config/fish/completions/floe.fish
    """
    kind = get_completion_class(shell)
    if kind is None:  # click knows all three
        raise click.UsageError(f"click has no completion for {shell}")
    # Not kind.source(): for bash that starts a bash to ask its version, which a script need not wait for.
    put_page(ShellComplete.source(kind(cli, {}, "floe", "_FLOE_COMPLETE")) + "\n")
    return 0
