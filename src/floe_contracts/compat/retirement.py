"""The lifecycle rules of a change: notice before sunset, no new readers at the end, deletion only after retirement."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date

from .. import codes
from ..codes import Severity
from ..contract.lifecycle import Stage, notice_shortfall, stage_of, sunset_of
from ..contract.load import Loaded
from ..contract.model import Contract
from ..results import Bump, Finding, Location, Reader, Standing, finding


def pair_findings(old: Contract, new: Contract, place: Loaded, today: date, notice_days: int) -> Iterator[Finding]:
    """What a changed contract does wrong about its own end."""
    yield from _notice(old, new, place, today, notice_days)
    yield from _new_readers(old, new, place, today)
    before, after = stage_of(old, today), stage_of(new, today)
    if after is Stage.RETIRED and before is not Stage.RETIRED and not _ended(old, today):
        yield _broken(
            "retired-early",
            "the contract is retired before its notice has passed",
            place,
            expected=f"a sunset date announced at least {notice_days} days before, and 7 days of sunset",
            actual=f"stage {before.value} on the base branch",
            fix="Announce the deprecation first, and retire the contract when the sunset week is over.",
        )


def _ended(old: Contract, today: date) -> bool:
    return stage_of(old, today) is Stage.RETIRED


def _notice(old: Contract, new: Contract, place: Loaded, today: date, notice_days: int) -> Iterator[Finding]:
    if new.deprecation == old.deprecation:
        return
    shortfall = notice_shortfall(new, notice_days)
    if shortfall:
        yield _broken(
            "notice-too-short",
            f"readers get {shortfall.given} days of notice instead of {notice_days}",
            place,
            expected=f"sunset_date at least {notice_days} days after announced",
            actual=f"{shortfall.given} days",
            fix=f"Move sunset_date to {shortfall.earliest} or later.",
        )
    earlier, later = sunset_of(old), sunset_of(new)
    if earlier and later and later < earlier and stage_of(old, today) is not Stage.ACTIVE:
        yield _broken(
            "sunset-moved-up",
            f"the sunset date moved up from {earlier} to {later} after readers were told",
            place,
            expected=f"{earlier} or later",
            actual=str(later),
            fix="Keep the date that was announced, or move it back.",
        )


def _new_readers(old: Contract, new: Contract, place: Loaded, today: date) -> Iterator[Finding]:
    known = {one.name for one in old.consumers}
    stage = stage_of(old, today)
    for one in new.consumers:
        if one.name in known or stage is Stage.ACTIVE:
            continue
        ending = stage in (Stage.SUNSET, Stage.RETIRED)
        yield finding(
            codes.E527,
            "consumer-of-ending-contract",
            f"consumer {one.name!r} joins a contract that is {stage.value}",
            severity=Severity.ERROR if ending else Severity.WARNING,
            element="consumers",
            location=place.place(one.at),
            expected=_replacement(old) or "a contract that is active",
            actual=stage.value,
            suggestions=(f"Read {_replacement(old) or 'its replacement'} instead.",),
        )


def _replacement(contract: Contract) -> str:
    return (contract.deprecation.replacement if contract.deprecation else None) or ""


def _broken(rule: str, message: str, place: Loaded, *, expected: str, actual: str, fix: str) -> Finding:
    return finding(
        codes.E527,
        rule,
        message,
        element="deprecation",
        location=place.place(("deprecation",)),
        expected=expected,
        actual=actual,
        suggestions=(fix,),
    )


def deletion_finding(old: Loaded, contract: Contract, silent: tuple[Reader, ...], today: date) -> Finding:
    """A deleted contract line: allowed once retired and acknowledged by every reader, else blocked."""
    stage = stage_of(contract, today)
    waiting = ", ".join(reader.name for reader in silent)
    if stage is Stage.RETIRED and not silent:
        return finding(
            codes.E525,
            "contract-deleted-after-retirement",
            f"{contract.label} {contract.version} was retired, every reader has acknowledged it, and its file is gone",
            severity=Severity.INFO,
            contract=contract.key,
            location=Location(old.path),
            standing=Standing.ALLOWED,
        )
    missing = [] if stage is Stage.RETIRED else [f"it is {stage.value}, not retired"]
    missing += [f"no acknowledgement from {waiting}"] if silent else []
    return finding(
        codes.E525,
        "contract-deleted",
        f"{contract.label} {contract.version} is deleted while readers may still use it",
        contract=contract.key,
        location=Location(old.path),
        expected="a retired contract that every reader has acknowledged",
        actual="; ".join(missing),
        suggestions=(
            f"Restore {old.path}. Deprecate it, let the sunset date pass, and record `floe consumers ack` for each reader.",
        ),
        bump=Bump.BLOCK,
    )
