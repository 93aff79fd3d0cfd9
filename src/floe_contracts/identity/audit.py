"""The audit of a catalog: every claim, and where the derived properties do not agree with the markers."""

from __future__ import annotations

from collections.abc import Iterator

from ..frozen import dataclass
from .claim import NameClaim, claims_of, product_properties, read_claim
from .index import read_index, split_entry
from .names import CLAIMS, CONTRACTS, levels_of
from .namespaces import Namespaces, Properties


@dataclass(frozen=True, slots=True)
class AuditedProduct:
    """One product: its owners, the present one last, its registered versions, and what does not agree."""

    product: str
    claims: tuple[NameClaim, ...]  # none where the claim is gone and registered versions are not
    contracts: tuple[str, ...]
    problems: tuple[str, ...]

    @property
    def repository(self) -> str:
        """The present owner."""
        return self.claims[-1].repository if self.claims else "nobody"


def audit_products(namespaces: Namespaces) -> list[AuditedProduct]:
    """Every product of a catalog that is claimed or has registered versions, by id."""
    markers = [namespaces.read(name) or {} for name in namespaces.below((CLAIMS,))]
    claimed = {str(item.get("floe.claim.product", "")) for item in markers}
    versions: dict[str, list[str]] = {}
    for name in namespaces.below((CONTRACTS,)):
        product, _, entry = str((namespaces.read(name) or {}).get("floe.contract.id", "")).partition("/")
        versions.setdefault(product, []).append(entry)
    products = sorted((claimed | set(versions)) - {""})
    return [_audit(namespaces, product, versions.get(product, []), markers) for product in products]


def _audit(namespaces: Namespaces, product: str, versions: list[str], markers: list[Properties]) -> AuditedProduct:
    claims = claims_of(namespaces, product)
    gone = not claims
    if gone:  # a later generation is there, the first is not
        claims = [read_claim(item, product) for item in markers if item.get("floe.claim.product") == product]
    problems = ["the first claim is gone"] if gone and claims else []
    shown = namespaces.read(levels_of(product))
    if claims:
        problems += _differences(claims[-1], shown, versions)
    else:
        owner = (shown or {}).get("floe.product.repo") or "its repository"
        problems.append(f"the claim is gone; the next registration by {owner} makes it anew")
    return AuditedProduct(product, tuple(claims), tuple(sorted(versions)), tuple(problems))


def _differences(claim: NameClaim, shown: Properties | None, versions: list[str]) -> Iterator[str]:
    if shown is None:
        yield "the namespace of the product is not there; the next registration makes it"
        return
    for key, value in product_properties(claim, "").items():
        if key not in ("floe.product.display_name", "floe.product.version") and shown.get(key) != value:
            yield f"{key} is not what the claim says"
    listed = read_index(shown)
    for entry in sorted(set(versions) - listed):
        yield f"{entry} is registered and not listed; the next registration lists it"
    for entry in sorted(listed - set(versions)):
        name, version = split_entry(entry)
        yield f"{name} {version} is listed, but its registration is missing from the catalog"
