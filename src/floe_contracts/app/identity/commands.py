"""`floe register` and `floe identity`: from a folder or an artifact to an exit code."""

from __future__ import annotations

import json
import os
from contextlib import AbstractContextManager
from itertools import pairwise
from typing import TYPE_CHECKING

from ...adapters.files.read import read_file
from ...adapters.files.write import write_whole
from ...adapters.process.output import put_page, say
from ...compiler.reading import read_artifacts
from ...compiler.registration import RegistrationOutcome, with_states
from ...errors import FloeError, UsageError
from ...frozen import replace
from ...identity.audit import audit_products
from ...identity.claim import NameClaim, claims_of
from ...identity.names import id_of, levels_of
from ...identity.protocol import RegistrationResult, RegistrationStatus
from ...identity.registry import NamespaceRegistry
from ...render.safe import log_safe
from ...render.text.compilation import render_compilation, render_findings
from ...results import decide
from ..compile import ARTIFACT, CompileRequest, compile_folder, register_outcome
from ..report import deliver
from .check import check_identity
from .from_artifact import identity_of
from .gather import identity_here
from .product import IdentityProduct
from .proof import prove_repository
from .register import register_product, require_writable

if TYPE_CHECKING:
    from ...adapters.process.console import Console


def show_register(console: Console, folder: str, refs: tuple[str, ...], form: str) -> int:
    """Steps 1 to 5 of `floe compile`; no artifact is written."""
    outcome = register_outcome(compile_folder(CompileRequest(folder, refs=refs)))
    if form != "terminal":
        return deliver(outcome.report, console, form, None)
    steps = tuple(step for step in outcome.compilation.steps if step.number < 6)
    put_page(render_compilation(replace(outcome.compilation, steps=steps)))
    return int(decide(outcome.report))


def show_pending(console: Console, folder: str, given: str) -> int:
    """Register what an artifact says, and write the new state into it; 1 a conflict, 2 still no answer."""
    path = given or os.path.join("" if folder == "." else folder, *ARTIFACT.split("/"))
    file = read_file(path)
    if file.problem is not None:
        raise UsageError(f"{path}: {file.problem.message}", fix="Run floe compile first, or name --artifacts.")
    artifacts = read_artifacts(file.data, path).artifacts
    if artifacts.product.registration != "pending":
        say(f"Nothing is pending in {path}: {artifacts.product.registration}.")
        return 0
    product = identity_of(artifacts, os.path.dirname(path) or ".")
    require_writable(product)
    checked = check_identity(product)
    done = RegistrationOutcome((), "pending", {}, checked.check.findings)
    if not any(finding.blocks for finding in done.findings):
        done = register_product(product, artifacts, checked.status)
    for line in done.lines or checked.check.lines:
        say(log_safe(line))
    put_page(render_findings(done.findings or checked.check.findings))
    if checked.check.untold or done.untold or (done.product == "pending" and not _blocks(done)):
        return 2
    if _blocks(done):
        return 1
    write_whole(path, with_states(artifacts, done).text())
    console.note(f"Written to {path}.")
    return 0


def _blocks(outcome: RegistrationOutcome) -> bool:
    return any(finding.blocks for finding in outcome.findings)


def show_owner(given: str | None, refs: tuple[str, ...], form: str) -> int:
    """Who owns a product, since when, and which versions it has."""
    product = identity_here(refs=refs)
    wanted = id_of(given) if given else product.id
    with _open(product) as registry:
        claims = claims_of(registry.namespaces, wanted) if registry else []
        versions = registry.list_versions(wanted) if registry and claims else {}
    entries = [f"{name}:{version}" for name in sorted(versions) for version in versions[name]]
    if form == "json":
        _put_json({"id": wanted, "claims": [_claim_value(item) for item in claims], "contracts": sorted(entries)})
        return 0
    if not claims:
        say(f"{wanted} is not registered.")
        return 0
    owner = claims[-1]
    say(f"{wanted} is owned by {log_safe(owner.repository)} ({log_safe(owner.owner or 'no owner named')})")
    say(f"  registered {owner.registered_at}, {'attested' if owner.attested else 'declared'}")
    for earlier, later in pairwise(claims):
        say(f"  {later.transferred_at} from {log_safe(earlier.repository)} to {log_safe(later.repository)}")
    for entry in sorted(entries):
        say(f"  {log_safe(entry)}")
    return 0


def claim_namespace(refs: tuple[str, ...]) -> int:
    """Claim the namespace of the product here, without its contracts."""
    product = identity_here(refs=refs)
    require_writable(product)
    checked = check_identity(replace(product, plan=replace(product.plan, auto_register=True)))
    wrong = [finding for finding in checked.check.findings if finding.blocks]
    if wrong:
        put_page(render_findings(tuple(wrong)))
        return 2 if checked.check.untold else 1
    details = replace(product.details, proof=prove_repository(product))
    with product.open_registry() as registry:
        assert registry is not None  # noqa: S101 - only a look can do without
        result = registry.register_product_identity(product.id, product.repository, product.owner, details=details)
    return _tell(result, f"Claimed {product.id} for {result.repository}.", product.id)


def transfer_namespace(given: str, to: str, name: str, refs: tuple[str, ...]) -> int:
    """Give a product to another repository, or to another spelling of its name."""
    product = identity_here(refs=refs)
    require_writable(product)
    repository = product.workplace.repository or product.repository
    domain = given.rpartition(".")[0]
    spelling = f"{domain}.{name}" if name and domain else name
    if spelling and id_of(spelling) != id_of(given):
        raise UsageError(f"{name!r} is another id than {given!r}", fix="A new id is a new product; claim that.")
    with _open(product) as registry:
        if registry is None:
            raise FloeError(f"{id_of(given)} is not registered", fix="Run floe identity claim first.")
        result = registry.transfer(given, repository, to, spelling=spelling, proof=prove_repository(product))
    return _tell(result, f"Transferred {id_of(given)} to {result.repository}.", id_of(given))


def show_audit(refs: tuple[str, ...], form: str) -> int:
    """Every claim of the catalog, and what does not agree with it."""
    with _open(identity_here(refs=refs)) as registry:
        products = audit_products(registry.namespaces) if registry else []
    if form == "json":
        _put_json(
            [
                {
                    "id": item.product,
                    "claims": [_claim_value(claim) for claim in item.claims],
                    "contracts": list(item.contracts),
                    "problems": list(item.problems),
                }
                for item in products
            ]
        )
    else:
        for item in products:
            count = len(item.contracts)
            say(f"{log_safe(item.product)}: {log_safe(item.repository)}, {count} registered")
            for problem in item.problems:
                say(f"  ! {log_safe(problem)}")
        if not products:
            say("No product is registered.")
    return int(any(item.problems for item in products))


def _open(product: IdentityProduct) -> AbstractContextManager[NamespaceRegistry | None]:
    if product.plan.off:
        raise FloeError("identity is off for this product", fix="Set identity in the manifest of the platform.")
    levels_of(product.spelling)
    return product.open_registry(look_only=True)


def _tell(result: RegistrationResult, done: str, product: str) -> int:
    if result.status is RegistrationStatus.CONFLICT:
        owner = log_safe(result.repository or "nobody")
        say(f"{product} is owned by {owner}; only its owner may do this", error=True)
        return 1
    say(log_safe("Already registered." if result.status is RegistrationStatus.ALREADY_OWNED else done))
    return 0


def _claim_value(claim: NameClaim) -> dict[str, object]:
    return {
        "repository": claim.repository,
        "owner": claim.owner,
        "name": claim.spelling,
        "registered_at": claim.registered_at,
        "transferred_at": claim.transferred_at,
        "ownership": "attested" if claim.attested else "declared",
        "repository_id": claim.repository_id,
    }


def _put_json(value: object) -> None:
    put_page(json.dumps(value, indent=2, ensure_ascii=False) + "\n")
