"""The lifecycle rules of a change: notice before sunset, no new readers at the end, deletion only after retirement."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date, timedelta

from .. import codes
from ..codes import Severity
from ..contract.lifecycle import (
    LEAST_NOTICE_DAYS,
    Shortfall,
    Stage,
    announced_on,
    notice_problems,
    notice_shortfall,
    stage_of,
    sunset_of,
)
from ..contract.load import Loaded
from ..contract.meaning.phrase import plural
from ..contract.model import Contract
from ..frozen import replace
from ..results import Bump, Disposition, Finding, Location, Reader
from .kinds import FactKind
from .release import is_unreleased
from .verdict import explain_standing


def pair_findings(old: Contract, new: Contract, place: Loaded, today: date, notice_days: int) -> Iterator[Finding]:
    """What a changed contract does wrong about its own end."""
    yield from find_gaps(old, new, place)
    if new.consumers:
        yield from _new_readers(old, new, place, today)
    if moved := _find_moved_up(old, new, place, today):
        yield moved  # whatever else a date that comes too soon leads to, the cure is the same
        return
    if new.deprecation != old.deprecation:
        yield from _notice(old, new, place, today, notice_days)
    before, after = stage_of(old, today), stage_of(new, today)
    if after is Stage.RETIRED and before is not Stage.RETIRED:
        yield _notice_finding(
            "retired-early",
            "the contract is retired before its notice has passed",
            _spot(new, place),
            expected=f"a sunset date announced at least {notice_days} days before, and 7 days of sunset",
            actual=f"stage {before.value} on the base branch",
            fix="Announce the deprecation first, and retire the contract when the sunset week is over.",
        )


def _spot(new: Contract, place: Loaded) -> Location:
    return place.place(new.deprecation.at if new.deprecation and new.deprecation.at else ("status",))


def _notice(old: Contract, new: Contract, place: Loaded, today: date, notice_days: int) -> Iterator[Finding]:
    shortfall = notice_shortfall(new, notice_days) or _find_backdating(old, new, today, notice_days)
    if shortfall:
        yield _notice_finding(
            "notice-too-short",
            f"readers get {plural(shortfall.given, 'day')} of notice instead of {notice_days}",
            _spot(new, place),
            expected=f"sunset_date {shortfall.earliest} or later, {notice_days} days after the announcement",
            actual=f"sunset_date {sunset_of(new)}",
            fix=f'Write sunset_date: "{shortfall.earliest}".',
        )


def _find_moved_up(old: Contract, new: Contract, place: Loaded, today: date) -> Finding | None:
    earlier, later = sunset_of(old), sunset_of(new)
    if earlier is None or later is None or later >= earlier or stage_of(old, today) is Stage.ACTIVE:
        return None
    return _notice_finding(
        "sunset-moved-up",
        f"the sunset date moved up from {earlier} to {later} after readers were told",
        _spot(new, place),
        expected=f"{earlier} or later",
        actual=str(later),
        fix=f'Write sunset_date: "{earlier}", the date that was announced, or a later one.',
    )


def find_gaps(old: Contract | None, new: Contract, place: Loaded) -> Iterator[Finding]:
    """What the notice of a contract leaves out and did not leave out before, as lint says it."""
    before = {problem.message for problem in notice_problems(old)} if old else set[str]()
    for problem in notice_problems(new):
        if problem.rule == "deprecation-incomplete" and problem.message not in before:
            gap = _notice_finding(
                problem.rule,
                problem.message,
                _spot(new, place),
                expected=problem.expected,
                actual=problem.actual,
                fix=problem.fix,
            )
            yield gap if problem.certain else replace(gap, severity=Severity.WARNING)


def overdue_facts(contract: Contract, today: date) -> frozenset[FactKind]:
    """Changes that only write down what the dates of a contract have decided: they cost no more than words."""
    return frozenset({FactKind.STATUS_RETIRED}) if stage_of(contract, today) is Stage.RETIRED else frozenset()


def _find_backdating(old: Contract, new: Contract, today: date, notice_days: int) -> Shortfall | None:
    """The shortfall of a notice that was never given: announced only now, with a date that lies back.

    A change may wait for its review, so the days count from today only when too few are left under any settings.
    """
    sunset = sunset_of(new)
    if sunset is None or announced_on(old) or not announced_on(new) or (sunset - today).days >= LEAST_NOTICE_DAYS:
        return None
    return Shortfall((sunset - today).days, today + timedelta(days=notice_days))


def _new_readers(old: Contract, new: Contract, place: Loaded, today: date) -> Iterator[Finding]:
    known = {consumer.name for consumer in old.consumers}
    stage = max(stage_of(old, today), stage_of(new, today), key=lambda each: each.rank)
    for consumer in new.consumers:
        if consumer.name not in known and stage is not Stage.ACTIVE:
            yield new_reader_finding(consumer.name, new, stage, place.place(consumer.at))


def new_reader_finding(reader: str, contract: Contract, stage: Stage, location: Location) -> Finding:
    """The finding on a reader that begins to use a contract which is on its way out."""
    instead = (contract.deprecation.replacement if contract.deprecation else None) or ""
    return Finding.of(
        codes.E527,
        "consumer-of-ending-contract",
        f"consumer {reader!r} joins {contract.label} {contract.version}, which is {stage.value}",
        severity=Severity.WARNING if stage is Stage.DEPRECATED else Severity.ERROR,
        contract=contract.key,
        element="consumers",
        location=location,
        expected=instead or "a contract that is active",
        actual=stage.value,
        suggestions=(f"Read {instead or 'its replacement'} instead.",),
    )


def _notice_finding(rule: str, message: str, place: Location, *, expected: str, actual: str, fix: str) -> Finding:
    return Finding.of(
        codes.E527,
        rule,
        message,
        element="deprecation",
        location=place,
        expected=expected,
        actual=actual,
        suggestions=(fix,),
    )


def may_be_deleted(contract: Contract, silent: tuple[Reader, ...], today: date) -> bool:
    """Whether a contract may go: once it is retired and acknowledged by every reader."""
    return stage_of(contract, today) is Stage.RETIRED and not silent


def deletion_finding(
    path: str, contract: Contract, silent: tuple[Reader, ...], today: date, moved_to: str = ""
) -> Finding:
    """The finding on a deleted contract: allowed once retired and acknowledged, reported of a draft, else blocking.

    `moved_to` is the file that holds it now, where no glob matches.
    """
    stage = stage_of(contract, today)
    waiting = ", ".join(reader.name for reader in silent)
    if may_be_deleted(contract, silent, today):
        return Finding.of(
            codes.E529,
            "contract-deleted-after-retirement",
            f"{contract.label} {contract.version} was retired, every reader has acknowledged it, and its file is gone",
            contract=contract.key,
            location=Location(path),
            standing=Disposition.ALLOWED,
        )
    missing = [] if stage is Stage.RETIRED else [f"it is {stage.value}, not retired"]
    missing += [f"no acknowledgement from {waiting}"] if silent else []
    deleted = Finding.of(
        codes.E525,
        "contract-deleted",
        f"{contract.label} {contract.version}".rstrip()
        + " "
        + (
            f"is moved to {moved_to}, which no glob matches, so the gate would lose it"
            if moved_to
            else "is deleted while readers may still use it"
        ),
        contract=contract.key,
        location=Location(path),
        expected="a retired contract that every reader has acknowledged",
        actual="; ".join(missing),
        suggestions=(
            f"Move it back, or add a glob for {moved_to} to contracts: in .floe/config.yaml."
            if moved_to
            else f"Restore {path}. Deprecate it, let the sunset week pass, and record `floe consumers ack`.",
        ),
        bump=Bump.BLOCK,
        standing=Disposition.REPORTED if is_unreleased(contract) else Disposition.OPEN,
    )
    return explain_standing(deleted, contract)
