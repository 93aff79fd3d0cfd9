"""Where a first contract comes from: Parquet files, anything that Spark reads, or a format of datacontract-cli."""

from __future__ import annotations

import os
import posixpath
import re
import unicodedata
from glob import glob
from importlib.util import find_spec
from types import MappingProxyType

from ...adapters.parquet.profile import Look, is_parquet, look_into_csv, look_into_parquet, separator_of
from ...contract.load import load
from ...contract.model import Contract, JsonMap, SchemaObject
from ...contract.propose import propose
from ...errors import FloeError, MissingExtra, UsageError
from ...frozen import dataclass, replace
from ...monitor.source.binding import SourceHints, Unbound, bind
from ...monitor.source.connection import Connection, connection_from
from ...monitor.source.server_types import ENDINGS

_REMOTE = re.compile(r"(s3a?|gs|gcs|abfss?|adl|hdfs)://")
_MADE_UP = "my-data-contract"  # the id that datacontract-cli gives to what has none
_GLOB = re.compile(r"\[[^]]*\]|[*?]")
_TABLE = re.compile(r"[\w-]+(\.[\w-]+){0,3}")


@dataclass(frozen=True, slots=True)
class Source:
    """What was named on the command line: a place or a table, a format to import, or a connection."""

    text: str = ""
    form: str = ""  # --from
    connection: JsonMap = MappingProxyType({})

    @property
    def name(self) -> str:
        """A name for the contract: that of the table or the file, as far as a file can have it."""
        return _clean_name(self.table.rpartition(".")[2]) or "contract"

    @property
    def table(self) -> str:
        """The table's real name, whatever letters it has; of files that of the file or folder."""
        if self.connection or not self.is_file:
            return _table(self.connection) or self.text
        return _GLOB.sub("", posixpath.basename(self.text.replace(os.sep, "/").rstrip("/")).partition(".")[0]).strip()

    @property
    def is_file(self) -> bool:
        return os.path.exists(self.text) or bool(_REMOTE.match(self.text)) or _ending(self.text) in ENDINGS

    @property
    def is_missing(self) -> bool:
        """Whether the text is the name or glob of local files of which there is none."""
        is_local = self.is_file and ":" not in self.text
        return is_local and not os.path.exists(self.text) and not glob(self.text)


@dataclass(frozen=True, slots=True)
class ContractProposal:
    """A contract, what to say about how it was made, and where its data is."""

    contract: Contract
    notes: tuple[str, ...] = ()
    connection: JsonMap = MappingProxyType({})


def propose_contract(source: Source, name: str, owner: str, root: str) -> ContractProposal:
    """A contract from the source; a FloeError says why there is none. Paths in settings start at the root.

    Without a name it has its own, if it is an import that has one, and else that of the source.
    """
    if source.form:
        return _import_contract(source, name, owner)
    name = name or source.name
    connection = _connection(source, root)
    table = source.table or name
    look = _look(source, connection, table, root)
    if not look.columns:
        raise FloeError(f"{source.text or table} has no columns", fix="Name a source that holds a table.")
    return ContractProposal(propose(name, table, look.columns, look.rows, owner), (_describe_look(look),), connection)


def with_team(contract: Contract) -> Contract:
    """The contract with its owner where ODCS has a place for one: a member of the team."""
    if not contract.owner or contract.team:
        return contract
    return replace(contract, team={"members": [{"username": contract.owner, "role": "owner"}]})


def _look(source: Source, connection: JsonMap, table: str, root: str) -> Look:
    if not source.connection and is_parquet(source.text):
        return look_into_parquet(source.text)
    if not source.connection and os.path.isfile(source.text) and connection.get("format") == "csv":
        return look_into_csv(source.text, separator_of(source.text))
    return _by_spark(connection, table, root)


def _describe_look(look: Look) -> str:
    amount = f"{look.rows:,}".replace(",", " ")
    return f"proposed from {'all ' if look.whole else 'the first '}{amount} rows"


def _table(connection: JsonMap) -> str:
    table = connection.get("table")
    return table if isinstance(table, str) else ""


def _connection(source: Source, root: str) -> JsonMap:
    """The connection of the source as it will stand in the settings."""
    if source.connection:
        return source.connection
    text = source.text
    if source.is_missing:  # Spark would take many seconds to say the same
        raise UsageError(f"there is no file {text}", fix="Check the path; it starts at the current folder.")
    if source.is_file:
        kind = "local" if not _REMOTE.match(text) else _SCHEMES[text.partition(":")[0]]
        path = os.path.relpath(text, root).replace(os.sep, "/") if kind == "local" else text
        form = _format(text)
        return {"type": kind, "location": path, **({"format": form} if form else {}), **_reader_options(text, form)}
    if not _TABLE.fullmatch(text):
        raise UsageError(f"{text!r} is neither a file nor the name of a table", fix="Name one that exists here.")
    return {"type": "spark", "table": text}


def _reader_options(text: str, form: str) -> JsonMap:
    """What a reader of these files must know and cannot see by their name: another mark between columns than usual."""
    if form != "csv" or not os.path.isfile(text):
        return {}
    mark = separator_of(text)
    return {"options": {"sep": mark}} if mark != ("\t" if _ending(text) == ".tsv" else ",") else {}


_SCHEMES = {
    **dict.fromkeys(("s3", "s3a"), "s3"),
    **dict.fromkeys(("gs", "gcs"), "gcs"),
    **dict.fromkeys(("abfs", "abfss", "adl"), "azure"),
    "hdfs": "hdfs",
}


def _ending(text: str) -> str:
    return posixpath.splitext(text.casefold().rstrip("/*"))[1]


def _format(text: str) -> str:
    if os.path.isdir(text):
        for mark, form in (("_delta_log", "delta"), ("metadata", "iceberg")):
            if os.path.isdir(os.path.join(text, mark)):
                return form
        return "parquet" if is_parquet(text) else ""
    return ENDINGS.get(_ending(text), "")


def _by_spark(settings: JsonMap, table: str, root: str) -> Look:
    if find_spec("pyspark") is None:
        raise MissingExtra("reading tables", "spark")
    connection: Connection = connection_from(dict(settings))
    thing = SchemaObject(table.rpartition(".")[2], physical_name=table)
    binding = bind(
        Contract(table, "1.0.0", objects=(thing,)), thing, SourceHints(connection, root=os.path.abspath(root))
    )
    if isinstance(binding, Unbound):
        raise UsageError(binding.reason, fix="Say where the data is with --connection KEY=VALUE.")
    from ...adapters.spark.measure.profile import profile_table

    look: Look = profile_table(binding, table)
    return look


def _import_contract(source: Source, name: str, owner: str) -> ContractProposal:
    from ...adapters.datacontract.formats import import_contract

    fix = "Check the source; where it needs options, `floe contract import` takes them with -O."
    made = import_contract(source.form, source.text, {}, fix=fix)
    data = made.content.encode() if isinstance(made.content, str) else made.content
    loaded = load(data, f"{source.form} import")
    contract = loaded.contract or loaded.unfit
    if contract is None:
        problems = "; ".join(item.message for item in loaded.findings[:3])
        raise FloeError(f"what datacontract-cli made of {source.text} is not a contract: {problems}")
    name = name or _own_name(contract) or source.name
    named = replace(contract, name=name, id=name, owner=owner or contract.owner, status="active", version="1.0.0")
    return ContractProposal(named, tuple(f"datacontract-cli: {note}" for note in made.notes))


def _own_name(contract: Contract) -> str:
    """What the source calls itself; empty where datacontract-cli made a name up."""
    return _clean_name(contract.name) if contract.id != _MADE_UP else ""


def _clean_name(name: str) -> str:
    """The name with every character that a file name may not have replaced."""
    return re.sub(r"[^\w-]+", "-", unicodedata.normalize("NFC", name)).strip("-")
