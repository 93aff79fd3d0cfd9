"""The finer points of a service level, which the standard has no keys for: custom properties of the SLA.

`floe.grace`, `floe.lag`, `floe.skew`, `floe.window`, `floe.on_empty`, `floe.calendar`, `floe.group_by`, `floe.clock`,
`floe.arrival`, `floe.timezone`, `floe.day`; the bare spelling is read too.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal

from ...contract.meaning.duration import parse_duration
from ...contract.model import Json, Sla
from ...contract.source.scalars import text_of
from ..moments import DAY, MINUTE, zone_of

OnEmpty = Literal["fail", "warn", "skip"]
_CHOICES = {"on_empty": ("fail", "warn", "skip"), "clock": ("column", "commit"), "day": ("start", "end")}
_LENGTHS = {"grace": "grace_us", "lag": "lag_us", "skew": "skew_us", "window": "window_us"}
_WORDS = ("calendar", "group_by", "arrival", "timezone")


@dataclass(frozen=True, slots=True)
class SlaOptions:
    """Defaults are what a contract means that says nothing; `problem` says which option cannot be read."""

    grace_us: int = 0  # how long after it falls due a promise is judged
    lag_us: int = 0  # how far the business day lies before the day of a deadline
    skew_us: int = 5 * MINUTE  # how far clocks may differ before a time counts as lying in the future
    window_us: int = 30 * DAY  # over which availability is counted
    on_empty: OnEmpty = "fail"
    calendar: str = ""
    group_by: str = ""
    clock: str = ""  # column | commit; empty: the column where one is known
    arrival: str = ""  # the column with the time of arrival, for latency
    timezone: str = ""  # of times without a zone
    day: str = "start"  # a date means its first or its last moment
    problem: str = ""


def options_of(sla: Sla) -> SlaOptions:
    """What the custom properties of one service level say."""
    options = SlaOptions()
    for name, value in _collect_options(sla).items():
        changes = _read(name, value)
        if isinstance(changes, str):
            return replace(options, problem=f"the option {name} of its SLA cannot be read: {changes}")
        options = replace(options, **changes)  # type: ignore[arg-type]  # names and types come from the tables above
    return options


def _collect_options(sla: Sla) -> dict[str, Json]:
    known = {*_CHOICES, *_LENGTHS, *_WORDS}
    values = {key: value for key, value in sla.extras.items() if key in known}
    for prefix in ("", "floe."):
        for entry in sla.custom:
            name = entry.property.removeprefix(prefix) if entry.property.startswith(prefix) else ""
            if name in known and entry.value is not None:
                values[name] = entry.value
    return values


def _read(name: str, value: Json) -> dict[str, object] | str:
    """The field that one option sets, or why it cannot be meant."""
    if name in _LENGTHS:
        length, problem = parse_duration(value)
        if length is None or length.months:
            return problem or "a month has no fixed length"
        return {_LENGTHS[name]: length.microseconds}
    word = text_of(value).strip()
    if name in _CHOICES:
        choices = _CHOICES[name]
        return {name: word.casefold()} if word.casefold() in choices else f"it must be one of {', '.join(choices)}"
    if name == "timezone" and zone_of(word) is None:
        return f"{word!r} is not a time zone such as Europe/Berlin"
    return {name: word} if word else "it is empty"
