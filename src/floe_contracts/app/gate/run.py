"""The gate on a repository: settings from the base revision, so that a change cannot excuse itself.

Discovery uses the union of both sides' globs, so a change can only add checks. What the head does to the settings is
told as a note and counts after the merge; a mistake in them blocks at once, or the next change could not be checked.
"""

from __future__ import annotations

from collections.abc import Iterable

from ... import __version__
from ...adapters.git import Repository
from ...adapters.git.objects import TreeEntry
from ...contract.discovery import selection
from ...frozen import replace
from ...results import FAIL_ON, Outcome, Report
from ...results.facts import GateScope
from .request import GateRequest, Revisions, find_revisions
from .strictness import choose_fail_on, choose_rules, note_refused_flags
from .view import GateView, list_views

TYPE_CHECKING = False  # see adapters.git.command
if TYPE_CHECKING:
    from datetime import date

    from ...adapters.git.history import CommitSource
    from ...compat.gate import Comparison
    from ...compat.settings import Config, Settings
    from ...contract.discovery import Selection
    from ...results import CheckResult
    from .history import VersionHistory
    from .sides import Sides

_REFERRING = ("floe.yaml", "floe.lock", "manifest.yaml")  # files that may refer to a manifest


def run_gate(
    request: GateRequest, today: date, revisions: Revisions | None = None, commits: CommitSource | None = None
) -> Report:
    """Judge the head against every base commit; after a criss-cross merge the strictest answer counts.

    `revisions` when the caller has found them already; `commits` where history is not to be read by plumbing.
    """
    revisions = revisions or find_revisions(request)
    views = list_views(request, today, revisions)
    reports = [_report_nothing(view) or _report_changes(view, commits) for view in views]
    report = reports[0] if len(reports) == 1 else _choose_strictest(reports)
    if not request.against_registry:
        return report
    from ..identity.registered import hold_to_registry

    return hold_to_registry(report, request, today)


def _report_nothing(view: GateView) -> Report | None:
    """The report when no contract changed and no settings exist, without whatever it takes to read either."""
    request = view.request
    if view.settings or view.edits or view.has_links or request.contracts:
        return None
    if view.products != view.base_products:
        return None
    chosen = selection(is_there=view.products.__contains__)
    if any(change.path in chosen for change in view.changes):
        return None
    if (view.code and view.has_dbt) or (view.changes and _may_have_heirs(view, chosen)):
        return None
    if view.products and _may_move_platforms(view):
        return None
    unchanged = sum(1 for path in view.files if path in chosen)
    return Report(
        command="gate",
        tool_version=__version__,
        scope=replace(view.scope, unchanged=unchanged),
        notes=_notes(view),
        fail_on=FAIL_ON[0],
        allow_empty=request.allow_empty or bool(unchanged),
    )


def _may_have_heirs(view: GateView, chosen: Selection) -> bool:
    from .inheritance import may_have_heirs

    return may_have_heirs(view, {path: entry for path, entry in view.files.items() if path in chosen})


def _may_move_platforms(view: GateView) -> bool:
    from .platforms import may_move_platforms

    return may_move_platforms(view)


def _report_changes(view: GateView, commits: CommitSource | None) -> Report:
    from ...compat.gate import gate
    from ...compat.settings import agree_on_settings, read_settings
    from .choice import choose_sides
    from .inheritance import hold_to_parents
    from .platforms import hold_to_platforms
    from .sides import new_readers

    before = read_settings(_contents(view.repo, view.settings.values()), view.today)
    proposed = read_settings(_contents(view.repo, view.proposed()), view.today) if view.edits else before
    settings = agree_on_settings(before, proposed)
    sides = choose_sides(view, settings.config, proposed.config)
    past = _history(view, sides, commits)
    comparison = replace(
        _comparison(view, sides, settings),
        used=past.used_by,
        last_release=sides.earlier.last_release,
        proposed=proposed.waivers,
        findings=(*proposed.findings, *new_readers(sides, settings, proposed, view.today)) if view.edits else (),
        notes=(*_notes(view, before, settings.config), *sides.notes),
    )
    report = gate(
        comparison,
        tool_version=__version__,
        fail_on=choose_fail_on(settings.config.fail_on, view.request.fail_on),
        allow_empty=view.request.allow_empty,
    )
    report = hold_to_platforms(hold_to_parents(report, view, sides), view, sides)
    if view.has_dbt or settings.config.definitions or proposed.config.definitions:
        from ...adapters.sql.process import SqlProcess
        from ..definitions.judge import hold_to_definitions
        from .code_readers import name_code_readers

        with SqlProcess() as sql:
            report = hold_to_definitions(report, view, sides, (settings.config, proposed.config), settings, sql)
            report = name_code_readers(report, view, sides, sql)
    return report if past.complete else _with_scope(report, history="shallow")


def _contents(repo: Repository, entries: Iterable[TreeEntry]) -> dict[str, bytes | None]:
    listed = list(entries)
    return {**dict.fromkeys(entry.path for entry in listed), **repo.read(listed)}


def _history(view: GateView, sides: Sides, commits: CommitSource | None) -> VersionHistory:
    """The versions used before; while the base branch stands still, those of the base need no look into its past."""
    from ...adapters.git.history import touching_commits
    from ...compat.pairing import line_of
    from .history import PastVersions

    base = view.revisions.base
    versions = {line_of(item): item.contract.version for item in sides.old.values() if item.contract}
    kept = {} if base.moved_on else versions
    known = {line[0] for line in versions if line}
    fresh = any(item.contract and item.contract.key not in known for item in sides.new.values())
    return PastVersions(view.repo, base.tip or view.old, sides.paths, kept, commits or touching_commits, fresh)


def _comparison(view: GateView, sides: Sides, settings: Settings) -> Comparison:
    from ...compat.gate import Comparison
    from ...compat.verdict import GatePolicy
    from .moved import find_moved

    return Comparison(
        base=(*sides.old.values(), *sides.beside),
        head=(*sides.new.values(), *sides.beside),
        terms=GatePolicy(choose_rules(settings.config, view.request), settings.waivers),
        today=view.today,
        register=settings.register,
        notice_days=settings.config.notice_days,
        unchanged=len(sides.others),
        scope=view.scope,
        recalled=sides.recalled,
        elsewhere=find_moved(view, sides),
        unable=sides.refusals,
    )


def _notes(view: GateView, base: Settings | None = None, config: Config | None = None) -> tuple[str, ...]:
    notes = [f"{view.revisions.base.how}."] if view.revisions.base.empty else []
    notes += note_refused_flags(config, view.request)
    if any(change.path.endswith(_REFERRING) for change in view.code):
        from .references import note_references

        notes += note_references(view)
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
    best: dict[tuple[str, str], tuple[tuple[bool, bool, int], CheckResult]] = {}
    for report in reports:
        for result in report.results:
            key = (result.contract, result.path)
            required = result.version.required.rank if result.version else 0
            rank = (result.outcome is Outcome.ERRORED, result.outcome is Outcome.VIOLATED, required)
            if key not in best or rank > best[key][0]:
                best[key] = (rank, result)
    # A waiver that only one base needs is needed.
    unused = set.intersection(*({item for item in each.findings if not item.blocks} for each in reports))
    blocking = {item for report in reports for item in report.findings if item.blocks}
    bases = ", ".join(each.scope.base for each in reports if isinstance(each.scope, GateScope))
    results = tuple(result for _, result in best.values())
    notes = tuple(dict.fromkeys(note for report in reports for note in report.notes))
    merged = replace(
        reports[0],
        results=results,
        findings=tuple(blocking | unused),
        notes=notes,
        fail_on=min((word for word in FAIL_ON if any(report.fail_on == word for report in reports)), key=FAIL_ON.index),
        allow_empty=all(report.allow_empty for report in reports),
    )
    return _with_scope(merged, base=bases)


def _with_scope(report: Report, **changes: str) -> Report:
    scope = report.scope if isinstance(report.scope, GateScope) else GateScope()
    return replace(report, scope=replace(scope, **changes))  # type: ignore[arg-type]  # texts alone
