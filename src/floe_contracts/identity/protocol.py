"""What a catalog does for identity: the protocol, its results, and what it raises."""

from __future__ import annotations

from enum import Enum
from typing import Protocol, runtime_checkable

from ..codes import E524, E540, E542
from ..errors import FloeError
from ..frozen import dataclass

TYPE_CHECKING = False
if TYPE_CHECKING:
    from datetime import datetime


class RegistrationStatus(str, Enum):
    """What came of registering."""

    SUCCESS = "SUCCESS"
    ALREADY_OWNED = "ALREADY_OWNED"
    ALREADY_REGISTERED = "ALREADY_REGISTERED"
    CONFLICT = "CONFLICT"


class IdentityStatus(str, Enum):
    """How a namespace stands to a repository."""

    VALID = "valid"
    AVAILABLE = "available"
    CONFLICT = "conflict"
    UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True)
class RegistrationResult:
    """What came of registering, and who owns the namespace now."""

    status: RegistrationStatus
    repository: str = ""
    owner: str = ""
    documentation_changed: bool = False  # the version is registered with other words, and those stay
    spelling: str = ""  # how the owner writes the product's name, where that is what differs


@dataclass(frozen=True, slots=True)
class IdentityResult:
    """How a namespace stands to a repository, and who owns it."""

    status: IdentityStatus
    repository: str = ""
    owner: str = ""
    claim_gone: bool = False  # it was claimed, and somebody dropped the claim
    spelling: str = ""


@dataclass(frozen=True, slots=True)
class ContractMetadata:
    """What is kept beside a contract version; without a repository it is the one that the catalog was last told."""

    owner: str = ""
    description: str = ""
    registered_at: datetime | str | None = None
    content_hash: str = ""
    repository: str = ""


@dataclass(frozen=True, slots=True)
class Attestation:
    """A repository as its CI's token proves it; the ids survive a rename and are never given twice."""

    repository: str
    repository_id: str
    owner_id: str


@runtime_checkable
class CatalogPlugin(Protocol):
    """The registry of products and contracts; concurrent calls never let two repositories own one namespace."""

    def register_product_identity(
        self, namespace: str, repository: str, owner: str, if_not_exists: bool = True
    ) -> RegistrationResult:
        """Claim a namespace: SUCCESS, ALREADY_OWNED by this repository, or CONFLICT.

        With if_not_exists=False a namespace that exists is a CONFLICT for everybody.
        """

    def validate_product_identity(self, namespace: str, expected_repo: str) -> IdentityResult:
        """How the namespace stands to a repository; `unknown` when the catalog does not answer."""

    def register_contract(
        self,
        namespace: str,
        contract_name: str,
        contract_version: str,
        schema_hash: str,
        metadata: ContractMetadata,
    ) -> RegistrationResult:
        """Register a version for good: SUCCESS, ALREADY_REGISTERED, or CONFLICT for who does not own the namespace.

        Another hash than the registered one raises ImmutableVersionError.
        """


class ImmutableVersionError(FloeError):
    """A registered version that would change its meaning."""

    exit_code = 1
    code = E524

    def __init__(self, contract: str, registered_hash: str, schema_hash: str) -> None:
        super().__init__(
            f"{contract} is registered with the schema hash {registered_hash} and cannot become {schema_hash}",
            fix="Leave registered versions as they are, and publish the change under the next version.",
        )
        self.contract, self.registered_hash, self.schema_hash = contract, registered_hash, schema_hash


class CatalogUnreachable(FloeError):
    """The catalog did not answer; what was asked may or may not have happened.

    `may_pass` says whether another try is worth its time; when the time is over, it is not.
    """

    code = E540

    def __init__(self, message: str, *, fix: str = "", may_pass: bool = True) -> None:
        super().__init__(message, fix=fix or "Look whether the catalog runs and can be reached from here.")
        self.may_pass = may_pass


class CatalogBusy(CatalogUnreachable):
    """Other writers were quicker; another try is worth its time."""


class CatalogRefused(FloeError):
    """The catalog, or the issuer of tokens, does not accept the credentials; another try does not help."""

    code = E542
