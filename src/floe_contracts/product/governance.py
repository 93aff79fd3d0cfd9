"""Blocks of the manifest about how pipelines are built: quality gates, schedules, architecture, identity."""

from __future__ import annotations

import re
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, BeforeValidator, Field, WithJsonSchema

from ..checks.moments import SECOND, zone_of
from ..contract.meaning.duration import Duration
from .block import Category, Free, Name, Names, Percentage, WrittenBlock, read_percentage
from .data_contracts import Interval
from .secret import problem_of
from .words import IdentityWord, LintWord, NamingWord, OwnershipWord

REQUIRED_TESTS = ("not_null_pk", "unique_pk", "freshness", "documentation")
_HOURS = re.compile(r"([01][0-9]|2[0-3]):([0-5][0-9])-([01][0-9]|2[0-3]|24):([0-5][0-9])")


def _check_hours(text: str) -> str:
    if parse_hours(text) is None:
        raise ValueError("it is not a span of hours; write one such as 06:00-22:00, or 22:00-04:00 across midnight")
    return text


def parse_hours(text: str) -> tuple[int, int] | None:
    """The first and the last minute of a day's span; across midnight the first is the later one."""
    match = _HOURS.fullmatch(text.strip())
    if match is None:
        return None
    first, last = (int(match[at]) * 60 + int(match[at + 1]) for at in (1, 3))
    return (first, last) if last <= 24 * 60 and first != last else None


def check_zone(text: str) -> str:
    if zone_of(text) is None:
        raise ValueError("it is not a time zone such as Europe/Berlin")
    return text


def _read_coverage(value: object) -> object:
    """A number over all models, or numbers by layer, of which `all` is the same as the number."""
    if not isinstance(value, dict):
        return read_percentage(value)
    layers = {str(layer): read_percentage(number) for layer, number in value.items()}
    return layers["all"] if set(layers) == {"all"} else layers


Coverage = Annotated[
    int | float | dict[str, int | float],
    BeforeValidator(_read_coverage),
    WithJsonSchema(
        {
            "type": ["number", "string", "object"],
            "additionalProperties": {"type": ["number", "string"]},
            "examples": [80, {"gold": 100, "silver": 80}],
            "description": "The least share of models with a test: a number over all models, or a map by layer.",
        }
    ),
]
Zone = Annotated[str, AfterValidator(check_zone)]
Hours = Annotated[str, AfterValidator(_check_hours), Field(examples=["06:00-22:00"])]
Tests = Annotated[tuple[Literal["not_null_pk", "unique_pk", "freshness", "documentation"], ...], Field(strict=False)]


def _refuse_secrets(settings: dict[str, Any]) -> dict[str, Any]:
    """A manifest is committed, published and copied into artifacts: it names the place of a secret."""
    for key, value in settings.items():
        if isinstance(value, dict):
            _refuse_secrets(value)
        elif isinstance(value, str) and (problem := problem_of(key, value)):
            raise ValueError(f"{key}: {problem}")
    return settings


CatalogSettings = Annotated[Free, AfterValidator(_refuse_secrets)]


class PluginChoice(WrittenBlock):
    """The plugin of one category, and what it is told."""

    type: Name
    config: CatalogSettings = Field(default_factory=dict)


_BACKEND = {
    "type": ["string", "object"],
    "properties": {"type": {"type": "string", "minLength": 1}, "config": {"type": "object"}},
    "required": ["type"],
    "additionalProperties": False,
}
Backend = Annotated[Name | PluginChoice, WithJsonSchema(_BACKEND)]


class QualityGates(WrittenBlock):
    """What the models of a product must show before they are compiled."""

    threshold: Percentage = Field(default=0, description="The least quality that a contract may promise, in percent.")
    minimum_test_coverage: Coverage = 80
    block_on_failure: bool = Field(default=True, description="false: a gate that is missed is a warning.")
    required_tests: dict[str, Tests] = Field(default_factory=dict, description="By layer, such as gold: [unique_pk].")

    @property
    def coverage_by_layer(self) -> dict[str, int | float]:
        """The minimum of every layer that has one; the layer `all` holds every model."""
        minimum = self.minimum_test_coverage
        return minimum if isinstance(minimum, dict) else {"all": minimum}


class ScheduleLimits(WrittenBlock):
    """How often, and at which hours, a product may run."""

    minimum_interval: Interval = None
    allowed_hours: Hours = ""
    timezone: Zone = "UTC"


class Governance(WrittenBlock):
    """The block `governance`."""

    quality_gates: QualityGates = QualityGates()
    sql_linting: LintWord = Field(default="DISABLED", validate_default=True)
    schedule: ScheduleLimits = ScheduleLimits()


class Naming(WrittenBlock):
    enforcement: NamingWord = Field(default="strict", validate_default=True)


class DataArchitecture(WrittenBlock):
    """Layers, and how a model's name shows the layer."""

    pattern: Literal["medallion", "kimball", "data_vault", "custom"] | None = None
    naming: Naming = Naming()
    layers: dict[str, Names] = Field(
        default_factory=dict, description="Layers of the pattern custom, each with globs of names."
    )


class Access(WrittenBlock):
    roles: Names = ()


class Oidc(WrittenBlock):
    """Whose tokens show which repository is at work."""

    issuers: Names = ()
    audience: str = ""


class IdentitySettings(WrittenBlock):
    """How a product claims its namespace."""

    enforcement: IdentityWord = Field(default="warn", validate_default=True)
    auto_register: bool = True
    on_outage: Literal["warn", "fail"] = "warn"
    ownership: OwnershipWord = Field(default="declared", validate_default=True)
    oidc: Oidc = Oidc()
    catalog: CatalogSettings = Field(default_factory=dict)


class RegistrationRetries(WrittenBlock):
    """How registering is tried again while a catalog does not answer."""

    max_attempts: Annotated[int, Field(ge=1, le=100)] = 3
    initial_backoff: Interval = Duration(microseconds=SECOND)
    max_backoff: Interval = Duration(microseconds=10 * SECOND)
    jitter: Annotated[float, Field(ge=0, le=1, strict=False)] = 0.2


Plugins = dict[Category, PluginChoice]
Values = dict[str, Any]
