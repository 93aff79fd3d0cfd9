"""`floe compile`: a product held to its platform, and written as one artifact."""

from __future__ import annotations

import click

from ..adapters.process.console import Console
from .options import (
    against_registry_option,
    allow_http_option,
    format_option,
    global_options,
    output_option,
    refs_option,
)


@click.command("compile", short_help="Hold a product to its platform and write its artifact.")
@click.argument("folder", default=".", metavar="[FOLDER]")
@output_option("Write the artifact to FILE instead of target/floe/compiled.json.")
@click.option("--dbt-manifest", default="", metavar="FILE", help="The manifest.json of dbt, when it lies elsewhere.")
@refs_option
@against_registry_option
@allow_http_option
@format_option("terminal", "json", "sarif", "github")
@global_options(hidden=True)
@click.pass_obj
def compile_command(
    console: Console,
    folder: str,
    output: str | None,
    dbt_manifest: str,
    refs: tuple[str, ...],
    against_registry: bool,
    allow_http: tuple[str, ...],
    form: str,
) -> int:
    """Hold the product in FOLDER to every manifest above it, and write target/floe/compiled.json.

    Contracts are made from the output ports of floe.yaml, from datacontract.yaml and contracts/ beside it, and from
    dbt's manifest. All errors are listed at once; nothing is written unless everything holds.

    \b
    Examples:
      floe compile
      floe compile products/customer-360 --format json
    """
    from ..app.compile import CompileRequest
    from ..app.compile_show import show_compile

    return show_compile(
        console, CompileRequest(folder, dbt_manifest, refs, output or "", allow_http, against_registry), form
    )
