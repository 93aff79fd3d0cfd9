"""Remarks about service levels: values without a meaning, elements that name nothing, the same promise twice."""

from __future__ import annotations

from collections.abc import Iterator

from ...codes import Severity
from ..meaning import cron
from ..meaning.phrase import closest, did_you_mean
from ..meaning.sla import KNOWN_PROPERTIES, SlaMeaning, meaning
from ..meaning.sla_kinds import MEASURES, Measure
from ..model import Contract, Dialect, Pointer, Sla
from ..source import text_of
from .remark import Remark


def sla_remarks(contract: Contract) -> Iterator[Remark]:
    """All remarks about `slaProperties` and `sla`."""
    if not contract.slas:
        return
    known = _elements(contract)
    default = ("sla", "element") if contract.dialect is Dialect.FIELDS else ("slaDefaultElement",)
    yield from _element(contract.sla_default_element, "the default of the SLAs", default, "sla", known)
    seen: dict[tuple[str, str, str], Sla] = {}
    for sla in contract.slas:
        what = meaning(sla)
        yield from _value(sla, what)
        yield from _schedule(sla)
        yield from _element(sla.element, f"the SLA {sla.property!r}", (*sla.at, "element"), sla.property, known)
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


def _value(sla: Sla, what: SlaMeaning) -> Iterator[Remark]:
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
        yield Remark(
            "sla-value",
            f"the SLA {sla.property!r} cannot be enforced: {what.problem}",
            (*sla.at, "value"),
            severity=Severity.WARNING if variable else Severity.ERROR,
            element=sla.property,
            actual=" ".join(text_of(part) for part in (sla.value, sla.unit) if part is not None),
            suggestion=f"Write {_EXAMPLES[MEASURES[what.kind]]}.",
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


def _element(names: str | None, what: str, at: Pointer, element: str, known: set[str]) -> Iterator[Remark]:
    for name in (part.strip() for part in (names or "").split(",")):
        if not name or name in known:
            continue
        meant = closest(name, known)
        yield Remark(
            "sla-element-unknown",
            f"{what} names {name!r}, which is no column or table of this contract",
            at,
            severity=Severity.WARNING,
            element=element,
            expected="a column as table.column or column, or a table",
            actual=name,
            suggestion=did_you_mean(meant) if meant else f"Add the column {name!r}, or name one that exists.",
        )


def _elements(contract: Contract) -> set[str]:
    names: set[str] = set()
    for table in contract.objects:
        for prefix in {table.name, table.physical_name or table.name}:
            names.add(prefix)
            for path, prop in table.columns():
                dotted = ".".join(path)
                names |= {dotted, f"{prefix}.{dotted}"}
                if prop.physical_name:
                    names |= {prop.physical_name, f"{prefix}.{prop.physical_name}"}
    return names
