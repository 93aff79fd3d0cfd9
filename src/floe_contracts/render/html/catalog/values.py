"""What the catalogue of contracts is made of: each contract with its versions, and what every version changed."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date

from ....contract.lifecycle import Lifecycle
from ....contract.model import Contract
from ....results import Bump, Reader


@dataclass(frozen=True, slots=True)
class VersionChange:
    """One change that a version brought, in the words of its rule, with what it costs."""

    bump: Bump
    rule: str
    words: str


@dataclass(frozen=True, slots=True)
class VersionEntry:
    """One version of a contract; `day` and `commit` are empty for what is not committed yet."""

    number: str
    day: date | None = None
    commit: str = ""
    changes: tuple[VersionChange, ...] = ()
    first: bool = False


@dataclass(frozen=True, slots=True)
class CatalogEntry:
    """One contract file with its readers and versions."""

    contract: Contract
    path: str
    spelling: str
    life: Lifecycle
    readers: tuple[Reader, ...] = ()
    versions: tuple[VersionEntry, ...] = ()  # newest first; none where there is no history


@dataclass(frozen=True, slots=True)
class Catalog:
    """All contracts of the catalogue; `whole` is False when the clone holds only a part of the history."""

    entries: tuple[CatalogEntry, ...]
    unread: tuple[str, ...] = ()
    whole: bool = True
    revision: str = ""
    tool_version: str = ""
