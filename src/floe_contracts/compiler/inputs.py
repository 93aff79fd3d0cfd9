"""What a compilation is made from, already read."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from ..compat.inheritance import ParentContract
from ..compat.inheritance.chain import ParentChain
from ..contract.load import Loaded
from ..contract.model import Contract
from ..frozen import dataclass, field
from ..policy.chain import Chain, last_manifest
from ..policy.merge import MergedPolicy
from ..product.data_product import DataProduct
from ..product.dbt import DbtNode, DbtProject
from ..product.ids import product_id
from ..product.manifest import Manifest
from ..product.reading import WrittenFile
from ..results import Finding

IDENTITY_OFF = "Identity: off"

# What holds for a product that stands below nobody: defaults only.
ALONE = Manifest.model_validate(
    {
        "apiVersion": "floe.dev/v1",
        "kind": "Manifest",
        "metadata": {"name": "none", "version": "0.0.0"},
        "scope": "enterprise",
    }
)


@dataclass(frozen=True, slots=True)
class IdentityCheck:
    """What step 2 says about the namespace of the product."""

    lines: tuple[str, ...] = (IDENTITY_OFF,)
    findings: tuple[Finding, ...] = ()
    untold: bool = False  # the catalog must answer, and does not


def keep_silent(_: Contract, __: DbtNode) -> tuple[Finding, ...]:
    """Nothing to say about the model of a contract."""
    return ()


@dataclass(frozen=True, slots=True)
class CompileInputs:
    """One product with everything around it."""

    product: DataProduct
    source: WrittenFile  # floe.yaml, for lines
    chain: Chain
    merged: MergedPolicy
    manifest: Manifest = ALONE  # all tiers merged
    files: tuple[Loaded, ...] = ()  # explicit contracts
    dbt: DbtProject = DbtProject()
    bases: tuple[ParentContract, ...] = ()  # parent contracts of the tiers, the nearest tier first
    parents: Mapping[str, ParentChain] = field(default_factory=dict)  # by path of an explicit contract
    product_findings: tuple[Finding, ...] = ()  # what floe.yaml may not say below its manifest
    base_findings: tuple[Finding, ...] = ()  # what is wrong with the parent contracts of the tiers
    version_findings: tuple[Finding, ...] = ()  # of the gate, for explicit contracts in a git repository
    validators: tuple[Callable[[Contract], tuple[Finding, ...]], ...] = ()  # of the platform's own
    judge_model: Callable[[Contract, DbtNode], tuple[Finding, ...]] = keep_silent  # where no gate holds models
    sql_findings: tuple[Finding, ...] = ()  # of the SQL linter
    sql_unknown: str = ""  # why the SQL could not be linted though a tier asks for it
    identity: IdentityCheck = IdentityCheck()
    notes: tuple[str, ...] = field(default_factory=tuple)

    @property
    def domain(self) -> str:
        """As the product says, else the name of the domain's manifest."""
        return domain_of(self.product, self.chain)

    @property
    def id(self) -> str:
        return product_id(self.domain, self.product.metadata.name)

    def metadata(self) -> dict[str, str]:
        """What the contracts of the ports say about the product."""
        head = self.product.metadata
        values = {"name": head.name, "version": head.version, "owner": head.owner, "domain": self.domain}
        return {key: value for key, value in values.items() if value}


def domain_of(product: DataProduct, chain: Chain) -> str:
    """The domain that a product names, else that of the manifest above it."""
    last = last_manifest(chain)
    return product.metadata.domain or (last.metadata.name if last is not None and product.domain else "")
