"""The settings of monitoring as one model: `.floe/monitoring.yaml`, and later a block of the platform's manifest.

The seeds' blocks `data_contracts` and `observability` unchanged, beside them `store`, `calendars`, `connections` by
contract key, and `contracts` with overrides that may only be stricter, which `apply_thresholds` puts into a contract.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Annotated, Literal

from pydantic import AfterValidator, BeforeValidator, Field, WithJsonSchema

from ...checks.moments import DAY, HOUR, MINUTE, zone_of
from ...checks.promises.calendar import Calendar
from ...checks.verdict import Check
from ...contract.meaning.day import date_of
from ...contract.meaning.sla import SlaMeaning, meaning
from ...contract.meaning.sla_kinds import CHECKED
from ...contract.meaning.strictness import compare_slas
from ...contract.model import Contract, Sla
from ...product.block import Block, Scalar, require_value
from ...product.data_contracts import CheckIntervals, DataContracts, Enforcement
from ...product.observability import Observability
from ...product.secret import embedded_problem, value_of
from ..source.connection import Connection

CHECKS: tuple[Check, ...] = ("availability", "freshness", "schema_drift", "quality", "lifecycle")
DEFAULT_INTERVALS_US: dict[str, int] = {
    "availability": 5 * MINUTE,
    "freshness": 15 * MINUTE,
    "schema_drift": HOUR,
    "quality": 6 * HOUR,
    "lifecycle": DAY,
}
WEEKDAYS = ("mon", "tue", "wed", "thu", "fri", "sat", "sun")


def _check_day(text: str) -> str:
    if date_of(text) is None:
        raise ValueError("it is not a date such as 2026-12-25")
    return text


def _check_zone(text: str) -> str:
    if zone_of(text) is None:
        raise ValueError("it is not a time zone such as Europe/Berlin")
    return text


def _check_store(text: str) -> str:
    value = value_of(text)
    how = "write env:NAME and put the whole address into that variable"
    problem = embedded_problem(text, how) if isinstance(value, str) else ""
    if problem:
        raise ValueError(problem)
    return text


_STRICTNESS = {"type": "string", "enum": [level.value for level in Enforcement]}


class CalendarSettings(Block):
    """Days on which data is expected, for SLAs that name the calendar."""

    weekdays: Annotated[tuple[Literal["mon", "tue", "wed", "thu", "fri", "sat", "sun"], ...], Field(strict=False)] = (
        "mon",
        "tue",
        "wed",
        "thu",
        "fri",
    )
    holidays: Annotated[tuple[Annotated[str, AfterValidator(_check_day)], ...], Field(strict=False)] = ()
    timezone: Annotated[str, AfterValidator(_check_zone)] = "UTC"

    def calendar(self) -> Calendar:
        days = (date_of(text) for text in self.holidays)
        zone = zone_of(self.timezone)
        return Calendar(
            weekdays=frozenset(WEEKDAYS.index(word) for word in self.weekdays),
            holidays=frozenset(day for day in days if day is not None),
            **({"zone": zone} if zone else {}),
        )


class ContractSettings(CheckIntervals):
    """What is different for one contract: intervals as needed, enforcement and thresholds only stricter."""

    enforcement: Annotated[
        Enforcement | None, Field(strict=False), BeforeValidator(require_value), WithJsonSchema(_STRICTNESS)
    ] = None
    thresholds: dict[str, Scalar] = Field(
        default_factory=dict, description="Service levels by name, such as freshness: PT3H or availability: 99.95%."
    )
    unmasked_columns: Annotated[tuple[str, ...], Field(strict=False)] = Field(
        default=(), description="Columns whose values --quarantine keeps, although they are classified or not listed."
    )


class MonitoringConfig(Block):
    """The whole file."""

    data_contracts: DataContracts = DataContracts()
    observability: Observability = Observability()
    store: Annotated[str, AfterValidator(_check_store)] = Field(
        default="", description="A database URL, or env:NAME that holds it."
    )
    sql_trust: Literal["restricted", "full"] = Field(
        default="restricted",
        description="restricted: SQL rules only ask the contract's own tables; full: they run as they are written.",
    )
    calendars: dict[str, CalendarSettings] = Field(default_factory=dict)
    connections: dict[str, Connection] = Field(default_factory=dict, description="By contract key.")
    contracts: dict[str, ContractSettings] = Field(default_factory=dict, description="By contract key.")

    def interval_us(self, check: Check, key: str = "") -> int:
        """How often a check runs: as its contract says, as the file says, or as is usual."""
        own = self.contracts[key].own_interval_us(check) if key in self.contracts else None
        return own or self.data_contracts.monitoring.own_interval_us(check) or DEFAULT_INTERVALS_US[check]

    def enforcement_of(self, key: str) -> Enforcement:
        own = self.contracts[key].enforcement if key in self.contracts else None
        return own or self.data_contracts.enforcement

    @property
    def trusts_sql(self) -> bool:
        return self.sql_trust == "full"

    def judge_settings(self, check: Check) -> tuple[str, ...]:
        """The settings that decide who judges a check, and what it may do; where the data is, is said elsewhere."""
        if check == "lifecycle":
            return ()
        return (self.data_contracts.plugin.type, *((self.sql_trust,) if check == "quality" else ()))

    def calendars_by_name(self) -> dict[str, Calendar]:
        return {name: settings.calendar() for name, settings in self.calendars.items()}


def apply_thresholds(contract: Contract, thresholds: Mapping[str, str]) -> tuple[Contract, str]:
    """The contract with the thresholds in place of its own, and an empty reason; or as it is, and why it stays so."""
    slas = contract.slas
    for name, text in thresholds.items():
        override = Sla(name, text)
        wanted = meaning(override)
        if wanted.kind not in CHECKED:
            return contract, f"the settings ask for {name}, which no check measures"
        own = [sla for sla in slas if meaning(sla).name == wanted.name]
        for sla in own:
            problem = _weaker_reason(meaning(sla), wanted)
            if problem:
                return contract, f"the settings ask for {name} {text}, {problem}; overrides may only be stricter"
        slas = tuple(replace(sla, property=name, value=text, unit=None) if sla in own else sla for sla in slas)
        slas = slas if own else (*slas, override)
    return replace(contract, slas=slas), ""


def _weaker_reason(own: SlaMeaning, wanted: SlaMeaning) -> str:
    """Why a threshold may not take the place of the contract's; empty when it may."""
    if own.quantity is None or wanted.quantity is None:
        return "" if own.quantity is None else "which says no quantity"
    order = compare_slas(wanted, own)
    if order is None:
        return f"which cannot be compared with the contract's {own.quantity.text}"
    return f"which is weaker than the contract's {own.quantity.text}" if order < 0 else ""
