"""What a scheduler is told about one check: its name, how often it runs, and the words of its command."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import gcd

from .cadence import Cadence, cadence_of


@dataclass(frozen=True, slots=True)
class Job:
    """One check on a schedule."""

    check: str
    cadence: Cadence
    contracts: tuple[str, ...] = ()
    config: str = ""
    store: str = ""

    @property
    def name(self) -> str:
        """As units, locks and manifests may be called."""
        return f"floe-{self.check.replace('_', '-')}"

    @property
    def options(self) -> tuple[str, ...]:
        """What follows the job's file or `floe monitor run CHECK`, without the slot; none of it is quoted."""
        said = [("--contracts", path) for path in self.contracts]
        said += [(name, text) for name, text in (("--config", self.config), ("--store", self.store)) if text]
        return tuple(word for pair in said for word in pair)


def jobs_for(
    intervals_us: Mapping[str, Sequence[int]], contracts: Sequence[str] = (), config: str = "", store: str = ""
) -> tuple[Job, ...]:
    """A job for each check; contracts with intervals of their own are met by the cadence that divides all of them."""
    return tuple(
        Job(check, cadence_of(gcd(*(us // 1_000_000 for us in lengths))), tuple(contracts), config, store)
        for check, lengths in intervals_us.items()
    )
