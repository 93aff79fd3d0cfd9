"""The gate as a pure function: the changed contracts of two revisions in, one report out."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from datetime import date
from typing import TypeAlias

from .. import codes
from ..contract.load import Loaded
from ..contract.version import parse_version
from ..frozen import dataclass, field, replace
from ..results import Bump, CheckResult, Disposition, FailOn, Finding, Location, Outcome, Report, outcome_of
from ..results.facts import ContractFacts, GateScope
from .consumers import Register, major_of
from .pairing import Pairing, contract_of, pair
from .release import is_another, leaves_unreleased, why_unreleased
from .retirement import deletion_finding, find_gaps, may_be_deleted, overdue_facts, pair_findings
from .verdict import GatePolicy, Used, check_version_is_free, judge
from .waivers import Waivers

_Majors: TypeAlias = "dict[str, dict[int | None, set[str]]]"  # key of a contract: its majors, each with its files
_LEAVE_OUT = (
    "List the file under exclude: in .floe/config.yaml in a change of its own; then correct or delete it, and take the "
    "line out again."
)


@dataclass(frozen=True, slots=True)
class Comparison:
    """Everything the gate looks at; files that are equal on both sides are only counted."""

    base: tuple[Loaded, ...]
    head: tuple[Loaded, ...]
    terms: GatePolicy
    today: date
    register: Register = field(default_factory=Register)
    notice_days: int = 30
    unchanged: int = 0
    used: Callable[[Loaded], Used] = lambda item: lambda version: None
    last_release: Callable[[Loaded], Loaded | None] = lambda base: None  # of the line of a base file, in base history
    proposed: Waivers | None = None  # the head's; one that has run out blocks unless the change removes it
    findings: tuple[Finding, ...] = ()
    notes: tuple[str, ...] = ()
    scope: GateScope = field(default_factory=GateScope)
    elsewhere: Mapping[str, str] = field(default_factory=dict)  # base paths of what is gone, and where it lies now
    unable: tuple[CheckResult, ...] = ()  # what could not be compared at all
    recalled: Mapping[str, str] = field(default_factory=dict)  # base paths read from their past, and why


def gate(what: Comparison, *, tool_version: str, fail_on: FailOn = "any", allow_empty: bool = False) -> Report:
    """Judge every contract that differs between base and head."""
    pairing = pair([as_base(item) for item in what.base], what.head)
    results = (*_results(pairing, what), *what.unable)
    findings = [item for result in results for item in result.findings]
    proposed = what.terms.waivers if what.proposed is None else what.proposed
    own = (*what.findings, *proposed.problems(), *what.terms.waivers.note_unused(findings))
    return Report(
        command="gate",
        tool_version=tool_version,
        results=results,
        findings=own,
        scope=replace(what.scope, unchanged=what.unchanged, profile=what.terms.rules.profile),
        notes=what.notes,
        fail_on=fail_on,
        allow_empty=allow_empty or bool(what.unchanged),
    )


def as_base(item: Loaded) -> Loaded:
    """The file as a base: a contract with lint errors counts as readable, because what it promised, it promised."""
    return item if item.contract or item.unfit is None else replace(item, contract=item.unfit)


def _results(pairing: Pairing, what: Comparison) -> Iterator[CheckResult]:
    yield from _judge_pairs(pairing, what)
    published = _majors_by_key(pairing)
    yield from (_judge_added(item, published, what) for item in _select_unclaimed(pairing))
    for item in pairing.deleted:
        yield _judge_deleted(_find_promise(item, None, what), item.path, what)
    for item in pairing.unreadable:
        yield CheckResult("gate", item.path, Outcome.VIOLATED, item.path, item.findings)
    yield from map(_report_clash, pairing.clashes)
    yield from map(_report_double, pairing.doubles)
    yield from map(_report_lost, _select_lost(pairing))


def _majors_by_key(pairing: Pairing) -> _Majors:
    """The majors of every contract that goes on, each with its files."""
    majors: _Majors = {}
    for _, new in pairing.pairs:
        contract = contract_of(new)
        majors.setdefault(contract.key, {}).setdefault(major_of(contract), set()).add(new.path)
    return majors


def _judge_pairs(pairing: Pairing, what: Comparison) -> Iterator[CheckResult]:
    published = _majors_by_key(pairing)
    for base, new in pairing.pairs:
        if base is new:
            continue  # only there to be seen beside the others
        old = _find_promise(base, new, what)
        if _is_another(old, new, what):
            yield _judge_deleted(old, base.path, what)
            yield _judge_added(new, published, what)
        else:
            yield _judge_changed(base, old, new, what)
        for item in (base, old, new):
            item.document.forget_places()


def _select_unclaimed(pairing: Pairing) -> Iterator[Loaded]:
    """Added files whose contract no other file claims; a clash and a base that is lost are told by themselves."""
    apart = {item.path for files in (*pairing.clashes, pairing.illegible) for item in files}
    yield from (item for item in pairing.added if item.path not in apart)


def _select_lost(pairing: Pairing) -> Iterator[Loaded]:
    """Base files that cannot be read, but for those that the head leaves unreadable: these are reported already."""
    broken = {item.path for item in pairing.unreadable}
    yield from (item for item in pairing.illegible if item.path not in broken)


def _find_promise(base: Loaded, new: Loaded | None, what: Comparison) -> Loaded:
    """What a change is held against: the base, but the last release where a draft or a pre-release is left behind.

    Else a break could be made while nothing is promised, and be released by a number that covers none.
    """
    if leaves_unreleased(base, new):
        return what.last_release(base) or base
    return base


def _is_another(old: Loaded, new: Loaded, what: Comparison) -> bool:
    """Whether a file holds a new contract after the end of its old one; otherwise it is the same one, renamed."""
    before = contract_of(old)
    return is_another(old, new) and may_be_deleted(before, what.register.silent(before), what.today)


def _judge_changed(base: Loaded, old: Loaded, new: Loaded, what: Comparison) -> CheckResult:
    before, after = contract_of(old), contract_of(new)
    more = [*pair_findings(before, after, new, what.today, what.notice_days), *_notes(base, old, new, what)]
    more += [item for item in new.findings if item.blocks]
    return judge(
        old,
        new,
        replace(what.terms, overdue=overdue_facts(before, what.today)),
        used=what.used(new),
        readers=lambda facts: what.register.mark_affected(before, facts),
        more=more,
    )


def _notes(base: Loaded, old: Loaded, new: Loaded, what: Comparison) -> Iterator[Finding]:
    """What there is to know about the comparison itself."""
    if base.path != new.path:
        yield _note("contract-moved", f"moved from {base.path}; a path is not identity, so nothing changes", new)
    if base.path in what.recalled:
        yield _explain_recalled(contract_of(base).version, what.recalled[base.path], new)
    if old is not base:
        words = f"{why_unreleased(contract_of(base))}; the last release, {contract_of(old).version}, was compared"
        yield _note("compared-with-release", words, new)
    if parse_version(contract_of(old).version) is None:
        words = "the base has no version that can be read: a break blocks, and all else passes with any version"
        yield _note("base-without-version", words, new)
    elif old.findings and old.contract is old.unfit and base.path not in what.recalled:
        yield _note("base-unfit", f"the base has errors of its own: {old.findings[0].message}", new)


def _explain_recalled(version: str, reason: str, new: Loaded) -> Finding:
    instead = f"compared with {version or 'the version before'}, the last one of the base branch that can be"
    return _note("base-recalled", f"the base's file cannot be read, so this is {instead}: {reason}", new)


def _judge_added(item: Loaded, published: _Majors, what: Comparison) -> CheckResult:
    contract = contract_of(item)
    blocking = [finding for finding in item.findings if finding.blocks]
    gaps = find_gaps(None, contract, item)
    findings = [_greet(item, published), *check_version_is_free(item, what.used(item)), *blocking, *gaps]
    return CheckResult(
        "gate", contract.key, outcome_of(findings), item.path, tuple(findings), facts=ContractFacts(item.spelling)
    )


def _greet(item: Loaded, published: _Majors) -> Finding:
    contract = contract_of(item)
    beside = published.get(contract.key, {})
    if any(major != major_of(contract) and paths - {item.path} for major, paths in beside.items()):
        return _note("contract-major-parallel", f"{contract.version} is published beside another major", item)
    return _note("contract-added", f"new contract, version {contract.version}", item)


def _judge_deleted(item: Loaded, path: str, what: Comparison) -> CheckResult:
    contract = contract_of(item)
    silent = what.register.silent(contract)
    deletion = deletion_finding(path, contract, silent, what.today, what.elsewhere.get(path, ""))
    readers = what.register.readers(contract)
    return CheckResult("gate", contract.key, outcome_of((deletion,)), path, (deletion,), readers=readers)


def _report_double(item: Loaded) -> CheckResult:
    """A base file that is gone while another holds its contract."""
    key = contract_of(item).key
    note = Finding.of(
        codes.E529,
        "contract-line-mended",
        "the file is deleted; another file holds the same contract",
        contract=key,
        location=Location(item.path),
        standing=Disposition.ALLOWED,
    )
    return CheckResult("gate", key, Outcome.PASSED, item.path, (note,))


def _report_lost(item: Loaded) -> CheckResult:
    """A base file that was never readable: nobody knows what it promised, so no change of it can be judged."""
    reason = item.findings[0].message if item.findings else "it holds no contract"
    lost = Finding.of(
        codes.E528,
        "base-unreadable",
        f"{item.path} of the base cannot be read, and no earlier version can be, so nothing can be compared: {reason}",
        location=Location(item.path),
        expected="a readable version in the history of the base branch",
        suggestions=(_LEAVE_OUT,),
    )
    return CheckResult("gate", item.path, Outcome.ERRORED, item.path, (lost,))


def _report_clash(files: tuple[Loaded, ...]) -> CheckResult:
    """One finding for all files that claim one contract, at the first; the others are named in it."""
    first, key = files[0], contract_of(files[0]).key
    paths = ", ".join(item.path for item in files)
    clash = Finding.of(
        codes.E525,
        "contract-line-twice",
        f"{len(files)} files claim the same contract and MAJOR: {paths}",
        contract=key,
        location=first.place(("id",) if contract_of(first).id else ()),
        expected="one file per contract, or names with .vN. for majors side by side",
        actual=paths,
        suggestions=("Keep one of them; give another an id of its own, or a .vN. file name and that MAJOR version.",),
        bump=Bump.BLOCK,
    )
    return CheckResult("gate", key, Outcome.VIOLATED, first.path, (clash,))


def _note(rule: str, message: str, item: Loaded) -> Finding:
    return Finding.of(
        codes.E529,
        rule,
        message,
        contract=contract_of(item).key,
        location=item.place(("version",)),
        standing=Disposition.ALLOWED,
    )
