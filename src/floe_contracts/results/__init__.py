"""What floe found, as values: findings, results per contract, one report, and the exit code they deserve."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from enum import Enum, IntEnum

from ..codes import E560, Code, Severity, ViolationType
from ..frozen import dataclass, replace

TYPE_CHECKING = False  # importing typing would cost every commit a few milliseconds
if TYPE_CHECKING:
    from typing import Literal

    from .facts import CheckFacts, FindingFacts, RunFacts, Scope

    FailOn = Literal["any", "breaking", "never"]
    Decision = Literal["any", "breaking", "never", "enforced"]  # enforced: at run time, each contract by its own word
else:
    FailOn = Decision = str

FAIL_ON: tuple[FailOn, ...] = ("any", "breaking", "never")  # what blocks, the strictest word first
Pairs = tuple[tuple[str, str], ...]


class ExitCode(IntEnum):
    """The same four numbers for every command."""

    PASS = 0
    BLOCKED = 1
    COULD_NOT_CHECK = 2
    BUG = 3


class Bump(str, Enum):
    """How far a version number must rise; BLOCK means that no bump excuses the change."""

    NONE = "none"
    PATCH = "patch"
    MINOR = "minor"
    MAJOR = "major"
    BLOCK = "block"

    def __init__(self, _: str) -> None:
        self.rank = len(type(self).__members__)  # asked for very often


class Disposition(str, Enum):
    """Whether a finding counts, and if not, why it is still shown."""

    OPEN = "open"
    ALLOWED = "allowed"  # the declared version covers it
    WAIVED = "waived"  # a waiver in force names it
    REPORTED = "reported"  # a draft, or a rule set to report only


class Outcome(str, Enum):
    """Four outcomes, not two: nothing to check and could not check are neither good nor bad."""

    PASSED = "passed"
    VIOLATED = "violated"
    SKIPPED = "skipped"
    ERRORED = "errored"


@dataclass(frozen=True, slots=True)
class Location:
    """A place in a file; lines and columns count from 1."""

    path: str
    line: int | None = None
    column: int | None = None

    def __str__(self) -> str:
        return ":".join(str(part) for part in (self.path, self.line, self.column) if part is not None)


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing to tell a person: what, where, expected, actual, and what to do."""

    code: Code
    rule: str
    message: str
    severity: Severity
    contract: str = ""
    element: str = ""
    location: Location | None = None
    expected: str = ""
    actual: str = ""
    suggestions: tuple[str, ...] = ()
    bump: Bump = Bump.NONE
    standing: Disposition = Disposition.OPEN
    fingerprint: str = ""
    facts: FindingFacts | None = None
    extra: Pairs = ()  # pairs of a context that this version does not know

    @staticmethod
    def of(  # noqa: PLR0913 - one argument per field
        code: Code,
        rule: str,
        message: str,
        *,
        severity: Severity | None = None,
        contract: str = "",
        element: str = "",
        location: Location | None = None,
        expected: str = "",
        actual: str = "",
        suggestions: tuple[str, ...] = (),
        bump: Bump = Bump.NONE,
        standing: Disposition = Disposition.OPEN,
        fingerprint: str = "",
        facts: FindingFacts | None = None,
    ) -> Finding:
        """A finding with its code's own severity unless another is given."""
        return Finding(
            code, rule, message, severity or code.severity, contract, element, location, expected, actual,
            suggestions, bump, standing, fingerprint, facts,
        )  # fmt: skip

    @property
    def context(self) -> Pairs:
        """The facts as published JSON and stored records show them."""
        from .facts import facts_pairs

        return (*facts_pairs(self.facts), *self.extra)

    @property
    def violation_type(self) -> ViolationType | None:
        return self.code.violation_type

    @property
    def docs_url(self) -> str:
        return self.code.docs_url

    @property
    def blocks(self) -> bool:
        return self.standing is Disposition.OPEN and self.severity.rank >= Severity.ERROR.rank

    def sort_key(self) -> tuple[object, ...]:
        place = self.location
        path, line, column = (place.path, place.line or 0, place.column or 0) if place else ("", 0, 0)
        return (path, line, column, -self.severity.rank, self.code.id, self.rule, self.element, self.message)


@dataclass(frozen=True, slots=True)
class VersionStep:
    """The version before and after, what the change needs, and the version to write.

    `beside` is the file to publish that version in when the file's own name is bound to an older MAJOR.
    """

    old: str | None
    new: str | None
    declared: Bump
    required: Bump
    next: str | None = None
    beside: str = ""

    @property
    def enough(self) -> bool:
        return self.next is None


@dataclass(frozen=True, slots=True)
class Reader:
    """Someone who reads the data under contract, and whom to tell."""

    name: str
    owner: str = ""
    columns: tuple[str, ...] = ()
    affected: bool = True
    places: tuple[str, ...] = ()  # path:line of the code that reads, where the reader was found in code
    through: str = ""  # the reader whose output it reads, for one that does not read the contract itself


@dataclass(frozen=True, slots=True)
class CheckResult:
    """What one check said about one contract."""

    check: str
    contract: str
    outcome: Outcome
    path: str = ""
    findings: tuple[Finding, ...] = ()
    version: VersionStep | None = None
    readers: tuple[Reader, ...] = ()
    key: str = ""  # the contract's key: its id, else domain/name
    contract_version: str = ""
    facts: CheckFacts | None = None
    run: RunFacts | None = None
    extra: Pairs = ()  # pairs of a context that this version does not know
    order: tuple[str, ...] = ()  # of the context's keys, where it is not that of the facts

    @property
    def context(self) -> Pairs:
        """Facts and run as published JSON and stored records show them."""
        from .facts import result_pairs

        return result_pairs(self)

    def __post_init__(self) -> None:
        ordered = sorted(dict.fromkeys(self.findings), key=Finding.sort_key)
        object.__setattr__(self, "findings", tuple(ordered))


@dataclass(frozen=True, slots=True)
class Report:
    """Everything one command has to say; every output format is a function of this."""

    command: str
    tool_version: str
    results: tuple[CheckResult, ...] = ()
    findings: tuple[Finding, ...] = ()  # what belongs to no single contract
    scope: Scope | None = None  # what was compared, or which check ran
    notes: tuple[str, ...] = ()  # lines a person should read that are not findings
    fail_on: Decision = "any"
    allow_empty: bool = True
    extra: Pairs = ()  # pairs of a context that this version does not know

    @property
    def context(self) -> Pairs:
        """The scope as published JSON shows it."""
        from .facts import facts_pairs

        return (*facts_pairs(self.scope), *self.extra)

    def __post_init__(self) -> None:
        object.__setattr__(self, "results", tuple(sorted(self.results, key=lambda r: (r.path, r.contract, r.check))))
        object.__setattr__(self, "findings", tuple(sorted(dict.fromkeys(self.findings), key=Finding.sort_key)))

    def all_findings(self) -> Iterator[Finding]:
        yield from self.findings
        for result in self.results:
            yield from result.findings

    @property
    def verdict(self) -> Literal["pass", "blocked", "error"]:
        code = decide(self)
        return "pass" if code is ExitCode.PASS else "blocked" if code is ExitCode.BLOCKED else "error"

    def count(self, severity: Severity) -> int:
        return sum(1 for item in self.all_findings() if item.severity is severity)


def outcome_of(findings: Iterable[Finding]) -> Outcome:
    """Violated as soon as one finding blocks."""
    return Outcome.VIOLATED if any(item.blocks for item in findings) else Outcome.PASSED


def decide(report: Report) -> ExitCode:
    """The exit code: could not check beats blocked, as with grep, because the list may be incomplete."""
    if report.fail_on == "enforced" and report.results:
        return _enforced(report)
    if any(result.outcome is Outcome.ERRORED for result in report.results):
        return ExitCode.COULD_NOT_CHECK
    if not report.results and not report.allow_empty:
        return ExitCode.COULD_NOT_CHECK
    if report.fail_on == "never":
        return ExitCode.PASS
    blocking = (item for item in report.all_findings() if item.blocks)
    if report.fail_on == "breaking":
        blocking = (item for item in blocking if item.bump.rank >= Bump.MAJOR.rank or item.bump is Bump.NONE)
    return ExitCode.BLOCKED if any(True for _ in blocking) else ExitCode.PASS


def _enforced(report: Report) -> ExitCode:
    """Violations and errors only alert, unless a contract says block; but a run that checked nothing did not work."""
    errored = [result for result in report.results if unmeasured(result)]
    blocked = any(item.blocks for result in report.results if enforces(result) for item in result.findings)
    if any(result.run is not None and result.run.engine_gone for result in report.results):
        return ExitCode.BLOCKED if blocked else ExitCode.COULD_NOT_CHECK
    passed_over = [result for result in report.results if not_made(result)]
    checked = any(result.outcome in (Outcome.PASSED, Outcome.VIOLATED) for result in report.results)
    demanded = bool(getattr(report.scope, "fail_on_error", False))
    too_late = any("past_slot" in not_made(result) for result in passed_over)
    if (errored and demanded) or ((errored or too_late) and not checked):
        return ExitCode.COULD_NOT_CHECK
    if any(enforces(result) for result in (*errored, *passed_over)):
        return ExitCode.COULD_NOT_CHECK
    return ExitCode.BLOCKED if blocked else ExitCode.PASS


def unmeasured(result: CheckResult) -> bool:
    """Whether something could not be measured, be it beside a violation."""
    return result.outcome is Outcome.ERRORED or any(item.code.id == E560.id for item in result.findings)


def not_made(result: CheckResult) -> tuple[str, ...]:
    """Why a check was passed over though there was something to check: nobody can say how the contract stands."""
    from .facts import SkipReason, status_of

    skipped = result.run.skipped if result.run else None
    words = () if skipped is None or skipped is SkipReason.OFF else (skipped.value,)
    return (*words, "past_slot") if "past_slot" in status_of(result.facts) else words


def enforces(result: CheckResult) -> bool:
    """Whether the contract's enforcement is block."""
    return result.run is not None and result.run.enforcement == "block"


def raise_warnings(findings: Iterable[Finding]) -> tuple[Finding, ...]:
    """Warnings raised to errors, for --strict."""
    return tuple(
        replace(item, severity=Severity.ERROR) if item.severity is Severity.WARNING else item for item in findings
    )
