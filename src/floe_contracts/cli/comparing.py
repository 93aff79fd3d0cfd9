"""Two files into one report, for `floe diff`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..adapters.linting import Taken, take
from ..compat.ruleset import make_ruleset
from ..compat.verdict import Terms, judge
from ..contract.load import Loaded
from ..results import CheckResult, Outcome, Report

if TYPE_CHECKING:
    from ..render.page_sources import Sources


def compared_files(old: str, new: str, *, profile: str, ignore_version: bool, tool_version: str) -> Report:
    """The verdict on NEW as the successor of OLD; a file that cannot be read is told, not guessed."""
    terms = Terms(make_ruleset(profile), ignore_version=ignore_version)
    sides = [_only(take([path])) for path in (old, new)]
    broken = [side for side in sides if side.loaded is None or side.loaded.contract is None]
    if broken:
        results = tuple(_unreadable(side, is_base=side is sides[0]) for side in broken)
    else:
        results = (judge(_fit(sides[0]), _fit(sides[1]), terms),)
    context = (("base", old), ("head", new), ("profile", profile))
    return Report("diff", tool_version, results, context=context, allow_empty=False)


def both_texts(old: str, new: str) -> dict[str, Sources]:
    """Both texts by the path of the new one, for a format that shows them side by side."""
    if "-" in (old, new):  # standard input has been read
        return {}
    from ..render.page_sources import Sources

    sides = [_only(take([path])) for path in (old, new)]
    before, after = (side.loaded.document.text if side.loaded else "" for side in sides)
    return {sides[1].path: Sources(before, after)}


def _only(taken: object) -> Taken:
    return next(iter(taken))  # type: ignore[call-overload,no-any-return]  # a named path gives exactly one


def _fit(side: Taken) -> Loaded:
    if side.loaded is None:
        raise AssertionError(f"{side.path} was found readable before")
    return side.loaded


def _unreadable(side: Taken, *, is_base: bool) -> CheckResult:
    """A base that cannot be read leaves nothing to compare with; a new file that cannot be read is a finding."""
    outcome = Outcome.ERRORED if is_base else side.result.outcome
    return CheckResult("diff", side.result.contract, outcome, side.path, side.result.findings)
