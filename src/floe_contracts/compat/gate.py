"""The gate as a pure function: the changed contracts of two revisions in, one report out."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import date

from .. import codes
from ..codes import Severity
from ..contract.load import Loaded
from ..frozen import dataclass, field, replace
from ..results import Bump, CheckResult, Disposition, FailOn, Finding, Location, Outcome, Report, outcome_of
from ..results.facts import ContractFacts, GateScope
from .consumers import Register, major_of
from .pairing import Pairing, contract_of, line_of, pair
from .retirement import deletion_finding, may_be_deleted, pair_findings
from .verdict import GatePolicy, Used, check_version_is_free, is_another, judge
from .waivers import Waivers


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
    proposed: Waivers | None = None  # the head's; one that has run out blocks unless the change removes it
    findings: tuple[Finding, ...] = ()
    notes: tuple[str, ...] = ()
    scope: GateScope = field(default_factory=GateScope)


def gate(what: Comparison, *, tool_version: str, fail_on: FailOn = "any", allow_empty: bool = False) -> Report:
    """Judge every contract that differs between base and head."""
    pairing = pair([as_base(item) for item in what.base], what.head)
    results = tuple(_results(pairing, what))
    prints = [item.fingerprint for result in results for item in result.findings]
    proposed = what.terms.waivers if what.proposed is None else what.proposed
    own = (*what.findings, *proposed.problems(), *what.terms.waivers.note_unused(prints))
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
    for old, new in pairing.pairs:
        if old is new:
            continue  # only there to be seen beside the others
        if _is_another(old, new, what):
            yield _judge_deleted(old, what)
            yield _judge_added(new, pairing, what)
        else:
            yield _judge_changed(old, new, what)
    for item in _select_unclaimed(pairing):
        yield _judge_added(item, pairing, what)
    for item in pairing.deleted:
        yield _judge_deleted(item, what)
    for item in pairing.unreadable:
        yield CheckResult("gate", item.path, Outcome.VIOLATED, item.path, item.findings)
    for files in pairing.clashes:
        yield _report_clash(files)
    yield from _judge_left_behind(pairing)


def _select_unclaimed(pairing: Pairing) -> Iterator[Loaded]:
    """Added files whose contract no other file claims; a clash is told by itself."""
    clashing = {item.path for files in pairing.clashes for item in files}
    yield from (item for item in pairing.added if item.path not in clashing)


def _is_another(old: Loaded, new: Loaded, what: Comparison) -> bool:
    """Whether a file holds a new contract after the end of its old one; otherwise it is the same one, renamed."""
    before = contract_of(old)
    return is_another(before, contract_of(new)) and may_be_deleted(before, what.register.silent(before), what.today)


def _judge_changed(old: Loaded, new: Loaded, what: Comparison) -> CheckResult:
    before, after = contract_of(old), contract_of(new)
    more = list(pair_findings(before, after, new, what.today, what.notice_days))
    if old.path != new.path:
        more.append(_note("contract-moved", f"moved from {old.path}; a path is not identity, so nothing changes", new))
    if old.findings and old.contract is old.unfit:
        more.append(_note("base-unfit", f"the base has errors of its own: {old.findings[0].message}", new))
    return judge(
        old,
        new,
        what.terms,
        used=what.used(new),
        readers=lambda facts: what.register.mark_affected(before, facts),
        more=more,
    )


def _judge_added(item: Loaded, pairing: Pairing, what: Comparison) -> CheckResult:
    contract = contract_of(item)
    findings = [_greet(item, pairing), *check_version_is_free(item, what.used(item))]
    return CheckResult(
        "gate", contract.key, outcome_of(findings), item.path, tuple(findings), facts=ContractFacts(item.spelling)
    )


def _greet(item: Loaded, pairing: Pairing) -> Finding:
    contract = contract_of(item)
    before = next((old for old in pairing.illegible if old.path == item.path), None)
    if before is not None:
        reason = before.findings[0].message if before.findings else "unknown"
        return _note("base-unreadable", f"the base's version cannot be read, so nothing was compared: {reason}", item)
    beside = [contract_of(new) for _, new in pairing.pairs if new.path != item.path]
    if any(other.key == contract.key and major_of(other) != major_of(contract) for other in beside):
        return _note("contract-major-parallel", f"{contract.version} is published beside another major", item)
    return _note("contract-added", f"new contract, version {contract.version}", item)


def _judge_deleted(item: Loaded, what: Comparison) -> CheckResult:
    contract = contract_of(item)
    silent = what.register.silent(contract)
    deletion = deletion_finding(item, contract, silent, what.today)
    readers = what.register.readers(contract)
    return CheckResult("gate", contract.key, outcome_of((deletion,)), item.path, (deletion,), readers=readers)


def _judge_left_behind(pairing: Pairing) -> Iterator[CheckResult]:
    """Results for base files that are deleted without a contract going with them."""
    there = {item.path for item in (*pairing.added, *pairing.unreadable, *(new for _, new in pairing.pairs))}
    for item in pairing.illegible:
        if item.path not in there:
            yield _report_gone(item, "base-unreadable", "the file is deleted; the base's version could not be read")
    for item in pairing.doubles:
        yield _report_gone(item, "contract-line-mended", "the file is deleted; another file holds the same contract")


def _report_gone(item: Loaded, rule: str, message: str) -> CheckResult:
    key = item.contract.key if item.contract else item.path
    note = Finding.of(
        codes.E525,
        rule,
        message,
        severity=Severity.INFO,
        contract=key,
        location=Location(item.path),
        standing=Disposition.ALLOWED,
    )
    return CheckResult("gate", key, Outcome.PASSED, item.path, (note,))


def _report_clash(files: tuple[Loaded, ...]) -> CheckResult:
    line = line_of(files[0])
    paths = ", ".join(item.path for item in files)
    findings = tuple(
        Finding.of(
            codes.E525,
            "contract-line-twice",
            f"{len(files)} files claim the same contract: {paths}",
            contract=line[0] if line else "",
            location=item.place(("id",) if contract_of(item).id else ()),
            expected="one file per contract, or names with .vN. for majors side by side",
            actual=paths,
            suggestions=("Give the newer one an id of its own, or a .vN. file name and that MAJOR version.",),
            bump=Bump.BLOCK,
        )
        for item in files
    )
    return CheckResult("gate", line[0] if line else paths, Outcome.VIOLATED, files[0].path, findings)


def _note(rule: str, message: str, item: Loaded) -> Finding:
    return Finding.of(
        codes.E525,
        rule,
        message,
        severity=Severity.INFO,
        contract=contract_of(item).key,
        location=item.place(("version",)),
        standing=Disposition.ALLOWED,
    )
