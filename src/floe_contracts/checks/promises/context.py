"""What every judge of a promise about time needs, and the findings they have in common."""

from __future__ import annotations

from dataclasses import dataclass, field

from ... import codes
from ...codes import Severity
from ...contract.meaning.phrase import plural
from ...contract.meaning.privacy import PrivacyRules
from ...frozen import replace
from ...results import Finding
from ...results.facts import FindingFacts, FreshnessFacts
from ..disclosure import names_open
from ..measured import Clock
from ..verdict import PartResult, Streaks, escalate, measured_part, skipped_part
from .calendar import Calendar
from .promise import Promise

_EMPTY = {
    "no_rows": "the table has no rows",
    "all_null": "no row has a time",
    "all_future": "every time lies in the future",
    "no_time": "there is no time to go by",
}


@dataclass(frozen=True, slots=True)
class PromiseContext:
    """A promise, the moment of the check, and what happened before."""

    promise: Promise
    as_of_us: int
    calendar: Calendar | None = None
    streaks: Streaks | None = None
    privacy: PrivacyRules = field(default_factory=PrivacyRules)

    def place(self, item: Finding, *, settled: bool = False) -> Finding:
        """The finding with its place, and worse when it stands for long; what is over (`settled`) gets no worse."""
        before = (self.streaks or {}).get((item.code.id, item.element), 0)
        about = item.facts or FindingFacts()
        return replace(
            item,
            severity=item.severity if settled else escalate(item.severity, before),
            facts=replace(about, table=self.promise.table.name, sla=self.promise.sla.property),
        )

    def group(self, value: str) -> str:
        """What a message calls a group; the value is told only where the contract says that the column is open."""
        column = self.promise.options.group_by
        is_open = names_open(self.promise.table.properties, column, self.privacy)
        return f"{column} {value}".strip() if is_open else f"one {column}"

    def element(self, group: str = "") -> str:
        return f"{self.promise.element} ({group})" if group else self.promise.element

    def judge_empty(self, clock: Clock, expected: str, group: str = "", occurrence: str = "") -> PartResult:
        """No age is known: a violation unless the SLA says that an empty table is fine; once per `occurrence`."""
        reason = "all_null" if group else _reason(clock)
        whose = group or self.promise.table.name
        choice = self.promise.options.on_empty
        if choice == "skip":
            return skipped_part(FreshnessFacts(how=clock.how, status=(reason,)))
        unknown = Finding.of(
            codes.E550,
            "no-data",
            f"The age of {whose} is not known: {_EMPTY[reason]}",
            severity=Severity.WARNING if choice == "warn" else Severity.ERROR,
            element=self.element(group),
            expected=expected,
            actual=reason,
            facts=FindingFacts(occurrence=occurrence) if occurrence else None,
        )
        facts = FreshnessFacts(how=clock.how, status=(reason,))
        return measured_part(self.place(unknown), *self.find_future(clock), freshness=facts)

    def find_future(self, clock: Clock) -> tuple[Finding, ...]:
        """Rows dated after the moment of the check: a fault of the data, told apart from its age."""
        if not clock.future:
            return ()
        rows = plural(clock.future, "row has a time", "rows have times")
        ahead = Finding.of(
            codes.E557,
            "future-timestamps",
            f"{rows} in the future; they are left out of freshness",
            element=self.promise.element,
            expected="0",
            actual=str(clock.future),
        )
        return (self.place(ahead, settled=True),)


def _reason(clock: Clock) -> str:
    if clock.rows is None:
        return "no_time"
    if clock.rows == 0:
        return "no_rows"
    return "all_future" if clock.future else "all_null"
