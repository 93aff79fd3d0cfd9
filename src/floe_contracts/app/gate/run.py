"""The gate on a repository: settings from the base revision, so that a change cannot excuse itself.

Discovery uses the union of both sides' globs, so a change can only add checks. What the head does to the settings is
told as a note and counts after the merge; a mistake in them blocks at once, or the next change could not be checked.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping

from ... import __version__
from ...adapters.git import Repository
from ...adapters.git.objects import Change, TreeEntry
from ...compat.settings_paths import is_settings_path
from ...contract.discovery import SUFFIXES, selection
from ...errors import UsageError
from ...frozen import dataclass, replace
from ...results import FAIL_ON, FailOn, Outcome, Report
from ...results.facts import GateScope
from .request import GateRequest, Revisions, find_revisions

TYPE_CHECKING = False  # see adapters.git.command
if TYPE_CHECKING:
    from datetime import date

    from ...adapters.git.history import CommitSource
    from ...compat.gate import Comparison
    from ...compat.ruleset import Ruleset
    from ...compat.settings import Config, Settings
    from ...contract.discovery import Selection
    from ...results import CheckResult
    from .history import VersionHistory
    from .sides import Sides


@dataclass(frozen=True, slots=True)
class _View:
    """One base commit (None: the empty tree) against the head, as git lists it."""

    request: GateRequest
    today: date
    revisions: Revisions
    old: str | None
    files: Mapping[str, TreeEntry]  # of the base: settings, and whatever may be a contract
    changes: tuple[Change, ...]

    @property
    def repo(self) -> Repository:
        return self.revisions.repo

    @property
    def settings(self) -> dict[str, TreeEntry]:
        return {path: entry for path, entry in self.files.items() if is_settings_path(path)}

    @property
    def edits(self) -> tuple[Change, ...]:
        return tuple(change for change in self.changes if is_settings_path(change.path))

    @property
    def scope(self) -> GateScope:
        return GateScope(self.old or "the empty tree", self.revisions.head, self.revisions.base.how)


def run_gate(
    request: GateRequest, today: date, revisions: Revisions | None = None, commits: CommitSource | None = None
) -> Report:
    """Judge the head against every base commit; after a criss-cross merge the strictest answer counts.

    `revisions` when the caller has found them already; `commits` where history is not to be read by plumbing.
    """
    revisions = revisions or find_revisions(request)
    repo, head = revisions.repo, revisions.head
    bases: tuple[str | None, ...] = revisions.base.commits or (None,)
    views = [
        _View(request, today, revisions, old, repo.files(old, _matters), repo.changes(old, head, _matters))
        for old in bases
    ]
    reports = [_report_nothing(view) or _report_changes(view, commits) for view in views]
    return reports[0] if len(reports) == 1 else _choose_strictest(reports)


def _matters(path: str) -> bool:
    return path.endswith(SUFFIXES)


def _report_nothing(view: _View) -> Report | None:
    """The report when no contract changed and no settings exist, without whatever it takes to read either."""
    request = view.request
    if view.settings or view.edits or request.contracts:
        return None
    chosen = selection()
    if any(change.path in chosen for change in view.changes):
        return None
    unchanged = sum(1 for path in view.files if path in chosen)
    return Report(
        command="gate",
        tool_version=__version__,
        scope=replace(view.scope, unchanged=unchanged),
        notes=_notes(view),
        fail_on=request.fail_on or "any",
        allow_empty=request.allow_empty or bool(unchanged),
    )


def _report_changes(view: _View, commits: CommitSource | None) -> Report:
    from ...compat.gate import gate
    from ...compat.settings import agree_on_settings, read_settings
    from .sides import new_readers

    before = read_settings(_contents(view.repo, view.settings.values()), view.today)
    proposed = read_settings(_contents(view.repo, _proposed(view)), view.today) if view.edits else before
    settings = agree_on_settings(before, proposed)
    sides = _sides(view, settings.config, proposed.config)
    past = _history(view, sides, commits)
    comparison = replace(
        _comparison(view, sides, settings),
        used=past.used_by,
        proposed=proposed.waivers,
        findings=(*proposed.findings, *new_readers(sides, settings, proposed, view.today)) if view.edits else (),
        notes=_notes(view, before),
    )
    report = gate(
        comparison,
        tool_version=__version__,
        fail_on=_fail_on(settings.config, view.request),
        allow_empty=view.request.allow_empty,
    )
    return report if past.complete else _with_scope(report, history="shallow")


def _contents(repo: Repository, entries: Iterable[TreeEntry]) -> dict[str, bytes | None]:
    listed = list(entries)
    return {**dict.fromkeys(entry.path for entry in listed), **repo.read(listed)}


def _proposed(view: _View) -> Iterator[TreeEntry]:
    """The settings files as the head has them."""
    edited = {change.path: change.new for change in view.edits}
    yield from (entry for path, entry in view.settings.items() if path not in edited)
    yield from (entry for entry in edited.values() if entry is not None)


def _sides(view: _View, base: Config, head: Config) -> Sides:
    """What matches the globs of either side, less what both exclude."""
    from .sides import Sides

    more = view.request.contracts
    own = _selection((*base.include, *more), base.exclude)
    excluded = [glob for glob in base.exclude if glob in head.exclude]
    selected = _selection(dict.fromkeys((*base.include, *head.include, *more)), excluded)
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


def _history(view: _View, sides: Sides, commits: CommitSource | None) -> VersionHistory:
    """The versions used before; while the base branch stands still, those of the base need no look into its past."""
    from ...adapters.git.history import touching_commits
    from ...compat.pairing import line_of
    from .history import PastVersions

    base = view.revisions.base
    versions = {line_of(item): item.contract.version for item in sides.old.values() if item.contract}
    kept = {} if base.moved_on else versions
    return PastVersions(view.repo, base.tip or view.old, sides.paths, kept, commits or touching_commits)


def _comparison(view: _View, sides: Sides, settings: Settings) -> Comparison:
    from ...compat.gate import Comparison
    from ...compat.verdict import GatePolicy

    return Comparison(
        base=(*sides.old.values(), *sides.beside),
        head=(*sides.new.values(), *sides.beside),
        terms=GatePolicy(_rules(settings.config, view.request), settings.waivers),
        today=view.today,
        register=settings.register,
        notice_days=settings.config.notice_days,
        unchanged=len(sides.others),
        scope=view.scope,
    )


def _rules(config: Config, request: GateRequest) -> Ruleset:
    from ...compat.profiles import DEFAULT_PROFILE
    from ...compat.ruleset import make_ruleset, stricter_profile

    profile = config.profile or request.profile or DEFAULT_PROFILE
    if config.profile and request.profile:
        profile = stricter_profile(config.profile, request.profile)
    return make_ruleset(profile, config.raised)


def _fail_on(config: Config, request: GateRequest) -> FailOn:
    words = [word for word in (config.fail_on, request.fail_on) if word]
    return min(words, key=FAIL_ON.index, default=FAIL_ON[0])


def _notes(view: _View, base: Settings | None = None) -> tuple[str, ...]:
    notes = [f"{view.revisions.base.how}."] if view.revisions.base.empty else []
    if view.edits:
        names = ", ".join(change.path for change in view.edits)
        notes.append(f"This change edits {names}; the gate reads the base revision, so it counts after the merge.")
    broken = sorted({item.location.path for item in base.findings if item.location}) if base else ()
    notes += [
        f"{path} of the base revision cannot be used and counts as absent; this change repairs it." for path in broken
    ]
    return tuple(notes)


def _choose_strictest(reports: list[Report]) -> Report:
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
    bases = ", ".join(each.scope.base for each in reports if isinstance(each.scope, GateScope))
    results = tuple(result for _, result in best.values())
    return _with_scope(replace(reports[0], results=results, findings=tuple(blocking | unused)), base=bases)


def _with_scope(report: Report, **changes: str) -> Report:
    scope = report.scope if isinstance(report.scope, GateScope) else GateScope()
    return replace(report, scope=replace(scope, **changes))  # type: ignore[arg-type]  # texts alone
