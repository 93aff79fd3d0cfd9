"""The manifest: what the platform or a domain decides for every product below it."""

from __future__ import annotations

from typing import Annotated, Any, Literal, get_args

from pydantic import (
    AfterValidator,
    BeforeValidator,
    Field,
    PrivateAttr,
    WithJsonSchema,
    model_serializer,
    model_validator,
)

from ..contract.meaning.sla import SlaMeaning, meaning
from ..contract.model import Sla
from ..contract.source.scalars import plain
from .aliases import MANIFEST_MOVES, canonical_or_raise
from .block import Free, MistakeAt, Name, Names, Scalar, WrittenBlock
from .contract_rules import ContractRules
from .governance import Access, Backend, DataArchitecture, Governance, IdentitySettings, Plugins, RegistrationRetries
from .ids import IdName, check_version
from .observability import Observability
from .reference import Reference, Repository
from .words import ClassificationLevel


class ManifestMetadata(WrittenBlock):
    name: IdName
    version: Annotated[Scalar, AfterValidator(check_version)]
    owner: str = ""
    description: str = ""


class Level(WrittenBlock):
    """A classification level and its place among the others."""

    name: Name
    rank: Annotated[int, Field(ge=0, le=1_000)]


def _read_level(value: object) -> object:
    """`INTERNAL`, or a level of the platform's own with its rank; the four of floe have a fixed one."""
    written = {"name": value} if isinstance(value, str) else value
    if not isinstance(written, dict) or not isinstance(written.get("name"), str):
        return written
    name = written["name"].strip().upper()
    fixed = next((level.rank for level in ClassificationLevel if level.value == name), None)
    rank = written.get("rank", fixed)
    if rank is None:
        raise ValueError(f"{name} is a level of your own; write its rank, as in {{name: {name}, rank: 15}}")
    if fixed is None:
        return {**written, "name": name, "rank": rank}
    if rank != fixed or set(written) - {"name", "rank"}:
        raise ValueError(f"the rank of {name} is always {fixed}; write {name} alone")
    return ClassificationLevel(name)


_LEVEL = {
    "anyOf": [
        {"type": "string", "minLength": 1, "examples": [level.value for level in ClassificationLevel]},
        {
            "type": "object",
            "properties": {"name": {"type": "string"}, "rank": {"type": "integer", "minimum": 0}},
            "required": ["name"],
            "additionalProperties": False,
        },
    ]
}
LevelEntry = Annotated[ClassificationLevel | Level, BeforeValidator(_read_level), WithJsonSchema(_LEVEL)]
LevelName = Annotated[Name, AfterValidator(str.upper)]


def _require_scalar(value: object) -> object:
    if isinstance(value, bool) or not isinstance(value, (str, int, float)):
        raise ValueError("it must be text or a number")
    return plain(value)


class Minimum(WrittenBlock):
    """A service level with its unit apart."""

    value: Annotated[
        str | int | float, BeforeValidator(_require_scalar), WithJsonSchema({"type": ["string", "number"]})
    ]
    unit: str = ""

    @model_serializer(mode="plain")
    def _dump_short(self) -> Any:
        """As most people write it: the value alone where there is no unit."""
        return {"value": self.value, "unit": self.unit} if self.unit else self.value


def _read_minimum(value: object) -> object:
    return value if isinstance(value, dict) else {"value": value}


_MINIMUM = {
    "type": ["string", "number", "object"],
    "properties": {"value": {"type": ["string", "number"]}, "unit": {"type": "string"}},
    "required": ["value"],
    "additionalProperties": False,
}
MinimumEntry = Annotated[Minimum, BeforeValidator(_read_minimum), WithJsonSchema(_MINIMUM)]


def _check_minimums(minimums: dict[str, Minimum]) -> dict[str, Minimum]:
    """By the name of the kind, whatever its spelling; a value that means nothing is a mistake."""
    named: dict[str, Minimum] = {}
    for name, minimum in minimums.items():
        level = meaning(Sla(name, minimum.value, unit=minimum.unit or None))
        if level.problem:
            raise MistakeAt(level.problem, name)
        if level.name in named:
            raise MistakeAt(f"it is a second spelling of {level.name}, which is there already", name)
        named[level.name] = _own_unit(minimum, level)
    return named


def _own_unit(minimum: Minimum, level: SlaMeaning) -> Minimum:
    """The value as its kind's own name says it: `freshness_minutes: 60` is freshness PT1H."""
    same = meaning(Sla(level.name, minimum.value, unit=minimum.unit or None)).quantity
    return minimum if level.quantity is None or same == level.quantity else Minimum(value=level.quantity.text)


def _fold_names(categories: dict[str, str]) -> dict[str, str]:
    folded = {name.strip().casefold(): level for name, level in categories.items()}
    if len(folded) < len(categories):
        raise ValueError("two categories differ only in letter case; keep one")
    return folded


def _read_approved(value: object) -> object:
    """A list means compute."""
    return {"compute": value} if isinstance(value, (list, tuple)) else value


ApprovedCategory = Literal["compute", "orchestrator", "catalog", "semantic_layer", "ingestion", "secrets_backend"]
_NAMES = {"type": "array", "items": {"type": "string", "minLength": 1}}
_APPROVED = {
    "type": ["object", "array"],
    "items": _NAMES["items"],
    "properties": dict.fromkeys(get_args(ApprovedCategory), _NAMES),
    "additionalProperties": False,
}
Approved = Annotated[dict[ApprovedCategory, Names], BeforeValidator(_read_approved), WithJsonSchema(_APPROVED)]


class Manifest(WrittenBlock):
    """One tier of the platform: `scope: enterprise` at the top, `scope: domain` below a parent."""

    apiVersion: Literal["floe.dev/v1"]  # noqa: N815 - as it is written
    kind: Literal["Manifest"]
    metadata: ManifestMetadata
    scope: Literal["enterprise", "domain"]
    parent: Reference | None = None
    registry: Repository | None = Field(default=None, description="Where `floe platform publish` puts the manifest.")
    plugins: Plugins = Field(default_factory=dict)
    secrets_backend: Backend | None = None
    shared_services: Free = Field(default_factory=dict)
    catalog_namespace: str = ""
    registration: RegistrationRetries = RegistrationRetries()
    data_architecture: DataArchitecture = DataArchitecture()
    governance: Governance = Governance()
    classification_levels: tuple[LevelEntry, ...] = Field(default=(), strict=False)
    classification_categories: Annotated[dict[str, LevelName], AfterValidator(_fold_names)] = Field(
        default_factory=dict
    )
    pii_names: Names = ()
    naming_conventions: Names = ()
    approved_plugins: Approved = Field(default_factory=dict)
    approved_sources: Names = ()
    access: Access = Access()
    sla_minimums: Annotated[dict[str, MinimumEntry], AfterValidator(_check_minimums)] = Field(default_factory=dict)
    data_contracts: ContractRules = ContractRules()
    observability: Observability = Observability()
    identity: IdentitySettings = IdentitySettings()

    _tiers: tuple[Any, ...] = PrivateAttr(default=())  # policy/tier.py: who wrote which key, and where

    @model_validator(mode="before")
    @classmethod
    def _read_aliases(cls, value: Any) -> Any:
        return canonical_or_raise(value, MANIFEST_MOVES)

    @model_validator(mode="after")
    def _check_parent(self) -> Manifest:
        if self.scope == "domain" and self.parent is None:
            message = "a manifest of scope domain needs a parent; write parent: and the manifest above it"
            raise MistakeAt(message, "scope")
        if self.scope == "enterprise" and self.parent is not None:
            message = "a manifest of scope enterprise has no parent; remove parent:, or write scope: domain"
            raise MistakeAt(message, "parent")
        return self

    @property
    def tiers(self) -> tuple[Any, ...]:
        """The tiers that a merged manifest was made of (policy/tier.py); none for one that was not merged."""
        return self._tiers

    def with_tiers(self, tiers: tuple[Any, ...]) -> Manifest:
        """The same manifest, which remembers its tiers."""
        copy = self.model_copy()
        copy._tiers = tiers
        return copy

    def __eq__(self, other: object) -> bool:
        """By what they say; who said it first is not part of it."""
        return isinstance(other, Manifest) and self.model_dump() == other.model_dump()

    __hash__ = None  # type: ignore[assignment]  # it holds mappings
