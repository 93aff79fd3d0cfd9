"""The versions that contracts had in the history of their repository, and what each of them changed."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime, timezone

from .. import __version__
from ..adapters.files.settings import settings_here, top_here
from ..adapters.git import Repository, open_repository
from ..adapters.git.history import blob_history
from ..adapters.git.library import touching_commits
from ..compat.consumers import Register
from ..compat.facts import facts_between
from ..compat.gate import as_base
from ..compat.pairing import Line, line_of
from ..compat.profiles import DEFAULT_PROFILE
from ..compat.ruleset import Ruleset, make_ruleset
from ..contract.lifecycle import lifecycle
from ..contract.load import Loaded, load
from ..contract.model import Contract
from ..contract.version import parse_version
from ..errors import FloeError
from ..frozen import dataclass
from ..render.html.catalog.values import Catalog, CatalogEntry, VersionChange, VersionEntry
from .lint import LintedFile, lint_files


@dataclass(frozen=True, slots=True)
class _Past:
    """A content that a contract line had, and since when."""

    time: int
    commit: str
    contract: Contract


def read_catalog(paths: Sequence[str], today: datetime) -> Catalog:
    """The contracts that files, folders and globs mean, as they are, with the history of the commit checked out."""
    taken = tuple(lint_files(paths, allow_empty=not paths))
    repo = _repository()
    history, whole = _history(repo, taken) if repo else ({}, True)
    settings = settings_here(top_here())
    rules = make_ruleset(settings.config.profile or DEFAULT_PROFILE, settings.config.raised)
    entries = [
        _entry(file.loaded, settings.register, today, history, rules)
        for file in taken
        if file.loaded and as_base(file.loaded).contract
    ]
    unread = [file.path for file in taken if not file.loaded or as_base(file.loaded).contract is None]
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
    """The versions, newest first, each with its changes. A version that was edited counts as it was left."""
    born: dict[str, _Past] = {}
    left: dict[str, Contract] = {}
    for version in sorted(past, key=_age):
        born.setdefault(version.contract.version, version)
        left[version.contract.version] = version.contract
    left[contract.version] = contract
    entries: list[VersionEntry] = []
    before: Contract | None = None
    for number, content in left.items():
        since = born.get(number)
        day = datetime.fromtimestamp(since.time, timezone.utc).date() if since else None
        changes = _changes(before, content, rules) if before else ()
        entries.append(VersionEntry(number, day, since.commit[:10] if since else "", changes, first=before is None))
        before = content
    return tuple(reversed(entries))


def _changes(before: Contract, after: Contract, rules: Ruleset) -> tuple[VersionChange, ...]:
    changes = [
        VersionChange(rules.cost(fact.kind), rules.rule(fact.kind).id, rules.rule(fact.kind).describe(fact))
        for fact in facts_between(before, after)
    ]
    return tuple(sorted(changes, key=lambda change: -change.bump.rank))


def _age(past: _Past) -> tuple[object, ...]:
    """The sort key of a past content: by time, and within one second by version."""
    version = parse_version(past.contract.version)
    return past.time, version is not None, (version.major, version.minor, version.patch) if version else ()


def _repository() -> Repository | None:
    try:
        repo = open_repository()
    except FloeError:
        return None
    return repo if repo.head else None


def _history(repo: Repository, taken: Sequence[LintedFile]) -> tuple[dict[Line, list[_Past]], bool]:
    inside = [os.path.relpath(os.path.realpath(file.path), repo.top).replace(os.sep, "/") for file in taken]
    wanted = [path for path in inside if not path.startswith("../")]
    if not wanted or repo.head is None:
        return {}, True
    history = blob_history(repo, repo.head, wanted, commits=touching_commits)
    contents = repo.read_blobs(blob.oid for blob in history.blobs)
    lines: dict[Line, list[_Past]] = {}
    for blob in history.blobs:
        item = as_base(load(contents[blob.oid], blob.path))
        line = line_of(item)
        if line and item.contract:
            lines.setdefault(line, []).append(_Past(blob.time, blob.commit, item.contract))
    return lines, history.complete
