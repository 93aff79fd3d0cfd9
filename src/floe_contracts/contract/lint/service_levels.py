"""Remarks about service levels: values without a meaning, schedules that cannot be read, the same promise twice."""

from __future__ import annotations

from collections.abc import Iterator

from ...codes import Severity
from ..meaning import cron
from ..meaning.phrase import closest
from ..meaning.sla import KNOWN_PROPERTIES, SlaMeaning, meaning
from ..meaning.sla_kinds import CHECKED, MEASURES, Measure
from ..model import Contract, Dialect, Sla
from ..source import text_of
from .remark import Remark
from .sla_elements import element_remarks


def sla_remarks(contract: Contract) -> Iterator[Remark]:
    """All remarks about `slaProperties` and `sla`."""
    if not contract.slas:
        return
    yield from element_remarks(contract)
    seen: dict[tuple[str, str, str], Sla] = {}
    for sla in contract.slas:
        what = meaning(sla)
        yield from _value(sla, what, contract.dialect)
        yield from _schedule(sla)
        key = (what.kind, sla.element or contract.sla_default_element or "", what.variant)
        if key in seen:
            yield Remark(
                "duplicate-sla",
                f"the SLA {sla.property!r} is promised twice for {key[1] or 'the whole contract'}",
                sla.at,
                element=sla.property,
                suggestion="Keep one of them, or name another element.",
            )
        seen[key] = sla


_EXAMPLES = {
    Measure.DURATION: "a length of time: PT6H, or the value 6 with the unit h",
    Measure.CALENDAR: "a length of time: P7Y, or the value 7 with the unit y",
    Measure.INTERVAL: "a length of time (P1D), a word (daily) or the five fields of cron (0 6 * * *)",
    Measure.SHARE: "a percentage, for instance 99.9%",
    Measure.PERCENT: "a percentage, for instance 0.1%",
    Measure.COUNT: "a number, for instance 10000",
    Measure.CLOCK: "a time of day with its zone, for instance 06:00 UTC",
    Measure.DAY: "a date, for instance 2026-12-31",
}


def _example(measure: Measure, dialect: Dialect) -> str:
    """How such a value is written; the fields dialect has no key for a unit."""
    no_units = dialect is Dialect.FIELDS and measure is Measure.DURATION
    return "a length of time: PT6H or 6h" if no_units else _EXAMPLES[measure]


def _value(sla: Sla, what: SlaMeaning, dialect: Dialect) -> Iterator[Remark]:
    if not what.known:
        meant = closest(sla.property, KNOWN_PROPERTIES)
        by_name = bool(sla.at) and isinstance(sla.at[-1], str)  # a mapping names its service levels by key
        yield Remark(
            "sla-property-unknown",
            f"floe does not know the SLA {sla.property!r}" + (f"; did you mean {meant!r}?" if meant else ""),
            sla.at if by_name else (*sla.at, "property"),
            severity=Severity.ERROR if meant else Severity.WARNING,
            element=sla.property,
            expected="one of " + ", ".join(sorted(KNOWN_PROPERTIES)),
            actual=sla.property,
            suggestion=f"Write {meant}." if meant else "It is compared as text, but cannot be checked.",
            at_key=by_name,
        )
    elif what.problem:
        variable = any("${" in text_of(part) for part in (sla.value, sla.unit))  # ODCS RFC 50: filled in at run time
        checked = what.kind in CHECKED
        verdict = "cannot be enforced" if checked else "is only compared as text"
        yield Remark(
            "sla-value",
            f"the SLA {sla.property!r} {verdict}: {what.problem}",
            (*sla.at, "value"),
            severity=Severity.ERROR if checked and not variable else Severity.WARNING,
            element=sla.property,
            actual=" ".join(text_of(part) for part in (sla.value, sla.unit) if part is not None),
            suggestion=f"Write {_example(MEASURES[what.kind], dialect)}.",
        )


def _schedule(sla: Sla) -> Iterator[Remark]:
    if sla.schedule is None or (sla.scheduler or "").casefold() != "cron":
        return
    reason = cron.problem(sla.schedule)
    if reason:
        yield Remark(
            "schedule-unreadable",
            f"the cron schedule {sla.schedule!r} cannot be read: {reason}",
            (*sla.at, "schedule"),
            element=sla.property,
            suggestion="Write five fields, for instance 0 6 * * * for every day at 06:00.",
        )
