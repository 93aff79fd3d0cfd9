"""The gate as a pure function: the changed contracts of two revisions in, one report out."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from datetime import date

from .. import codes
from ..codes import Severity
from ..contract.load import Loaded
from ..contract.model import Contract
from ..results import Bump, CheckResult, FailOn, Finding, Outcome, Pairs, Report, Standing, finding, outcome_of
from .consumers import Register
from .pairing import Pairing, line_of, pair
from .retirement import deletion_finding, pair_findings
from .verdict import Terms, UsedVersions, judge


@dataclass(frozen=True, slots=True)
class Comparison:
    """Everything the gate looks at; files that are equal on both sides are only counted."""

    base: tuple[Loaded, ...]
    head: tuple[Loaded, ...]
    terms: Terms
    today: date
    register: Register = field(default_factory=Register)
    notice_days: int = 30
    unchanged: int = 0
    used: Callable[[Loaded], UsedVersions] = lambda item: UsedVersions()
    standing_lines: frozenset[str] = frozenset()  # keys of contracts that other, unchanged head files hold
    findings: tuple[Finding, ...] = ()
    notes: tuple[str, ...] = ()
    context: Pairs = ()


def gate(what: Comparison, *, tool_version: str, fail_on: FailOn = "any", allow_empty: bool = False) -> Report:
    """Judge every contract that differs between base and head."""
    pairing = pair(what.base, what.head)
    results = tuple(_results(pairing, what))
    prints = [item.fingerprint for result in results for item in result.findings]
    own = (*what.findings, *what.terms.waivers.problems(), *what.terms.waivers.unused(prints))
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


def _results(pairing: Pairing, what: Comparison) -> Iterator[CheckResult]:
    for old, new in pairing.pairs:
        yield _changed(old, new, what)
    for item in pairing.added:
        yield _added(item, pairing, what)
    for item in pairing.deleted:
        yield _deleted(item, what)
    for item in pairing.unreadable:
        yield CheckResult("gate", item.path, Outcome.VIOLATED, item.path, item.findings)
    for files in pairing.clashes:
        yield _clash(files)


def _changed(old: Loaded, new: Loaded, what: Comparison) -> CheckResult:
    before, after = readable(old), readable(new)
    more = list(pair_findings(before, after, new, what.today, what.notice_days))
    if old.path != new.path:
        more.append(_note("contract-moved", f"moved from {old.path}; a path is not identity, so nothing changes", new))
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
    found = []
    others = [new for _, new in pairing.pairs if readable(new).key == contract.key]
    if others or contract.key in what.standing_lines:
        found.append(_note("contract-major-parallel", f"{contract.version} is published beside the older major", item))
    else:
        found.append(_note("contract-added", f"new contract, version {contract.version}", item))
    used = what.used(item)
    if contract.version in used:
        found.append(
            finding(
                codes.E523,
                "version-taken",
                f"version {contract.version} of this contract existed before",
                contract=contract.key,
                element="version",
                location=item.place(("version",)),
                expected="a version that this contract has never had",
                actual=contract.version,
            )
        )
    return CheckResult(
        "gate", contract.key, outcome_of(found), item.path, tuple(found), context=(("dialect", item.spelling),)
    )


def _deleted(item: Loaded, what: Comparison) -> CheckResult:
    contract = readable(item)
    silent = what.register.silent(contract)
    found = deletion_finding(item, contract, silent, what.today)
    readers = what.register.readers(contract)
    return CheckResult("gate", contract.key, outcome_of((found,)), item.path, (found,), readers=readers)


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
        standing=Standing.ALLOWED,
    )
