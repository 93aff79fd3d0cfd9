"""`floe consumers`: who reads which contract, and the record that a reader no longer needs a version."""

from __future__ import annotations

import click

from ..adapters.console import Console
from ..adapters.options import format_option, global_options


@click.group(short_help="List readers of contracts and record their word.")
def consumers() -> None:
    """List the readers of contracts, and record that a reader no longer needs a MAJOR version."""


@consumers.command("list", short_help="Show who reads which contract.")
@click.argument("paths", nargs=-1, metavar="[PATHS]...")
@format_option("terminal", "json")
@global_options(hidden=True)
@click.pass_obj
def list_(console: Console, paths: tuple[str, ...], form: str) -> int:
    """Show the readers of every contract, from the contracts and from .floe/consumers/, with their acknowledgements.

    \b
    Examples:
      floe consumers list
      floe consumers list contracts/orders.v2.yaml --format json
    """
    from .reading_list import reading_list, shown

    found = reading_list(paths)
    if found.rows or not found.unread or form == "json":
        click.echo(shown(found.rows, form), nl=False)
    for path in found.unread:
        console.note(f"{path} could not be read as a contract; `floe lint` tells why.")
    for stray in found.strays:
        console.note(stray)
    return 2 if found.unread else 0


@consumers.command(short_help="Record that a reader no longer needs a MAJOR version.")
@click.argument("contract", metavar="CONTRACT")
@click.argument("major", type=click.IntRange(min=0), metavar="MAJOR")
@click.option("--consumer", required=True, metavar="NAME", help="The reader that speaks.")
@click.option("--by", required=True, metavar="WHO", help="Who said so: a person or a ticket.")
@global_options(hidden=True)
def ack(contract: str, major: int, consumer: str, by: str) -> int:
    """Record in .floe/acks.yaml that CONSUMER no longer needs CONTRACT's MAJOR version.

    CONTRACT is the contract's id, domain/name or name. A MAJOR version may be deleted when it is retired and every
    reader has acknowledged it.

    \b
    Example:
      floe consumers ack orders 2 --consumer billing-service --by ana@example.com
    """
    from .acknowledging import record

    click.echo(record(contract, major, consumer, by))
    return 0
