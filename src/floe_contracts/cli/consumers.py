"""`floe consumers`: who reads which contract, and the record that a reader no longer needs a version."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterator
from dataclasses import asdict
from datetime import datetime, timezone
from typing import TYPE_CHECKING

import click

from ..adapters.files.read import find_contracts, present_in, read_file
from ..adapters.files.settings import settings_here, top_here
from ..adapters.files.write import make_folder_of, write_whole
from ..adapters.process.console import Console
from ..adapters.process.output import put_page, say
from ..app.lint import lint_files
from ..compat.consumers import Acknowledgement, Register, is_name_of, major_of
from ..compat.settings import Settings, read_settings
from ..compat.settings_paths import ACKS
from ..contract.discovery import selection
from ..contract.model import Contract
from ..errors import FloeError, UsageError
from ..frozen import dataclass
from ..render.safe import log_safe
from .options import format_option, global_options

if TYPE_CHECKING:
    from ..app.discover.run import Discovery


@click.group(short_help="List consumers of contracts and record acknowledgements.")
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

    listing = list_readers(paths)
    if listing.rows or not listing.unread or form == "json":
        put_page(format_rows(listing.rows, form))
    for path in listing.unread:
        console.note(f"{path} could not be read as a contract; `floe lint` tells why.")
    for stray in listing.strays:
        console.note(stray)
    return 2 if listing.unread else 0


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

    say(record(contract, major, consumer, by))
    return 0


@consumers.command(short_help="Find the readers of contracts in code and lineage.")
@click.option(
    "--sql", "globs", multiple=True, metavar="GLOB", help="Files of SQL, notebooks or Python to look through."
)
@click.option(
    "--openlineage", "events", multiple=True, metavar="FILE", help="OpenLineage events, one per line or a list."
)
@click.option(
    "--dialect",
    default="",
    metavar="NAME",
    help="The SQL of --sql: spark, snowflake, postgres … (default: common SQL).",
)
@click.option(
    "--write", is_flag=True, help="Add what is missing to .floe/consumers/, in files marked `generated: discover`."
)
@click.option(
    "--prune",
    is_flag=True,
    help="With --write: remove from those files what neither the code nor the given files read any more.",
)
@click.option("--check", is_flag=True, help="Warn of readers in the code that are not registered.")
@click.option("--strict", is_flag=True, help="With --check: exit 1 when there is one.")
@format_option("terminal", "json")
@global_options(hidden=True)
@click.pass_obj
def discover(
    console: Console, /, globs: tuple[str, ...], events: tuple[str, ...], dialect: str, form: str, **flags: bool
) -> int:
    """Find who reads which column: dbt models and exposures, SQL files, notebooks, and OpenLineage events.

    A line per read: the reader, the contract and column, and the place. A reader whose SQL cannot be read reads every
    column of the tables it names.

    \b
    Examples:
      floe consumers discover
      floe consumers discover --sql 'reports/**/*.sql' --openlineage events.jsonl --write
      floe consumers discover --check --strict
    """
    from ..app.discover.run import DiscoveryRequest
    from ..app.discover.run import discover as look

    if flags["prune"] and not flags["write"]:
        raise UsageError("--prune goes with --write")
    if flags["strict"] and not flags["check"]:
        raise UsageError("--strict goes with --check")
    if flags["write"] and flags["check"]:
        raise UsageError("--write and --check exclude each other", fix="Write first, then check.")
    discovery = look(DiscoveryRequest(top_here(), globs, events, dialect))
    return show_discovery(console, discovery, form, **flags)


@consumers.command(short_help="List columns that nobody reads.")
@click.option(
    "--sql", "globs", multiple=True, metavar="GLOB", help="Files of SQL, notebooks or Python to look through."
)
@click.option(
    "--openlineage", "events", multiple=True, metavar="FILE", help="OpenLineage events, one per line or a list."
)
@click.option(
    "--dialect",
    default="",
    metavar="NAME",
    help="The SQL of --sql: spark, snowflake, postgres … (default: common SQL).",
)
@global_options(hidden=True)
@click.pass_obj
def unused(console: Console, globs: tuple[str, ...], events: tuple[str, ...], dialect: str) -> int:
    """List the columns that no registered reader and no code here reads: they are cheap to remove.

    A reader that takes all columns, or whose SQL cannot be read, uses every column of its contract.

    \b
    Example:
      floe consumers unused --openlineage events.jsonl
    """
    from ..app.discover.run import DiscoveryRequest
    from ..app.discover.run import discover as look

    discovery = look(DiscoveryRequest(top_here(), globs, events, dialect))
    rows = discovery.unused()
    for contract, columns in rows:
        say(f"{log_safe(contract.key)}: {log_safe(', '.join(columns), 2_000)}")
    if not rows:
        say("Every column of every contract has a reader, or a reader that takes all columns.")
    return _tell_gaps(console, discovery)


def show_discovery(
    console: Console, discovery: Discovery, form: str, *, write: bool, prune: bool, check: bool, strict: bool
) -> int:
    """Print what was found, write or check it as asked, and say what could not be told."""
    if form == "json":
        rows = [{key: value for key, value in asdict(read).items() if key != "key"} for read in discovery.reads]
        put_page(json.dumps(rows, indent=2, ensure_ascii=False) + "\n")
    elif discovery.reads:
        put_page("".join(f"{log_safe(str(read), 600)}\n" for read in discovery.reads))
    else:
        say("Nothing here reads a contract of this repository.")
    if write:
        from ..app.discover.write import write_consumers

        for line in write_consumers(top_here(), discovery.reads, prune=prune):
            console.note(log_safe(line, 600))
    missing = discovery.unregistered() if check else ()
    for read in missing:
        console.note(f"warning: {log_safe(str(read), 600)}, and is not registered as a reader of it.")
    if missing:
        console.note("Run `floe consumers discover --write`, fill in the owners, and commit .floe/consumers/.")
    return _tell_gaps(console, discovery) or (1 if missing and strict else 0)


def _tell_gaps(console: Console, discovery: Discovery) -> int:
    for gap in discovery.gaps:
        console.note(f"{log_safe(gap.path)}:{gap.line}: cannot tell which columns it reads: {log_safe(gap.reason)}.")
    for path in discovery.unread:
        console.note(f"{log_safe(path)} could not be read as a contract; `floe lint` tells why.")
    return 2 if discovery.unread else 0


_HEAD = "# Readers that no longer need a MAJOR version; written by `floe consumers ack`."
_KEY = re.compile(r"^acks *:", re.MULTILINE)
_ROW = re.compile(r"^( *)- ", re.MULTILINE)


def record(contract: str, major: int, consumer: str, by: str) -> str:
    """Write the acknowledgement unless it stands there already; returns what to tell the person."""
    top = top_here()
    settings = settings_here(top)
    for earlier in settings.register.acknowledgements:
        if (earlier.contract, earlier.major, earlier.consumer) == (contract, major, consumer):
            return f"{consumer} acknowledged {contract} v{major} on {earlier.date} already."
    _refuse_unknown(settings, top, contract, major, consumer)
    today = datetime.now(timezone.utc).date()
    path = os.path.join(top, ACKS)
    before = read_file(path).data.decode("utf-8") if os.path.isfile(path) else ""
    new = Acknowledgement(contract, major, consumer, by, str(today))
    after = append_row(before, new)
    written = read_settings({ACKS: after.encode("utf-8")}, today).register
    if written != Register((), (*settings.register.acknowledgements, new)):
        raise FloeError(f"{path} is not written in a form that a row can be added to", fix="Add the row by hand.")
    make_folder_of(path)
    write_whole(path, after)
    return f"{ACKS}: {consumer} no longer needs {contract} v{major}. Commit the file; it counts after the merge."


def _refuse_unknown(settings: Settings, top: str, contract: str, major: int, consumer: str) -> None:
    """Refuse names that nothing here has: a misspelled one would be recorded and never count."""
    config = settings.config
    paths = find_contracts(top, selection(config.include, config.exclude, present_in(top)))
    linted = lint_files(paths) if paths else ()
    loaded = [each.loaded.contract for each in linted if each.loaded and each.loaded.contract]
    called = [each for each in loaded if is_name_of(contract, each)]
    if not called:
        fix = "Use its id, domain/name or name; `floe consumers list` shows them."
        raise UsageError(f"no contract here is called {contract!r}", fix=fix)
    if major not in {major_of(each) for each in called}:
        here = ", ".join(sorted({f"v{major_of(each)}" for each in called}))
        raise UsageError(f"{contract} has no version v{major} here", fix=f"It is here as {here}.")
    readers = {reader.name for each in called if major_of(each) == major for reader in settings.register.readers(each)}
    if readers and consumer not in readers:
        fix = f"Its readers are {', '.join(sorted(readers))}."
        raise UsageError(f"{consumer!r} is not a registered reader of {contract} v{major}", fix=fix)


def append_row(text: str, row: Acknowledgement) -> str:
    """The text of the file with one more row at its end; `acks: []` becomes a list in block style first."""
    ending = "\r\n" if "\r\n" in text else "\n"
    text = text.rstrip() or _HEAD
    text = text if _KEY.search(text) else f"{text}{ending}acks:"
    text = text.removesuffix("[]").rstrip() if text.endswith("[]") else text
    rows = _ROW.findall(text)
    indent = rows[-1] if rows else "  "
    pairs = [
        f"{key}: {json.dumps(value, ensure_ascii=False)}"
        for key, value in (
            ("contract", row.contract),
            ("major", row.major),
            ("consumer", row.consumer),
            ("by", row.by),
            ("date", row.date),
        )
    ]
    return text + ending + f"{indent}- " + f"{ending}{indent}  ".join(pairs) + ending


@dataclass(frozen=True, slots=True)
class ConsumerRow:
    """One reader of one contract."""

    contract: str
    version: str
    consumer: str
    owner: str
    columns: tuple[str, ...]
    acknowledged: bool


@dataclass(frozen=True, slots=True)
class ReadingList:
    """Every reader of every readable contract, the paths that hold no readable one, and readers of nothing."""

    rows: tuple[ConsumerRow, ...]
    unread: tuple[str, ...]
    strays: tuple[str, ...] = ()


def list_readers(paths: tuple[str, ...]) -> ReadingList:
    """The readers of the named contracts, or of all; only where all are read can strays be told."""
    top = top_here()
    register = settings_here(top).register
    rows, unread, contracts = [], [], []
    for taken in lint_files(paths, allow_empty=not paths):
        contract = taken.loaded.contract if taken.loaded else None
        if contract is None:
            unread.append(taken.path)
            continue
        contracts.append(contract)
        silent = {reader.name for reader in register.silent(contract)}
        rows += [
            ConsumerRow(contract.key, contract.version, who.name, who.owner, who.columns, who.name not in silent)
            for who in register.readers(contract)
        ]
    ordered = sorted(rows, key=lambda row: (row.contract, row.version, row.consumer))
    everything = not paths and not unread and os.path.samefile(top, ".")
    return ReadingList(tuple(ordered), tuple(unread), tuple(_strays(register, contracts)) if everything else ())


def _strays(register: Register, contracts: list[Contract]) -> Iterator[str]:
    """Lines of consumer files that no contract answers to: their readers would never be told of anything."""
    for line in register.subscriptions:
        called = [each for each in contracts if is_name_of(line.contract, each)]
        if not called:
            yield f"{line.path}: {line.consumer} reads {line.contract!r}, and no contract here has this name."
        elif not any(line.means(each) for each in called):
            here = ", ".join(sorted({f"v{major_of(each)}" for each in called}))
            yield f"{line.path}: {line.consumer} reads {line.contract} v{line.major}, and it is here as {here} only."


def format_rows(rows: tuple[ConsumerRow, ...], form: str) -> str:
    """The rows as a table or as JSON."""
    if form == "json":
        return json.dumps([asdict(row) for row in rows], indent=2) + "\n"
    if not rows:
        return "No contract here names a reader. Add consumers: to a contract, or a file in .floe/consumers/.\n"
    table = [("CONTRACT", "VERSION", "READER", "OWNER", "COLUMNS", "ACKNOWLEDGED")]
    table += [
        (
            log_safe(row.contract),
            log_safe(row.version),
            log_safe(row.consumer),
            log_safe(row.owner) or "–",
            log_safe(", ".join(row.columns)) or "all",
            "yes" if row.acknowledged else "no",
        )
        for row in rows
    ]
    widths = [max(len(row[index]) for row in table) for index in range(len(table[0]))]
    lines = ["  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip() for row in table]
    return "\n".join(lines) + "\n"
