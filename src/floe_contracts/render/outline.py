"""The parts of a report in reading order, as plain text, so that every output format says the same thing."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from datetime import date, timedelta

from ..codes import Severity
from ..contract.meaning.phrase import plural
from ..frozen import dataclass, replace
from ..results import Bump, CheckResult, Disposition, Finding, Outcome, Reader, Report, VersionStep
from .safe import log_safe

Advice = tuple[str, str]  # a label (expected, actual, fix) and its text
Show = Callable[[str], str]  # how a format prints text that is not floe's own words

_MOST_COLUMNS = 10  # named of one reader
_MOST_PLACES = 3
_EXCUSES = {
    Disposition.ALLOWED: "allowed: the declared version covers it",
    Disposition.WAIVED: "waived",
    Disposition.REPORTED: "reported only",
}


@dataclass(frozen=True, slots=True)
class ContractSection:
    """What there is to say about one contract."""

    title: str
    path: str
    findings: tuple[Finding, ...]
    outcome: Outcome
    version: VersionStep | None = None
    readers: tuple[Reader, ...] = ()
    spared: tuple[Reader, ...] = ()  # readers whom the change does not touch
    downstream: tuple[Reader, ...] = ()  # those who read what an affected reader makes of it
    dialect: str = ""

    @property
    def silent(self) -> bool:
        """Nothing a reader needs to see unless asked for everything."""
        return not self.findings and self.outcome in (Outcome.PASSED, Outcome.SKIPPED)


def groups(report: Report) -> tuple[ContractSection, ...]:
    """The report's own findings first, then one group per contract in path order."""
    own = (ContractSection("", "", report.findings, Outcome.VIOLATED),) if report.findings else ()
    return own + tuple(_group(result) for result in report.results)


def is_run(report: Report) -> bool:
    """Whether the report is about data at run time, not about contracts alone."""
    return report.fail_on == "enforced"


def is_change(item: Finding) -> bool:
    """Whether a finding tells what differs between two versions; only such findings can be waived."""
    return bool(item.fingerprint)


def advice(item: Finding) -> tuple[Advice, ...]:
    """The lines below a finding; the code's general fix is left out when the finding brings its own."""
    if is_change(item):
        lines = [(label, text) for label, text in sides(item) if text not in item.message]
    else:
        lines = [("expected", item.expected), ("actual", item.actual)]
    lines += [("fix", text) for text in item.suggestions]
    return tuple((label, text) for label, text in lines if text)


def sides(item: Finding) -> tuple[Advice, Advice]:
    """Both sides of a change: a finding of the gate expects what was there before."""
    return ("before", item.expected), ("after", item.actual)


def is_good_news(item: Finding) -> bool:
    """Whether a finding tells of something that needs no excuse: a contract added, moved, deleted in good order."""
    return item.standing is Disposition.ALLOWED and item.bump is Bump.NONE


def excuse(item: Finding, show: Show = str) -> str:
    """Why a finding does not count, or an empty text when it does."""
    about = item.facts
    words = _EXCUSES.get(item.standing, "")
    if is_good_news(item):
        return "in order"
    why = ((about.waiver or "").removeprefix("waived ") or about.standing) if about else ""
    words = words.partition(":")[0] if why else words
    return f"{words}: {show(why)}" if words and why else words


def step(version: VersionStep, show: Show = str) -> str:
    """The version before, after, and the one to write."""
    if version.old is None:
        return f"new at {show(version.new)}" if version.new else ""
    if version.new is None:
        return f"{show(version.old)} deleted"
    old = show(version.old) if version.old.strip() else "no version"
    moved = f"{old} unchanged" if version.old == version.new else f"{old} → {show(version.new)}"
    if version.next is None:
        return f"{moved}, covers a {version.required.value} change" if _covers(version) else moved
    return f"{moved}, needs {show(version.next)}"


def _covers(version: VersionStep) -> bool:
    """Whether the declared bump is as large as the change; a break that is only reported may be larger."""
    from ..contract.version import needed_bump, parse_version  # a report without changes needs neither

    old = parse_version(version.old or "")
    if old is None or version.required is Bump.NONE:
        return False
    return version.declared.rank >= needed_bump(old, version.required).rank


def noun(report: Report) -> str:
    """What a result of this command is about."""
    return {"policy": "file", "compile": "product"}.get(report.command, "contract")


def totals(report: Report, show: Show = str) -> str:
    """The last line: how much was looked at and what came of it."""
    if is_run(report):
        from .running import run_totals  # a hook needs none of it

        return run_totals(report)
    dialects = Counter(_dialect(result).split(" ")[0] for result in report.results if _dialect(result))
    spelled = ", ".join(f"{number} {show(name)}" for name, number in sorted(dialects.items()))
    unable = sum(1 for result in report.results if result.outcome is Outcome.ERRORED)
    checked = plural(len(report.results) - unable, noun(report))
    parts = [f"{checked} checked ({spelled})" if spelled else f"{checked} checked"]
    count = tally(report)
    errors = count[Severity.ERROR.value] + count[Severity.CRITICAL.value]
    parts += [plural(errors, "error"), plural(count[Severity.WARNING.value], "warning")]
    parts += [f"{count['excused']} excused"] if count["excused"] else []
    parts += [f"{unable} not checked"] if unable else []
    parts += [f"{count_unchanged(report)} unchanged"] if count_unchanged(report) else []
    return " · ".join(parts)


def tally(report: Report) -> dict[str, int]:
    """Findings per severity, with those that do not count kept apart as `excused`."""
    counts = {**{severity.value: 0 for severity in Severity}, "excused": 0}
    for item in report.all_findings():
        counted = item.standing is Disposition.OPEN or is_good_news(item)
        counts[item.severity.value if counted else "excused"] += 1
    return counts


def scope_line(report: Report, show: Show = str) -> str:
    """Which revisions and settings the report is about, or an empty text."""
    from ..results.facts import GateScope, RunScope

    if is_run(report):
        namespace = report.scope.namespace if isinstance(report.scope, RunScope) else ""
        return show(f"namespace {namespace}") if namespace else ""
    scope = report.scope if isinstance(report.scope, GateScope) else GateScope()
    base, head = show(_short(scope.base)), show(_short(scope.head))
    parts = [show(f"{_short(scope.head)} {scope.how}")] if scope.how else []
    if not scope.how and scope.base:
        parts = [f"compared {base} with {head}" if scope.head else f"base {base}"]
    whole = scope.base if _short(scope.base.split(", ")[0]) not in scope.base.split(", ") else ""
    more = [
        ("base", whole),
        ("profile", scope.profile),
        ("history", scope.history),
        ("base_ref", scope.base_ref),
        *report.extra,
    ]
    return " · ".join([*parts, *(show(f"{name} {value}") for name, value in more if value)])


def _short(revision: str) -> str:
    """A commit id as people write it; any other name stays whole."""
    return revision[:8] if len(revision) in (40, 64) and not set(revision) - set("0123456789abcdef") else revision


def who(reader: Reader, show: Show = str) -> str:
    """A reader of the contract with the owner to tell and the columns concerned."""
    owner = f" ({show(reader.owner)})" if reader.owner else ""
    named = [show(name) for name in reader.columns[:_MOST_COLUMNS]]
    more = f" and {len(reader.columns) - len(named)} more" if len(reader.columns) > len(named) else ""
    columns = f" reads {', '.join(named)}{more}" if named else ""
    if reader.through:
        columns = f" reads {show(reader.through)}"
    places = f" at {', '.join(show(place) for place in reader.places[:_MOST_PLACES])}" if reader.places else ""
    places = places if columns or not places else f" reads every column{places}"
    return f"{show(reader.name)}{owner}{columns}{places}"


def blast_edges(group: ContractSection) -> tuple[tuple[str, str], ...]:
    """Who reads what after a break, from the contract on: pairs of a name and its reader."""
    direct = [(group.title, reader.name) for reader in group.readers]
    return tuple(dict.fromkeys((*direct, *((reader.through, reader.name) for reader in group.downstream))))


def waivable(report: Report) -> tuple[Finding, ...]:
    """The breaking changes that block, worst first; a lesser change needs no waiver but the version to write."""
    return tuple(item for item in worst_first(report.all_findings()) if item.blocks and _breaks(item))


def _breaks(item: Finding) -> bool:
    return is_change(item) and item.bump.rank >= Bump.MAJOR.rank


def _group(result: CheckResult) -> ContractSection:
    return ContractSection(
        title=result.contract,
        path=result.path,
        findings=result.findings,
        outcome=result.outcome,
        version=result.version,
        readers=tuple(reader for reader in result.readers if reader.affected and not reader.through),
        spared=tuple(reader for reader in result.readers if not reader.affected),
        downstream=tuple(reader for reader in result.readers if reader.through),
        dialect=_dialect(result),
    )


def _dialect(result: CheckResult) -> str:
    return getattr(result.facts, "dialect", "")


def count_unchanged(report: Report) -> int:
    """How many contracts a gate left alone because both sides are equal."""
    number = getattr(report.scope, "unchanged", None) or 0
    return number if 0 < number < 1_000_000_000 else 0


def cure(item: Finding, show: Show = str) -> str:
    """What to do about a finding, in one sentence."""
    return show(item.suggestions[0]) if item.suggestions else item.code.fix


def worst_first(findings: Iterable[Finding]) -> Iterator[Finding]:
    """Blocking findings first, then by severity and from breaking to patch, then by place."""

    def need(item: Finding) -> tuple[object, ...]:
        return (not item.blocks, -item.severity.rank, -item.bump.rank, item.sort_key())

    yield from sorted(findings, key=need)


def by_need(sections: Iterable[ContractSection]) -> list[ContractSection]:
    """What could not be checked and what blocks first, then what is only worth knowing, then what is in order."""

    def need(group: ContractSection) -> tuple[object, ...]:
        blocking = sum(item.blocks for item in group.findings)
        open_ = any(item.standing is Disposition.OPEN for item in group.findings)
        rank = (group.outcome is not Outcome.ERRORED, -blocking, not open_, not group.findings)
        return (*rank, not group.title, group.path, group.title)

    return sorted(sections, key=need)


FILE = ".floe/waivers.yaml"
TERM = timedelta(days=30)  # a proposal; at most 90 are allowed


def waiver_lines(report: Report, today: date, most: int | None = None) -> tuple[str, ...]:
    """One YAML block for all that a waiver could excuse, worst first, each line harmless; empty without such."""
    findings = waivable(report)[:most]
    if not findings:
        return ()
    from ..compat.waivers import waiver_block

    return waiver_block(map(_harmless, findings), today + TERM)


def _harmless(item: Finding) -> Finding:
    # Only the fingerprint decides what is waived, so names may be shown instead of told exactly.
    return replace(
        item,
        fingerprint=log_safe(item.fingerprint, 80),
        contract=log_safe(item.contract),
        rule=log_safe(item.rule, 100),
        element=log_safe(item.element),
    )
