"""What the enforcer takes and gives: small values, so that other tools need nothing else of floe."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Protocol

from ..codes import Severity
from ..contract.model import Contract
from ..frozen import dataclass, field
from ..results import Finding, Location


@dataclass(frozen=True, slots=True)
class ValidationResult:
    """Whether a name may stay; a message without a refusal is a warning."""

    valid: bool
    message: str = ""
    suggestions: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class ValidationError:
    """What is wrong with a product or a contract."""

    code: str
    message: str
    location: Location | None = None


@dataclass(frozen=True, slots=True)
class PolicyViolation:
    """What is wrong with a model."""

    code: str
    message: str
    location: Location | None = None


@dataclass(frozen=True, slots=True)
class EnforcementViolation:
    """What is wrong with the claim of a product, and how to get out of it."""

    severity: Severity
    code: str
    message: str
    resolution: str


@dataclass(frozen=True, slots=True)
class DbtTest:
    """One test of a model: its generic name, and the column that it looks at."""

    name: str
    column: str = ""


@dataclass(frozen=True, slots=True)
class DbtModel:
    """A model as the policy sees it; `columns` by name, each with its `meta`, `description` and `format`."""

    name: str
    layer: str = ""
    columns: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    meta: Mapping[str, Any] = field(default_factory=dict)
    tests: Sequence[DbtTest | str] = ()
    description: str = ""
    primary_key: tuple[str, ...] = ()
    has_freshness: bool = False  # a freshness SLA of its contract, or dbt's own on its sources
    location: Location | None = None


class ContractJudgement(Protocol):
    """What a contract plugin says about a contract."""

    @property
    def errors(self) -> Sequence[Finding]: ...


class ContractValidator(Protocol):
    """The part of a contract plugin that the enforcer calls."""

    def validate_contract(self, contract: Contract) -> ContractJudgement: ...


class ClaimAnswer(Protocol):
    """What a catalog says about a namespace: status valid, available, conflict or unknown."""

    @property
    def status(self) -> str: ...
    @property
    def repository(self) -> str | None: ...
    @property
    def owner(self) -> str | None: ...


class ClaimCatalog(Protocol):
    """The part of a catalog that the enforcer calls."""

    def validate_product_identity(self, namespace: str, expected_repo: str) -> ClaimAnswer: ...
