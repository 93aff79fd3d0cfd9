"""The block `data_contracts`: how strictly contracts are enforced at run time, and when they are checked."""

from __future__ import annotations

from enum import Enum
from typing import Annotated, Literal

from pydantic import BeforeValidator, Field, InstanceOf, PlainSerializer, WithJsonSchema

from ..checks.moments import SECOND
from ..checks.verdict import Check
from ..contract.meaning.duration import Duration, parse_duration
from .block import WrittenBlock, word_of


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


_LENGTH = {"type": "string", "minLength": 1, "examples": ["15m", "1h", "PT6H"]}
_spell_length = PlainSerializer(lambda length: length.text if length else None, return_type=str | None)
Interval = Annotated[
    InstanceOf[Duration] | None, BeforeValidator(_read_interval), _spell_length, WithJsonSchema(_LENGTH)
]
EnforcementWord = Annotated[Enforcement, Field(strict=False), BeforeValidator(word_of(Enforcement))]


class CheckSettings(WrittenBlock):
    """How often one check runs; 5m for availability, 15m freshness, 1h schema_drift, 6h quality, 1d lifecycle."""

    check_interval: Interval = None


class CheckIntervals(WrittenBlock):
    availability: CheckSettings = CheckSettings()
    freshness: CheckSettings = CheckSettings()
    schema_drift: CheckSettings = CheckSettings()
    quality: CheckSettings = CheckSettings()
    lifecycle: CheckSettings = CheckSettings()

    def own_interval_us(self, check: Check) -> int | None:
        interval: Duration | None = getattr(self, check).check_interval
        return interval.microseconds if interval else None


class Monitoring(CheckIntervals):
    """Whether, when and how often contracts are checked."""

    enabled: bool = True
    mode: Annotated[Mode, Field(strict=False)] = Mode.SCHEDULED


class Plugin(WrittenBlock):
    """Who runs the checks: odcs (floe's own engine), datacontract-cli, or the name of an entry point."""

    type: Annotated[str, Field(min_length=1)] = "odcs"


class AutoGeneration(WrittenBlock):
    """Contracts derived from a product's ports where nobody wrote one."""

    enabled: bool = True
    from_ports: bool = True
    from_dbt_manifest: bool = True


class Alerting(WrittenBlock):
    """What tells others about violations."""

    openlineage_events: bool = True
    prometheus_metrics: bool = True


class DataContracts(WrittenBlock):
    """The platform's block on contracts; it is about run time only and never softens the gate."""

    enforcement: EnforcementWord = Enforcement.ALERT_ONLY
    standard: Literal["odcs_v3"] = "odcs_v3"
    plugin: Plugin = Plugin()
    auto_generation: AutoGeneration = AutoGeneration()
    monitoring: Monitoring = Monitoring()
    alerting: Alerting = Alerting()
