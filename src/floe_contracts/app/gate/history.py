"""Versions that contracts have had on the base branch, so that none of them ever stands for two things."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Protocol

from ...adapters.git import Repository
from ...adapters.git.history import CommitSource, blob_history, find_ended, touching_commits
from ...compat.gate import as_base
from ...compat.pairing import Line, line_of
from ...compat.release import is_unreleased
from ...compat.verdict import Used
from ...contract.load import Loaded, load
from ...contract.mention import may_escape
from ...contract.model import Contract
from ...frozen import dataclass, field

_VERSION = re.compile(rb"""^["']?version["']?[ \t]*:[ \t]*["']?([0-9][^"'\s#,}]*)""", re.MULTILINE)
_MAY_BE_KEY = re.compile(rb"""version(?!["']?[ \t]*[\w.,;()-])""")  # not the word in a sentence


class VersionHistory(Protocol):
    """What the gate asks about versions that were used before."""

    @property
    def complete(self) -> bool:
        """Whether all of the history was there to look at, as far as it was asked for."""

    def used_by(self, item: Loaded) -> Used:
        """A way to ask about versions of the contract in a file."""


@dataclass(slots=True)
class PastVersions:
    """The history of some paths up to a commit; git is asked once, and only if a version is asked for."""

    repo: Repository
    commit: str | None
    paths: Iterable[str]
    kept: Mapping[Line | None, str] = field(default_factory=dict)  # versions of the base that history cannot question
    commits: CommitSource = touching_commits
    comes_back: bool = False  # whether a contract may have had another file before, which is gone
    complete: bool = True
    _blobs: list[tuple[str, str, bytes]] | None = None  # path, version as written or "", content
    _loaded: dict[tuple[str, bytes], Loaded] = field(default_factory=dict)

    def used_by(self, item: Loaded) -> Used:
        """Asks about versions of the contract in a file; where the base has the same version, all are free."""
        if item.contract is not None and self.kept.get(line_of(item)) == item.contract.version:
            return lambda version: None

        def find_use(version: str) -> str | None:
            for was, contract in self._with_version(version):
                from ...contract.digest import schema_hash  # most versions are free

                if line_of(was) and item.contract and _differs(was, contract, item, item.contract):
                    return schema_hash(contract)
            return None

        return find_use

    def _with_version(self, version: str) -> Iterator[tuple[Loaded, Contract]]:
        for path, written, content in self._past():
            if written not in ("", version):
                continue
            was = self._load(path, content)
            if was.contract is not None and was.contract.version == version and not is_unreleased(was.contract):
                yield was, was.contract

    def _past(self) -> list[tuple[str, str, bytes]]:
        if self._blobs is None:
            self._blobs = []
            if self.commit:
                ended = find_ended(self.repo, self.commit) if self.comes_back else set()
                paths = sorted({*self.paths, *ended})
                history = blob_history(self.repo, self.commit, paths, commits=self.commits)
                self.complete = history.complete
                contents = self.repo.read_blobs(blob.oid for blob in history.blobs)
                self._blobs = [(blob.path, _version(contents[blob.oid]), contents[blob.oid]) for blob in history.blobs]
        return self._blobs

    def _load(self, path: str, content: bytes) -> Loaded:
        loaded = self._loaded.get((path, content))
        if loaded is None:
            loaded = self._loaded[path, content] = as_base(load(content, path))
        return loaded


def _version(content: bytes) -> str:
    """The version as it stands on a line of its own; empty when only a parser can tell, as in JSON."""
    written = _VERSION.findall(content)
    certain = len(written) == 1 and len(_MAY_BE_KEY.findall(content)) == 1 and not may_escape(content)
    return written[0].decode("ascii", "replace") if certain else ""


def _differs(was: Loaded, before: Contract, item: Loaded, after: Contract) -> bool:
    """Whether an earlier file gave the version another content; on another line, another schema."""
    if before.key != after.key:
        return False
    from ...contract.digest import content_hash, schema_hash

    if line_of(was) == line_of(item):
        return content_hash(before) != content_hash(after)
    return schema_hash(before) != schema_hash(after)
