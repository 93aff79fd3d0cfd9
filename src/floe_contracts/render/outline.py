"""The parts of a report in reading order, as plain text, so that every output format says the same thing."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from ..codes import E593, Severity
from ..results import Bump, CheckResult, ExitCode, Finding, Outcome, Reader, Report, Standing, VersionStep, decide

Advice = tuple[str, str]  # a label (expected, actual, fix) and its text

_EXCUSES = {
    Standing.ALLOWED: "allowed: the declared version covers it",
    Standing.WAIVED: "waived",
    Standing.REPORTED: "reported only",
}


@dataclass(frozen=True, slots=True)
class Headline:
    """The verdict in one word and the cure in one sentence: always the first line."""

    word: str
    text: str
    code: ExitCode

    def __str__(self) -> str:
        return f"{self.word}: {self.text}"


@dataclass(frozen=True, slots=True)
class Group:
    """What there is to say about one contract."""

    title: str
    path: str
    findings: tuple[Finding, ...]
    outcome: Outcome
    version: VersionStep | None = None
    readers: tuple[Reader, ...] = ()
    dialect: str = ""

    @property
    def silent(self) -> bool:
        """Nothing a reader needs to see unless asked for everything."""
        return not self.findings and self.outcome in (Outcome.PASSED, Outcome.SKIPPED)


def headline(report: Report) -> Headline:
    """Verdict and cure."""
    code = decide(report)
    if code is ExitCode.PASS:
        return Headline("PASS", _passed(report), code)
    if code is ExitCode.BLOCKED:
        return Headline("BLOCKED", _blocked(report), code)
    if not report.results:
        return Headline("NOTHING CHECKED", f"0 contracts checked ({E593.id}). {E593.fix}", code)
    return Headline("COULD NOT CHECK", _errored(report), code)


def groups(report: Report) -> tuple[Group, ...]:
    """The report's own findings first, then one group per contract in path order."""
    own = (Group("", "", report.findings, Outcome.VIOLATED),) if report.findings else ()
    return own + tuple(_group(result) for result in report.results)


def advice(item: Finding) -> tuple[Advice, ...]:
    """The lines below a finding; the code's general fix is left out when the finding brings its own."""
    lines = [("expected", item.expected), ("actual", item.actual)]
    lines += [("fix", text) for text in item.suggestions]
    return tuple((label, text) for label, text in lines if text)


def excuse(item: Finding) -> str:
    """Why a finding does not count, or an empty text when it does."""
    why = dict(item.context).get("standing", "")
    words = _EXCUSES.get(item.standing, "")
    return f"{words}: {why}" if words and why else words


def step(version: VersionStep) -> str:
    """The version before, after, and the one to write."""
    if version.old is None:
        return f"new at {version.new}" if version.new else ""
    if version.new is None:
        return f"{version.old} deleted"
    moved = f"{version.old} → {version.new}" if version.old != version.new else f"{version.old} unchanged"
    if version.next is None:
        return moved if version.required is Bump.NONE else f"{moved}, covers a {version.required.value} change"
    return f"{moved}, needs {version.next}"


def totals(report: Report) -> str:
    """The last line: how much was looked at and what came of it."""
    dialects = Counter(_dialect(result).split(" ")[0] for result in report.results if _dialect(result))
    spelled = ", ".join(f"{number} {name}" for name, number in sorted(dialects.items()))
    unable = sum(1 for result in report.results if result.outcome is Outcome.ERRORED)
    checked = _plural(len(report.results) - unable, "contract")
    parts = [f"{checked} checked ({spelled})" if spelled else f"{checked} checked"]
    count = tally(report)
    errors = count[Severity.ERROR.value] + count[Severity.CRITICAL.value]
    parts += [_plural(errors, "error"), _plural(count[Severity.WARNING.value], "warning")]
    parts += [f"{count['excused']} excused"] if count["excused"] else []
    parts += [f"{unable} not checked"] if unable else []
    return " · ".join(parts)


def tally(report: Report) -> dict[str, int]:
    """Findings per severity, with those that do not count kept apart as `excused`."""
    counts = {**{severity.value: 0 for severity in Severity}, "excused": 0}
    for item in report.all_findings():
        counts[item.severity.value if item.standing is Standing.OPEN else "excused"] += 1
    return counts


def compared(report: Report) -> str:
    """Which revisions and settings the report is about, or an empty text."""
    pairs = dict(report.context)
    base, head = pairs.pop("base", ""), pairs.pop("head", "")
    parts = [f"compared {base} with {head}"] if base and head else [f"base {base}"] if base else []
    return " · ".join([*parts, *(f"{name} {value}" for name, value in pairs.items() if value)])


def who(reader: Reader) -> str:
    """A reader of the contract with the owner to tell and the columns concerned."""
    owner = f" ({reader.owner})" if reader.owner else ""
    columns = f" reads {', '.join(reader.columns)}" if reader.columns else ""
    return f"{reader.name}{owner}{columns}"


def _group(result: CheckResult) -> Group:
    readers = tuple(reader for reader in result.readers if reader.affected)
    return Group(
        result.contract, result.path, result.findings, result.outcome, result.version, readers, _dialect(result)
    )


def _dialect(result: CheckResult) -> str:
    return dict(result.context).get("dialect", "")


def _passed(report: Report) -> str:
    if not report.results:
        return "0 contracts checked, there is nothing to check here."
    text = _plural(len(report.results), "contract") + " checked"
    open_errors = sum(1 for item in report.all_findings() if item.blocks)
    if open_errors:
        return f"{text}, {_plural(open_errors, 'error')} reported (fail_on is {report.fail_on})."
    warnings = tally(report)[Severity.WARNING.value]
    return f"{text}, no errors, {_plural(warnings, 'warning')}." if warnings else f"{text}, no errors."


def _blocked(report: Report) -> str:
    blocking = [item for item in report.all_findings() if item.blocks]
    needs = [result for result in report.results if result.version and not result.version.enough]
    if needs:
        own = sum(1 for result in needs for item in result.findings if item.blocks and item.bump is not Bump.NONE)
        others = len(blocking) - own
        return _needs_version(needs) + (f" {_plural(others, 'other error')} below." if others > 0 else "")
    if len(blocking) == 1:
        return _single(blocking[0])
    places = sum(1 for result in report.results if any(item.blocks for item in result.findings))
    among = "" if places == len(report.results) else f"{places} of "
    where = f" in {among}{_plural(len(report.results), 'contract')}" if places else ""
    return f"{_plural(len(blocking), 'error')}{where}. Correct the lines below."


def _needs_version(needs: list[CheckResult]) -> str:
    if len(needs) == 1 and needs[0].version:
        version = needs[0].version
        declared = f", {version.new} is declared" if version.new else ""
        return f"{needs[0].contract} needs version {version.next}{declared}. Run `floe bump`."
    named = [f"{each.contract} {each.version.next}" for each in needs if each.version]
    more = f" and {len(named) - 3} more" if len(named) > 3 else ""
    return f"{len(named)} contracts need a higher version: {', '.join(named[:3])}{more}. Run `floe bump`."


def _single(item: Finding) -> str:
    where = str(item.location) if item.location else item.contract
    cure = item.suggestions[0] if item.suggestions else item.code.fix
    return f"1 error{f' in {where}' if where else ''}. {cure}"


def _errored(report: Report) -> str:
    unable = [result for result in report.results if result.outcome is Outcome.ERRORED]
    cures = {item.suggestions[0] if item.suggestions else item.code.fix for each in unable for item in each.findings}
    others = sum(item.blocks for each in report.results if each not in unable for item in each.findings)
    parts = [f"{_plural(len(unable), 'file')} could not be checked."]
    parts += [f"{_plural(others, 'error')} in the others."] if others else []
    return " ".join([*parts, cures.pop() if len(cures) == 1 and not others else "See the lines below."])


def _plural(number: int, noun: str) -> str:
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


def worst_first(findings: Iterable[Finding]) -> Iterator[Finding]:
    """Blocking findings first, then by severity, then by place: for formats that must leave some out."""
    yield from sorted(findings, key=lambda item: (not item.blocks, -item.severity.rank, item.sort_key()))
