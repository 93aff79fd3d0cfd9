"""The claim of a product: what its marker holds, and how it stands to a repository."""

from __future__ import annotations

from ..frozen import dataclass
from .names import claim_marker
from .namespaces import Namespaces, Properties
from .protocol import Attestation
from .repository import same_repository

_PRODUCT = "floe.product."


@dataclass(frozen=True, slots=True)
class NameClaim:
    """Who owns a product, since when, and as the how manieth owner."""

    product: str  # the mapped id
    repository: str
    owner: str = ""
    spelling: str = ""  # domain and name as they are written; empty when the claimer gave the id alone
    registered_at: str = ""
    repository_id: str = ""  # attested claims only
    owner_id: str = ""
    generation: int = 0
    transferred_at: str = ""

    @property
    def attested(self) -> bool:
        return bool(self.repository_id)

    def properties(self) -> dict[str, str]:
        """What the marker holds: always the same keys, so that two claimers never share a namespace in a catalog."""
        return {
            "floe.claim.product": self.product,
            "floe.claim.spelling": self.spelling,
            "floe.claim.repo": self.repository,
            "floe.claim.owner": self.owner,
            "floe.claim.registered_at": self.registered_at,
            "floe.claim.transferred_at": self.transferred_at,
            "floe.claim.repository_id": self.repository_id,
            "floe.claim.owner_id": self.owner_id,
            "floe.claim.generation": str(self.generation),
        }

    def belongs_to(self, repository: str, proof: Attestation | None = None) -> bool:
        """Whether this repository owns it: by id where both are attested, for a name can be given away and reused."""
        if self.attested and proof is not None:
            return self.repository_id == proof.repository_id
        return self.repository == repository or same_repository(self.repository, repository)

    def is_spelled(self, spelling: str) -> bool:
        """Whether a product of this spelling is the claimed one; an id alone is not a spelling."""
        return not spelling or not self.spelling or spelling == self.spelling


def read_claim(properties: Properties, product: str) -> NameClaim:
    """The claim in a marker's properties; values that a catalog leaves out are empty."""

    def value(key: str) -> str:
        return str(properties.get(f"floe.claim.{key}") or "")

    number = value("generation")
    return NameClaim(
        product,
        value("repo"),
        value("owner"),
        value("spelling"),
        value("registered_at"),
        value("repository_id"),
        value("owner_id"),
        int(number) if number.isdecimal() else 0,
        value("transferred_at"),
    )


def claims_of(namespaces: Namespaces, product: str) -> list[NameClaim]:
    """Every owner that the product has had, the present one last; none when it is unclaimed."""
    claims: list[NameClaim] = []
    while (properties := namespaces.read(claim_marker(product, len(claims)))) is not None:
        claims.append(read_claim(properties, product))
    return claims


def product_properties(claim: NameClaim, version: str, display_name: str = "") -> dict[str, str]:
    """The derived properties of the product's own namespace, for people and other tools."""
    domain, _, name = claim.product.rpartition(".")
    shown = display_name or claim.spelling.rpartition(".")[2] or name
    values = {
        "name": name,
        "display_name": shown,
        "domain": domain,
        "owner": claim.owner,
        "repo": claim.repository,
        "version": version,
        "registered_at": claim.registered_at,
    }
    return {f"{_PRODUCT}{key}": value for key, value in values.items() if value}
