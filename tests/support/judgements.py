"""Promises, clocks and contracts in a line each, for tests of the judges."""

from __future__ import annotations

from datetime import datetime, timezone
from typing import Any

from floe_contracts.checks.freshness.judge import MeasuredPromise, judge_freshness
from floe_contracts.checks.measured import Arrival, Clock, Failure, Latency
from floe_contracts.checks.promises.calendar import Calendar
from floe_contracts.checks.promises.promise import Promise, promises
from floe_contracts.contract.model import Contract, CustomProperty, Property, Sla
from floe_contracts.results import CheckResult
from support.builders import column, contract, table

NOW = "2026-01-03 10:00"
WORKDAYS = Calendar(weekdays=frozenset(range(5)))


def at(text: str) -> int:
    """A time in UTC as microseconds: `2026-01-03 10:00`, seconds and a fraction if need be."""
    moment = datetime.fromisoformat(text)
    moment = moment if moment.tzinfo else moment.replace(tzinfo=timezone.utc)
    return int(moment.timestamp()) * 1_000_000 + moment.microsecond


def sla(kind: str, value: Any = None, *, element: str | None = "orders.updated_at", **more: Any) -> Sla:
    """A service level; what is not a field of it becomes a custom property of floe."""
    fields = {key: more.pop(key) for key in ("unit", "schedule", "scheduler", "driver") if key in more}
    custom = tuple(CustomProperty(f"floe.{key}", said) for key, said in more.items())
    return Sla(kind, value, element=element, custom=custom, **fields)


def orders(*slas: Sla, columns: tuple[Property, ...] = (), **more: Any) -> Contract:
    """Orders with a clock column, and service levels."""
    given = columns or (column("order_id"), column("updated_at", "timestamp"), column("region"))
    return contract(table(*given), slas=slas, **more)


def promise_of(one: Contract) -> Promise:
    (found,) = promises(one, one.objects[0])
    return found


def clock(last: str | None, *, now: str = NOW, rows: int | None = 10, **more: Any) -> Clock:
    """A clock read by a scan; `last` None with rows means that all are null."""
    groups = tuple((name, at(text) if text else None) for name, text in more.pop("groups", {}).items())
    more.setdefault("nulls", rows if last is None else 0)
    last_us = at(last) if last else None
    return Clock(last_us, "column updated_at by scan", at(now), rows, groups=groups, **more)


def judged(
    promised: Sla | Contract,
    measured: Clock | Arrival | Latency | Failure,
    *,
    now: str = NOW,
    past: bool = False,
    calendars: dict[str, Calendar] | None = None,
    streak: int = 0,
) -> CheckResult:
    """The result of freshness for one promise and one measurement."""
    one = promised if isinstance(promised, Contract) else orders(promised)
    promise = promise_of(one)
    streaks = {(f"FLOE-E{code}", promise.element): streak for code in (550, 551, 556)}
    answer = MeasuredPromise(promise, measured, past=past)
    return judge_freshness(one, [answer], as_of_us=at(now), calendars=calendars, streaks=streaks)


def told(result: CheckResult) -> list[str]:
    """The findings as `code severity`, in their order."""
    return [f"{item.code.id.removeprefix('FLOE-')} {item.severity.value}" for item in result.findings]


def said(result: CheckResult, key: str) -> str | None:
    return dict(result.context).get(key)
