"""Step 2: whether the namespace of a product is free or its own, and whether its repository is the one at work."""

from __future__ import annotations

from collections.abc import Iterator

from ...codes import E501, E540, E541, E542, E543, E544, E545, E546, Severity
from ...compiler.inputs import IDENTITY_OFF, IdentityCheck
from ...contract.placeholders import is_placeholder
from ...errors import FloeError, MissingExtra, SettingsError, UsageError
from ...frozen import dataclass
from ...identity.names import levels_of
from ...identity.protocol import CatalogRefused, IdentityResult, IdentityStatus
from ...identity.repository import normalise_repository, same_repository
from ...product.words import IdentityEnforcement
from ...results import Finding
from .product import IdentityProduct

UNKNOWN = "Namespace unknown (catalog unreachable)"
_LINES = {
    IdentityStatus.VALID: "Namespace owned by this repository",
    IdentityStatus.AVAILABLE: "Namespace available",
    IdentityStatus.UNKNOWN: UNKNOWN,
    IdentityStatus.CONFLICT: "",
}


@dataclass(frozen=True, slots=True)
class CheckedIdentity:
    """What step 2 says, and how the namespace stands; None when nobody was asked."""

    check: IdentityCheck
    status: IdentityStatus | None = None


def check_identity(product: IdentityProduct) -> CheckedIdentity:
    """Ask the catalog about the namespace; nothing is written."""
    plan = product.plan
    if plan.off:
        return CheckedIdentity(IdentityCheck((IDENTITY_OFF, plan.note) if plan.note else (IDENTITY_OFF,)))
    try:
        levels_of(product.spelling)
    except UsageError as error:
        return CheckedIdentity(IdentityCheck((), (_misnamed(product, error),)))
    findings, notes = list(_repository_findings(product)), list(_repository_notes(product))
    try:
        with product.open_registry(look_only=True) as registry:
            result = (
                registry.validate_product_identity(product.id, product.repository, product.details)
                if registry
                else IdentityResult(IdentityStatus.AVAILABLE)
            )
    except MissingExtra as error:
        if plan.strict:
            raise
        finding = refusal(product, error)
        return CheckedIdentity(IdentityCheck((*notes, UNKNOWN), (*findings, finding)))
    except (CatalogRefused, SettingsError) as error:
        findings.append(refusal(product, error))
        return CheckedIdentity(IdentityCheck((*notes, UNKNOWN), tuple(findings), plan.strict))
    findings += _status_findings(product, result)
    line = _LINES[result.status]
    untold = result.status is IdentityStatus.UNKNOWN and plan.on_outage == "fail"
    return CheckedIdentity(IdentityCheck((*notes, *([line] if line else ())), tuple(findings), untold), result.status)


def conflict(product: IdentityProduct, repository: str, owner: str, spelling: str = "") -> Finding:
    """The finding for a namespace that another repository, or another spelling, has claimed."""
    message = f"Namespace '{product.id}' owned by different repository"
    resolution = f"Choose a different product name or contact the namespace owner: {owner or repository}"
    if spelling:
        message = f"Namespace '{product.id}' is claimed under the spelling '{spelling}', not '{product.spelling}'"
    if spelling and same_repository(repository, product.repository):
        name = product.spelling.rpartition(".")[2]
        command = f"floe identity transfer {product.id} --to {repository} --name {name}"
        resolution = f"Write it as it is claimed, or rename it: {command}"
    return Finding.of(
        E541,
        "identity-conflict",
        message,
        severity=product_severity(product),
        location=product.location,
        expected=product.repository or "a repository",
        actual=repository or "unknown",
        suggestions=(resolution,),
    )


def outage(product: IdentityProduct, message: str = "the catalog cannot be reached") -> Finding:
    """The finding for a catalog that does not answer."""
    fails = product.plan.on_outage == "fail"
    severity = Severity.ERROR if fails else Severity.WARNING
    fix = (
        "Try again when the catalog is back; identity.on_outage: fail writes nothing without it." if fails else E540.fix
    )
    return Finding.of(E540, "catalog-outage", message, severity=severity, location=product.location, suggestions=(fix,))


def refusal(product: IdentityProduct, error: FloeError) -> Finding:
    """The finding for credentials that are not accepted, or not there, and for other settings that cannot be used."""
    rule = "identity-refused" if error.code is E542 else "identity-settings"
    return Finding.of(
        error.code,
        rule,
        error.message,
        severity=product_severity(product),
        location=product.location,
        suggestions=(error.fix,),
    )


def product_severity(product: IdentityProduct) -> Severity:
    """An error where the platform registers or enforces, else a warning."""
    return Severity.ERROR if product.plan.strict else Severity.WARNING


def _misnamed(product: IdentityProduct, error: UsageError) -> Finding:
    severity = product_severity(product)
    return Finding.of(
        E501, "identity-name", error.message, severity=severity, location=product.location, suggestions=(error.fix,)
    )


def _repository_findings(product: IdentityProduct) -> Iterator[Finding]:
    severity, at_work = product_severity(product), product.workplace.repository
    unnamed = not normalise_repository(product.repository) and not is_placeholder(product.repository)
    if not product.repository or (unnamed and not at_work):
        problem = f"{product.repository!r} names no repository" if product.repository else "is missing"
        message = f"metadata.repository {problem}, so nobody can say who claims the namespace"
        yield Finding.of(E543, "identity-repository", message, severity=severity, location=product.location)
    elif at_work and not same_repository(product.repository, at_work):
        yield Finding.of(
            E544,
            "identity-repository-differs",
            "metadata.repository is not the repository at work",
            severity=severity,
            location=product.location,
            expected=at_work,
            actual=product.repository,
            suggestions=(f"Write {at_work}.",),
        )


def _repository_notes(product: IdentityProduct) -> Iterator[str]:
    if product.repository and not product.workplace.repository:
        yield "Repository not checked: no git remote and no CI name it"


def _status_findings(product: IdentityProduct, result: IdentityResult) -> Iterator[Finding]:
    plan = product.plan
    if result.claim_gone:
        message = f"the claim of {product.id} is gone: it was registered, and its marker was dropped"
        yield Finding.of(E546, "identity-claim-gone", message, location=product.location)
    if result.status is IdentityStatus.UNKNOWN:
        yield outage(product)
    elif result.status is IdentityStatus.CONFLICT:
        yield conflict(product, result.repository, result.owner, result.spelling)
    elif result.status is IdentityStatus.AVAILABLE:
        enforced = plan.level is IdentityEnforcement.ENFORCE and not plan.auto_register
        if enforced or plan.level is IdentityEnforcement.WARN:
            message = f"the namespace {product.id} is not registered"
            severity = Severity.ERROR if enforced else Severity.WARNING
            yield Finding.of(E545, "identity-unregistered", message, severity=severity, location=product.location)
