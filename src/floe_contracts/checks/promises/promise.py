"""Service levels as promises about tables: which table, which column, which clock."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from ...contract.meaning.quantity import Quantity
from ...contract.meaning.sla import meaning
from ...contract.meaning.sla_kinds import CHECKED, Kind
from ...contract.meaning.typenames import Family, parse_type
from ...contract.model import Contract, Dialect, Property, SchemaObject, Sla
from ..measure import Path
from ..moments import SECOND
from ..names import RulePlace, element_of, find_column, name_in_table
from .options import SlaOptions, options_of


@dataclass(frozen=True, slots=True)
class Promise:
    """One service level, for one table."""

    kind: Kind
    name: str  # the kind, with its percentile: latency_p99
    table: SchemaObject
    element: str  # what findings name
    quantity: Quantity | None = None
    schedule: str = ""  # cron
    column: Path | None = None  # by contract names; None where the SLA names no column
    path: Path | None = None  # by the table's names
    options: SlaOptions = SlaOptions()
    problem: str = ""  # why it cannot be checked
    sla: Sla = Sla("")

    @property
    def check(self) -> str:
        return CHECKED.get(self.kind, "")


def promises(contract: Contract, table: SchemaObject) -> tuple[Promise, ...]:
    """The service levels that concern one table and that some check measures."""
    return tuple(promise for sla in contract.slas for promise in _for_table(contract, table, sla) if promise.check)


def unchecked_slas(contract: Contract) -> tuple[str, ...]:
    """Service levels that no check measures, as written: retention, support times, unknown words."""
    return tuple(dict.fromkeys(sla.property for sla in contract.slas if meaning(sla).kind not in CHECKED))


def _for_table(contract: Contract, table: SchemaObject, sla: Sla) -> Iterator[Promise]:
    sense = meaning(sla)
    options = options_of(sla)
    schedule = sense.schedule if _is_cron(sla, sense.kind) else ""
    problem = options.problem or ("" if schedule and sla.value is None else sense.problem)
    for column, path in _columns(contract, table, sla.element or contract.sla_default_element or ""):
        yield Promise(
            kind=sense.kind,
            name=sense.name,
            table=table,
            element=element_of(contract, table, column or ()),
            quantity=sense.quantity,
            schedule=schedule,
            column=column,
            path=path,
            options=options,
            problem=problem,
            sla=sla,
        )


def _is_cron(sla: Sla, kind: Kind) -> bool:
    """A schedule of cron; that of another scheduler says nothing here, and a frequency may itself be one."""
    scheduler = (sla.scheduler or "cron").casefold()
    return scheduler == "cron" or (kind is Kind.FREQUENCY and not sla.schedule)


def _columns(contract: Contract, table: SchemaObject, elements: str) -> Iterator[tuple[Path | None, Path | None]]:
    """The columns of this table that an SLA names, or nothing in particular; no entry when it is about other tables."""
    names = [name.strip() for name in elements.split(",") if name.strip()]
    if not names:
        yield None, None
    for name in names:
        if place := find_column(contract, table, name):  # a column may be called like its table
            yield place.column, place.path
        elif name in (table.name, table.physical_name):
            yield None, None
        elif _is_own(contract, table, name):
            path = tuple(_without_table(table, name).split("."))
            yield path, path  # the contract does not list it, but the table may have it


def _is_own(contract: Contract, table: SchemaObject, name: str) -> bool:
    """Whether a name that is not a known column can only be meant for this table, or for any."""
    if _without_table(table, name) != name:
        return True
    others = [other for other in contract.objects if other.name != table.name]
    return not any(
        name in (other.name, other.physical_name)
        or _without_table(other, name) != name
        or find_column(contract, other, name)
        for other in others
    )


def _without_table(table: SchemaObject, name: str) -> str:
    for prefix in (table.name, table.physical_name or table.name):
        if name.startswith(f"{prefix}."):
            return name[len(prefix) + 1 :]
    return name


_UNITS = {
    **dict.fromkeys(("s", "second", "seconds"), SECOND),
    **dict.fromkeys(("ms", "milli", "millis", "millisecond", "milliseconds"), SECOND // 1000),
    **dict.fromkeys(("us", "micro", "micros", "microsecond", "microseconds"), 1),
}


@dataclass(frozen=True, slots=True)
class ClockChoice:
    """Which clock tells how old the data is; `path` is None for the time of commits or files."""

    path: Path | None
    why: str  # the reason for the choice, in words
    zone: str = "UTC"  # of times without a zone
    zone_declared: bool = False
    day_end: bool = False  # a date means its last moment
    format: str = ""  # how a text writes its time, as Java's DateTimeFormatter has it
    unit_us: int = 0  # microseconds in one unit of a number that counts from 1970; 0: nobody said


def clock_of(contract: Contract, promise: Promise, bound_column: str | None = None) -> ClockChoice:
    """The SLA's element, the binding's column, the only timestamp column, else the time of commits."""
    if promise.options.clock == "commit":
        return ClockChoice(None, "the SLA asks for the time of commits")
    if promise.path is not None:
        place = find_column(contract, promise.table, ".".join(promise.path))
        return _choose_column(promise, place, "the SLA names it", promise.path)
    if bound_column:
        place = find_column(contract, promise.table, bound_column)
        return _choose_column(promise, place, "the connection names it", tuple(bound_column.split(".")))
    stamps = [prop for prop in promise.table.properties if _is_timestamp(prop)]
    if len(stamps) == 1:
        place = find_column(contract, promise.table, stamps[0].name)
        return _choose_column(promise, place, "it is the only timestamp column", (name_in_table(stamps[0]),))
    return ClockChoice(None, f"the SLA names no column and the table has {len(stamps)} timestamp columns")


def arrival_of(contract: Contract, promise: Promise) -> ClockChoice | None:
    """The column with the time of arrival that a latency names, if it names one."""
    name = promise.options.arrival
    if not name:
        return None
    return _choose_column(
        promise, find_column(contract, promise.table, name), "the SLA names it", tuple(name.split("."))
    )


def explain_no_arrival(contract: Contract) -> str:
    """Why a latency cannot be measured, and what to write in the contract's own dialect."""
    fix = "add arrival: under sla:" if contract.dialect is Dialect.FIELDS else "add the custom property floe.arrival"
    return f"its SLA names no column with the time of arrival; {fix}"


def _is_timestamp(prop: Property) -> bool:
    """By the physical type where it says one: ODCS 3.0 has no logical type for timestamps."""
    kind = parse_type(prop.physical_type) if prop.physical_type else None
    if kind is None or kind.family is Family.UNKNOWN:
        return prop.logical_type == "timestamp"
    return kind.family is Family.TIMESTAMP


def _choose_column(promise: Promise, place: RulePlace | None, why: str, fallback: Path) -> ClockChoice:
    prop = place.prop if place else None
    declared = promise.options.timezone or (prop.timezone if prop else None) or ""
    declared = declared or (prop.options.default_timezone if prop else None) or ""
    path = place.path if place else fallback
    return ClockChoice(
        path,
        why,
        declared or "UTC",
        bool(declared),
        promise.options.day == "end",
        format=(prop.options.format if prop else None) or "",
        unit_us=_unit_us(prop) if prop else 0,
    )


def _unit_us(prop: Property) -> int:
    """The unit in which a column of numbers counts from 1970; a unit of something else says nothing about time."""
    return _UNITS.get((prop.unit or "").strip().casefold(), 0)
