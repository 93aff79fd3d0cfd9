"""Slots: a run belongs to the interval in which it falls, so that running twice counts once.

Intervals are counted from 1970 in UTC. The interval is part of the key: 15m turned into 5m cannot collide. A check
after a pipeline's run belongs to that run instead, and has no interval.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import datetime, timezone
from typing import Literal, TypeAlias, cast

from ...checks.moments import MINUTE, SECOND, iso, length, micros
from ...checks.verdict import Check
from ...errors import UsageError

Step = Literal["pipeline", "transform"]  # what `floe run` fills slots with
STEPS: tuple[Step, ...] = ("pipeline", "transform")
Kind: TypeAlias = "Check | Step"

EARLIEST_TICK_US = 30 * SECOND
_LATE = 15 * MINUTE


@dataclass(frozen=True, slots=True)
class Series:
    """All slots of one check on one line of a contract: namespace, key and MAJOR; or of one step of a pipeline."""

    namespace: str
    contract: str
    major: int
    check_type: Kind

    @property
    def check(self) -> Check:
        """The check of a series that is one's; a step of a pipeline has none."""
        return cast("Check", self.check_type)

    def __str__(self) -> str:
        return f"{_escape(self.namespace)}|{_escape(self.contract)}|v{self.major}|{self.check_type}"


@dataclass(frozen=True, slots=True)
class SlotKey:
    """One slot; a check after a pipeline's run has the orchestrator's `run_id`, and neither interval nor start."""

    namespace: str
    contract: str
    major: int
    check_type: Kind
    interval_us: int = 0
    start_us: int = 0
    run_id: str = ""

    @property
    def series(self) -> Series:
        return Series(self.namespace, self.contract, self.major, self.check_type)

    @property
    def check(self) -> Check:
        """The check of a slot that is one's; a step of a pipeline has none."""
        return cast("Check", self.check_type)

    @property
    def end_us(self) -> int:
        return self.start_us + self.interval_us

    @property
    def when(self) -> str:
        """For people: the start of the slot, or the run it belongs to."""
        return f"run {self.run_id}" if self.run_id else iso(self.start_us)

    def __str__(self) -> str:
        """One text per slot, in any process and for ever: run ids are made from it."""
        slot = f"run={_escape(self.run_id)}" if self.run_id else f"{length(self.interval_us).text}|{iso(self.start_us)}"
        return f"{self.series}|{slot}"


def _escape(text: str) -> str:
    """No two slots may share a text, whatever people put into names."""
    return text.replace("%", "%25").replace("|", "%7C")


def slot_start(now_us: int, interval_us: int) -> int:
    """The slot of a moment; just before a boundary it is the next one.

    A scheduler's tick may come early. It would fall into the slot before, find it finished, and be lost.
    """
    start = floor_to_slot(now_us, interval_us)
    left = start + interval_us - now_us
    return start + interval_us if left <= early_us(interval_us) else start


def floor_to_slot(when_us: int, interval_us: int) -> int:
    return when_us // interval_us * interval_us


def early_us(interval_us: int) -> int:
    """How long before its slot a tick may come: 30 seconds or a twentieth of the interval, whichever is less."""
    return min(EARLIEST_TICK_US, interval_us // 20)


def is_past(key: SlotKey, now_us: int) -> bool:
    """Whether a slot is so long over that the data of now says nothing about it.

    Schedulers start a run when its interval has ended (Airflow's data_interval_start), and often some minutes later.
    """
    return not key.run_id and now_us >= key.end_us + max(key.interval_us, _LATE)


_COMPACT = re.compile(r"(\d{4})(\d\d)(\d\d)(?:T(\d\d)(\d\d)(\d\d)?)?(Z|[+-]\d\d:?\d\d)?")
_EPOCH = re.compile(r"\d{9,10}(?:\.\d{1,9})?|\d{13}|\d{16}")
_FIX = "Write ISO 8601 such as 2026-01-03T10:15:00Z, Airflow's {{ data_interval_start }}, or seconds since 1970."


def parse_slot(text: str) -> int:
    """A scheduler's moment in microseconds: ISO 8601 (UTC unless it says otherwise), Airflow's forms, or an epoch."""
    word = text.strip()
    if _EPOCH.fullmatch(word):
        whole, _, fraction = word.partition(".")
        return int(whole) * {13: 1000, 16: 1}.get(len(whole), SECOND) + int((fraction + "000000")[:6])
    when = _read(word)
    if when is None:
        raise UsageError(f"the slot {word[:40]!r} is not a moment", fix=_FIX)
    return micros(when if when.tzinfo else when.replace(tzinfo=timezone.utc))


def _read(word: str) -> datetime | None:
    if compact := _COMPACT.fullmatch(word):
        year, month, day, hour, minute, second, zone = compact.groups()
        word = f"{year}-{month}-{day}T{hour or '00'}:{minute or '00'}:{second or '00'}{zone or ''}"
    word = re.sub(r"([+-]\d\d)(\d\d)$", r"\1:\2", re.sub(r"[Zz]$", "+00:00", word))  # Python 3.10 reads neither
    word = re.sub(r"(\.\d{1,6})\d*", lambda part: part[1].ljust(7, "0"), word)
    try:
        return datetime.fromisoformat(word)
    except ValueError:
        return None


def choose_start(asked_us: int | None, now_us: int, interval_us: int) -> int:
    """The slot that a run belongs to: the scheduler's word wins over the clock."""
    return slot_start(now_us, interval_us) if asked_us is None else floor_to_slot(asked_us, interval_us)


def refuse_future(asked_us: int, now_us: int) -> None:
    """A slot that has not begun cannot be checked, and would be finished when it does."""
    if asked_us > now_us + MINUTE:
        raise UsageError(
            f"the slot {iso(asked_us)} lies in the future; it is {iso(now_us)}",
            fix="Check the clock of the scheduler, and whether its time has a zone.",
        )


def expected_slots(since_us: int, until_us: int, interval_us: int) -> int:
    """How many slots begin in a window; what was not run of them is missed."""
    return max(0, -(-until_us // interval_us) - -(-since_us // interval_us))
