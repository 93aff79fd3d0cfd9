"""The gate as a pure function: the changed contracts of two revisions in, one report out."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import date

from .. import codes
from ..codes import Severity
from ..contract.load import Loaded
from ..contract.model import Contract
from ..frozen import dataclass, field, replace
from ..results import (
    Bump,
    CheckResult,
    Disposition,
    FailOn,
    Finding,
    Location,
    Outcome,
    Pairs,
    Report,
    finding,
    outcome_of,
)
from .consumers import Register, major_of
from .pairing import Pairing, line_of, pair
from .retirement import deletion_finding, may_be_deleted, pair_findings
from .verdict import GatePolicy, Used, is_another, judge, taken
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
    context: Pairs = ()


def gate(what: Comparison, *, tool_version: str, fail_on: FailOn = "any", allow_empty: bool = False) -> Report:
    """Judge every contract that differs between base and head."""
    pairing = pair([as_base(item) for item in what.base], what.head)
    results = tuple(_results(pairing, what))
    prints = [item.fingerprint for result in results for item in result.findings]
    proposed = what.terms.waivers if what.proposed is None else what.proposed
    own = (*what.findings, *proposed.problems(), *what.terms.waivers.unused(prints))
    return Report(
        command="gate",
        tool_version=tool_version,
        results=results,
        findings=own,
        context=(*what.context, ("unchanged", str(what.unchanged)), ("profile", what.terms.rules.profile)),
        notes=what.notes,
        fail_on=fail_on,
        allow_empty=allow_empty or bool(what.unchanged),
    )


def as_base(item: Loaded) -> Loaded:
    """A contract with lint errors can still be compared with: what it promised, it promised."""
    return item if item.contract or item.unfit is None else replace(item, contract=item.unfit)


def _results(pairing: Pairing, what: Comparison) -> Iterator[CheckResult]:
    for old, new in pairing.pairs:
        if old is new:
            continue  # only there to be seen beside the others
        if _is_another(old, new, what):
            yield _deleted(old, what)
            yield _added(new, pairing, what)
        else:
            yield _changed(old, new, what)
    for item in _unclaimed(pairing):
        yield _added(item, pairing, what)
    for item in pairing.deleted:
        yield _deleted(item, what)
    for item in pairing.unreadable:
        yield CheckResult("gate", item.path, Outcome.VIOLATED, item.path, item.findings)
    for files in pairing.clashes:
        yield _clash(files)
    yield from _left_behind(pairing)


def _unclaimed(pairing: Pairing) -> Iterator[Loaded]:
    """Added files whose contract no other file claims; a clash is told by itself."""
    clashing = {item.path for files in pairing.clashes for item in files}
    yield from (item for item in pairing.added if item.path not in clashing)


def _is_another(old: Loaded, new: Loaded, what: Comparison) -> bool:
    """Whether a file holds a new contract after the end of its old one; otherwise it is the same one, renamed."""
    before = readable(old)
    return is_another(before, readable(new)) and may_be_deleted(before, what.register.silent(before), what.today)


def _changed(old: Loaded, new: Loaded, what: Comparison) -> CheckResult:
    before, after = readable(old), readable(new)
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
        readers=lambda facts: what.register.affected(before, facts),
        more=more,
    )


def _added(item: Loaded, pairing: Pairing, what: Comparison) -> CheckResult:
    contract = readable(item)
    found = [_welcome(item, pairing), *taken(item, what.used(item))]
    return CheckResult(
        "gate", contract.key, outcome_of(found), item.path, tuple(found), context=(("dialect", item.spelling),)
    )


def _welcome(item: Loaded, pairing: Pairing) -> Finding:
    contract = readable(item)
    before = next((old for old in pairing.illegible if old.path == item.path), None)
    if before is not None:
        reason = before.findings[0].message if before.findings else "unknown"
        return _note("base-unreadable", f"the base's version cannot be read, so nothing was compared: {reason}", item)
    beside = [readable(new) for _, new in pairing.pairs if new.path != item.path]
    if any(other.key == contract.key and major_of(other) != major_of(contract) for other in beside):
        return _note("contract-major-parallel", f"{contract.version} is published beside another major", item)
    return _note("contract-added", f"new contract, version {contract.version}", item)


def _deleted(item: Loaded, what: Comparison) -> CheckResult:
    contract = readable(item)
    silent = what.register.silent(contract)
    found = deletion_finding(item, contract, silent, what.today)
    readers = what.register.readers(contract)
    return CheckResult("gate", contract.key, outcome_of((found,)), item.path, (found,), readers=readers)


def _left_behind(pairing: Pairing) -> Iterator[CheckResult]:
    """Base files that went without a contract going with them."""
    there = {item.path for item in (*pairing.added, *pairing.unreadable, *(new for _, new in pairing.pairs))}
    for item in pairing.illegible:
        if item.path not in there:
            yield _gone(item, "base-unreadable", "the file is deleted; the base's version could not be read")
    for item in pairing.doubles:
        yield _gone(item, "contract-line-mended", "the file is deleted; another file holds the same contract")


def _gone(item: Loaded, rule: str, message: str) -> CheckResult:
    key = item.contract.key if item.contract else item.path
    told = finding(
        codes.E525,
        rule,
        message,
        severity=Severity.INFO,
        contract=key,
        location=Location(item.path),
        standing=Disposition.ALLOWED,
    )
    return CheckResult("gate", key, Outcome.PASSED, item.path, (told,))


def _clash(files: tuple[Loaded, ...]) -> CheckResult:
    line = line_of(files[0])
    paths = ", ".join(item.path for item in files)
    found = tuple(
        finding(
            codes.E525,
            "contract-line-twice",
            f"{len(files)} files claim the same contract: {paths}",
            contract=line[0] if line else "",
            location=item.place(("id",) if readable(item).id else ()),
            expected="one file per contract, or names with .vN. for majors side by side",
            actual=paths,
            suggestions=("Give the newer one an id of its own, or a .vN. file name and that MAJOR version.",),
            bump=Bump.BLOCK,
        )
        for item in files
    )
    return CheckResult("gate", line[0] if line else paths, Outcome.VIOLATED, files[0].path, found)


def readable(item: Loaded) -> Contract:
    """The contract of a file that pairing has called readable."""
    if item.contract is None:
        raise AssertionError(f"{item.path} has no readable contract")
    return item.contract


def _note(rule: str, message: str, item: Loaded) -> Finding:
    return finding(
        codes.E525,
        rule,
        message,
        severity=Severity.INFO,
        contract=readable(item).key,
        location=item.place(("version",)),
        standing=Disposition.ALLOWED,
    )
