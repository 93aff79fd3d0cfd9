"""`floe init`: a first contract from data that exists, and the files that check it at commits, merges and run time."""

from __future__ import annotations

import os
import sys
from shlex import quote
from typing import TYPE_CHECKING

import click

from .. import __version__
from ..adapters.process.console import Console
from ..adapters.process.output import put_page, say
from ..adapters.process.program import own_program
from ..contract.model import Dialect
from ..contract.propose import describe_proposal
from ..release import COMMIT
from ..render.safe import log_safe
from ..schedules.cadence import JobSource, jobs_for
from ..schedules.timers import crontab
from .options import allow_http_option, global_options

if TYPE_CHECKING:
    from ..app.init.files import Proposed
    from ..app.init.source import Source
    from ..contract.model import Contract

SCHEDULES = ("none", "cron", "airflow")
_INSTALL = "{ crontab -l; cat .floe/crontab; } | crontab -"  # keeps what is in the table already


@click.command(short_help="Propose a contract from data, and the files that check it.")
@click.argument("source", required=False, default="", metavar="[SOURCE]")
@click.option(
    "--from", "form", default="", metavar="FORMAT", help="Read SOURCE with datacontract-cli: dbt, sql, avro …"
)
@click.option("--connection", multiple=True, metavar="KEY=VALUE", help="A database: type=postgres host=… table=…")
@click.option("--name", default="", help="Of the contract; without it that of the table, import or file.")
@click.option("--owner", default="", help="The person or team to ask.")
@click.option(
    "--to", "dialect", type=click.Choice(["odcs", "floe", "fields"]), default="odcs", show_default=True, help="Dialect."
)
@click.option("--schedule", type=click.Choice(SCHEDULES), default=None, help="What runs the checks.  [default: none]")
@click.option("--platform", default="", metavar="VERSION|REF", help="Begin a product below a published platform.")
@click.option("--registry", default="", metavar="oci://HOST/REPO", help="Where --platform=VERSION is published.")
@allow_http_option
@click.option("--yes", is_flag=True, help="Ask nothing: take what is usual, and keep files that exist.")
@click.option("--force", is_flag=True, help="Replace files that exist; in .floe/monitoring.yaml the one connection.")
@global_options(hidden=True)
@click.pass_obj
def init(
    console: Console,
    source: str,
    form: str,
    connection: tuple[str, ...],
    name: str,
    owner: str,
    dialect: str,
    schedule: str | None,
    platform: str,
    registry: str,
    allow_http: tuple[str, ...],
    yes: bool,
    force: bool,
) -> int:
    """Propose a contract from SOURCE, with a pre-commit config, a workflow and a schedule for its checks.

    SOURCE is a Parquet file or folder, another file or table that Spark reads, or with --from a source in a format of
    datacontract-cli. From dbt's manifest.json every model with known columns gets a contract of its name. Types,
    columns that are never null, keys and lists are those of the data; look at them before they become promises.
    Without SOURCE only the files around contracts are written.

    With --platform the current folder becomes a data product instead: floe.yaml, floe.lock, a datacontract.yaml to fill
    in, models/ and tests/. A version alone is looked up in --registry, else in FLOE_PLATFORM_REGISTRY.

    \b
    Examples:
      floe init data/orders.parquet --owner checkout-team
      floe init --from dbt target/manifest.json --yes
      floe init lake.shop.orders --schedule airflow
      floe init --platform=v1.2.3 --registry oci://registry.acme.com/data/platform
      floe init --connection type=postgres --connection host=db --connection database=shop --connection table=orders
    """
    from ..adapters.files.settings import top_here
    from ..app.init.files import check_file_name
    from ..app.init.source import Source
    from ..app.monitor.targets import connection_settings

    if platform:
        return _product(platform, registry, name, owner, allow_http)
    asks = not yes and sys.stdin.isatty() and sys.stdout.isatty()
    if asks and not source and not connection:
        source = click.prompt(
            "Where is the data? A Parquet file, a table; empty for none", default="", show_default=False
        )
    where = Source(source.strip(), form, connection_settings(connection))
    if form and not where.text:
        raise click.UsageError("--from needs a SOURCE.")
    if asks and (where.text or where.connection):
        name = name or _ask_name(where)
        owner = owner or click.prompt("Who owns it", default="", show_default=False)
    if asks and schedule is None:
        schedule = click.prompt("What runs the checks", type=click.Choice(SCHEDULES), default="none")
    if name:
        check_file_name(name)
    top = top_here()
    files = list(_contract(console, where, (name, owner, dialect), top))
    files += _around(schedule or "none", top)
    _write(files, top, replaces=force, asks=asks)
    _next(files, top, owned=bool(owner))
    return 0


def _product(platform: str, registry: str, name: str, owner: str, allow_http: tuple[str, ...]) -> int:
    from ..app.init.product import REGISTRY, ProductRequest, create_product

    registry = registry or os.environ.get(REGISTRY, "")
    for path in create_product(ProductRequest(platform, registry, name, owner, allow_http)):
        say(f"{path}  written")
    put_page("\nNext:\n")
    say("  floe compile    hold the product to its platform; it names every place to fill in")
    return 0


def _ask_name(where: Source) -> str:
    if where.form:  # what is imported may have a name, which nobody knows yet
        answer = click.prompt("Name of the contract; empty for its own", default="", show_default=False)
    else:
        answer = click.prompt("Name of the contract", default=where.name)
    return str(answer).strip()


def _contract(console: Console, where: Source, wishes: tuple[str, str, str], top: str) -> list[Proposed]:
    if not where.text and not where.connection:
        return []
    from ..app.init.files import Proposed, connection_entry
    from ..app.init.source import propose_contract
    from ..monitor.settings.reading import PATH

    name, owner, dialect = wishes
    if where.form == "dbt":
        return _models(console, where, wishes, top)
    proposal = propose_contract(where, name, owner, top)
    name = proposal.contract.name
    for note in proposal.notes[:-1]:
        console.note(note)
    words = "; ".join((*proposal.notes[-1:], *(describe_proposal(proposal.contract) if not where.form else ())))
    files = [_file(proposal.contract, dialect, words, top)]
    if proposal.connection:
        entry = connection_entry(proposal.contract.key, proposal.connection)
        files.append(Proposed(PATH, entry.text, f"where the data of {name} is", entry=entry))
    return files


def _models(console: Console, where: Source, wishes: tuple[str, str, str], top: str) -> list[Proposed]:
    """One contract per dbt model: the gate finds the model's SQL by that name."""
    from ..app.init.dbt import propose_models

    name, owner, dialect = wishes
    contracts, notes = propose_models(where.text, name, owner)
    for note in notes:
        console.note(note)
    return [_file(contract, dialect, f"what dbt knows of {contract.name}", top) for contract in contracts]


def _file(contract: Contract, dialect: str, words: str, top: str) -> Proposed:
    from ..app.init.files import Proposed, check_file_name
    from ..app.init.source import with_team
    from ..contract.convert import convert

    written = with_team(contract) if dialect == "odcs" else contract
    ending = ".odcs.yaml" if dialect == "odcs" else ".yaml"
    text = convert(written, Dialect(dialect)).text
    return _first(contract.key, Proposed(f"contracts/{check_file_name(contract.name)}{ending}", text, words), top)


def _first(key: str, proposed: Proposed, top: str) -> Proposed:
    """The new file; or the one that has the contract already, because the gate lets no contract be there twice."""
    from ..app.init.files import Proposed, file_of

    there = file_of(key, top, proposed.path)
    return Proposed(there, "", f"it is the contract {key} already", stays=True) if there else proposed


def _around(schedule: str, top: str) -> list[Proposed]:
    from ..app.init.files import PRE_COMMIT, WORKFLOW, Proposed, hooks_entry, workflow_text

    hooks = hooks_entry(__version__, COMMIT)
    files = [
        Proposed(PRE_COMMIT, hooks.text, "hooks that check every commit", entry=hooks),
        Proposed(
            WORKFLOW, workflow_text(__version__, COMMIT), "the gate on pull requests", known="floe-dev/floe-contracts@"
        ),
    ]
    if schedule != "none":
        files.append(_schedule(schedule, top))
    return files


def _schedule(kind: str, top: str) -> Proposed:
    from ..app.init.files import Proposed
    from ..monitor.settings.model import DEFAULT_INTERVALS_US
    from ..schedules.dag_text import dag_file

    root, program = os.path.abspath(top), own_program()
    if kind == "cron":
        jobs = jobs_for({check: [us] for check, us in DEFAULT_INTERVALS_US.items()}, JobSource(("contracts",)))
        return Proposed(".floe/crontab", crontab(jobs, root, program), f"install it with `{_INSTALL}`")
    text = dag_file(os.path.basename(root), [os.path.join(root, "contracts")], program, root, DEFAULT_INTERVALS_US)
    return Proposed("dags/contracts.py", text, "for Airflow's folder of DAGs")


def _write(files: list[Proposed], top: str, *, replaces: bool, asks: bool) -> None:
    from ..app.init.files import Fate, indent, put

    def may_replace(what: str) -> bool:
        return replaces or (asks and click.confirm(f"{log_safe(what)} exists. Replace it?", default=False))

    width = max(len(file.path) for file in files)
    for file in files:
        fate = put(file, top, may_replace)
        say(f"{file.path:<{width}}  {fate.value}{f': {file.why}' if file.why and fate is not Fate.SAME else ''}")
        if fate is Fate.KEPT and not file.stays:
            say("  It exists and is another; this is what would stand in it:")
        if fate is Fate.BY_HAND:
            say("  It is written in a way that cannot be added to safely; it needs this:")
        if fate in (Fate.KEPT, Fate.BY_HAND) and not file.stays:
            put_page("\n".join(indent(file.text)) + "\n")


def _spark_note() -> str:
    from importlib.util import find_spec

    return "" if find_spec("pyspark") else "; needs floe-contracts[spark]"


def _next(files: list[Proposed], top: str, *, owned: bool) -> None:
    """The way from here to a gate that compares and a check that measures, each step as a command."""
    more = "freshness, descriptions" if owned else "owner, freshness, descriptions"
    contracts = [file.path for file in files if file.stays or file.path.startswith("contracts/")]
    first = contracts[0] if len(contracts) == 1 else "contracts"
    begin = "" if os.path.exists(os.path.join(top, ".git")) else "git init && "
    there = [file.path for file in files if os.path.exists(os.path.join(top, file.path))]
    written = " ".join(dict.fromkeys(quote(path.split("/")[0]) for path in there))  # by name: data is not for git
    changed = quote(contracts[0].split("/")[0]) if contracts else "contracts"
    steps = (
        (f"floe lint {first}", f"look at what is promised, and say more: {more}"),
        (
            f"{begin}git add {written} && git commit -m 'Add contracts'",
            "keep it: changes are compared with commits",
        ),
        (f"git add {changed} && floe gate", "after each change of a contract: does it break a reader?"),
        ("pre-commit install", "ask that at every commit"),
        (f"floe monitor run all {first} --dry-run", f"compare the promises with the data{_spark_note()}"),
    )
    put_page("\nNext:\n")
    for command, why in steps:
        say(f"  {command}")
        say(f"      {why}")
