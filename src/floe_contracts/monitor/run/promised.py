"""The digest of what one check of a contract is held to, so that an edited promise is checked anew in its slot.

It covers what readers rely on (`schema_hash`), where the data is, and the settings that the check reads. Paths count as
they are written: a job that starts in another folder is not another promise.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from hashlib import sha256

from ...checks.verdict import Check
from ...contract.digest import schema_hash
from ..source.binding import Binding, bind
from .targets import Target


def promise_of(target: Target, check: Check, settings: tuple[str, ...] = ()) -> str:
    """The same text for the same promise in any process; `settings` are those of the judge."""
    parts = (schema_hash(target.contract), *settings, target.problem, *_own_parts(target, check))
    return sha256("\x1f".join(parts).encode("utf-8", "surrogatepass")).hexdigest()[:16]


def _own_parts(target: Target, check: Check) -> Iterator[str]:
    """What this check reads beside the promises: the lifecycle looks at no data, and only clocks know calendars."""
    contract = target.contract
    if check == "lifecycle":
        yield repr((contract.status, contract.deprecation))
        return
    if check == "freshness":
        yield repr([(name, _spell_calendar(target, name)) for name in sorted(target.calendars)])
    where = replace(target.where, folder="", root="")
    for table in contract.objects:
        source = bind(contract, table, where)
        yield _spell_source(source) if isinstance(source, Binding) else source.reason


def _spell_calendar(target: Target, name: str) -> tuple[object, ...]:
    calendar = target.calendars[name]
    return sorted(calendar.weekdays), sorted(map(str, calendar.holidays)), str(calendar.zone)


def _spell_source(source: Binding) -> str:
    return repr((source.server, source.source, source.format, source.options, source.timestamp_column, source.filter))
