"""The lifecycle of a contract, its stage and its notice: one answer for the gate, the monitoring job and the lint.

DEPRECATED from the day of announcement, SUNSET for seven days from the sunset date, then RETIRED; dates beat `status`.
Readers are owed thirty days between announcement and sunset; a repository may settle for 14 to 28.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date, timedelta
from enum import Enum

from ..frozen import dataclass
from .meaning.day import date_of
from .model import Contract, Deprecation

NOTICE_DAYS = 30
LEAST_NOTICE_DAYS = 14
SUNSET_DAYS = 7


class Stage(str, Enum):
    """The four stages, in their order."""

    ACTIVE = "active"
    DEPRECATED = "deprecated"
    SUNSET = "sunset"
    RETIRED = "retired"

    @property
    def rank(self) -> int:
        return tuple(Stage).index(self)


@dataclass(frozen=True, slots=True)
class NoticeProblem:
    """What is wrong with the notice given; `certain` means wrong under any settings."""

    rule: str
    message: str
    expected: str = ""
    actual: str = ""
    fix: str = ""
    key: str = "deprecation"  # the key to look at: status, or one of the deprecation block
    certain: bool = True


@dataclass(frozen=True, slots=True)
class Lifecycle:
    """The stage on a given day, and the days on which it changes."""

    stage: Stage
    announced: date | None = None
    sunset: date | None = None
    problems: tuple[NoticeProblem, ...] = ()

    @property
    def retires(self) -> date | None:
        """The first day on which the contract is retired."""
        return self.sunset + timedelta(days=SUNSET_DAYS) if self.sunset else None


@dataclass(frozen=True, slots=True)
class Shortfall:
    """A notice that is too short: the days given, and the first sunset date that would do."""

    given: int
    earliest: date


def lifecycle(contract: Contract, today: date, notice_days: int = NOTICE_DAYS) -> Lifecycle:
    """Stage, dates and everything wrong with the notice, as of one day."""
    announced, sunset = announced_on(contract), sunset_of(contract)
    stage = stage_of(contract, today)
    problems = notice_problems(contract, notice_days)
    if _stage_by_status(contract) is Stage.RETIRED and stage is not Stage.RETIRED and sunset:
        problems = (*problems, _too_early(sunset + timedelta(days=SUNSET_DAYS), today))
    return Lifecycle(stage, announced, sunset, problems)


def stage_of(contract: Contract, today: date) -> Stage:
    """The stage of a contract on one day."""
    return _stage_by_dates(announced_on(contract), sunset_of(contract), today) or _stage_by_status(contract)


def announced_on(contract: Contract) -> date | None:
    """The day readers were told, when it can be read."""
    return date_of(contract.deprecation.announced) if contract.deprecation else None


def sunset_of(contract: Contract) -> date | None:
    """The first day of the sunset week, when it can be read."""
    return date_of(contract.deprecation.sunset_date) if contract.deprecation else None


def way_on(contract: Contract) -> str:
    """What readers of a contract that ends are told to do; empty when its notice does not say."""
    notice = contract.deprecation
    if notice is None or not (notice.replacement or notice.migration_guide):
        return ""
    if not notice.replacement:
        return f"How to move on: {notice.migration_guide}"
    return f"Read {notice.replacement} instead." + (
        f" How to move on: {notice.migration_guide}" if notice.migration_guide else ""
    )


def notice_shortfall(contract: Contract, notice_days: int = NOTICE_DAYS) -> Shortfall | None:
    """How far the notice falls short of what readers are owed; None when it does not, or dates are missing."""
    announced, sunset = announced_on(contract), sunset_of(contract)
    if announced is None or sunset is None or (given := (sunset - announced).days) >= notice_days:
        return None
    return Shortfall(given, announced + timedelta(days=notice_days))


def _stage_by_dates(announced: date | None, sunset: date | None, today: date) -> Stage | None:
    if sunset and today >= sunset:
        return Stage.SUNSET if today < sunset + timedelta(days=SUNSET_DAYS) else Stage.RETIRED
    if announced:
        return Stage.DEPRECATED if today >= announced else Stage.ACTIVE
    return Stage.DEPRECATED if sunset else None


def _stage_by_status(contract: Contract) -> Stage:
    word = (contract.status or "").strip().casefold()
    return Stage(word) if word in (stage.value for stage in Stage) else Stage.ACTIVE


def _too_early(retires: date, today: date) -> NoticeProblem:
    return NoticeProblem(
        "retired-before-sunset",
        f"the status says retired, but readers were promised the data until {retires}",
        expected=f"status retired from {retires} on",
        actual=f"retired on {today}",
        fix="Write status: deprecated until then; the dates decide anyway.",
        key="status",
    )


def notice_problems(contract: Contract, notice_days: int = NOTICE_DAYS) -> tuple[NoticeProblem, ...]:
    """What is missing, unreadable or too short in the notice; nothing about contracts that are not on their way out."""
    notice = contract.deprecation
    if notice is not None:
        short = notice_shortfall(contract, notice_days)
        return (*_notice(notice), *([_short_notice(short, notice_days)] if short else []))
    stage = _stage_by_status(contract)
    if stage is Stage.ACTIVE:
        return ()
    missing = NoticeProblem(
        "deprecation-incomplete",
        f"the contract is {stage.value}, and nothing says since when, until when and what replaces it",
        expected="deprecation with announced, sunset_date and replacement",
        actual=f"status: {stage.value}",
        fix='Add deprecation: {announced: "2026-01-03", sunset_date: "2026-02-03", replacement: …}.',
        key="status",
        certain=False,  # the standard itself knows no such block
    )
    return (missing,)


def _notice(notice: Deprecation) -> Iterator[NoticeProblem]:
    for key, text in (("announced", notice.announced), ("sunset_date", notice.sunset_date)):
        if not text:
            yield NoticeProblem(
                "deprecation-incomplete",
                f"the deprecation has no {key}",
                expected="a date such as 2026-02-03",
                fix=f"Add {key}; readers plan by it.",
                key=key,
            )
        elif date_of(text) is None:
            yield NoticeProblem(
                "deprecation-date",
                f"the deprecation's {key} is not a date",
                expected="a date such as 2026-02-03",
                actual=text,
                fix="Write year, month and day with dashes.",
                key=key,
            )
    if not notice.replacement and not notice.reason:
        yield NoticeProblem(
            "deprecation-incomplete",
            "the deprecation names no replacement",
            expected="replacement: the contract to use instead",
            fix="Add replacement, or reason when nothing takes its place.",
            key="replacement",
            certain=False,
        )


def _short_notice(short: Shortfall, notice_days: int) -> NoticeProblem:
    owed = f"readers get {short.given} days of notice, and {notice_days} are owed"
    return NoticeProblem(
        "deprecation-window-short",
        owed if short.given >= 0 else "the sunset date lies before the announcement",
        expected=f"sunset_date {short.earliest} or later",
        actual=f"{short.given} days after announced",
        fix=f'Write sunset_date: "{short.earliest}".',
        key="sunset_date",
        certain=short.given < LEAST_NOTICE_DAYS,
    )
