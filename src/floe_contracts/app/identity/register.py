"""Step 5: the product and its contract versions are registered, or it is said why not."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from typing import TypeAlias

from ...codes import E522, E524, Severity
from ...compiler.artifacts import ArtifactContract, CompiledArtifacts, Registration
from ...compiler.inputs import IDENTITY_OFF
from ...compiler.registration import RegistrationOutcome
from ...contract.placeholders import is_placeholder
from ...errors import FloeError, SettingsError
from ...frozen import replace
from ...identity.occasion import why_not_register
from ...identity.protocol import (
    Attestation,
    CatalogRefused,
    CatalogUnreachable,
    ContractMetadata,
    IdentityStatus,
    ImmutableVersionError,
    RegistrationResult,
    RegistrationStatus,
)
from ...identity.registry import ContractVersion, NamespaceRegistry
from ...product.words import IdentityEnforcement
from ...results import Finding
from .check import conflict, outage, refusal
from .product import IdentityProduct
from .proof import prove_repository

PENDING = "Registration pending"
Compares: TypeAlias = "Callable[[CompiledArtifacts], tuple[Finding, ...]]"


def register_product(
    product: IdentityProduct,
    artifacts: CompiledArtifacts,
    status: IdentityStatus | None,
    compare: Compares | None = None,
) -> RegistrationOutcome:
    """Register where the level and the occasion allow it, and nothing registered speaks against it.

    `status` is what step 2 found; `compare` holds the contracts to those that are registered.
    """
    plan = product.plan
    if plan.off:
        return RegistrationOutcome((IDENTITY_OFF,), "off")
    if status is IdentityStatus.UNKNOWN:
        return RegistrationOutcome((PENDING,), "pending")
    if status is None:  # credentials refused, or no package, under warn
        return RegistrationOutcome(("Not registered: the catalog was not asked",))
    try:
        against = compare(artifacts) if compare else ()
        if any(finding.blocks for finding in against):
            return RegistrationOutcome((), "not_registered", {}, against)
        reason = _why_not(product)
        outcome = _look(product, artifacts, status, reason) if reason else _register(product, artifacts)
        return replace(outcome, findings=(*against, *outcome.findings))
    except CatalogUnreachable as error:
        failed = plan.on_outage == "fail"
        return RegistrationOutcome((PENDING,), "pending", {}, (outage(product, error.message),), failed)
    except (CatalogRefused, SettingsError) as error:
        return RegistrationOutcome((), "not_registered", {}, (refusal(product, error),), plan.strict)


def _why_not(product: IdentityProduct) -> str:
    return "identity.enforcement is warn" if product.plan.level is IdentityEnforcement.WARN else _why_not_here(product)


def _why_not_here(product: IdentityProduct) -> str:
    if is_placeholder(product.repository):
        return "metadata.repository is still to be filled in"
    return why_not_register(product.workplace.occasion)


def _register(product: IdentityProduct, artifacts: CompiledArtifacts) -> RegistrationOutcome:
    proof = prove_repository(product)
    details = replace(product.details, proof=proof)
    with product.open_registry() as registry:
        assert registry is not None  # noqa: S101 - only a look can do without
        claimed = registry.register_product_identity(product.id, product.repository, product.owner, details=details)
        if claimed.status is RegistrationStatus.CONFLICT:
            finding = conflict(product, claimed.repository, claimed.owner, claimed.spelling)
            return RegistrationOutcome((), "not_registered", {}, (finding,))
        return register_versions(product, registry, artifacts, claimed, proof)


def register_versions(
    product: IdentityProduct,
    registry: NamespaceRegistry,
    artifacts: CompiledArtifacts,
    claimed: RegistrationResult,
    proof: Attestation | None = None,
) -> RegistrationOutcome:
    """Register the contracts of a product that is owned: none of them where one is registered as something else."""
    contracts = artifacts.data_contracts
    versions = [version_of(item, artifacts.product.owner) for item in contracts]
    taken = tuple(_taken_versions(registry, product, contracts))
    if taken:
        return RegistrationOutcome((), "not_registered", {}, taken)
    results = registry.register_contracts(product.id, versions, product.repository, proof)
    answers = (_finding(product, item, result) for item, result in zip(contracts, results, strict=True))
    findings = tuple(finding for finding in answers if finding is not None)
    new = claimed.status is RegistrationStatus.SUCCESS or any(
        isinstance(result, RegistrationResult) and result.status is RegistrationStatus.SUCCESS for result in results
    )
    refused = any(finding.blocks for finding in findings)
    line = f"Registered {product.id}" if new else "" if refused else "Already registered"
    return RegistrationOutcome((line,) if line else (), "registered", {}, findings)


def _taken_versions(
    registry: NamespaceRegistry, product: IdentityProduct, contracts: Sequence[ArtifactContract]
) -> Iterator[Finding]:
    for item in contracts:
        own = version_of(item, "")
        stored = registry.find_contract(product.id, own.name, own.version)
        if stored is not None and stored.get("floe.contract.schema_hash", "") != item.schema_hash:
            yield immutable_finding(item, product.id, stored.get("floe.contract.schema_hash", ""))


def version_of(item: ArtifactContract, owner: str) -> ContractVersion:
    """A contract of an artifact as a version to register."""
    name = item.id.partition("/")[2].rpartition(":")[0]
    purpose = item.contract.get("description")
    text = purpose.get("purpose", "") if isinstance(purpose, dict) else purpose
    about = ContractMetadata(owner, str(text or ""), content_hash=item.content_hash)
    return ContractVersion(name, item.version, item.schema_hash, about, json.dumps(item.contract, sort_keys=True))


def immutable_finding(item: ArtifactContract, product: str, registered: str) -> Finding:
    """A registered version with another schema than the registered one."""
    error = ImmutableVersionError(f"{product}/{version_of(item, '').name}:{item.version}", registered, item.schema_hash)
    return Finding.of(
        E524,
        "registered-version",
        error.message,
        contract=item.name,
        expected=registered,
        actual=item.schema_hash,
        suggestions=(error.fix,),
    )


def _finding(
    product: IdentityProduct, item: ArtifactContract, result: RegistrationResult | ImmutableVersionError
) -> Finding | None:
    if isinstance(result, ImmutableVersionError):
        return immutable_finding(item, product.id, result.registered_hash)
    if result.status is RegistrationStatus.CONFLICT:
        return conflict(product, result.repository, result.owner)
    if result.documentation_changed:
        message = f"{item.id} is registered with other documentation, which stays; a PATCH version would carry the new"
        return Finding.of(E522, "registered-documentation", message, severity=Severity.WARNING, contract=item.name)
    return None


def _look(
    product: IdentityProduct, artifacts: CompiledArtifacts, status: IdentityStatus, reason: str
) -> RegistrationOutcome:
    """What is registered already, without a write."""
    if status is not IdentityStatus.VALID:
        return RegistrationOutcome((f"Not registered: {reason}",))
    with product.open_registry(look_only=True) as registry:
        states = {item.id: _state(registry, product, item) for item in artifacts.data_contracts}
    done = all(state == "registered" for state in states.values())
    line = "Already registered" if done else f"Not registered: {reason}"
    return RegistrationOutcome((line,), "registered", states)


def _state(registry: NamespaceRegistry | None, product: IdentityProduct, item: ArtifactContract) -> Registration:
    version = version_of(item, "")
    stored = registry.find_contract(product.id, version.name, version.version) if registry else None
    same = stored is not None and stored.get("floe.contract.schema_hash") == item.schema_hash
    return "registered" if same else "not_registered"


def require_writable(product: IdentityProduct) -> None:
    """An error that says why this run may not register."""
    if product.plan.off:
        raise FloeError(
            "identity is off for this product", fix="Set identity.enforcement in the manifest of the platform."
        )
    reason = _why_not_here(product)
    if reason:
        raise FloeError(f"nothing is registered from here: {reason}", fix="Run it on the default branch, committed.")
