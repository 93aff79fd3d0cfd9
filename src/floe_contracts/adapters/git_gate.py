"""The gate's view of a repository: both sides of a change, read from git with as little work as possible.

Settings come from the base revision, so a change cannot excuse itself; what the head does to them is told as a note.
Only files that differ are read and parsed. The other contracts of the head are looked at only when a changed file holds
a contract that its path did not hold before, because then another file may claim the same contract.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from datetime import date

from .. import codes
from ..compat.gate import Comparison, gate
from ..compat.pairing import line_of
from ..compat.ruleset import DEFAULT_PROFILE, Ruleset, make_ruleset, stricter_profile
from ..compat.settings import FOLDER, Config, Settings, is_settings_path, read_settings, usable
from ..compat.verdict import Terms, UsedVersions
from ..contract.digest import schema_hash
from ..contract.discovery import Selection, selection
from ..contract.load import Loaded, load
from ..contract.source import read_document
from ..errors import SettingsError
from ..results import CheckResult, FailOn, Finding, Location, Report, finding
from .git import Repository
from .git_base import Base
from .git_entries import Change, Entry, unreadable
from .git_history import blob_history

_FAIL_ON = ("never", "breaking", "any")
_VERSION_LINE = re.compile(rb"""^["']?version["']?[ \t]*:[ \t]*["']?([0-9][^"'\s#,}]*)""", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Wishes:
    """What the command line or the action asks for; it may only be stricter than the base's own settings."""

    profile: str | None = None
    fail_on: FailOn | None = None
    globs: tuple[str, ...] = ()
    allow_empty: bool = False
    tool_version: str = ""


@dataclass(frozen=True, slots=True)
class _View:
    """One base commit (None: the empty tree) against the head."""

    repo: Repository
    old: str | None
    head: str
    base: Base
    selected: Selection
    settings: Settings
    today: date


def run_gate(repo: Repository, base: Base, head: str, wishes: Wishes, today: date) -> Report:
    """Judge the head against every base commit; after a criss-cross merge the strictest answer counts."""
    revisions: tuple[str | None, ...] = base.commits or (None,)
    reports = [_gate(repo, base, old, head, wishes, today) for old in revisions]
    return reports[0] if len(reports) == 1 else _strictest(reports)


def _gate(repo: Repository, base: Base, old: str | None, head: str, wishes: Wishes, today: date) -> Report:
    settings = usable(read_settings(_settings_files(repo, old), today))
    changes = repo.changes(old, head)
    edited = [change for change in changes if change.path.startswith(FOLDER)]
    proposed = read_settings(_settings_files(repo, head), today) if edited else settings
    selected = _selection(settings.config, proposed.config, wishes.globs)
    view = _View(repo, old, head, base, selected, settings, today)
    rules, fail_on = _rules(settings.config, wishes), _fail_on(settings.config, wishes)
    comparison = _comparison(view, rules, [change for change in changes if change.path in selected])
    comparison = replace(
        comparison,
        findings=(*comparison.findings, *proposed.findings) if edited else comparison.findings,
        notes=(*comparison.notes, *_notes(base, edited)),
        context=_context(base, old, head),
    )
    return gate(comparison, tool_version=wishes.tool_version, fail_on=fail_on, allow_empty=wishes.allow_empty)


def _settings_files(repo: Repository, revision: str | None) -> dict[str, bytes]:
    return repo.read(repo.files(revision, is_settings_path).values())


def _selection(base: Config, head: Config, more: tuple[str, ...]) -> Selection:
    """The union of both sides' globs, less what both exclude: a change can only add checks."""
    include = (*base.include, *head.include, *more)
    try:
        return selection(dict.fromkeys(include), [glob for glob in base.exclude if glob in head.exclude])
    except (ValueError, re.error) as reason:
        raise SettingsError(str(reason), fix="Write a relative glob, for instance contracts/**/*.yaml.") from None


def _rules(config: Config, wishes: Wishes) -> Ruleset:
    profile = config.profile or wishes.profile or DEFAULT_PROFILE
    if config.profile and wishes.profile:
        profile = stricter_profile(config.profile, wishes.profile)
    return make_ruleset(profile, config.raised)


def _fail_on(config: Config, wishes: Wishes) -> FailOn:
    asked = [word for word in (config.fail_on, wishes.fail_on) if word]
    return max(asked, key=_FAIL_ON.index, default="any")


def _comparison(view: _View, rules: Ruleset, changes: list[Change]) -> Comparison:
    old = _loaded(view.repo, [change.old for change in changes if change.old])
    new = _loaded(view.repo, [change.new for change in changes if change.new])
    everything = view.repo.files(view.head, view.selected.__contains__)
    others = [entry for path, entry in everything.items() if path not in new]
    rivals = _rivals(view.repo, old, new, others)
    return Comparison(
        base=(*old.values(), *rivals),
        head=(*new.values(), *rivals),
        terms=Terms(rules, view.settings.waivers),
        today=view.today,
        register=view.settings.register,
        notice_days=view.settings.config.notice_days,
        unchanged=len(others),
        used=_History(view, old, new).used,
    )


def _loaded(repo: Repository, entries: Iterable[Entry]) -> dict[str, Loaded]:
    """Every path as a contract or as the reason why it is none."""
    listed = list(entries)
    contents = repo.read(listed)
    return {entry.path: _load(entry, contents.get(entry.path)) for entry in listed}


def _load(entry: Entry, content: bytes | None) -> Loaded:
    reason = unreadable(entry, content)
    if reason is None:
        return load(content or b"", entry.path)
    wrong = finding(codes.E509, "not-a-file", f"{entry.path} {reason}", location=Location(entry.path))
    return Loaded(entry.path, read_document(b""), None, None, (wrong,))


def _rivals(
    repo: Repository, old: Mapping[str, Loaded], new: Mapping[str, Loaded], others: list[Entry]
) -> tuple[Loaded, ...]:
    """Unchanged head files that hold a contract which a changed file has just begun to hold."""
    fresh = [item for path, item in new.items() if path not in old or line_of(old[path]) != line_of(item)]
    keys = {item.contract.key for item in fresh if item.contract}
    if not keys or not others:
        return ()
    # A key is an id, a name, or domain/name: its last part stands in the file as written.
    needles = {key.rpartition("/")[2].encode("utf-8", "surrogateescape") for key in keys}
    contents = repo.read(others)
    likely = [entry for entry in others if any(needle in contents.get(entry.path, b"") for needle in needles)]
    found = (_load(entry, contents.get(entry.path)) for entry in likely)
    return tuple(item for item in found if item.contract and item.contract.key in keys)


class _History:
    """Versions that the changed contracts have had on the base branch; asked of git once, and only if needed."""

    def __init__(self, view: _View, old: Mapping[str, Loaded], new: Mapping[str, Loaded]) -> None:
        self._view = view
        self._old = old
        self._new = new
        self._blobs: dict[str, list[bytes]] | None = None

    def used(self, item: Loaded) -> UsedVersions:
        before = self._old.get(item.path)
        contract = item.contract
        if contract is None or self._view.base.empty:
            return UsedVersions()
        if before is not None and before.contract is not None and before.contract.version == contract.version:
            return UsedVersions()
        found: dict[str, str] = {}
        for blob in self._past().get(item.path, []):
            version = _VERSION_LINE.search(blob)
            text = version.group(1).decode("ascii", "replace") if version else ""
            if not text or text in found:
                continue
            if text != contract.version:
                found[text] = ""
                continue
            was = load(blob, item.path)
            if was.contract is not None and line_of(was) == line_of(item):
                found[text] = schema_hash(was.contract)
        return UsedVersions(found)

    def _past(self) -> dict[str, list[bytes]]:
        if self._blobs is None:
            self._blobs = {}
            tip = self._view.base.tip or self._view.old
            if tip:
                history = blob_history(self._view.repo, tip, sorted(set(self._new) | set(self._old)))
                contents = self._view.repo.read_blobs(blob.oid for blob in history.blobs)
                for blob in history.blobs:
                    self._blobs.setdefault(blob.path, []).append(contents[blob.oid])
        return self._blobs


def _notes(base: Base, edited: list[Change]) -> tuple[str, ...]:
    said = [f"{base.how}."] if base.empty else []
    names = ", ".join(change.path for change in edited)
    if edited:
        said.append(f"This change edits {names}; the gate reads the base revision, so it counts after the merge.")
    return tuple(said)


def _context(base: Base, old: str | None, head: str) -> tuple[tuple[str, str], ...]:
    return (("base", old or "the empty tree"), ("head", head), ("how", base.how))


def _strictest(reports: list[Report]) -> Report:
    """Per contract the answer that asks for most; what each base alone would say is not listed twice."""
    best: dict[tuple[str, str], tuple[tuple[bool, int], CheckResult]] = {}
    for report in reports:
        for result in report.results:
            key = (result.contract, result.path)
            rank = (result.outcome.value == "violated", result.version.required.rank if result.version else 0)
            if key not in best or rank > best[key][0]:
                best[key] = (rank, result)
    findings: tuple[Finding, ...] = tuple(item for report in reports for item in report.findings)
    return replace(reports[0], results=tuple(result for _, result in best.values()), findings=findings)
