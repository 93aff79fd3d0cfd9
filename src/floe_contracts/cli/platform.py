"""`floe platform`: the manifest of a platform, compiled, and the references to it, locked."""

from __future__ import annotations

import click

from ..adapters.process.console import Console
from .options import global_options, refs_option


@click.group(short_help="Compile the manifest of a platform, lock references to it.")
def platform() -> None:
    """Compile the manifest of a platform or a domain, and lock what refers to it."""


@platform.command("compile", short_help="Write what products are held to as JSON files.")
@click.argument("manifest", required=False, metavar="[MANIFEST]")
@refs_option
@global_options(hidden=True)
@click.pass_obj
def compile_command(console: Console, manifest: str | None, refs: tuple[str, ...]) -> int:
    """Check a manifest against the ones above it, and write target/platform/ beside it.

    MANIFEST is ./manifest.yaml unless another is named. The files are manifest.json, policies/classification.json,
    policies/quality-gates.json and architecture/naming-rules.json; nothing is written when a tier is weaker.

    \b
    Examples:
      floe platform compile
      floe platform compile domains/sales/manifest.yaml
    """
    from ..app.platform import show_platform_compile

    return show_platform_compile(console, manifest, refs)


@platform.command("lock", short_help="Write which bytes ref/ references mean to floe.lock.")
@click.argument("file", required=False, metavar="[FILE]")
@click.option("--update", is_flag=True, help="Take the bytes that are there now, and drop entries that nothing needs.")
@refs_option
@global_options(hidden=True)
@click.pass_obj
def lock_command(console: Console, file: str | None, update: bool, refs: tuple[str, ...]) -> int:
    """Write the digest of every ref/ reference of FILE, and of the manifests above it, to floe.lock beside it.

    FILE is ./floe.yaml, else ./manifest.yaml. Missing entries are added, except with CI=true, where nothing is trusted
    for the first time. An entry whose bytes differ is refused; only --update changes it. Commit the file.

    \b
    Examples:
      floe platform lock --refs ../platform-releases
      floe platform lock products/customer-360/floe.yaml --update
    """
    from ..app.lock import show_lock

    return show_lock(console, file, refs, update=update)
