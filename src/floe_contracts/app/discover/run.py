"""Readers found in code beside those that are registered: what is new, and what nobody reads."""

from __future__ import annotations

from collections.abc import Iterable

from ...adapters.files.read import find_contracts, present_in
from ...adapters.files.settings import settings_here
from ...adapters.files.tree import FolderTree
from ...adapters.sql.process import SqlProcess
from ...compat.consumers import Register
from ...contract.discovery import selection
from ...contract.model import Contract
from ...definitions.definition import Gap
from ...definitions.readers import CodeRead, match_reads, unread_columns
from ...frozen import dataclass
from ...results import Reader
from ..lint import lint_files
from .code import read_code
from .lineage import read_events


@dataclass(frozen=True, slots=True)
class DiscoveryRequest:
    """Where to look beside the dbt projects of a folder."""

    root: str = "."
    globs: tuple[str, ...] = ()
    events: tuple[str, ...] = ()
    dialect: str = ""


@dataclass(frozen=True, slots=True)
class Discovery:
    """Every read of a contract that code tells of, the contracts, and what could not be told."""

    reads: tuple[CodeRead, ...]
    contracts: tuple[Contract, ...]
    register: Register
    gaps: tuple[Gap, ...] = ()
    unread: tuple[str, ...] = ()  # files that should be contracts and are not

    def unregistered(self) -> tuple[CodeRead, ...]:
        """Reads that no registered reader has told."""
        known = {contract.key: self.register.readers(contract) for contract in self.contracts}
        return tuple(read for read in self.reads if not any(_covers(who, read) for who in known.get(read.key, ())))

    def unused(self) -> tuple[tuple[Contract, tuple[str, ...]], ...]:
        """By contract the columns that nobody reads, registered or in code; contracts without such are left out."""
        rows = (
            (each, unread_columns(each, self.reads, _registered(self.register.readers(each))))
            for each in self.contracts
        )
        return tuple((contract, columns) for contract, columns in rows if columns)


def discover(request: DiscoveryRequest) -> Discovery:
    """Look through the folder; a file that was named and cannot be read is a FloeError."""
    settings = settings_here(request.root)
    config = settings.config
    paths = find_contracts(request.root, selection(config.include, config.exclude, present_in(request.root)))
    linted = lint_files(paths, allow_empty=True) if paths else ()
    contracts = tuple(each.loaded.contract for each in linted if each.loaded and each.loaded.contract)
    unread = tuple(each.path for each in linted if not (each.loaded and each.loaded.contract))
    with SqlProcess() as process:
        code = read_code(FolderTree(request.root), process, request.globs, request.dialect)
    jobs = tuple(job for path in request.events for job in read_events(path))
    reads = match_reads((*code.codes, *jobs), contracts)
    return Discovery(reads, contracts, settings.register, code.gaps, unread)


def _covers(reader: Reader, read: CodeRead) -> bool:
    if reader.name != read.reader:
        return False
    if not reader.columns:
        return True
    names = {name.casefold() for name in reader.columns}
    return read.column is not None and bool({read.column.casefold(), read.column.rpartition(".")[2].casefold()} & names)


def _registered(readers: Iterable[Reader]) -> tuple[str, ...] | None:
    """The columns that registered readers use; None as soon as one uses all."""
    listed = tuple(readers)
    return (
        None
        if any(not reader.columns for reader in listed)
        else tuple(name for each in listed for name in each.columns)
    )
