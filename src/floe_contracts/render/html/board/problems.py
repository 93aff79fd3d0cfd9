"""Violations with their history: since when, until when, in how many slots, and how many in a row."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from ....codes import Severity
from ....monitor.run.outcome import fingerprint
from ....monitor.store.protocol import SlotOutcome
from ....results import Finding, Outcome

_SAID_NOTHING = (Outcome.ERRORED, Outcome.SKIPPED)


@dataclass(frozen=True, slots=True)
class Episode:
    """A violation in slots without a gap; `earlier` says that it may have begun before the window."""

    first_us: int
    last_us: int
    slots: int
    earlier: bool = False


@dataclass(frozen=True, slots=True)
class ProblemHistory:
    """One violation of one check, as it was last told; episodes are newest first."""

    item: Finding
    mark: str
    episodes: tuple[Episode, ...]
    open: bool = False

    @property
    def slots(self) -> int:
        return sum(one.slots for one in self.episodes)

    @property
    def last_us(self) -> int:
        return self.episodes[0].last_us

    @property
    def first_us(self) -> int:
        return self.episodes[-1].first_us

    @property
    def badness(self) -> tuple[int, int]:
        return self.item.severity.rank, self.last_us


def problems_of(outcomes: Sequence[SlotOutcome]) -> tuple[ProblemHistory, ...]:
    """Open ones first, the worst of them first. What could not be measured is told of the newest slot only.

    As for severities, slots that were errored or skipped neither end an episode nor count in it.
    """
    if not outcomes:
        return ()
    judged = [(one.slot_us, _told(one)) for one in outcomes if one.result.outcome not in _SAID_NOTHING]
    found = [_problem(mark, judged) for mark in dict.fromkeys(mark for _, told in judged for mark in told)]
    newest = outcomes[0]
    unread = [
        ProblemHistory(item, fingerprint(item), (Episode(newest.slot_us, newest.slot_us, 1),), open=True)
        for item in newest.result.findings
        if item.violation_type is None and item.severity.rank > Severity.INFO.rank
    ]
    ordered = sorted((*found, *unread), key=lambda one: (one.badness, one.mark), reverse=True)
    return tuple(sorted(ordered, key=lambda one: not one.open))


def _told(outcome: SlotOutcome) -> dict[str, Finding]:
    return {fingerprint(item): item for item in outcome.result.findings if item.violation_type}


def _problem(mark: str, judged: Sequence[tuple[int, Mapping[str, Finding]]]) -> ProblemHistory:
    """`judged` is newest first, so an episode is met at its end."""
    episodes: list[Episode] = []
    running: list[int] = []
    for slot_us, told in judged:
        if mark in told:
            running.append(slot_us)
        else:
            episodes += _ended(running)
            running = []
    episodes += _ended(running, earlier=True)
    newest = next(told[mark] for _, told in judged if mark in told)
    return ProblemHistory(newest, mark, tuple(episodes), open=mark in judged[0][1])


def _ended(slots: list[int], *, earlier: bool = False) -> Iterable[Episode]:
    return (Episode(slots[-1], slots[0], len(slots), earlier),) if slots else ()
