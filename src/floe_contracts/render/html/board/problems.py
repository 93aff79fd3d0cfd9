"""Violations with their history: since when, until when, in how many slots, and how many in a row."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from ....codes import Severity
from ....monitor.run.outcome import fingerprint
from ....monitor.store.protocol import SlotOutcome
from ....results import Finding, Outcome

_UNMEASURED = (Outcome.ERRORED, Outcome.SKIPPED)


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
        return sum(episode.slots for episode in self.episodes)

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
    """The violations of a check, open and worst first; what could not be measured only of the newest slot.

    As for severities, slots that were errored or skipped neither end an episode nor count in it.
    """
    if not outcomes:
        return ()
    judged = [(slot.slot_us, _violations(slot)) for slot in outcomes if slot.result.outcome not in _UNMEASURED]
    measured = [_problem(mark, judged) for mark in dict.fromkeys(mark for _, findings in judged for mark in findings)]
    newest = outcomes[0]
    unread = [
        ProblemHistory(item, fingerprint(item), (Episode(newest.slot_us, newest.slot_us, 1),), open=True)
        for item in newest.result.findings
        if item.violation_type is None and item.severity.rank > Severity.INFO.rank
    ]
    ordered = sorted((*measured, *unread), key=lambda problem: (problem.badness, problem.mark), reverse=True)
    return tuple(sorted(ordered, key=lambda problem: not problem.open))


def _violations(outcome: SlotOutcome) -> dict[str, Finding]:
    return {fingerprint(item): item for item in outcome.result.findings if item.violation_type}


def _problem(mark: str, judged: Sequence[tuple[int, Mapping[str, Finding]]]) -> ProblemHistory:
    """One violation with its episodes; `judged` is newest first, so an episode is met at its end."""
    episodes: list[Episode] = []
    running: list[int] = []
    for slot_us, findings in judged:
        if mark in findings:
            running.append(slot_us)
        else:
            episodes += _close_episode(running)
            running = []
    episodes += _close_episode(running, earlier=True)
    newest = next(findings[mark] for _, findings in judged if mark in findings)
    return ProblemHistory(newest, mark, tuple(episodes), open=mark in judged[0][1])


def _close_episode(slots: list[int], *, earlier: bool = False) -> Iterable[Episode]:
    return (Episode(slots[-1], slots[0], len(slots), earlier),) if slots else ()
