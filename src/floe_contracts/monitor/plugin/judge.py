"""A plugin as the judge of a run: its answers become results that can be counted, compared and remembered.

Floe's own plugin is asked directly, so that nothing is lost on the way; others by the protocol's methods.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from contextvars import ContextVar
from decimal import ROUND_FLOOR, Decimal

from ...checks.gauges import DRIFT, FRESHNESS_SECONDS, SCORE, UP
from ...checks.promises.promise import promises
from ...checks.verdict import Check, not_measured, worst
from ...contract.model import Contract, Json
from ...errors import FloeError
from ...results import CheckResult, Finding, Outcome
from ...results.facts import read_result
from ..run.check import check_lifecycle
from ..run.context import CheckContext, Checked, Judge
from ..source.binding import Binding, bind
from ..source.server_types import Reach
from .protocol import DataContractPlugin, SchemaComparisonResult, SLACheckResult
from .results import finding_of


def plugin_judge(plugin: DataContractPlugin) -> Judge:
    """The plugin's own judge where it has one, else its methods."""
    own: Judge | None = getattr(plugin, "judge", None)
    return own or (lambda now: _ask(plugin, now))


def _ask(plugin: DataContractPlugin, now: CheckContext) -> Checked:
    if now.check == "lifecycle":
        return check_lifecycle(now)
    if now.past:
        return Checked(now.skip("past_slot"))
    with use_context(now):  # what the plugin leaves to ours is answered with the history of this run
        try:
            return Checked(_result(now, _answers(plugin, now)))
        except FloeError:
            raise
        except Exception as error:  # foreign code; its words may hold data
            name = type(error).__name__
            raise FloeError(f"{name} inside the plugin {plugin.name!r}; the log of the job has the trace") from error


def _answers(plugin: DataContractPlugin, now: CheckContext) -> Sequence[SLACheckResult | SchemaComparisonResult]:
    connection = connection_for(now)
    if now.check == "schema_drift":
        return [plugin.detect_schema_drift(now.contract, connection)]
    if now.check == "availability":
        return [plugin.check_availability(now.contract, connection)]
    if now.check == "quality":
        return plugin.check_quality(now.contract, connection)
    return [plugin.check_freshness(now.contract, connection, _column(now))]


def connection_for(now: CheckContext) -> dict[str, Json]:
    """The connection as plugins get it: what the settings say, the server that was chosen, and where files are.

    A plugin does not know the folders that relative paths start at, so every table's files have their whole path.
    """
    where = now.target.where
    settings: dict[str, Json] = (
        where.connection.model_dump(by_alias=True, exclude_defaults=True) if where.connection else {}
    )
    tables = settings.get("tables")
    placed: dict[str, Json] = {**tables} if isinstance(tables, dict) else {}
    for table in now.contract.objects:
        binding, own = bind(now.contract, table, where), placed.get(table.name)
        if isinstance(binding, Binding) and binding.reach is Reach.FILES:
            placed[table.name] = {**(own if isinstance(own, dict) else {}), "location": binding.location}
    more: dict[str, Json] = {"tables": placed} if placed else {}
    return {**({"server": where.server} if where.server else {}), **settings, **more}


def _column(now: CheckContext) -> str | None:
    """The clock that the SLA names, else the connection's."""
    own = now.target.where.connection.timestamp_column if now.target.where.connection else ""
    named = (
        ".".join(promise.path) for table in now.contract.objects for promise in promises(now.contract, table)
        if promise.path is not None and promise.check == "freshness"
    )  # fmt: skip
    return next(named, None) or own or None


def _result(now: CheckContext, answers: Sequence[SLACheckResult | SchemaComparisonResult]) -> CheckResult:
    context = {"key": now.contract.key, "version": now.contract.version, **dict(_gauges(now.check, answers))}
    for answer in answers:
        context.update(answer.context)
        if isinstance(answer, SLACheckResult) and len(answers) == 1:
            context |= {"threshold": answer.threshold, "value": answer.actual_value}
    result = CheckResult(
        check=now.check,
        contract=now.target.name,
        outcome=worst(answer.outcome for answer in answers),
        findings=tuple(item for answer in answers for item in _findings(now.check, now, answer)),
    )
    return read_result(result, ((key, text) for key, text in context.items() if text))


def _gauges(check: Check, answers: Sequence[SLACheckResult | SchemaComparisonResult]) -> Iterator[tuple[str, str]]:
    """What plain answers say about the gauge of their check; a plugin that knows more gives a `context`."""
    known = [answer for answer in answers if answer.outcome in (Outcome.PASSED, Outcome.VIOLATED)]
    if not known or any(answer.context for answer in answers):
        return
    kept = sum(answer.outcome is Outcome.PASSED for answer in known)
    number = _number_in(known[0]) if len(answers) == 1 else None
    if check == "freshness" and number is not None:
        yield FRESHNESS_SECONDS, str(int(number * 3600))
    elif check == "availability":
        yield UP, str(int(kept == len(known)))
    elif check == "schema_drift":
        yield DRIFT, str(int(any(answer.violations for answer in known)))
    elif check == "quality":
        score = Decimal(100 * kept) / len(known) if number is None else number
        yield SCORE, f"{score.quantize(Decimal('0.01'), ROUND_FLOOR):f}"


def _number_in(answer: SLACheckResult | SchemaComparisonResult) -> Decimal | None:
    """The value of an answer about the whole check; that of one rule may count anything."""
    if not isinstance(answer, SLACheckResult) or answer.name:
        return None
    with suppress(ArithmeticError):
        number = Decimal(answer.actual_value)
        return number if number.is_finite() and number >= 0 else None
    return None


def _findings(check: Check, now: CheckContext, answer: SLACheckResult | SchemaComparisonResult) -> list[Finding]:
    findings = [finding_of(violation) for violation in answer.violations]
    if answer.outcome is Outcome.ERRORED:
        name = answer.name if isinstance(answer, SLACheckResult) else ""
        findings.append(not_measured(name or now.target.name, answer.message or f"the plugin could not check {check}"))
    return findings


_NOW: ContextVar[CheckContext | None] = ContextVar("floe_check_context", default=None)


@contextmanager
def use_context(now: CheckContext) -> Iterator[None]:
    """Makes this the current context for as long as a plugin answers."""
    token = _NOW.set(now)
    try:
        yield
    finally:
        _NOW.reset(token)


def current_context(check: Check, contract: Contract) -> CheckContext | None:
    """The context of the run, if it is about this check of this contract; a plugin may also look at others."""
    now = _NOW.get()
    if now is None or (now.check, now.contract.key, now.contract.version) != (check, contract.key, contract.version):
        return None
    return now
