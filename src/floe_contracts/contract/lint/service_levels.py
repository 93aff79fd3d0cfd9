"""Remarks about service levels: values without a meaning, elements that name nothing, the same promise twice."""

from __future__ import annotations

from collections.abc import Iterator

from ...codes import Severity
from ..meaning import cron
from ..meaning.sla import KNOWN_PROPERTIES, meaning
from ..model import Contract, Dialect, Pointer, Sla
from ..source import text_of
from .remark import Remark, closest


def sla_remarks(contract: Contract) -> Iterator[Remark]:
    """Everything about `slaProperties` and `sla`."""
    if not contract.slas:
        return
    known = _elements(contract)
    default = ("sla", "element") if contract.dialect is Dialect.FIELDS else ("slaDefaultElement",)
    yield from _element(contract.sla_default_element, "the default of the SLAs", default, "sla", known)
    seen: dict[tuple[str, str, str], Sla] = {}
    for sla in contract.slas:
        what = meaning(sla)
        yield from _value(sla, what.problem, what.known)
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


def _value(sla: Sla, problem: str, known: bool) -> Iterator[Remark]:
    if not known:
        meant = closest(sla.property, KNOWN_PROPERTIES)
        yield Remark(
            "sla-property-unknown",
            f"floe does not know the SLA {sla.property!r}" + (f"; did you mean {meant!r}?" if meant else ""),
            sla.at,
            severity=Severity.ERROR if meant else Severity.WARNING,
            element=sla.property,
            expected="one of " + ", ".join(sorted(KNOWN_PROPERTIES)),
            actual=sla.property,
            suggestion=f"Write {meant}." if meant else "It is compared as text, but cannot be checked.",
        )
    elif problem:
        variable = any("${" in text_of(part) for part in (sla.value, sla.unit))  # ODCS RFC 50: filled in at run time
        yield Remark(
            "sla-value",
            f"the SLA {sla.property!r} cannot be enforced: {problem}",
            (*sla.at, "value"),
            severity=Severity.WARNING if variable else Severity.ERROR,
            element=sla.property,
            actual=" ".join(text_of(part) for part in (sla.value, sla.unit) if part is not None),
            suggestion="Write a duration as PT6H or value 6 with unit h, a share as 99.9%, a time as 06:00 UTC.",
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
            suggestion=f"Did you mean {meant}?" if meant else f"Add the column {name!r}, or name one that exists.",
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
