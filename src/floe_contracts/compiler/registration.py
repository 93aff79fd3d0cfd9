"""Steps 2 and 5 of a compilation as values: how the namespace stands, and what came of registering."""

from __future__ import annotations

from collections.abc import Mapping

from ..frozen import dataclass, field, replace
from ..results import Finding
from .artifacts import CompiledArtifacts, Registration
from .compilation import FAILED, TITLES, Compilation, CompileStep


@dataclass(frozen=True, slots=True)
class RegistrationOutcome:
    """What step 5 says, and the states that the artifact shows."""

    lines: tuple[str, ...]
    product: Registration = "not_registered"
    contracts: Mapping[str, Registration] = field(default_factory=dict)  # by id
    findings: tuple[Finding, ...] = ()
    untold: bool = False


def with_registration(compilation: Compilation, outcome: RegistrationOutcome) -> Compilation:
    """The compilation after step 5; an error there leaves no artifact."""
    steps = tuple(step for step in compilation.steps if step.number < 5)
    own = CompileStep(5, TITLES[4], outcome.lines, outcome.findings)
    untold = compilation.untold or outcome.untold
    if any(finding.blocks for finding in outcome.findings):
        return replace(compilation, steps=(*steps, own, CompileStep(6, FAILED)), artifacts=None, untold=untold)
    artifacts = compilation.artifacts
    return replace(
        compilation,
        steps=(*steps, own, CompileStep(6, TITLES[5])),
        artifacts=with_states(artifacts, outcome) if artifacts else None,
    )


def with_states(artifacts: CompiledArtifacts, outcome: RegistrationOutcome) -> CompiledArtifacts:
    """The artifact with the states of step 5."""
    contracts = [
        item.model_copy(update={"registration": outcome.contracts.get(item.id, outcome.product)})
        for item in artifacts.data_contracts
    ]
    product = artifacts.product.model_copy(update={"registration": outcome.product})
    return artifacts.model_copy(update={"product": product, "data_contracts": contracts})
