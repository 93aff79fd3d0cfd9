"""The gate on a repository: settings from the base revision, so that a change cannot excuse itself.

Discovery uses the union of both sides' globs, so a change can only add checks. What the head does to the settings is
told as a note and counts after the merge; a mistake in them blocks at once, or the next change could not be checked.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping

from ...adapters.git import Repository
from ...adapters.git.base import Base
from ...adapters.git.entries import Change, TreeEntry
from ...compat.settings_paths import is_settings_path
from ...contract.discovery import SUFFIXES, selection
from ...errors import UsageError
from ...frozen import dataclass, replace
from ...results import FailOn, Outcome, Report

TYPE_CHECKING = False  # see adapters.git.command
if TYPE_CHECKING:
    from datetime import date

    from ...compat.gate import Comparison
    from ...compat.ruleset import Ruleset
    from ...compat.settings import Config, Settings
    from ...compat.verdict import Used
    from ...contract.discovery import Selection
    from ...contract.load import Loaded
    from ...results import CheckResult
    from .history import PastVersions
    from .sides import Sides

_FAIL_ON = ("never", "breaking", "any")


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
    """One base commit (None: the empty tree) against the head, as git lists it."""

    repo: Repository
    base: Base
    old: str | None
    head: str
    files: Mapping[str, TreeEntry]  # of the base: settings, and whatever may be a contract
    changes: tuple[Change, ...]

    @property
    def settings(self) -> dict[str, TreeEntry]:
        return {path: entry for path, entry in self.files.items() if is_settings_path(path)}

    @property
    def edits(self) -> tuple[Change, ...]:
        return tuple(change for change in self.changes if is_settings_path(change.path))

    @property
    def context(self) -> tuple[tuple[str, str], ...]:
        return (("base", self.old or "the empty tree"), ("head", self.head), ("how", self.base.how))


def run_gate(repo: Repository, base: Base, head: str, wishes: Wishes, today: date) -> Report:
    """Judge the head against every base commit; after a criss-cross merge the strictest answer counts."""
    revisions: tuple[str | None, ...] = base.commits or (None,)
    views = [
        _View(repo, base, old, head, repo.files(old, _matters), repo.changes(old, head, _matters)) for old in revisions
    ]
    reports = [_nothing(view, wishes) or _gate(view, wishes, today) for view in views]
    return reports[0] if len(reports) == 1 else _strictest(reports)


def _matters(path: str) -> bool:
    return path.endswith(SUFFIXES)


def _nothing(view: _View, wishes: Wishes) -> Report | None:
    """The report when no contract changed and no settings exist, without whatever it takes to read either."""
    if view.settings or view.edits or wishes.globs:
        return None
    chosen = selection()
    if any(change.path in chosen for change in view.changes):
        return None
    unchanged = sum(1 for path in view.files if path in chosen)
    return Report(
        command="gate",
        tool_version=wishes.tool_version,
        context=(*view.context, ("unchanged", str(unchanged))),
        notes=_notes(view),
        fail_on=wishes.fail_on or "any",
        allow_empty=wishes.allow_empty or bool(unchanged),
    )


def _gate(view: _View, wishes: Wishes, today: date) -> Report:
    from ...compat.gate import gate
    from ...compat.settings import agreed, read_settings
    from .history import PastVersions
    from .sides import new_readers

    before = read_settings(_contents(view.repo, view.settings.values()), today)
    proposed = read_settings(_contents(view.repo, _proposed(view)), today) if view.edits else before
    settings = agreed(before, proposed)
    sides = _sides(view, settings.config, proposed.config, wishes)
    past = PastVersions(view.repo, view.base.tip or view.old, sides.paths)
    comparison = replace(
        _comparison(view, sides, settings, wishes, today),
        used=_used(view, sides, past),
        proposed=proposed.waivers,
        findings=(*proposed.findings, *new_readers(sides, settings, proposed, today)) if view.edits else (),
        notes=_notes(view, before),
    )
    report = gate(
        comparison,
        tool_version=wishes.tool_version,
        fail_on=_fail_on(settings.config, wishes),
        allow_empty=wishes.allow_empty,
    )
    return report if past.complete else replace(report, context=(*report.context, ("history", "shallow")))


def _contents(repo: Repository, entries: Iterable[TreeEntry]) -> dict[str, bytes | None]:
    listed = list(entries)
    return {**dict.fromkeys(entry.path for entry in listed), **repo.read(listed)}


def _proposed(view: _View) -> Iterator[TreeEntry]:
    """The settings files as the head has them."""
    edited = {change.path: change.new for change in view.edits}
    yield from (entry for path, entry in view.settings.items() if path not in edited)
    yield from (entry for entry in edited.values() if entry is not None)


def _sides(view: _View, base: Config, head: Config, wishes: Wishes) -> Sides:
    """What matches the globs of either side, less what both exclude."""
    from .sides import Sides

    own = _selection((*base.include, *wishes.globs), base.exclude)
    excluded = [glob for glob in base.exclude if glob in head.exclude]
    selected = _selection(dict.fromkeys((*base.include, *head.include, *wishes.globs)), excluded)
    changed = {change.path for change in view.changes}
    others = {path: entry for path, entry in view.files.items() if path not in changed and path in selected}
    return Sides(
        view.repo,
        tuple(change for change in view.changes if change.path in selected),
        others,
        frozenset(path for path in others if path not in own) if view.edits else frozenset(),
    )


def _selection(include: Iterable[str], exclude: Iterable[str]) -> Selection:
    try:
        return selection(include, exclude)
    except (ValueError, re.error) as reason:  # from the command line; settings have been looked at
        raise UsageError(str(reason), fix="Write a relative glob, for instance contracts/**/*.yaml.") from None


def _comparison(view: _View, sides: Sides, settings: Settings, wishes: Wishes, today: date) -> Comparison:
    from ...compat.gate import Comparison
    from ...compat.verdict import GatePolicy

    return Comparison(
        base=(*sides.old.values(), *sides.beside),
        head=(*sides.new.values(), *sides.beside),
        terms=GatePolicy(_rules(settings.config, wishes), settings.waivers),
        today=today,
        register=settings.register,
        notice_days=settings.config.notice_days,
        unchanged=len(sides.others),
        context=view.context,
    )


def _rules(config: Config, wishes: Wishes) -> Ruleset:
    from ...compat.ruleset import DEFAULT_PROFILE, make_ruleset, stricter_profile

    profile = config.profile or wishes.profile or DEFAULT_PROFILE
    if config.profile and wishes.profile:
        profile = stricter_profile(config.profile, wishes.profile)
    return make_ruleset(profile, config.raised)


def _fail_on(config: Config, wishes: Wishes) -> FailOn:
    asked = [word for word in (config.fail_on, wishes.fail_on) if word]
    return max(asked, key=_FAIL_ON.index, default="any")


def _used(view: _View, sides: Sides, past: PastVersions) -> Callable[[Loaded], Used]:
    """How to ask about versions; where base and version are the same, history has nothing to say."""
    from ...compat.pairing import line_of

    versions = {line_of(item): item.contract.version for item in sides.old.values() if item.contract}

    def used(item: Loaded) -> Used:
        kept = item.contract is not None and versions.get(line_of(item)) == item.contract.version
        return (lambda version: None) if kept and not view.base.moved_on else past.used_by(item)

    return used


def _notes(view: _View, base: Settings | None = None) -> tuple[str, ...]:
    said = [f"{view.base.how}."] if view.base.empty else []
    if view.edits:
        names = ", ".join(change.path for change in view.edits)
        said.append(f"This change edits {names}; the gate reads the base revision, so it counts after the merge.")
    broken = sorted({item.location.path for item in base.findings if item.location}) if base else ()
    said += [
        f"{path} of the base revision cannot be used and counts as absent; this change repairs it." for path in broken
    ]
    return tuple(said)


def _strictest(reports: list[Report]) -> Report:
    """Per contract the answer that asks for most; what each base alone would say is not listed twice."""
    best: dict[tuple[str, str], tuple[tuple[bool, int], CheckResult]] = {}
    for report in reports:
        for result in report.results:
            key = (result.contract, result.path)
            rank = (result.outcome is Outcome.VIOLATED, result.version.required.rank if result.version else 0)
            if key not in best or rank > best[key][0]:
                best[key] = (rank, result)
    # A waiver that only one base needs is needed.
    unused = set.intersection(*({item for item in each.findings if not item.blocks} for each in reports))
    blocking = {item for report in reports for item in report.findings if item.blocks}
    context = dict(reports[0].context) | {"base": ", ".join(dict(each.context)["base"] for each in reports)}
    return replace(
        reports[0],
        results=tuple(result for _, result in best.values()),
        findings=tuple(blocking | unused),
        context=tuple(context.items()),
    )
