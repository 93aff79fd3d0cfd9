"""`floe identity`: who owns the namespaces of products."""

from __future__ import annotations

import click

from .options import format_option, global_options, refs_option


@click.group(short_help="Show, claim, transfer and audit namespaces of products.")
def identity() -> None:
    """Show, claim, transfer and audit the namespaces of products; the catalog is that of ./floe.yaml."""


@identity.command(short_help="Show who owns a product, and what it has registered.")
@click.argument("product", required=False, metavar="[ID]")
@refs_option
@format_option("terminal", "json")
@global_options(hidden=True)
def show(product: str | None, refs: tuple[str, ...], form: str) -> int:
    """Show the owner of a product, its history and its registered contracts; ID is that of ./floe.yaml unless named.

    \b
    Examples:
      floe identity show
      floe identity show sales.customer_360 --format json
    """
    from ..app.identity.commands import show_owner

    return show_owner(product, refs, form)


@identity.command(short_help="Claim the namespace of the product here.")
@refs_option
@global_options(hidden=True)
def claim(refs: tuple[str, ...]) -> int:
    """Claim the namespace of ./floe.yaml for its repository, without its contracts; refused in pull requests.

    \b
    Examples:
      floe identity claim
    """
    from ..app.identity.commands import claim_namespace

    return claim_namespace(refs)


@identity.command(short_help="Give a product to another repository.")
@click.argument("product", metavar="ID")
@click.option("--to", required=True, metavar="REPO", help="The repository that owns it from now on.")
@click.option("--name", default="", metavar="NAME", help="Another spelling of the product's name.")
@refs_option
@global_options(hidden=True)
def transfer(product: str, to: str, name: str, refs: tuple[str, ...]) -> int:
    """Give a product to another repository, from the repository that owns it; earlier owners stay on record.

    With --name and the same repository the product is spelled anew.

    \b
    Examples:
      floe identity transfer sales.customer_360 --to github.com/acme/customers
      floe identity transfer sales.customer_360 --to github.com/acme/crm --name Customer-360
    """
    from ..app.identity.commands import transfer_namespace

    return transfer_namespace(product, to, name, refs)


@identity.command(short_help="Compare every claim with what namespaces say.")
@refs_option
@format_option("terminal", "json")
@global_options(hidden=True)
def audit(refs: tuple[str, ...], form: str) -> int:
    """List every claim of the catalog, and what does not agree with it; exit 1 when something does not.

    \b
    Examples:
      floe identity audit
      floe identity audit --format json
    """
    from ..app.identity.commands import show_audit

    return show_audit(refs, form)
