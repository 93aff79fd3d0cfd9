"""How often a check is started, in the words of cron and systemd.

Not every interval can be said in them (90 minutes cannot). Then the check is started at the longest cadence that
divides the interval: a start inside a slot that is filled already checks nothing, so nothing is counted twice.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from math import gcd

_MINUTE_S = 60
_HOUR_S = 3_600
_DAY_S = 86_400
_MINUTES = (30, 20, 15, 12, 10, 6, 5, 4, 3, 2, 1)  # that divide an hour
_HOURS = (12, 8, 6, 4, 3, 2, 1)  # that divide a day


@dataclass(frozen=True, slots=True)
class Cadence:
    """Every so many minutes, hours or days, counted from midnight UTC; one of the three is not 0."""

    minutes: int = 0
    hours: int = 0

    @property
    def cron(self) -> str:
        if self.minutes:
            return "* * * * *" if self.minutes == 1 else f"*/{self.minutes} * * * *"
        if self.hours:
            return "0 * * * *" if self.hours == 1 else f"0 */{self.hours} * * *"
        return "0 0 * * *"

    @property
    def calendar(self) -> str:
        """The value of `OnCalendar=` in a systemd timer."""
        if self.minutes:
            return "*-*-* *:*:00 UTC" if self.minutes == 1 else f"*-*-* *:00/{self.minutes}:00 UTC"
        if self.hours:
            return "*-*-* *:00:00 UTC" if self.hours == 1 else f"*-*-* 00/{self.hours}:00:00 UTC"
        return "*-*-* 00:00:00 UTC"


def cadence_of(interval_s: int) -> Cadence:
    """The longest cadence that meets every slot of an interval; a minute for shorter ones."""
    if interval_s % _DAY_S == 0:
        return Cadence()
    for hours in _HOURS:
        if interval_s % (hours * _HOUR_S) == 0:
            return Cadence(hours=hours)
    return Cadence(minutes=next((minutes for minutes in _MINUTES if interval_s % (minutes * _MINUTE_S) == 0), 1))


@dataclass(frozen=True, slots=True)
class JobSource:
    """What the jobs of a schedule are about: contracts or a compiled product, settings and a store."""

    contracts: tuple[str, ...] = ()
    artifacts: str = ""
    root: str = ""
    config: str = ""
    store: str = ""

    @property
    def files(self) -> tuple[tuple[str, str], ...]:
        """Options that name one file or folder each."""
        pairs = (("--artifacts", self.artifacts), ("--root", self.root), ("--config", self.config))
        return tuple((name, path) for name, path in pairs if path)

    @property
    def options(self) -> tuple[str, ...]:
        """The arguments of a command that say the same; none of it is quoted."""
        pairs = [*(("--contracts", path) for path in self.contracts), *self.files]
        pairs += [("--store", self.store)] if self.store else []
        return tuple(word for pair in pairs for word in pair)


@dataclass(frozen=True, slots=True)
class Job:
    """One check on a schedule."""

    check: str
    cadence: Cadence
    source: JobSource = JobSource()

    @property
    def name(self) -> str:
        """The name of units, locks and manifests."""
        return f"floe-{self.check.replace('_', '-')}"

    def delay_s(self, place: str) -> int:
        """Seconds to wait in the minute, the same each time: not all jobs of a company start at second 0."""
        return int.from_bytes(sha256(f"{place}\0{self.check}".encode()).digest()[:4], "big") % 50

    @property
    def options(self) -> tuple[str, ...]:
        """The arguments after the job's file or `floe monitor run CHECK`, without the slot."""
        return self.source.options


def jobs_for(intervals_us: Mapping[str, Sequence[int]], source: JobSource = JobSource()) -> tuple[Job, ...]:  # noqa: B008  frozen
    """A job for each check; contracts with intervals of their own are met by the cadence that divides all of them."""
    return tuple(
        Job(check, cadence_of(gcd(*(us // 1_000_000 for us in lengths))), source)
        for check, lengths in intervals_us.items()
    )
