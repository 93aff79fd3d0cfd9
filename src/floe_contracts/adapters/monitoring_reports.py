"""The reports of several checks as one, and what is said of messages that nobody took."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from ..errors import FloeError
from ..monitor.outbox import Backlog
from ..monitor.store import Store
from ..render.safe import log_safe
from ..results import Report
from .delivery import Drained


def merged(reports: Sequence[Report], command: str) -> Report:
    """All results; what every report says in its context and notes is said once."""
    if len(reports) == 1:
        return reports[0]
    context = {key: text for report in reports for key, text in report.context}
    context["check"] = ", ".join(dict.fromkeys(dict(report.context)["check"] for report in reports))
    return Report(
        command=command,
        tool_version=reports[0].tool_version,
        results=tuple(result for report in reports for result in report.results),
        context=tuple(context.items()),
        notes=tuple(dict.fromkeys(note for report in reports for note in report.notes)),
        fail_on="enforced",
        allow_empty=all(report.allow_empty for report in reports),
    )


def undelivered(drained: Iterable[Drained], backlog: Iterable[Backlog]) -> tuple[str, ...]:
    """One line for each outlet that is behind: how much waits, why, and what becomes of it."""
    waiting = {one.sink: one for one in backlog}
    reasons = {one.outlet: one.reason for one in drained}
    lines = [_behind(one, reasons.get(one.sink)) for one in waiting.values()]
    untold = [(name, reason) for name, reason in reasons.items() if reason and name not in waiting]
    lines += [f"{name} was not told: {reason}. The next run tries again." for name, reason in untold]
    return tuple(lines)


def left_behind(drained: Iterable[Drained], store: Store) -> tuple[str, ...]:
    """The same with what waits in the store; one that fails now must not take the report of a finished run with it."""
    try:
        return undelivered(drained, store.outbox.backlog())
    except Exception as error:  # words of others may hold an address
        why = log_safe(error.message) if isinstance(error, FloeError) else type(error).__name__
        note = f"What waits to be sent is not known: {why}. `floe monitor status` shows it when the store answers."
        return (*undelivered(drained, ()), note)


def _behind(one: Backlog, reason: str | None) -> str:
    parts = [f"{one.pending} {'message waits' if one.pending == 1 else 'messages wait'}"] if one.pending else []
    parts += [f"{one.dead} {'was' if one.dead == 1 else 'were'} refused"] if one.dead else []
    why = reason or one.reason
    return f"{one.sink}: {' and '.join(parts)}{f' ({why})' if why else ''}. {_cure(one, reason)}"


def _cure(one: Backlog, reason: str | None) -> str:
    if reason is None:
        return "Nothing here is configured to reach it; `floe monitor prune` forgets what is old."
    if one.pending:
        return "The next run delivers them, or `floe monitor flush`."
    return "`floe monitor flush --revive` tries them again."
