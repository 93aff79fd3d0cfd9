"""One check of one target, from question to verdict; whatever goes wrong is the target's own error."""

from __future__ import annotations

from collections.abc import Callable

from ...checks.lifecycle import judge_lifecycle
from ...checks.moments import utc_day
from ...checks.verdict import Check, not_measured
from ...errors import FloeError
from ...results import CheckResult, Outcome
from .availability import check_availability
from .context import CheckContext, Checked, Judge
from .engine import Engine
from .freshness import check_freshness
from .quality import check_quality
from .schema_drift import check_schema_drift
from .targets import Target


def engine_judge(engine: Engine) -> Judge:
    """Floe's own judge: measures with an engine, and judges by `checks`."""
    return lambda now: check_lifecycle(now) if now.check == "lifecycle" else _CHECKS[now.check](now, engine)


def check_lifecycle(now: CheckContext) -> Checked:
    """The lifecycle check: the stage on the day of the slot; it needs no data."""
    return Checked(judge_lifecycle(now.contract, utc_day(now.as_of_us)))


_CHECKS: dict[Check, Callable[[CheckContext, Engine], Checked]] = {
    "availability": check_availability,
    "freshness": check_freshness,
    "schema_drift": check_schema_drift,
    "quality": check_quality,
}


def check_target(now: CheckContext, judge: Judge) -> Checked:
    """The verdict; a contract that cannot be monitored as it stands is errored before anything is asked."""
    if now.target.problem:
        return Checked(errored_result(now.check, now.target, now.target.problem))
    return judge(now)


def errored_result(check: Check, target: Target, reason: str) -> CheckResult:
    """The errored result of a target, with the cause in one line."""
    findings = target.findings or (not_measured(target.name, reason),)
    return CheckResult(check, target.name, Outcome.ERRORED, target.path, findings)


def cause_of(error: Exception) -> str:
    """One line about an error that nobody foresaw; its own words may hold data, so only floe's are repeated."""
    if isinstance(error, FloeError):
        return " ".join(error.message.split())
    return f"{type(error).__name__} inside floe; the log of the job has the trace"
