"""The contracts of the report page as lines: one state each, the worst first, with every check and its problems."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from decimal import Decimal
from enum import Enum
from hashlib import sha256

from ....checks.moments import MINUTE
from ....checks.verdict import Check
from ....codes import Severity
from ....contract.lifecycle import Lifecycle, Stage
from ....contract.meaning.day import date_of
from ....monitor.run.outcome import STATUS_GAUGE
from ....monitor.settings.model import CHECKS
from ....monitor.store.protocol import SlotOutcome
from ....results import CheckResult, Outcome, Reader
from ....results.facts import CheckFacts, LifecycleFacts, number_of
from .problems import ProblemHistory, problems_of
from .values import Known, Points, Record, SeriesRecord

_LATE = 15 * MINUTE  # schedulers start a run some minutes after its interval has ended


class State(str, Enum):
    """How a contract or a check stands; the order of the members is the order in which people should look."""

    VIOLATED = "violated"
    ERRORED = "errored"
    MISSED = "missed"
    PASSING = "passing"
    IDLE = "idle"  # nothing is promised, or nothing was checked yet

    def __init__(self, _: str) -> None:
        self.rank = len(type(self).__members__)


class Mark(str, Enum):
    """What came of one slot; the order of the members is the order of badness."""

    VIOLATED = "violated"
    WARNED = "warned"  # violated, and no violation was worse than a warning
    ERRORED = "errored"
    PASSING = "passing"

    def __init__(self, _: str) -> None:
        self.rank = len(type(self).__members__)


_STATES = {Outcome.VIOLATED: State.VIOLATED, Outcome.ERRORED: State.ERRORED, Outcome.PASSED: State.PASSING}


@dataclass(frozen=True, slots=True)
class CheckLine:
    """One check of one contract over the window."""

    check: Check
    state: State
    since_us: int | None = None  # the slot from which on it was always so
    last_us: int | None = None
    interval_us: int = 0
    late: bool = False  # it should have run again by now
    missed: int = 0  # slots of the window without a result
    facts: CheckFacts | None = None  # of the newest outcome that measured something
    slice: str = ""  # the condition of rows that it looked at, where not at all of them
    problems: tuple[ProblemHistory, ...] = ()
    points: Mapping[str, Points] = field(default_factory=dict)
    marks: tuple[tuple[int, Mark], ...] = ()  # slot and what came of it, newest first
    cut: bool = False

    @property
    def mild(self) -> bool:
        """Whether what is violated is no worse than a warning."""
        severities = [problem.item.severity for problem in self.problems if problem.open]
        return self.state is State.VIOLATED and _is_mild(severities)

    def number(self, key: str) -> Decimal | None:
        """A number of the newest measurement."""
        return number_of(self.facts, key)


@dataclass(frozen=True, slots=True)
class Line:
    """One contract at one MAJOR, with its checks in their order."""

    namespace: str
    key: str
    major: int
    name: str
    version: str
    state: State
    checks: tuple[CheckLine, ...] = ()
    known: Known | None = None
    life: Lifecycle | None = None

    @property
    def states(self) -> frozenset[State]:
        """Everything that is wrong with a contract, as a run tells each check of it; else how it stands."""
        wrong = {check.state for check in self.checks if check.state not in (State.PASSING, State.IDLE)}
        late = {State.MISSED} if any(check.late for check in self.checks) else set()
        return frozenset(wrong | late) or frozenset({self.state})

    @property
    def anchor(self) -> str:
        """The same every day, so that an alert may point to it."""
        text = "\x1f".join((self.namespace, self.key, str(self.major)))
        return f"contract-{sha256(text.encode('utf-8', 'surrogatepass')).hexdigest()[:10]}"

    @property
    def owner(self) -> str:
        return (self.known.contract.owner or "") if self.known else ""

    @property
    def readers(self) -> tuple[Reader, ...]:
        return self.known.readers if self.known else ()

    @property
    def open(self) -> tuple[tuple[CheckLine, ProblemHistory], ...]:
        problems = [(check, problem) for check in self.checks for problem in check.problems if problem.open]
        return tuple(sorted(problems, key=lambda pair: pair[1].badness, reverse=True))

    @property
    def past(self) -> tuple[tuple[CheckLine, ProblemHistory], ...]:
        problems = [(check, problem) for check in self.checks for problem in check.problems if not problem.open]
        return tuple(sorted(problems, key=lambda pair: (pair[1].last_us, pair[1].mark), reverse=True))

    @property
    def severity(self) -> Severity | None:
        return max((problem.item.severity for _, problem in self.open), key=lambda each: each.rank, default=None)

    @property
    def mild(self) -> bool:
        violated = [check for check in self.checks if check.state is State.VIOLATED]
        return self.state is State.VIOLATED and all(check.mild for check in violated)

    @property
    def since_us(self) -> int | None:
        """Since when the contract is in its state: as long as the check that has been so for longest."""
        times = [check.since_us for check in self.checks if check.state is self.state and check.since_us is not None]
        if self.state is State.PASSING:
            return max(times, default=None)
        return min(times, default=None)


def lines_of(record: Record) -> tuple[Line, ...]:
    """Every contract that the store or the files know, the worst first, then by name."""
    groups: dict[tuple[str, str, int], list[SeriesRecord]] = {}
    for entry in record.kept:
        series = entry.standing.series
        groups.setdefault((series.namespace, series.contract, series.major), []).append(entry)
    known = {(known.contract.key, known.major): known for known in record.known}
    lines = [_line(group, kept, known.get(group[1:]), record) for group, kept in groups.items()]
    monitored = {group[1:] for group in groups}
    lines += [_unseen(each) for key, each in known.items() if key not in monitored]
    return tuple(sorted(lines, key=_order))


def _order(line: Line) -> tuple[object, ...]:
    severity = line.severity.rank if line.severity else 0
    return line.state.rank, -severity, line.name.casefold(), line.namespace, line.key, line.major


def _line(group: tuple[str, str, int], kept: list[SeriesRecord], known: Known | None, record: Record) -> Line:
    checks = sorted((check_line(entry, record) for entry in kept), key=lambda line: CHECKS.index(line.check))
    newest = max((entry.standing.totals for entry in kept), key=lambda totals: totals.last_run_us or 0)
    state = min((check.state for check in checks), key=lambda state: state.rank, default=State.IDLE)
    life = known.life if known else _life(checks)
    return Line(*group, newest.label or group[1], newest.version, state, tuple(checks), known, life)


def _unseen(known: Known) -> Line:
    contract = known.contract
    return Line("", contract.key, known.major, contract.label, contract.version, State.IDLE, (), known, known.life)


def check_line(kept: SeriesRecord, record: Record) -> CheckLine:
    """How one check stands at the time of the record."""
    standing, totals = kept.standing, kept.standing.totals
    late = _is_late(totals.last_run_us, totals.interval_us, record.as_of_us)
    state = _STATES.get(totals.state, State.IDLE) if totals.state else State.IDLE
    if late and state in (State.PASSING, State.IDLE):
        state = State.MISSED
    measured = _newest_measured(kept.outcomes)
    return CheckLine(
        check=standing.series.check,
        state=state,
        since_us=totals.last_run_us if state is State.MISSED else totals.since_us,
        last_us=totals.last_run_us,
        interval_us=totals.interval_us,
        late=late,
        missed=standing.missed,
        facts=measured.facts if measured else None,
        slice=measured.run.slice if measured and measured.run else "",
        problems=problems_of(kept.outcomes),
        points=kept.gauges,
        marks=_marks(kept),
        cut=kept.cut,
    )


def _is_late(last_us: int | None, interval_us: int, as_of_us: int) -> bool:
    """Whether a run is overdue; a scheduler may run a slot when it has ended, so the newest may be two behind."""
    return bool(interval_us) and last_us is not None and as_of_us - last_us > 3 * interval_us + _LATE


def _newest_measured(outcomes: Iterable[SlotOutcome]) -> CheckResult | None:
    for outcome in outcomes:
        if outcome.result.outcome in (Outcome.PASSED, Outcome.VIOLATED):
            return outcome.result
    return None


def _marks(kept: SeriesRecord) -> tuple[tuple[int, Mark], ...]:
    """Every slot that passed or violated by its gauge, and what only its outcome can say."""
    marks = {slot_us: Mark.PASSING if value else Mark.VIOLATED for slot_us, value in kept.gauges.get(STATUS_GAUGE, ())}
    for outcome in kept.outcomes:
        if outcome.result.outcome is Outcome.ERRORED:
            marks.setdefault(outcome.slot_us, Mark.ERRORED)
        elif outcome.result.outcome is Outcome.VIOLATED and _is_mild(item.severity for item in outcome.result.findings):
            marks[outcome.slot_us] = Mark.WARNED
    return tuple(sorted(marks.items(), reverse=True))


def _is_mild(severities: Iterable[Severity]) -> bool:
    return all(severity.rank <= Severity.WARNING.rank for severity in severities)


def _life(checks: Iterable[CheckLine]) -> Lifecycle | None:
    """The stage as the last lifecycle check said it."""
    facts = next((check.facts for check in checks if check.check == "lifecycle"), None)
    if not isinstance(facts, LifecycleFacts) or facts.stage not in {each.value for each in Stage}:
        return None
    return Lifecycle(Stage(facts.stage), None, date_of(facts.sunset_date or None))
