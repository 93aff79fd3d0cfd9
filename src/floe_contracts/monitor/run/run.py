"""A run of one check over many contracts: a slot each, one verdict each, and one contract's error is nobody else's.

off: not checked. warn: checked, in the log and the history. alert_only: counted and published as well. block: the same,
and the job fails on an error or worse. The exit code follows from the report (`results.decide`, fail_on `enforced`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Protocol

from ...checks.moments import iso
from ...checks.verdict import Check, conclude, skipped_part
from ...errors import EngineGone
from ...frozen import replace
from ...product.data_contracts import Enforcement, Mode, Monitoring
from ...results import CheckResult, Outcome, Report
from ...results.facts import RunFacts, RunScope, SkipReason, status_of
from ..store.outbox import Message
from ..store.protocol import AlreadyDone, Busy, Claim, Claimed, Committed, Expired, Lost, SlotOutcome, Store
from ..store.slots import SlotKey, choose_start, refuse_future
from .check import cause_of, check_target, errored_result
from .context import CheckContext, Checked, Judge, context_of
from .delivery import NewResult
from .outcome import name_result, slot_outcome
from .promised import promise_of
from .targets import Target, choose_targets


@dataclass(frozen=True, slots=True)
class Request:
    """The check to run, on which contracts, and how."""

    check: Check
    namespace: str
    slot_us: int | None = None  # --slot, as the scheduler says it
    run_id: str = ""  # of the orchestrator, for a check after a pipeline's run
    recheck: bool = False
    alone: bool = False  # nobody else can be at work on these slots, so a claim that stands is that of a dead process
    dry_run: bool = False  # measured and judged; nothing is claimed, counted or remembered
    only: tuple[str, ...] = ()
    scheduled: bool = True  # started by a scheduler, not by a person
    fail_on_error: bool = False
    limit_s: float = 600.0  # for each question to the engine
    settings: tuple[str, ...] = ()  # those that the judge reads: another one of them is another promise
    project: str = ""  # the digest of whose contracts these are
    started_us: int | None = None  # the moment that chooses slots; None: that of the run
    tool_version: str = ""


class Spread(Protocol):
    """How contracts are worked through: one by one like `map`, or several at once by an executor's `map`."""

    def __call__(
        self, work: Callable[[Target], CheckResult], targets: Iterable[Target], /
    ) -> Iterable[CheckResult]: ...


def _one_by_one(work: Callable[[Target], CheckResult], targets: Iterable[Target], /) -> Iterable[CheckResult]:
    return map(work, targets)


class Ended(BaseException):
    """The run was told to end, and the slot's result is not kept; no `except Exception` may take it for an error."""


class Ending:
    """The slots that are being filled, by any thread; at the end they are given back, so that a retry need not wait."""

    def __init__(self) -> None:
        self._held: dict[str, Claim] = {}
        self._over = False

    @contextmanager
    def hold(self, claim: Claim) -> Iterator[None]:
        self._held[claim.token] = claim
        try:
            yield
        finally:
            self._held.pop(claim.token, None)

    def refuse_if_over(self) -> None:
        if self._over:
            raise Ended

    def end(self, store: Store) -> int:
        """Gives all held slots back; returns how many."""
        self._over = True
        held = [*self._held.values()]
        for claim in held:
            store.release(claim)
        return len(held)


@dataclass(frozen=True, slots=True)
class RunPorts:
    """What a run works with; clocks are given, so that a test can say what time it is."""

    judge: Judge
    store: Store
    now_us: Callable[[], int]
    seconds: Callable[[], float]  # never goes back
    spread: Spread = _one_by_one
    crashed: Callable[[Target, Exception], None] = lambda _, __: None  # told of what nobody foresaw
    progress: Callable[[CheckResult], None] = lambda _: None
    committed: Callable[[Target, SlotOutcome, Committed], None] = lambda _, __, ___: None  # told of what is new
    messages: Callable[[NewResult], tuple[Message, ...]] = (
        lambda _: ()
    )  # written with each result, as messages_for does
    # Told of each quality result before it is committed; the last word says that the slot was checked before.
    keep_rows: Callable[[CheckContext, CheckResult, SlotKey, bool], None] = lambda *_: None
    ending: Ending = field(default_factory=Ending)


def run_check(request: Request, targets: Sequence[Target], monitoring: Monitoring, ports: RunPorts) -> Report:
    """One report; each result says in its context which slot, which attempt and which enforcement."""
    idle = why_idle(request, monitoring)
    if idle:
        return _report(request, (), (idle,), allow_empty=True)
    wanted = choose_targets(targets, request.only)
    running = _CheckRun(request, ports, ports.now_us() if request.started_us is None else request.started_us)
    if request.slot_us is not None:
        refuse_future(request.slot_us, running.started_us)
    results = tuple(ports.spread(running.run, wanted))
    notes = ["Dry run: nothing was claimed, counted or remembered."] if request.dry_run else []
    return _report(request, results, tuple(notes), allow_empty=False)


def is_all_done(request: Request, targets: Sequence[Target], store: Store) -> bool:
    """Whether every slot of the request has its result, so that nothing is left to be measured."""
    if request.recheck or request.dry_run or request.started_us is None:
        return False
    started_us = request.started_us
    wanted = [target for target in choose_targets(targets, request.only) if _has_slot(target)]
    return all(store.is_done(_key_of(request, target, started_us), _promise_of(request, target)) for target in wanted)


def _has_slot(target: Target) -> bool:
    return target.enforcement is not Enforcement.OFF and not target.rival


def _key_of(request: Request, target: Target, started_us: int) -> SlotKey:
    line = (request.namespace, target.key, target.major, request.check)
    if request.run_id:
        return SlotKey(*line, run_id=request.run_id)
    interval_us = target.interval_us(request.check)
    return SlotKey(*line, interval_us, choose_start(request.slot_us, started_us, interval_us))


def _promise_of(request: Request, target: Target) -> str:
    return promise_of(target, request.check, request.settings)


def why_idle(request: Request, monitoring: Monitoring) -> str:
    """Why nothing is checked at all; empty when something is."""
    if not monitoring.enabled:
        return "Monitoring is switched off (data_contracts.monitoring.enabled is false); nothing was checked."
    if monitoring.mode is Mode.ON_DEMAND and request.scheduled and not request.run_id:
        return "Monitoring is on demand (data_contracts.monitoring.mode); this scheduled job checked nothing."
    return ""


def _report(request: Request, results: tuple[CheckResult, ...], notes: tuple[str, ...], *, allow_empty: bool) -> Report:
    return Report(
        command=f"monitor run {request.check}",
        tool_version=request.tool_version,
        results=results,
        scope=RunScope(request.check, request.namespace, request.dry_run, request.fail_on_error),
        notes=notes,
        fail_on="enforced",
        allow_empty=allow_empty,
    )


def _is_refused(result: CheckResult) -> bool:
    """Whether the slot is over and its data is gone: nothing is known of it, so nothing is remembered of it either.

    A slot that was filled long ago would make every slot since then a missed one.
    """
    return result.outcome is Outcome.SKIPPED and "past_slot" in status_of(result.facts)


def _slice_of(target: Target, checked: Checked) -> str:
    """Which rows were looked at, where not at all of them."""
    return "" if checked.result.outcome is Outcome.SKIPPED else target.slice_of(checked.result.check)


@dataclass(frozen=True, slots=True)
class _CheckRun:
    request: Request
    ports: RunPorts
    started_us: int

    def run(self, target: Target) -> CheckResult:
        """The verdict on one target, whatever happens."""
        result = self._try(target)
        self.ports.progress(result)
        return result

    def _try(self, target: Target) -> CheckResult:
        if target.enforcement is Enforcement.OFF:
            return self._skip(target, RunFacts(SkipReason.OFF))
        if target.rival:  # a slot has one file, whoever comes first
            return self._name(errored_result(self.request.check, target, target.problem), target, RunFacts())
        try:
            key = _key_of(self.request, target, self.started_us)
            return self._run_dry(target, key) if self.request.dry_run else self._run_slot(target, key)
        except EngineGone as gone:  # the slot is free again, and the run says why it could not go on
            result = errored_result(self.request.check, target, cause_of(gone))
            return self._name(result, target, RunFacts(engine_gone=True))
        except Exception as error:  # one contract's trouble must not become the others'
            self.ports.crashed(target, error)
            return self._name(errored_result(self.request.check, target, cause_of(error)), target, RunFacts())

    def _skip(self, target: Target, run: RunFacts) -> CheckResult:
        return self._name(conclude(self.request.check, target.contract, [skipped_part()]), target, run)

    def _name(self, result: CheckResult, target: Target, run: RunFacts) -> CheckResult:
        return name_result(result, target, replace(run, enforcement=target.enforcement.value))

    def _run_dry(self, target: Target, key: SlotKey) -> CheckResult:
        context = self._context(target, key)
        checked = self._check(target, context)
        run = RunFacts(checked_at=iso(context.as_of_us), slot=key.when, slice=_slice_of(target, checked))
        result = self._name(checked.result, target, run)
        shown = [name for name, _ in result.context if name not in ("checked_at", "enforcement")]
        return replace(result, order=(*shown, "enforcement", "checked_at"))

    def _run_slot(self, target: Target, key: SlotKey) -> CheckResult:
        claim = self._claim(target, key, self.ports.now_us())
        if isinstance(claim, Busy) and self.request.alone:
            claim = self._claim(target, key, claim.until_us)
        if isinstance(claim, AlreadyDone):
            done = claim.outcome
            self._keep_rows(key, self._context(target, key), done.result, again=True)
            run = replace(done.result.run or RunFacts(), slot=key.when, attempt=done.claim.attempt, repeated=True)
            return self._name(done.result, target, run)
        if isinstance(claim, (Busy, Expired)):
            reason = SkipReason.BUSY if isinstance(claim, Busy) else SkipReason.EXPIRED
            return self._skip(target, RunFacts(reason, slot=key.when))
        result = self._fill(target, claim)
        run = replace(result.run or RunFacts(), slot=key.when, attempt=claim.attempt)
        return self._name(result, target, run)

    def _claim(self, target: Target, key: SlotKey, now_us: int) -> Claimed:
        promise = _promise_of(self.request, target)
        return self.ports.store.claim(key, now_us=now_us, recheck=self.request.recheck, promise=promise)

    def _fill(self, target: Target, claim: Claim) -> CheckResult:
        """Measured, judged and committed; a slot that is not committed is given back."""
        with self.ports.ending.hold(claim):
            return self._measure_and_commit(target, claim)

    def _measure_and_commit(self, target: Target, claim: Claim) -> CheckResult:
        committed = False
        try:
            since = self.ports.seconds()
            context = self._context(target, claim.key)
            checked = self._check(target, context)
            if _is_refused(checked.result):
                return checked.result
            seconds = Decimal(str(round(self.ports.seconds() - since, 3)))
            run = RunFacts(checked_at=iso(context.as_of_us), slice=_slice_of(target, checked))
            result = name_result(checked.result, target, run)
            self._keep_rows(claim.key, context, result, again=False)
            outcome = slot_outcome(
                claim, target, Checked(result, checked.schemas, checked.states), context.as_of_us, seconds
            )
            outcome = replace(outcome, project=self.request.project)
            own = () if claim.previous is None else (claim.previous,)
            messages = self.ports.messages(NewResult(target, outcome, lambda: (*own, *context.before())))
            self.ports.ending.refuse_if_over()
            answer = self.ports.store.commit(outcome, now_us=self.ports.now_us(), messages=messages)
            committed = True
        finally:
            if not committed:
                self.ports.store.release(claim)
        if isinstance(answer, Lost):
            return errored_result(self.request.check, target, f"its result was not kept: {answer.reason}")
        try:
            self.ports.committed(target, outcome, answer)
        except Exception as error:  # who is told must not undo what was found
            self.ports.crashed(target, error)
        return result

    def _keep_rows(self, key: SlotKey, context: CheckContext, result: CheckResult, *, again: bool) -> None:
        """Failing rows are written before the result: a process that is killed in between checks the slot again."""
        if key.check_type == "quality" and result.outcome in (Outcome.PASSED, Outcome.VIOLATED):
            self.ports.keep_rows(context, result, key, again)

    def _check(self, target: Target, context: CheckContext) -> Checked:
        """An unforeseen error is the verdict errored, so that the slot remembers it and may be tried again."""
        try:
            return check_target(context, self.ports.judge)
        except EngineGone:  # nothing to remember: it says nothing about the contract
            raise
        except Exception as error:  # as above
            self.ports.crashed(target, error)
            return Checked(errored_result(self.request.check, target, cause_of(error)))

    def _context(self, target: Target, key: SlotKey) -> CheckContext:
        return context_of(target, key, self.ports.store, now_us=self.ports.now_us(), limit_s=self.request.limit_s)
