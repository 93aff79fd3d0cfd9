"""What a service level promises: its kind, an exact quantity, and which direction is better for readers."""

from __future__ import annotations

import re

from ...frozen import dataclass, replace
from ..model import Contract, Json, SchemaObject, Sla
from .exact import number_of, spell_number
from .quantity import (
    Count,
    Duration,
    Quantity,
    Text,
    parse_clock_time,
    parse_count,
    parse_day,
    parse_duration,
    parse_percent,
)
from .references import tables_named
from .sla_kinds import KNOWN_PROPERTIES, ON_COLUMNS, ROWS, UNKNOWN_ROW, Kind, KindRow, Measure, SlaDirection, fold_name

__all__ = [
    "KNOWN_PROPERTIES",
    "Kind",
    "SlaDirection",
    "SlaMeaning",
    "element_in_full",
    "meaning",
    "meanings",
    "uses_default_element",
]


@dataclass(frozen=True, slots=True)
class SlaMeaning:
    """A service level by meaning; `problem` says why the value cannot be meant, empty when it can."""

    kind: Kind
    quantity: Quantity | None
    direction: SlaDirection
    problem: str = ""
    name: str = ""  # the kind, with its percentile; of an unknown kind the property without case
    element: str = ""
    driver: str = ""
    extended: str = ""  # `valueExt`, to which ODCS gives no common meaning
    schedule: str = ""  # when the promise falls due; a frequency may be written as nothing but a schedule

    @property
    def known(self) -> bool:
        return self.kind is not Kind.UNKNOWN

    @property
    def identity(self) -> tuple[str, str]:
        """What pairs two versions of one promise; several may share it and then differ in `driver`."""
        return self.name, self.element

    @property
    def variant(self) -> str:
        """What tells apart two promises of one kind for one element."""
        return f"{self.name}/{self.driver}"


_UNIT_SUFFIX = r"(.+?)(?:in)?(milliseconds|millis|ms|seconds|minutes|mins|hours|days|months|years)"
_PERCENTILE = r"p([0-9]{2,4})latency|(?:latency|ly)p([0-9]{2,4})"
_WORDS = {
    "continuous": "PT0S",
    "streaming": "PT0S",
    "realtime": "PT0S",
    "hourly": "PT1H",
    "daily": "P1D",
    "weekly": "P7D",
    "monthly": "P1M",
    "quarterly": "P3M",
    "yearly": "P1Y",
    "annually": "P1Y",
}
_FOREVER = frozenset({"unlimited", "forever", "indefinite", "indefinitely", "infinite", "permanent"})
_ROW_UNITS = frozenset(
    f"{what}{per}" for what in ("", "row", "record", "event", "message", "count") for per in ("", "/day")
)


def meaning(sla: Sla) -> SlaMeaning:
    """What one service level promises, read on its own."""
    row, unit, percentile = _recognise(sla)
    quantity, problem = _quantity(row, sla, unit)
    if quantity is None and row.lenient:
        quantity, problem = _read_anything(sla.value, sla.unit), ""
    name = row.kind.value if row.kind is not Kind.UNKNOWN else fold_name(sla.property)
    return SlaMeaning(
        kind=row.kind,
        quantity=quantity,
        direction=row.direction,
        problem=problem,
        name=f"{name}_p{percentile}" if percentile else name,
        element=_sort_elements(sla.element or ""),
        driver=(sla.driver or "").strip().casefold(),
        extended="" if sla.value_ext is None else _read_anything(sla.value_ext, None).text,
        schedule=" ".join((_cron_text(row.measure, sla.value) or sla.schedule or "").split()),
    )


def meanings(contract: Contract) -> tuple[SlaMeaning, ...]:
    """All service levels in their order, elements written out: the default element, and the only table's name.

    Of a kind that is measured on no column, the element is only the tables that it means; all of them are none.
    """
    return tuple(_resolve(meaning(sla), contract) for sla in contract.slas)


def _resolve(level: SlaMeaning, contract: Contract) -> SlaMeaning:
    element = element_in_full(level.element or contract.sla_default_element or "", contract)
    if level.kind not in ON_COLUMNS:
        element = _tables_of(element, contract)
    return level if element == level.element else replace(level, element=element)


def uses_default_element(contract: Contract) -> bool:
    """Whether a service level is measured on the default element."""
    return any(not sla.element and meaning(sla).kind in ON_COLUMNS for sla in contract.slas)


def _tables_of(elements: str, contract: Contract) -> str:
    """The tables of elements, empty when these are all; a name that leads to no table is meant for every one."""
    every = frozenset(table.name for table in contract.objects)
    names = filter(None, elements.split(", "))
    meant = frozenset().union(*(tables_named(contract, name) or every for name in names))
    return "" if meant >= every else ", ".join(sorted(meant))


def element_in_full(element: str, contract: Contract) -> str:
    """Elements as a sorted list, with the table's name in front where the contract has only one table."""
    if len(contract.objects) != 1:
        return _sort_elements(element)
    return _sort_elements(
        ",".join(_qualify(name, contract.objects[0]) for name in _sort_elements(element).split(", ") if name)
    )


def _qualify(name: str, table: SchemaObject) -> str:
    """`table.column`; ODCS lets a contract with one table leave its name out."""
    for prefix in (table.name, table.physical_name or table.name):
        if name == prefix:
            return table.name
        if name.startswith(f"{prefix}."):
            return table.name + name[len(prefix) :]
    return f"{table.name}.{name}"


def _sort_elements(text: str) -> str:
    """Several elements are a set; ODCS separates them by commas."""
    return ", ".join(sorted({part.strip() for part in text.split(",") if part.strip()}))


def _recognise(sla: Sla) -> tuple[KindRow, str | None, str]:
    """The kind, the unit (some names carry it: `freshness_minutes`) and the percentile of a latency."""
    name = fold_name(sla.property)
    if name in ROWS:
        return ROWS[name], sla.unit, _percentile(sla) if ROWS[name].kind is Kind.LATENCY else ""
    if latency := re.fullmatch(_PERCENTILE, name):
        return ROWS["latency"], sla.unit, latency[1] or latency[2]
    suffix = re.fullmatch(_UNIT_SUFFIX, name)
    if suffix and suffix[1] in ROWS:
        return ROWS[suffix[1]], sla.unit or suffix[2], ""
    if suffix and (latency := re.fullmatch(_PERCENTILE, suffix[1])):
        return ROWS["latency"], sla.unit or suffix[2], latency[1] or latency[2]
    return UNKNOWN_ROW, sla.unit, ""


def _percentile(sla: Sla) -> str:
    for extension in sla.custom:
        if extension.property.rpartition(".")[2] == "percentile" and extension.value is not None:
            return str(extension.value).casefold().removeprefix("p").replace(".", "")
    return ""


def _quantity(row: KindRow, sla: Sla, unit: str | None) -> tuple[Quantity | None, str]:
    if row.measure is Measure.ANY:
        return _read_anything(sla.value, unit), ""
    if sla.value is None:
        return None, "it has no value"
    quantity, problem = _read(row.measure, sla.value, unit)
    if row.kind is Kind.MIN_ROWS_PER_DAY and isinstance(quantity, Count):
        if quantity.unit not in _ROW_UNITS:
            return None, f"{quantity.unit!r} is not a unit for rows per day"
        return Count(quantity.value, "row/day"), ""
    if row.positive and quantity == Duration() and fold_name(str(sla.value)) not in _WORDS:
        return None, "nothing can be done in no time at all"
    return quantity, problem


def _read(measure: Measure, value: Json, unit: str | None) -> tuple[Quantity | None, str]:
    if measure in (Measure.SHARE, Measure.PERCENT):
        return parse_percent(value, unit, ratio=measure is Measure.SHARE)
    if measure is Measure.COUNT:
        return parse_count(value, unit)
    if measure is Measure.CLOCK:
        return parse_clock_time(value)
    if measure is Measure.DAY:
        return parse_day(value)
    return _read_length(measure, value, unit)


def _read_length(measure: Measure, value: Json, unit: str | None) -> tuple[Quantity | None, str]:
    word = fold_name(value) if isinstance(value, str) else ""
    if measure is Measure.CALENDAR and word in _FOREVER:
        return Text("unlimited"), ""
    if measure is Measure.INTERVAL and isinstance(value, str):
        if word in _WORDS:
            return parse_duration(_WORDS[word])
        if _cron_text(measure, value):
            return _between_fires(value)
    return parse_duration(value, unit, calendar=measure is Measure.CALENDAR)


def _cron_text(measure: Measure, value: Json) -> str:
    """A value that is a schedule: five words or an `@daily` form."""
    if measure is not Measure.INTERVAL or not isinstance(value, str):
        return ""
    return value if len(value.split()) == 5 or value.startswith("@") else ""


def _between_fires(text: str) -> tuple[Duration | None, str]:
    from .cron import parse_cron  # few contracts write a frequency that way

    schedule, problem = parse_cron(text)
    if schedule is None:
        return None, f"the schedule {text!r} cannot be read: {problem}"
    gap = schedule.longest_gap()
    return Duration(0, gap.days * 86_400_000_000 + gap.seconds * 1_000_000), ""


def _read_anything(value: Json, unit: str | None) -> Quantity:
    """Numbers as numbers, the rest as text without needless spaces."""
    number = number_of(value)
    if number is not None:
        count, _ = parse_count(value, unit)
        return count or Text(f"{spell_number(number)} {unit or ''}".rstrip())
    text = value if isinstance(value, str) else _to_json(value)
    return Text(" ".join(f"{text} {unit or ''}".split()))


def _to_json(value: Json) -> str:
    import json  # few service levels are lists or maps

    return json.dumps(value, ensure_ascii=False, sort_keys=True, default=str)
