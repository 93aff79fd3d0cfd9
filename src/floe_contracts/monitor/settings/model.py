"""The settings of monitoring as one model: `.floe/monitoring.yaml`, and later a block of the platform's manifest.

The seeds' blocks `data_contracts` and `observability` unchanged, beside them `store`, `calendars`, `connections` by
contract key, and `contracts` with overrides that may only be stricter.
"""

from __future__ import annotations

from enum import Enum
from typing import Annotated, Literal

from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, Field, InstanceOf, WithJsonSchema

from ...checks.moments import DAY, HOUR, MINUTE, SECOND, zone_of
from ...checks.promises.calendar import Calendar
from ...checks.verdict import Check
from ...contract.meaning.day import date_of
from ...contract.meaning.duration import Duration, parse_duration
from ...contract.source.scalars import text_of
from ..source.connection import Connection
from .secret import embedded_problem, value_of

CHECKS: tuple[Check, ...] = ("availability", "freshness", "schema_drift", "quality", "lifecycle")
DEFAULT_INTERVALS_US: dict[str, int] = {
    "availability": 5 * MINUTE,
    "freshness": 15 * MINUTE,
    "schema_drift": HOUR,
    "quality": 6 * HOUR,
    "lifecycle": DAY,
}
WEEKDAYS = ("mon", "tue", "wed", "thu", "fri", "sat", "sun")


class Enforcement(str, Enum):
    """What a violation does, from nothing to failing the job; the order of the members is the order of strictness."""

    OFF = "off"
    WARN = "warn"
    ALERT_ONLY = "alert_only"
    BLOCK = "block"

    @property
    def rank(self) -> int:
        return tuple(Enforcement).index(self)


class Mode(str, Enum):
    """What starts a check."""

    SCHEDULED = "scheduled"
    CONTINUOUS = "continuous"
    ON_DEMAND = "on_demand"


def _read_interval(value: object) -> object:
    """A fixed length of time of at least a second."""
    if isinstance(value, Duration):
        return value
    duration, problem = parse_duration(value) if isinstance(value, str) else (None, "it is not a length of time")
    if duration is None:
        raise ValueError(f"{problem}; write one such as 15m, 1h or PT6H")
    if duration.months:
        raise ValueError("a month has no fixed length; write days or hours")
    if duration.microseconds < SECOND:
        raise ValueError("it must be at least a second")
    return duration


def _check_day(text: str) -> str:
    if date_of(text) is None:
        raise ValueError("it is not a date such as 2026-12-25")
    return text


def _check_zone(text: str) -> str:
    if zone_of(text) is None:
        raise ValueError("it is no time zone such as Europe/Berlin")
    return text


def _check_store(text: str) -> str:
    value = value_of(text)
    how = "write env:NAME and put the whole address into that variable"
    problem = embedded_problem(text, how) if isinstance(value, str) else ""
    if problem:
        raise ValueError(problem)
    return text


def _spell_number(value: object) -> object:
    """A number as it was written."""
    return text_of(value) if isinstance(value, (int, float)) and not isinstance(value, bool) else value


def _require_value(value: object) -> object:
    """What is absent is None; what is written is not."""
    if value is None:
        raise ValueError("it is empty; remove the key or write a value")
    return value


_LENGTH = {"type": "string", "minLength": 1, "examples": ["15m", "1h", "PT6H"]}
_STRICTNESS = {"type": "string", "enum": [level.value for level in Enforcement]}
Interval = Annotated[InstanceOf[Duration] | None, BeforeValidator(_read_interval), WithJsonSchema(_LENGTH)]
Scalar = Annotated[str, BeforeValidator(_spell_number), WithJsonSchema({"type": ["string", "number"]})]


class _Block(BaseModel):
    """Every block is closed: a key that nobody reads is a mistake."""

    model_config = ConfigDict(
        extra="forbid", frozen=True, strict=True, arbitrary_types_allowed=True, hide_input_in_errors=True
    )


class CheckSettings(_Block):
    """How often one check runs; 5m for availability, 15m freshness, 1h schema_drift, 6h quality, 1d lifecycle."""

    check_interval: Interval = None


class _Checks(_Block):
    availability: CheckSettings = CheckSettings()
    freshness: CheckSettings = CheckSettings()
    schema_drift: CheckSettings = CheckSettings()
    quality: CheckSettings = CheckSettings()
    lifecycle: CheckSettings = CheckSettings()

    def own_interval_us(self, check: Check) -> int | None:
        interval: Duration | None = getattr(self, check).check_interval
        return interval.microseconds if interval else None


class Monitoring(_Checks):
    """Whether, when and how often contracts are checked."""

    enabled: bool = True
    mode: Annotated[Mode, Field(strict=False)] = Mode.SCHEDULED


class Plugin(_Block):
    """Who runs the checks: odcs (floe's own engine), datacontract-cli, or the name of an entry point."""

    type: Annotated[str, Field(min_length=1)] = "odcs"


class AutoGeneration(_Block):
    """Contracts derived from a product's ports where nobody wrote one."""

    enabled: bool = True
    from_ports: bool = True
    from_dbt_manifest: bool = True


class Alerting(_Block):
    """What tells others about violations."""

    openlineage_events: bool = True
    prometheus_metrics: bool = True


class DataContracts(_Block):
    """The platform's block on contracts; it is about run time only and never softens the gate."""

    enforcement: Annotated[Enforcement, Field(strict=False)] = Enforcement.ALERT_ONLY
    standard: Literal["odcs_v3"] = "odcs_v3"
    plugin: Plugin = Plugin()
    auto_generation: AutoGeneration = AutoGeneration()
    monitoring: Monitoring = Monitoring()
    alerting: Alerting = Alerting()


class Product(_Block):
    """The data product that the contracts belong to."""

    name: str = ""
    version: Scalar = ""


class Observability(_Block):
    """Who we are in metrics, lineage and traces."""

    namespace: str = ""
    mode: Literal["simple", "centralized", "mesh", "managed"] = "simple"
    domain: str = ""
    product: Product = Product()
    enterprise: str = ""
    tenant_id: Scalar = ""
    project_slug: str = ""
    metrics: bool = True
    lineage: bool = True
    traces: bool = True


class CalendarSettings(_Block):
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


class ContractSettings(_Checks):
    """What is different for one contract: intervals as needed, enforcement and thresholds only stricter."""

    enforcement: Annotated[
        Enforcement | None, Field(strict=False), BeforeValidator(_require_value), WithJsonSchema(_STRICTNESS)
    ] = None
    thresholds: dict[str, Scalar] = Field(
        default_factory=dict, description="Service levels by name, such as freshness: PT3H or availability: 99.95%."
    )


class MonitoringConfig(_Block):
    """The whole file."""

    data_contracts: DataContracts = DataContracts()
    observability: Observability = Observability()
    store: Annotated[str, AfterValidator(_check_store)] = Field(
        default="", description="A database URL, or env:NAME that holds it."
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

    def calendars_by_name(self) -> dict[str, Calendar]:
        return {name: settings.calendar() for name, settings in self.calendars.items()}
