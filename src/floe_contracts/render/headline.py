"""The first line of every report: the verdict in one word and the cure in one sentence."""

from __future__ import annotations

from ..codes import E593, Severity
from ..contract.meaning.phrase import plural
from ..frozen import dataclass
from ..results import Bump, CheckResult, ExitCode, Finding, Outcome, Report, VersionStep, decide
from .outline import Show, count_unchanged, cure, is_run, noun, tally

_NAME_BASE = "Check out the change, or name the branch that it goes to with --base."


@dataclass(frozen=True, slots=True)
class Headline:
    """The verdict in one word and the cure in one sentence: always the first line."""

    word: str
    text: str
    code: ExitCode

    def __str__(self) -> str:
        return f"{self.word}: {self.text}"


def headline(report: Report, show: Show = str) -> Headline:
    """Verdict and cure; `show` gets every piece of text that comes from a contract."""
    code = decide(report)
    if is_run(report):
        from .running import run_verdict  # a hook needs none of it

        return Headline(*run_verdict(report, show), code)
    if code is ExitCode.PASS:
        return Headline("PASS", _pass_sentence(report), code)
    if code is ExitCode.BLOCKED:
        return Headline("BLOCKED", _block_sentence(report, show), code)
    if not report.results:
        return Headline("NOTHING CHECKED", f"0 contracts checked ({E593.id}). {E593.fix}", code)
    return Headline("COULD NOT CHECK", _error_sentence(report, show), code)


def version_cure(version: VersionStep, show: Show) -> str:
    """What to do in one contract whose version is too low, or an empty text when it is not."""
    if version.next is None:
        return ""
    if version.beside:
        return f"Publish {show(version.next)} as {show(version.beside)} and leave this file as it was."
    wanted = show(f'version: "{version.next}"')
    return f"Write {wanted} in this file; `floe bump` does it."


def _pass_sentence(report: Report) -> str:
    if getattr(report.scope, "same", False):
        return f"NOTHING WAS COMPARED, the head is its own base. {_NAME_BASE}"
    if not report.results:
        same = count_unchanged(report)
        nothing = "0 contracts checked, there is nothing to check here."
        return f"no contract changed ({plural(same, 'contract')} looked at)." if same else nothing
    text = plural(len(report.results), noun(report)) + " checked"
    open_errors = sum(1 for item in report.all_findings() if item.blocks)
    if open_errors:
        return f"{text}, {plural(open_errors, 'error')} reported (fail_on is {report.fail_on})."
    warnings = tally(report)[Severity.WARNING.value]
    return f"{text}, no errors, {plural(warnings, 'warning')}." if warnings else f"{text}, no errors."


def _block_sentence(report: Report, show: Show) -> str:
    blocking = [item for item in report.all_findings() if item.blocks]
    needs = [result for result in report.results if result.version and not result.version.enough]
    if needs:
        own = sum(1 for result in needs for item in result.findings if item.blocks and item.bump is not Bump.NONE)
        others = len(blocking) - own
        return _needs_version(needs, show) + (f" {plural(others, 'other error')} below." if others > 0 else "")
    if len(blocking) == 1:
        return _single(blocking[0], show)
    places = sum(1 for result in report.results if any(item.blocks for item in result.findings))
    among = "" if places == len(report.results) else f"{places} of "
    where = f" in {among}{plural(len(report.results), noun(report))}" if places else ""
    return f"{plural(len(blocking), 'error')}{where}. Correct the lines below."


def _needs_version(needs: list[CheckResult], show: Show) -> str:
    if len(needs) == 1 and needs[0].version:
        version = needs[0].version
        declared = f", {show(version.new)} is declared" if version.new else ""
        return f"{show(needs[0].contract)} needs version {show(version.next or '')}{declared}. {_cure(needs, show)}"
    named = [f"{show(each.contract)} {show(each.version.next or '')}" for each in needs if each.version]
    more = f" and {len(named) - 3} more" if len(named) > 3 else ""
    return f"{len(named)} contracts need a higher version: {', '.join(named[:3])}{more}. {_cure(needs, show)}"


def _cure(needs: list[CheckResult], show: Show) -> str:
    """What to do about versions that are too low; a file named .vN. leaves its MAJOR only by a file beside it."""
    beside = [result.version.beside for result in needs if result.version and result.version.beside]
    if not beside:
        return "Run `floe bump`."
    return f"Publish it as {', '.join(show(path) for path in beside[:3])} and leave the old file as it was."


def _single(item: Finding, show: Show) -> str:
    where = str(item.location) if item.location else item.contract
    return f"1 error{f' in {show(where)}' if where else ''}. {cure(item, show)}"


def _error_sentence(report: Report, show: Show) -> str:
    unable = [result for result in report.results if result.outcome is Outcome.ERRORED]
    cures = {cure(item, show) for each in unable for item in each.findings}
    others = sum(item.blocks for each in report.results if each not in unable for item in each.findings)
    whole = not any(each.path for each in unable)  # not even the files to check were found
    parts = ["The check could not be made." if whole else f"{plural(len(unable), 'file')} could not be checked."]
    parts += [f"{plural(others, 'error')} in the others."] if others else []
    return " ".join([*parts, cures.pop() if len(cures) == 1 and not others else "See the lines below."])
