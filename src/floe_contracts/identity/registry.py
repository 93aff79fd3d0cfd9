"""The registry: claims and contract versions over any catalog whose `put_if_absent` one caller alone succeeds in.

A marker namespace is the authority, for nothing else that catalogs offer is exclusive. The properties of the product's
own namespace are copied from it afterwards; a run that dies between the two is completed by the next one.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from ..contract.version import parse_version
from ..errors import UsageError
from ..frozen import dataclass, field, replace
from .claim import NameClaim, claims_of, product_properties
from .document import pack_document
from .index import MOST_CHARACTERS, read_index, split_entry, split_list
from .listing import complete_index
from .names import claim_marker, contract_marker, id_of, levels_of, map_id
from .namespaces import Namespaces, Properties
from .protocol import (
    Attestation,
    CatalogUnreachable,
    ContractMetadata,
    IdentityResult,
    IdentityStatus,
    ImmutableVersionError,
    RegistrationResult,
    RegistrationStatus,
)
from .repository import normalise_repository, same_repository

_REPO, _SINCE, _OWNER = "floe.product.repo", "floe.product.registered_at", "floe.product.owner"


@dataclass(frozen=True, slots=True)
class ContractVersion:
    """One version to register."""

    name: str  # short, as in the contract's id
    version: str
    schema_hash: str
    metadata: ContractMetadata = ContractMetadata()
    document: str = ""  # the contract itself, for later versions to be compared with


@dataclass(frozen=True, slots=True)
class ProductDetails:
    """What a claim carries beside its repository and owner."""

    spelling: str = ""  # domain and name as written
    version: str = ""
    access: Mapping[str, tuple[str, ...]] = field(default_factory=dict)  # roles by output port
    proof: Attestation | None = None


_NO_DETAILS = ProductDetails()


class NamespaceRegistry:
    """The CatalogPlugin over namespaces; the moment is asked for where one is written."""

    def __init__(self, namespaces: Namespaces, moment: Callable[[], str]) -> None:
        self.namespaces = namespaces
        self._moment = moment
        self._named: dict[str, str] = {}  # the repository that was named last, by product

    def register_product_identity(
        self,
        namespace: str,
        repository: str,
        owner: str,
        if_not_exists: bool = True,
        details: ProductDetails = _NO_DETAILS,
    ) -> RegistrationResult:
        """Claim a namespace, and describe it; see CatalogPlugin."""
        levels, product = levels_of(namespace), id_of(namespace)
        if not repository.strip():
            raise UsageError(f"nobody can say who claims {product} without a repository", fix="Name the repository.")
        self._named[product] = repository
        spelling = details.spelling or (namespace if namespace != product else "")
        before = self.namespaces.read(levels)
        lost = _lost_claim(before, product)
        if not if_not_exists and before is not None:
            return _conflict(self._owner(product) or lost)
        claim = self._owner(product)
        made = False
        if claim is None:
            if lost and not lost.belongs_to(repository):
                return _conflict(lost)
            claim, made = self._claim(product, repository, owner, spelling, lost, details.proof)
        if not made and not if_not_exists:
            return _conflict(claim)
        if not claim.belongs_to(repository, details.proof) or not claim.is_spelled(spelling):
            return _conflict(claim, spelling)
        claim = self._attest(claim, details.proof)
        self._describe(levels, before, {**product_properties(claim, details.version), **_access(details.access)})
        status = RegistrationStatus.SUCCESS if made else RegistrationStatus.ALREADY_OWNED
        return RegistrationResult(status, claim.repository, claim.owner)

    def validate_product_identity(
        self, namespace: str, expected_repo: str, details: ProductDetails = _NO_DETAILS
    ) -> IdentityResult:
        """How the namespace stands to a repository; nothing is written."""
        levels, product = levels_of(namespace), id_of(namespace)
        self._named[product] = expected_repo
        spelling = details.spelling or (namespace if namespace != product else "")
        try:
            claim = self._owner(product)
            lost = None if claim else _lost_claim(self.namespaces.read(levels), product)
        except CatalogUnreachable:
            return IdentityResult(IdentityStatus.UNKNOWN)
        if claim is None and (lost is None or lost.belongs_to(expected_repo)):
            return IdentityResult(IdentityStatus.AVAILABLE, claim_gone=lost is not None)
        owner = claim or lost
        assert owner is not None  # noqa: S101 - one of the two is there
        if claim and claim.belongs_to(expected_repo, details.proof) and claim.is_spelled(spelling):
            return IdentityResult(IdentityStatus.VALID, claim.repository, claim.owner)
        other = owner.spelling if not owner.is_spelled(spelling) else ""
        return IdentityResult(IdentityStatus.CONFLICT, owner.repository, owner.owner, claim is None, other)

    def register_contract(
        self, namespace: str, contract_name: str, contract_version: str, schema_hash: str, metadata: ContractMetadata
    ) -> RegistrationResult:
        """Register one version; see CatalogPlugin."""
        if not contract_name.strip() or parse_version(contract_version) is None:
            raise UsageError(
                f"'{contract_name}:{contract_version}' is not a version of a contract",
                fix="Write a name, and 1.0.0 or later.",
            )
        version = ContractVersion(contract_name, contract_version, schema_hash, metadata)
        repository = metadata.repository or self._named.get(id_of(namespace), "")
        (result,) = self.register_contracts(namespace, (version,), repository)
        if isinstance(result, ImmutableVersionError):
            raise result
        return result

    def register_contracts(
        self,
        namespace: str,
        versions: Sequence[ContractVersion],
        repository: str,
        proof: Attestation | None = None,
    ) -> list[RegistrationResult | ImmutableVersionError]:
        """Register many versions, with one look at who owns the namespace and one write of the list."""
        levels, product = levels_of(namespace), id_of(namespace)
        claim = self._owner(product)
        if claim is None or not self._may_write(claim, repository, proof, versions):
            return [_conflict(claim) for _ in versions]
        results = [self._register(product, claim, item) for item in versions]
        done = [
            (f"{map_id(item.name)}:{item.version}", result.status)
            for item, result in zip(versions, results, strict=True)
            if isinstance(result, RegistrationResult)
        ]
        shown = self.namespaces.read(levels)
        if shown is None:
            self._describe(levels, None, product_properties(claim, ""))
        registered = {entry for entry, _ in done}
        new = any(status is RegistrationStatus.SUCCESS for _, status in done)
        if new or not registered <= read_index(shown or {}):
            complete_index(self.namespaces, levels, product, registered)
        return results

    def transfer(
        self, namespace: str, repository: str, to: str, *, spelling: str = "", proof: Attestation | None = None
    ) -> RegistrationResult:
        """Give a product to another repository, or another spelling: the next generation of its claim, made once."""
        levels, product, target = levels_of(namespace), id_of(namespace), normalise_repository(to)
        if not target:
            raise UsageError(f"{to!r} names no repository", fix="Write it such as github.com/acme/orders.")
        claim = self._owner(product)
        if claim is None or not claim.belongs_to(repository, proof) or (claim.attested and proof is None):
            return _conflict(claim)
        same = same_repository(claim.repository, target)
        after = replace(
            claim,
            repository=target,
            spelling=spelling or claim.spelling,
            generation=claim.generation + 1,
            transferred_at=self._moment(),
            # The new owner proves itself when it registers next; until then its name counts.
            repository_id=claim.repository_id if same else "",
            owner_id=claim.owner_id if same else "",
        )
        if not self.namespaces.put_if_absent(claim_marker(product, after.generation), after.properties()):
            return _conflict(self._owner(product))
        current = self.namespaces.read(levels)
        self._describe(levels, current, product_properties(after, str((current or {}).get("floe.product.version", ""))))
        return RegistrationResult(RegistrationStatus.SUCCESS, after.repository, after.owner)

    def find_contract(self, namespace: str, contract: str, version: str) -> Properties | None:
        """What is registered under a version."""
        return self.namespaces.read(contract_marker(id_of(namespace), contract, version))

    def list_versions(self, namespace: str) -> dict[str, list[str]]:
        """The registered versions by contract, as the product's namespace lists them."""
        versions: dict[str, list[str]] = {}
        for entry in read_index(self.namespaces.read(levels_of(namespace)) or {}):
            name, version = split_entry(entry)
            versions.setdefault(name, []).append(version)
        return versions

    def close(self) -> None:
        """Let go of connections; a later call opens them again."""
        self.namespaces.close()

    def _owner(self, product: str) -> NameClaim | None:
        claims = claims_of(self.namespaces, product)
        return claims[-1] if claims else None

    def _claim(
        self,
        product: str,
        repository: str,
        owner: str,
        spelling: str,
        lost: NameClaim | None,
        proof: Attestation | None,
    ) -> tuple[NameClaim, bool]:
        wanted = NameClaim(
            product,
            normalise_repository(repository) or repository,
            owner[:MOST_CHARACTERS],
            spelling,
            lost.registered_at if lost else self._moment(),
            proof.repository_id if proof else "",
            proof.owner_id if proof else "",
        )
        made = self.namespaces.put_if_absent(claim_marker(product), wanted.properties())
        stored = self._owner(product)
        if stored is None or not stored.repository:
            raise CatalogUnreachable(
                f"the catalog does not show the claim of {product} that was just made",
                fix="Use a catalog that keeps the properties of namespaces, and shows them at once.",
            )
        return stored, made

    def _attest(self, claim: NameClaim, proof: Attestation | None) -> NameClaim:
        """A claim by name alone, such as a transferred one, gains the ids of whoever proves to be its owner."""
        if proof is None or claim.attested:
            return claim
        after = replace(
            claim, repository_id=proof.repository_id, owner_id=proof.owner_id, generation=claim.generation + 1
        )
        made = self.namespaces.put_if_absent(claim_marker(claim.product, after.generation), after.properties())
        return after if made else self._owner(claim.product) or claim

    def _may_write(
        self, claim: NameClaim, repository: str, proof: Attestation | None, versions: Sequence[ContractVersion]
    ) -> bool:
        if repository or self._named:  # whoever claims one product for a repository writes the others for it
            return any(claim.belongs_to(name, proof) for name in ([repository] if repository else self._named.values()))
        return all(item.metadata.owner[:MOST_CHARACTERS] == claim.owner for item in versions)

    def _register(
        self, product: str, claim: NameClaim, item: ContractVersion
    ) -> RegistrationResult | ImmutableVersionError:
        name, marker = map_id(item.name), contract_marker(product, item.name, item.version)
        stored = self.namespaces.read(marker)
        if stored is None:
            if self.namespaces.put_if_absent(marker, self._contract_properties(product, claim, item)):
                return RegistrationResult(RegistrationStatus.SUCCESS, claim.repository, claim.owner)
            stored = self.namespaces.read(marker) or {}
        registered = str(stored.get("floe.contract.schema_hash", ""))
        if registered != item.schema_hash:
            return ImmutableVersionError(f"{product}/{name}:{item.version}", registered, item.schema_hash)
        words = str(stored.get("floe.contract.content_hash", ""))
        changed = bool(words and item.metadata.content_hash and words != item.metadata.content_hash)
        return RegistrationResult(RegistrationStatus.ALREADY_REGISTERED, claim.repository, claim.owner, changed)

    def _contract_properties(self, product: str, claim: NameClaim, item: ContractVersion) -> dict[str, str]:
        about = item.metadata
        since = about.registered_at
        return {
            "floe.contract.id": f"{product}/{map_id(item.name)}:{item.version}",
            "floe.contract.schema_hash": item.schema_hash,
            "floe.contract.content_hash": about.content_hash,
            "floe.contract.owner": about.owner[:MOST_CHARACTERS],
            "floe.contract.description": about.description[:MOST_CHARACTERS],
            "floe.contract.repo": claim.repository,
            "floe.contract.registered_at": (since if isinstance(since, str) else since.isoformat())
            if since
            else self._moment(),
            **pack_document(item.document),
        }

    def _describe(self, levels: tuple[str, ...], before: Properties | None, wanted: Properties) -> None:
        """Bring the derived properties of the product's namespace up to date; what is there and right stays."""
        if before is None:
            if len(levels) > 1:
                self.namespaces.put_if_absent(levels[:-1], {})  # some catalogs want the parent first
            if self.namespaces.put_if_absent(levels, wanted):
                return
            before = self.namespaces.read(levels) or {}
        changed = {key: value for key, value in wanted.items() if before.get(key) != value}
        gone = [key for key in before if key.startswith("floe.access.") and key not in wanted]
        if changed or (gone and any(key.startswith("floe.product.version") for key in wanted)):
            self.namespaces.update(levels, changed, gone)


def _access(roles: Mapping[str, tuple[str, ...]]) -> dict[str, str]:
    parts: dict[str, str] = {}
    for port, names in sorted(roles.items()):
        parts |= split_list(f"floe.access.{map_id(port)}", list(names)) if names else {}
    return parts


def _lost_claim(properties: Properties | None, product: str) -> NameClaim | None:
    """The claim that a namespace tells of though its marker is gone; only asked for where there is no marker."""
    if not properties or not properties.get(_REPO):
        return None
    return NameClaim(
        product,
        str(properties[_REPO]),
        str(properties.get(_OWNER, "")),
        registered_at=str(properties.get(_SINCE, "")),
    )


def _conflict(claim: NameClaim | None, spelling: str = "") -> RegistrationResult:
    other = claim.spelling if claim and not claim.is_spelled(spelling) else ""
    return RegistrationResult(
        RegistrationStatus.CONFLICT, claim.repository if claim else "", claim.owner if claim else "", False, other
    )
