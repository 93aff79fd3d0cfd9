"""The versions that contracts had in the history of their repository, and what each of them changed."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime, timezone

from .. import __version__
from ..adapters.files.settings import settings_here, top_here
from ..adapters.git import Repository, open_repository
from ..adapters.git.history import blob_history
from ..compat.consumers import Register
from ..compat.facts import facts_between
from ..compat.gate import as_base
from ..compat.pairing import Line, line_of
from ..compat.ruleset import Ruleset, make_ruleset
from ..contract.lifecycle import lifecycle
from ..contract.load import Loaded, load
from ..contract.model import Contract
from ..contract.version import parse_version
from ..errors import FloeError
from ..frozen import dataclass
from ..render.html.catalog.values import Catalog, CatalogEntry, VersionChange, VersionEntry
from .lint import LintedFile, take


@dataclass(frozen=True, slots=True)
class _Past:
    """A content that a contract line had, and since when."""

    time: int
    commit: str
    contract: Contract


def read_catalog(paths: Sequence[str], today: datetime) -> Catalog:
    """The contracts that files, folders and globs mean, as they are, with the history of the commit checked out."""
    taken = tuple(take(paths, allow_empty=not paths))
    repo = _repository()
    history, whole = _history(repo, taken) if repo else ({}, True)
    settings = settings_here(top_here())
    rules = make_ruleset(settings.config.profile or "floe", settings.config.raised)
    entries = [
        _entry(one.loaded, settings.register, today, history, rules)
        for one in taken
        if one.loaded and as_base(one.loaded).contract
    ]
    unread = [one.path for one in taken if not one.loaded or as_base(one.loaded).contract is None]
    revision = (repo.head or "")[:10] if repo else ""
    return Catalog(tuple(entries), tuple(unread), whole, revision, __version__)


def _entry(
    loaded: Loaded, register: Register, today: datetime, history: Mapping[Line, list[_Past]], rules: Ruleset
) -> CatalogEntry:
    item = as_base(loaded)
    contract = item.contract
    assert contract is not None, "only readable contracts have an entry"  # noqa: S101 - a programming error
    line = line_of(item)
    past = history.get(line, []) if line else []
    return CatalogEntry(
        contract,
        loaded.path,
        loaded.spelling,
        lifecycle(contract, today.date()),
        register.readers(contract),
        versions_of(contract, past, rules),
    )


def versions_of(contract: Contract, past: Iterable[_Past], rules: Ruleset) -> tuple[VersionEntry, ...]:
    """Newest first; each against the one before it. A version that was edited counts as it was left."""
    born: dict[str, _Past] = {}
    left: dict[str, Contract] = {}
    for one in sorted(past, key=_age):
        born.setdefault(one.contract.version, one)
        left[one.contract.version] = one.contract
    left[contract.version] = contract
    found: list[VersionEntry] = []
    before: Contract | None = None
    for number, content in left.items():
        since = born.get(number)
        day = datetime.fromtimestamp(since.time, timezone.utc).date() if since else None
        changes = _changes(before, content, rules) if before else ()
        found.append(VersionEntry(number, day, since.commit[:10] if since else "", changes, first=before is None))
        before = content
    return tuple(reversed(found))


def _changes(before: Contract, after: Contract, rules: Ruleset) -> tuple[VersionChange, ...]:
    found = [
        VersionChange(rules.cost(fact.kind), rules.rule(fact.kind).id, rules.rule(fact.kind).worded(fact))
        for fact in facts_between(before, after)
    ]
    return tuple(sorted(found, key=lambda one: -one.bump.rank))


def _age(one: _Past) -> tuple[object, ...]:
    """Commits of one second stand in the order of their versions."""
    version = parse_version(one.contract.version)
    return one.time, version is not None, (version.major, version.minor, version.patch) if version else ()


def _repository() -> Repository | None:
    try:
        repo = open_repository()
    except FloeError:
        return None
    return repo if repo.head else None


def _history(repo: Repository, taken: Sequence[LintedFile]) -> tuple[dict[Line, list[_Past]], bool]:
    inside = [os.path.relpath(os.path.realpath(one.path), repo.top).replace(os.sep, "/") for one in taken]
    wanted = [path for path in inside if not path.startswith("../")]
    if not wanted or repo.head is None:
        return {}, True
    found = blob_history(repo, repo.head, wanted)
    contents = repo.read_blobs(blob.oid for blob in found.blobs)
    lines: dict[Line, list[_Past]] = {}
    for blob in found.blobs:
        item = as_base(load(contents[blob.oid], blob.path))
        line = line_of(item)
        if line and item.contract:
            lines.setdefault(line, []).append(_Past(blob.time, blob.commit, item.contract))
    return lines, found.complete
