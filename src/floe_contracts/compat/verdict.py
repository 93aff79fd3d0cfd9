"""From facts and rules to a verdict: which bump the change needs, which it declares, and the version to write."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence

from .. import codes
from ..codes import Severity
from ..contract.discovery import line_major
from ..contract.load import Loaded
from ..contract.model import Contract
from ..contract.version import Version, declared_bump, needed_bump, next_version, parse_version
from ..frozen import dataclass, field, replace
from ..results import Bump, CheckResult, Disposition, Finding, Reader, VersionStep, outcome_of
from ..results.facts import ContractFacts, FindingFacts
from .fact import Fact
from .facts import facts_between
from .kinds import FactKind
from .pairing import contract_of
from .release import has_another_id, is_unreleased, why_unreleased, written_id
from .rule import Rule
from .ruleset import Ruleset
from .waivers import Waiver, Waivers

# Rules about a contract's end, and the fact that would say the same again.
_TOLD = {"sunset-moved-up": FactKind.DEPRECATION_SUNSET_EARLIER, "retired-early": FactKind.STATUS_RETIRED}

# The schema hash that a version of this contract stands for already, with another content; None when it is free.
Used = Callable[[str], "str | None"]


@dataclass(frozen=True, slots=True)
class GatePolicy:
    """Everything a verdict depends on beside the two contracts; all of it comes from the base revision."""

    rules: Ruleset
    waivers: Waivers = field(default_factory=Waivers)
    ignore_version: bool = False
    overdue: frozenset[FactKind] = frozenset()  # what the dates of the base have decided costs no more than words


def judge(
    old: Loaded,
    new: Loaded,
    terms: GatePolicy,
    *,
    used: Used = lambda version: None,
    readers: Callable[[Sequence[Fact]], tuple[Reader, ...]] = lambda facts: (),
    more: Iterable[Finding] = (),
) -> CheckResult:
    """Compare two readable contracts; `more` are findings about the pair that are not facts (lifecycle, lint)."""
    before, after = contract_of(old), contract_of(new)
    more = tuple(more)
    replaced = not terms.ignore_version and has_another_id(old, new)
    elsewhere = {_TOLD.get(item.rule) for item in more} | ({FactKind.CONTRACT_ID_CHANGED} if replaced else set())
    facts = [fact for fact in facts_between(before, after) if fact.kind not in elsewhere]
    changes = [_weigh(fact, after.key, terms) for fact in facts]
    step = _step(before, after, changes, terms, used)
    step = replace(step, beside=_beside(new.path, step.next))
    findings = [_finding(change, before, new, step, terms) for change in changes]
    others = [] if terms.ignore_version else [*_version_findings(old, new, step, used)]
    standing = Disposition.REPORTED if is_unreleased(before) else Disposition.OPEN
    for item in (*others, *more):
        kept = standing if item.standing is Disposition.OPEN else item.standing
        findings.append(replace(item, contract=item.contract or after.key, standing=kept))
    findings = [explain_standing(item, before) for item in findings]
    breaking = [change.fact for change in changes if change.cost.rank >= Bump.MAJOR.rank]
    return CheckResult(
        check="gate",
        contract=after.key,
        path=new.path,
        outcome=outcome_of(findings),
        findings=tuple(findings),
        version=step,
        readers=readers(breaking) if breaking or replaced else (),
        facts=ContractFacts(new.spelling, after.label),
    )


@dataclass(frozen=True, slots=True)
class _WeighedFact:
    """A fact with its price, and the waiver that excuses it."""

    fact: Fact
    fingerprint: str
    cost: Bump
    waiver: Waiver | None


def _weigh(fact: Fact, key: str, terms: GatePolicy) -> _WeighedFact:
    fingerprint = fact.fingerprint(key)
    cost = Bump.PATCH if fact.kind in terms.overdue else terms.rules.cost(fact.kind)
    waiver = terms.waivers.find_in_force(fingerprint, key, terms.rules.rule(fact.kind).id, str(fact.element))
    return _WeighedFact(fact, fingerprint, cost, waiver)


def _step(before: Contract, after: Contract, changes: list[_WeighedFact], terms: GatePolicy, used: Used) -> VersionStep:
    costs = (change.cost for change in changes if change.waiver is None)
    required = max(costs, key=lambda bump: bump.rank, default=Bump.NONE)
    old, new = parse_version(before.version), parse_version(after.version)
    if old is None or new is None:  # no bump can be computed; see _disposition
        return VersionStep(before.version, after.version, Bump.NONE, required)
    declared = declared_bump(old, new)
    needed = needed_bump(old, required)
    reused = after.version != before.version and used(after.version) is not None
    enough = new >= old and declared.rank >= needed.rank and not reused
    settled = enough or terms.ignore_version or is_unreleased(before)
    following = (
        None if settled else _find_free_version(old, required, used if reused or required is not Bump.NONE else None)
    )
    return VersionStep(before.version, after.version, declared, required, following)


def _find_free_version(old: Version, required: Bump, used: Used | None) -> str:
    """The smallest version that covers the change and that nobody has used; without a change the old one."""
    if used is None:
        return str(old)
    step = Bump.PATCH if required is Bump.NONE else required
    version = next_version(old, step)
    while used(str(version)) is not None:
        version = next_version(version, step)
    return str(version)


def _beside(path: str, following: str | None) -> str:
    """The file for a version that this file's name does not allow: orders.v3.yaml beside orders.v2.yaml."""
    bound, version = line_major(path), parse_version(following or "")
    if bound is None or version is None or version.major == bound:
        return ""
    return re.sub(rf"(?i)\.v0*{bound}\.(?=[^/]*$)", f".v{version.major}.", path)


def explain_standing(item: Finding, before: Contract) -> Finding:
    """The finding; one that does not block for another reason than the declared version says why."""
    if item.standing is Disposition.REPORTED:
        why = why_unreleased(before)
    elif item.standing is Disposition.ALLOWED and item.bump is not Bump.NONE and not parse_version(before.version):
        why = "the base has no version that can be read, and this breaks no reader"
    else:
        return item
    return replace(item, facts=replace(item.facts or FindingFacts(), standing=why))


def _finding(change: _WeighedFact, before: Contract, new: Loaded, step: VersionStep, terms: GatePolicy) -> Finding:
    fact, cost, waiver = change.fact, change.cost, change.waiver
    rule = terms.rules.rule(fact.kind)
    standing = _disposition(change, before, step, terms)
    return Finding(
        code=codes.E520 if cost.rank >= Bump.MAJOR.rank else codes.E522,
        rule=rule.id,
        message=rule.describe(fact),
        severity=_severity(standing, cost),
        contract=contract_of(new).key,
        element=str(fact.element),
        location=new.place(fact.new_at or (), key=True),
        expected=fact.old,
        actual=fact.new,
        suggestions=_fixes(rule, fact, before) if fact.kind not in terms.overdue else (_RAISE,),
        bump=cost,
        standing=standing,
        fingerprint=change.fingerprint,
        facts=FindingFacts(waiver=waiver.summary) if waiver else None,
    )


_RAISE = "Raise the version; `floe bump` writes it."


def _fixes(rule: Rule, fact: Fact, before: Contract) -> tuple[str, ...]:
    old = parse_version(before.version)
    if old is not None:
        return rule.fixes(fact, next_major=str(next_version(old, Bump.MAJOR)))
    first = "Merge a change that only writes the version first; then this change can declare its bump. Or waive it."
    return (first, *rule.fixes(fact, next_major="the next major version"))


def _disposition(change: _WeighedFact, before: Contract, step: VersionStep, terms: GatePolicy) -> Disposition:
    if change.waiver:
        return Disposition.WAIVED
    if terms.ignore_version:
        return Disposition.OPEN if change.cost.rank >= Bump.MAJOR.rank else Disposition.ALLOWED
    if is_unreleased(before):
        return Disposition.REPORTED
    old = parse_version(before.version)
    if old is None:  # any version carries what breaks nobody, and none can be said to carry a break
        return Disposition.OPEN if change.cost.rank >= Bump.MAJOR.rank else Disposition.ALLOWED
    return Disposition.ALLOWED if step.declared.rank >= needed_bump(old, change.cost).rank else Disposition.OPEN


def _severity(standing: Disposition, cost: Bump) -> Severity:
    if standing is Disposition.OPEN:
        return Severity.ERROR
    breaking = cost.rank >= Bump.MAJOR.rank
    return Severity.WARNING if breaking and standing is not Disposition.ALLOWED else Severity.INFO


def _version_findings(old: Loaded, new: Loaded, step: VersionStep, used: Used) -> Iterator[Finding]:
    before, after = contract_of(old), contract_of(new)
    first, second = parse_version(before.version), parse_version(after.version)
    place = new.place(("version",))
    fix = (f'Write version: "{step.next}".',) if step.next else ()
    if first is not None and second is not None and second < first:
        yield Finding.of(
            codes.E523,
            "version-decreased",
            f"the version went down from {first} to {second}",
            element="version",
            location=place,
            expected=f"a version above {first}",
            actual=str(second),
            suggestions=fix,
        )
    elif after.version != before.version:
        yield from check_version_is_free(new, used, fix)
    if has_another_id(old, new):
        yield Finding.of(
            codes.E525,
            "contract-id-changed",
            f"the contract in this file {'changed' if written_id(new) else 'lost'} its id, so the old contract is gone",
            element="id",
            location=new.place(("id",)),
            expected=written_id(old),
            actual=after.key,
            suggestions=("Keep the id, or retire the old contract and add the new one as a file of its own.",),
        )


def check_version_is_free(new: Loaded, used: Used, fix: tuple[str, ...] = ()) -> Iterator[Finding]:
    """A finding when the version of a file stands for something else already."""
    after = contract_of(new)
    other = used(after.version)
    if other is None:
        return
    from ..contract.digest import schema_hash  # most versions are free

    same = other == schema_hash(after)
    yield Finding.of(
        codes.E523 if same else codes.E524,
        "version-taken",
        f"version {after.version} of this contract already exists, with other "
        + ("documentation" if same else "meaning"),
        contract=after.key,
        element="version",
        location=new.place(("version",)),
        expected="a version that this contract has never had",
        actual=after.version,
        suggestions=fix or ("Write a version that is still free.",),
    )
