"""The proof that a run belongs to its repository, where the platform asks for one."""

from __future__ import annotations

import os

from ...identity.protocol import Attestation, CatalogRefused
from ...identity.repository import same_repository
from .product import IdentityProduct


def prove_repository(product: IdentityProduct) -> Attestation | None:
    """What the token of this run proves; None where ownership is declared. Everything else is a refusal."""
    plan = product.plan
    if not plan.attested:
        return None
    from ...adapters.github.oidc import TokenRules, fetch_token, verify_token

    rules = TokenRules(plan.issuers, plan.audience)
    proof = verify_token(fetch_token(os.environ, rules.audience), rules)
    if not same_repository(proof.repository, product.repository):
        raise CatalogRefused(
            f"the token of this run belongs to {proof.repository}, and metadata.repository says otherwise",
            fix=f"Write repository: {proof.repository}.",
        )
    return proof
