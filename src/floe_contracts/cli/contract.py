"""`floe contract`: convert, hash, import and export contracts, and show them as a page."""

from __future__ import annotations

import sys
from datetime import datetime, timezone
from pathlib import Path
from typing import TYPE_CHECKING

import click

from .. import __version__
from ..adapters.datacontract.formats import export_contract, import_contract
from ..adapters.files.write import write_whole
from ..adapters.process.console import Console
from ..adapters.process.output import put_page, say
from ..app.report import deliver, write_page
from ..contract.model import Contract, Dialect
from ..render.machine.json_report import printed
from ..results import Report
from .options import format_option, global_options, output_option, refs_option

if TYPE_CHECKING:
    from ..app.lint import LintedFile


_foreign_option = click.option(
    "-O",
    "options",
    multiple=True,
    metavar="NAME=VALUE",
    help="An option of the format, as datacontract-cli names it, for instance dialect=postgres.",
)


@click.group(short_help="Convert, hash, import and export contracts.")
@global_options(hidden=True)
def contract() -> None:
    """Convert, hash, import and export contracts."""


@contract.command("generate", short_help="Print the contracts of a product's output ports.")
@click.argument("folder", default=".", metavar="[FOLDER]")
@click.option("--output", "-o", default="", metavar="FOLDER", help="Write one file per contract into FOLDER.")
@refs_option
@global_options(hidden=True)
@click.pass_obj
def generate_command(console: Console, folder: str, output: str, refs: tuple[str, ...]) -> int:
    """Print the contracts that the output ports of FOLDER/floe.yaml promise, as ODCS; or write them into files.

    dbt's manifest and explicit contracts are merged in, as `floe compile` does.
    """
    from ..app.compile import CompileRequest, generate_texts

    texts = generate_texts(CompileRequest(folder, refs=refs))
    if not output:
        put_page("---\n".join(texts.values()))
        return 0
    Path(output).mkdir(parents=True, exist_ok=True)
    for name, text in texts.items():
        write_page(console, text, str(Path(output, f"{name}.yaml")))
    return 0


@contract.command("convert")
@click.argument("file", metavar="FILE")
@click.option(
    "--to",
    "dialect",
    type=click.Choice(["odcs", "floe", "fields"]),
    default="odcs",
    show_default=True,
    help="The dialect to write.",
)
@output_option("Write the contract to FILE instead of printing it.")
@global_options(hidden=True)
@click.pass_obj
def convert_command(console: Console, file: str, dialect: str, output: str | None) -> int:
    """Write a contract in another dialect, ODCS 3.2 unless told otherwise.

    What the other dialect has no place for is said on standard error.
    """
    from ..contract.convert import convert

    taken = _lint((file,))
    original = _only_contract(taken)
    if original is None:
        return _refuse(console, taken)
    converted = convert(original, Dialect(dialect))
    for loss in converted.lost:
        console.note(f"not carried over: {loss}")
    _put(console, converted.text, output)
    return 0


@contract.command("hash")
@click.argument("paths", nargs=-1, metavar="[PATHS]...")
@format_option("terminal", "json")
@global_options(hidden=True)
@click.pass_obj
def hash_command(console: Console, paths: tuple[str, ...], form: str) -> int:
    """Print schema_hash (schema, quality, SLA) and content_hash (everything) of contracts.

    Key order, YAML style, dialect and units do not change a hash; meaning does.
    """
    taken = _lint(paths)
    if not taken or any(each.loaded is None or each.loaded.contract is None for each in taken):
        return _refuse(console, taken)
    rows = [_hashes(each.path, each.loaded.contract) for each in taken if each.loaded and each.loaded.contract]
    _print_hashes(rows, form)
    return 0


@contract.command("import")
@click.argument("source", metavar="SOURCE")
@click.option("--from", "form", required=True, metavar="FORMAT", help="sql, avro, dbt, jsonschema, protobuf, csv …")
@_foreign_option
@output_option("Write the contract to FILE instead of printing it.")
@global_options(hidden=True)
@click.pass_obj
def import_command(console: Console, source: str, form: str, options: tuple[str, ...], output: str | None) -> int:
    """Make an ODCS contract from a source in another format, and lint it.

    The format is read by datacontract-cli: pip install 'floe-contracts[datacontract]'.
    """
    from ..app.lint import lint_file

    made = import_contract(form, source, _pairs(options))
    for note in made.notes:
        console.note(f"datacontract-cli: {note}")
    _put(console, made.content, output)
    data = made.content.encode() if isinstance(made.content, str) else made.content
    report = Report("lint", __version__, (lint_file(data, output or "<import>").result,))
    return deliver(report, console, "terminal", None, stream=sys.stderr)


@contract.command("export")
@click.argument("file", metavar="FILE")
@click.option("--to", "form", required=True, metavar="FORMAT", help="sql, avro, dbt-models, jsonschema, spark, html …")
@_foreign_option
@output_option("Write the result to FILE instead of printing it.")
@global_options(hidden=True)
@click.pass_obj
def export_command(console: Console, file: str, form: str, options: tuple[str, ...], output: str | None) -> int:
    """Write a contract of any dialect in another format.

    The format is written by datacontract-cli: pip install 'floe-contracts[datacontract]'.
    """
    from ..contract.convert import convert

    taken = _lint((file,))
    original = _only_contract(taken)
    if original is None:
        return _refuse(console, taken)
    made = export_contract(convert(original, Dialect.ODCS).text, form, _pairs(options))
    for note in made.notes:
        console.note(f"datacontract-cli: {note}")
    _put(console, made.content, output)
    return 0


def _lint(paths: tuple[str, ...]) -> tuple[LintedFile, ...]:
    from ..app.lint import lint_files

    return tuple(lint_files(paths))


def _only_contract(taken: tuple[LintedFile, ...]) -> Contract | None:
    """The contract, when the arguments mean exactly one file and that file is free of errors."""
    if len(taken) > 1:
        raise click.UsageError(f"FILE means {len(taken)} files here; name one.")
    return taken[0].loaded.contract if taken and taken[0].loaded else None


def _refuse(console: Console, taken: tuple[LintedFile, ...]) -> int:
    """Say what is wrong with the input on stderr, so that nobody reads it as a result."""
    report = Report("lint", __version__, tuple(each.result for each in taken), allow_empty=False)
    return deliver(report, console, "terminal", None, stream=sys.stderr)


def _put(console: Console, content: str | bytes, output: str | None) -> None:
    if output and output != "-":
        write_whole(output, content)
        console.note(f"Written to {output}.")
    elif isinstance(content, str):
        put_page(content if content.endswith("\n") else content + "\n")
    else:
        raise click.UsageError("The result is binary; write it to a file with --output FILE.")


def _pairs(options: tuple[str, ...]) -> dict[str, str]:
    for option in options:
        if "=" not in option.strip("="):
            raise click.UsageError(f"-O takes NAME=VALUE, not '{option}'.")
    return dict(option.split("=", 1) for option in options)


def _hashes(path: str, contract: Contract) -> dict[str, str]:
    from ..contract.digest import content_hash, schema_hash

    return {
        "path": path,
        "contract": contract.key,
        "version": contract.version,
        "schema_hash": schema_hash(contract),
        "content_hash": content_hash(contract),
    }


def _print_hashes(rows: list[dict[str, str]], form: str) -> None:
    if form == "json":
        put_page(printed({"schema": "floe/hashes/v1", "contracts": rows}))
        return
    for row in rows:
        say(f"{row['path']}  {row['contract']} {row['version']}")
        put_page(f"  schema_hash   {row['schema_hash']}\n  content_hash  {row['content_hash']}\n")


@contract.command("catalog", short_help="Write contracts with versions, owners, readers and changelog as one page.")
@click.argument("paths", nargs=-1, metavar="[PATHS]...")
@output_option("Write the page to FILE instead of printing it.")
@global_options(hidden=True)
@click.pass_obj
def catalog(console: Console, paths: tuple[str, ...], output: str | None) -> int:
    """Write one HTML page with every contract: columns, service levels, owner, readers, and what each version changed.

    PATHS are files, folders or quoted globs; without any, the contracts that are here. Versions come from the history
    of the commit that is checked out, told in the words of the gate's rules. The page needs nothing else.

    \b
    Examples:
      floe contract catalog -o catalog.html
      floe contract catalog contracts/ -o catalog.html
    """
    from ..app.changelog import read_catalog
    from ..render.html.catalog.page import render_catalog

    catalogue = read_catalog(paths, datetime.now(timezone.utc))
    write_page(console, render_catalog(catalogue), output)
    for path in catalogue.unread:
        console.note(f"{path} could not be read as a contract; `floe lint` tells why.")
    return 2 if catalogue.unread and not catalogue.entries else 0
