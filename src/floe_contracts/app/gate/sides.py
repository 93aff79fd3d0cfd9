"""Both sides of a change as the gate compares them: files read from git, and no more of them than it takes.

Only files that differ are read and parsed. Other contracts of the head are looked at only when a changed file holds a
contract that its path did not hold before, because then another file may claim the same one; when a contract is gone,
because another file may still hold it; and when the change gates more files or registers a reader.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from datetime import date
from functools import cached_property

from ... import codes
from ...adapters.git import Repository
from ...adapters.git.objects import Change, TreeEntry, unreadable_reason
from ...compat.consumers import Subscription, is_name_of
from ...compat.gate import as_base
from ...compat.pairing import line_of, slot_of
from ...compat.retirement import new_reader_finding
from ...compat.settings import Settings
from ...contract.lifecycle import Stage, stage_of
from ...contract.load import Loaded
from ...contract.mention import look_for
from ...contract.source import read_document
from ...errors import FloeError
from ...frozen import dataclass, field, replace
from ...results import CheckResult, Finding, Location, Outcome
from ..sql_trust import load_here
from .earlier import EarlierVersions

MAX_RUN_BYTES = 64 * 1024 * 1024  # of changed contracts, both sides; a contract takes about 13 times its size in memory


@dataclass(frozen=True)
class Sides:
    """The contracts that differ between a base commit and the head, and those beside them that matter."""

    repo: Repository
    changes: tuple[Change, ...]  # of contracts
    others: Mapping[str, TreeEntry]  # contracts that are the same on both sides
    fresh: frozenset[str]  # those of them that no glob of the base matches
    earlier: EarlierVersions  # where to look for what a file of the base promised before
    refused: tuple[str, ...] = ()  # links of the head that lead to no file of the repository
    linked: Mapping[str, str] = field(default_factory=dict)  # path of a file: the link that makes it a contract

    @property
    def paths(self) -> set[str]:
        """Every path whose past may tell about a version."""
        return {change.path for change in self.changes} | {item.path for item in self.beside}

    @property
    def refusals(self) -> tuple[CheckResult, ...]:
        """A result for every link that cannot be followed: whatever it shows, nobody has looked at it."""
        return tuple(_refuse(path) for path in self.refused)

    @property
    def notes(self) -> tuple[str, ...]:
        """A line for every changed file that is a contract only by way of a link."""
        paths = (change.path for change in self.changes if change.path in self.linked)
        return tuple(
            f"{path} is compared, because the symbolic link {self.linked[path]} leads to it." for path in paths
        )

    @cached_property
    def old(self) -> dict[str, Loaded]:
        """The files of the base; one that cannot be read as its newest version that can, where there is one."""
        return {path: self._recall(item) or item for path, item in self._written.items()}

    @property
    def recalled(self) -> dict[str, str]:
        """The files of the base that were read from their past, and why."""
        return {
            path: item.findings[0].message if item.findings else ""
            for path, item in self._written.items()
            if item is not self.old[path]
        }

    @cached_property
    def new(self) -> dict[str, Loaded]:
        return {change.path: self._load(change.new) for change in self.changes if change.new}

    @cached_property
    def beside(self) -> tuple[Loaded, ...]:
        """Unchanged files that belong to the picture."""
        before, after = (
            {item.path: (line, slot_of(item)) for item in side if (line := line_of(item))}
            for side in (map(as_base, self.old.values()), self.new.values())
        )
        lines = {line for line, _ in after.values()}
        keys = {claims[0][0] for path, claims in after.items() if before.get(path) != claims}
        keys |= {line[0] for line, _ in before.values() if line not in lines}
        same = [item for item in self.find_named(keys) if item.contract and item.contract.key in keys]
        seen = {item.path for item in same}
        return (*same, *(self._load(self.others[path]) for path in sorted(self.fresh - seen)))

    def find_named(self, names: Collection[str]) -> list[Loaded]:
        """The unchanged contracts that may be called one of these names."""
        if not names or not self.others:
            return []
        may_hold, contents = look_for(names), self.repo.read(self.others.values())
        likely = [path for path, content in contents.items() if may_hold(content)]
        return [_load_entry(self.others[path], contents[path]) for path in likely]

    @cached_property
    def _written(self) -> dict[str, Loaded]:
        return {change.path: self._load(change.old) for change in self.changes if change.old}

    def _recall(self, item: Loaded) -> Loaded | None:
        """The last readable version of a base file; what the head leaves unreadable is reported without it."""
        after = self.new.get(item.path)
        if as_base(item).contract or (after is not None and after.contract is None):
            return None
        before = self.earlier.last_readable(item.path)
        return replace(before, path=item.path) if before else None

    def _load(self, entry: TreeEntry) -> Loaded:
        return _load_entry(entry, self._contents.get(entry))

    @cached_property
    def _contents(self) -> dict[TreeEntry, bytes]:
        """What all changed files hold on both sides, by one git process."""
        entries = [side for change in self.changes for side in (change.old, change.new) if side]
        entries += [self.others[path] for path in self.fresh]
        files = [entry for entry in entries if entry.kind == "file"]
        blobs = self.repo.read_blobs((entry.oid for entry in files if entry.oid), counted=refuse_too_much)
        disk = self.repo.read(entry for entry in files if not entry.oid)
        contents = {entry: blobs[entry.oid] if entry.oid else disk[entry.path] for entry in files}
        refuse_too_much(sum(map(len, contents.values())))
        return contents


def refuse_too_much(size: int) -> None:
    """A change of more text than a run can hold is not compared in part: what was left out could be anything."""
    if size > MAX_RUN_BYTES:
        raise FloeError(
            f"the contracts of this change have {size:,} bytes on both sides; one run compares up to {MAX_RUN_BYTES:,}",
            fix="Split the change, so that each part changes fewer contracts.",
            code=codes.E509,
        )


def _load_entry(entry: TreeEntry, content: bytes | None) -> Loaded:
    reason = unreadable_reason(entry, content)
    if reason is None:
        return load_here(content or b"", entry.path)
    what, _, fix = reason.partition("; ")
    wrong = Finding.of(
        codes.E509,
        "not-a-file",
        f"{entry.path} {what}",
        location=Location(entry.path, 1),
        expected="a file with the contract in it",
        suggestions=(f"{fix[:1].upper()}{fix[1:]}.",),
    )
    return Loaded(entry.path, read_document(b""), None, None, (wrong,))


def _refuse(path: str) -> CheckResult:
    dead = Finding.of(
        codes.E509,
        "link-not-followed",
        f"{path} is a symbolic link that leads to no file or folder of this repository, so nothing could be compared",
        location=Location(path),
        expected="a file, or a link to one inside the repository",
        suggestions=("Put the contract itself there, or remove the link.",),
    )
    return CheckResult("gate", path, Outcome.ERRORED, path, (dead,))


def new_readers(sides: Sides, base: Settings, head: Settings, today: date) -> tuple[Finding, ...]:
    """Readers that register themselves for a contract which is on its way out."""
    known = {_identity(line) for line in base.register.subscriptions}
    joined = [line for line in head.register.subscriptions if _identity(line) not in known]
    if not joined:
        return ()
    there = [*sides.new.values(), *sides.find_named({line.contract for line in joined})]
    return tuple(
        new_reader_finding(line.consumer, item.contract, stage, Location(line.path, 1))
        for line in joined
        for item in there
        if item.contract and is_name_of(line.contract, item.contract) and line.means(item.contract)
        if (stage := stage_of(item.contract, today)) is not Stage.ACTIVE
    )


def _identity(subscription: Subscription) -> tuple[str, str, int | None]:
    return subscription.consumer, subscription.contract, subscription.major
