"""The six steps of `floe compile`, as values: what each step says, what is wrong, and the artifact when nothing is."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from ..frozen import dataclass, field, replace
from ..identity.repository import normalise_repository
from ..policy.chain import Chain
from ..results import Finding
from .contracts import CompiledContract, compile_contracts
from .inputs import IDENTITY_OFF, CompileInputs
from .models import compile_models
from .observability import observability_findings

if TYPE_CHECKING:
    from .artifacts import CompiledArtifacts

TITLES = (
    "Loading platform artifacts",
    "Validating product identity",
    "Validating data contracts",
    "Validating naming conventions and quality gates",
    "Registering",
    "Writing compiled artifacts",
)
FAILED = "Compilation FAILED"


@dataclass(frozen=True, slots=True)
class CompileStep:
    """One numbered step: what it says, and what is wrong."""

    number: int
    title: str
    lines: tuple[str, ...] = ()
    findings: tuple[Finding, ...] = ()


@dataclass(frozen=True, slots=True)
class Compilation:
    """All steps that were made; without an artifact the compilation failed."""

    product: str
    path: str
    steps: tuple[CompileStep, ...]
    artifacts: CompiledArtifacts | None = None
    untold: bool = False  # something that a tier demands cannot be judged here
    platform: str = ""  # name and version of the enterprise tier
    pattern: str = ""
    notes: tuple[str, ...] = field(default_factory=tuple)
    contracts: tuple[CompiledContract, ...] = ()

    @property
    def findings(self) -> tuple[Finding, ...]:
        return tuple(finding for step in self.steps for finding in step.findings)


def stop_at_loading(path: str, chain: Chain) -> Compilation:
    """A compilation whose product or tiers cannot be read or found."""
    nowhere = (chain.unresolved.finding(),) if chain.unresolved else ()
    steps = (CompileStep(1, TITLES[0], (), _ordered((*chain.findings, *nowhere))), CompileStep(2, FAILED))
    return Compilation(path, path, steps, untold=chain.unresolved is not None)


def compile_product(inputs: CompileInputs, *, build: bool = True) -> Compilation:
    """Steps 1 to 4 and all their findings; 5 and 6 only when nothing blocks and the artifact is wanted."""
    contracts = compile_contracts(inputs)
    models = compile_models(inputs, contracts.contracts)
    tiers = (
        *inputs.chain.findings,
        *(weakening.finding() for weakening in inputs.merged.violations),
        *observability_findings(inputs),
    )
    steps = [
        CompileStep(1, TITLES[0], tuple(_platform_lines(inputs)), _ordered((*tiers, *inputs.product_findings))),
        CompileStep(2, TITLES[1], tuple(_identity_lines(inputs)), _ordered(inputs.identity.findings)),
        CompileStep(3, TITLES[2], tuple(_contract_lines(inputs, contracts.contracts)), _ordered(contracts.findings)),
        CompileStep(4, TITLES[3], models.lines, _ordered(models.findings)),
    ]
    top = inputs.chain.tiers[0] if inputs.chain.tiers else None
    about = Compilation(
        inputs.id,
        inputs.source.path,
        tuple(steps),
        untold=models.untold or inputs.identity.untold,
        platform=f"{top.name} v{top.version}" if top else "",
        pattern=inputs.manifest.data_architecture.pattern or "",
        notes=inputs.notes,
        contracts=contracts.contracts,
    )
    if any(finding.blocks for finding in about.findings):
        return replace(about, steps=(*steps, CompileStep(5, FAILED)))
    if not build:
        return about
    from .artifacts import build_artifacts

    ending = (CompileStep(5, TITLES[4], (IDENTITY_OFF,)), CompileStep(6, TITLES[5]))
    return replace(about, steps=(*steps, *ending), artifacts=build_artifacts(inputs, contracts.contracts))


def _ordered(findings: Iterable[Finding]) -> tuple[Finding, ...]:
    return tuple(sorted(dict.fromkeys(findings), key=Finding.sort_key))


def _platform_lines(inputs: CompileInputs) -> Iterable[str]:
    if not inputs.chain.tiers:
        yield "Platform: none (floe.yaml refers to no manifest)"
        return
    manifest, top, last = inputs.manifest, inputs.chain.tiers[0], inputs.chain.tiers[-1]
    yield f"Platform version: {top.version}"
    compute = manifest.plugins.get("compute")
    if compute is not None:
        yield f"Compute: {compute.type} (enforced)"
    architecture = manifest.data_architecture
    if architecture.pattern:
        yield f"Architecture: {architecture.pattern} ({architecture.naming.enforcement.value} enforcement)"
    if last.scope == "domain":
        yield f"Domain: {last.name} v{last.version}"


def _identity_lines(inputs: CompileInputs) -> Iterable[str]:
    yield f"Product ID: {inputs.id}"
    repository = inputs.product.metadata.repository
    if repository:
        yield f"Repository: {normalise_repository(repository) or repository}"
    yield from inputs.identity.lines


def _contract_lines(inputs: CompileInputs, contracts: Iterable[CompiledContract]) -> Iterable[str]:
    for item in contracts:
        yield f"{item.contract.name} {item.contract.version} ({item.origin})"
    yield from inputs.notes
