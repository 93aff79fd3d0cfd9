"""The PolicyEnforcer: products, names, models and contracts held to a merged manifest."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ..codes import E501, E517, E518, E519, Severity
from ..contract.model import Contract, Pointer
from ..frozen import dataclass
from ..product.data_product import DataProduct
from ..product.ids import map_id
from ..product.manifest import Manifest
from ..product.transforms import IngestionTransform
from ..product.words import NamingEnforcement
from ..results import Finding
from .classification import classifications_of
from .contracts import contract_findings
from .limits import schedule_problems
from .models import model_findings
from .naming import architecture_of, suggest_names
from .values import (
    ClaimCatalog,
    ContractValidator,
    DbtModel,
    EnforcementViolation,
    PolicyViolation,
    ValidationError,
    ValidationResult,
)

CONFLICT = "IDENTITY_CONFLICT"


class PolicyEnforcer:
    """Holds things to one merged manifest; with a contract plugin, contracts are held to the standard too."""

    def __init__(self, manifest: Manifest, contract_plugin: ContractValidator | None = None) -> None:
        self._manifest = manifest
        self._plugin = contract_plugin
        self._architecture = architecture_of(manifest)
        self._classifications = classifications_of(manifest)

    def validate_data_product(self, product: DataProduct, manifest: Manifest | None = None) -> list[ValidationError]:
        """What the product may not do below its manifest: keys of the platform, schedule, sources and roles."""
        problems = product_problems(product, manifest or self._manifest)
        return [ValidationError(item.code, item.message) for item in problems]

    def enforce_naming(self, model_name: str, layer: str = "") -> ValidationResult:
        """Whether a model may have its name in its layer; an empty layer is any."""
        level = self._manifest.data_architecture.naming.enforcement
        message, suggestions = self._judge_name(model_name, layer)
        if not message or level is NamingEnforcement.OFF:
            return ValidationResult(True)
        return ValidationResult(level is NamingEnforcement.WARN, message, suggestions)

    def check_classification_compliance(self, model: DbtModel) -> list[PolicyViolation]:
        """Unknown classifications, personal data without one, and a model below its columns' highest."""
        findings = model_findings(model, self._classifications)
        return [PolicyViolation(item.code.id, item.message, item.location) for item in findings]

    def validate_data_contracts(
        self, contracts: Sequence[Contract], manifest: Manifest | None = None
    ) -> list[ValidationError]:
        """What the contracts promise less than the manifest asks for, and what they lack."""
        findings = (item for contract in contracts for item in self._judge_contract(contract, manifest))
        return [ValidationError(item.code.id, item.message, item.location) for item in findings]

    def validate_product_identity(
        self, product: DataProduct, catalog: ClaimCatalog | None = None
    ) -> list[EnforcementViolation]:
        """Whether another repository owns the product's namespace; without a catalog nobody can say."""
        if catalog is None:
            return []
        repository = product.metadata.repository
        answer = catalog.validate_product_identity(namespace=product.id, expected_repo=repository)
        if answer.status != "conflict":
            return []
        message = f"Namespace '{product.id}' is owned by '{answer.repository}', not '{repository}'"
        resolution = f"Choose a different product name or contact the namespace owner: {answer.owner}"
        return [EnforcementViolation(Severity.ERROR, CONFLICT, message, resolution)]

    def _judge_name(self, name: str, layer: str) -> tuple[str, tuple[str, ...]]:
        architecture = self._architecture
        shown = architecture.layer_of(name)
        if architecture.layers and (not shown or (layer and shown != layer)):
            wanted = layer if layer in architecture.layers else ""
            globs = architecture.layers[wanted][0] if wanted else architecture.globs
            expected = ", ".join(globs)
            return f"'{name}' violates naming convention; expected: {expected}", architecture.suggest(name, wanted)
        missed = architecture.missed_patterns(name)
        if missed:
            return f"'{name}' violates naming convention; expected: {', '.join(missed)}", suggest_names(name, missed)
        return "", ()

    def _judge_contract(self, contract: Contract, manifest: Manifest | None) -> Iterator[Finding]:
        if self._plugin is not None:
            yield from self._plugin.validate_contract(contract).errors
        yield from contract_findings(contract, manifest or self._manifest)


@dataclass(frozen=True, slots=True)
class ProductProblem:
    """What a product may not do, and which of its keys says so."""

    code: str
    message: str
    pointer: Pointer
    expected: str = ""
    actual: str = ""
    fix: str = ""


def product_problems(product: DataProduct, manifest: Manifest) -> Iterator[ProductProblem]:
    """Everything in floe.yaml that the merged manifest does not allow."""
    yield from _platform_keys(product, manifest)
    yield from _domain(product, manifest)
    if product.schedule is not None:
        for message, expected, actual in schedule_problems(product.schedule, manifest.governance.schedule):
            yield ProductProblem(E518.id, message, ("schedule", "cron"), expected, actual)
    yield from _sources(product, manifest)
    yield from _ingestion_plugins(product, manifest)
    yield from _roles(product, manifest)


def _platform_keys(product: DataProduct, manifest: Manifest) -> Iterator[ProductProblem]:
    for key, value in product.platform_keys.items():
        categories = list(value) if key == "plugins" and isinstance(value, dict) else []
        for name in categories or [key]:
            choice = manifest.plugins.get(name)
            chosen = f" ({choice.type})" if choice else ""
            pointer: Pointer = ("platform_keys", key, name) if categories else ("platform_keys", key)
            message = f"{name} is set by the platform{chosen} and cannot be overridden"
            yield ProductProblem(E517.id, message, pointer, fix=f"Remove {name} from floe.yaml.")


def _domain(product: DataProduct, manifest: Manifest) -> Iterator[ProductProblem]:
    own, above = product.metadata.domain, manifest.metadata.name
    if product.domain is not None and manifest.scope == "domain" and own and map_id(own) != map_id(above):
        message = f"metadata.domain is {own}, and the manifest that domain: refers to is {above}"
        yield ProductProblem(E501.id, message, ("metadata", "domain"), above, own, f"Write {above}, or remove the key.")


def _sources(product: DataProduct, manifest: Manifest) -> Iterator[ProductProblem]:
    approved = manifest.approved_sources
    if "approved_sources" not in manifest.model_fields_set:
        return
    for index, transform in enumerate(product.transforms):
        if isinstance(transform, IngestionTransform) and transform.source not in approved:
            message = f"the source {transform.source} is not approved"
            listed = ", ".join(approved)
            yield ProductProblem(
                E519.id, message, ("transforms", index, "source"), listed, transform.source, f"Approved are {listed}."
            )


def _ingestion_plugins(product: DataProduct, manifest: Manifest) -> Iterator[ProductProblem]:
    """Ingestions by another plugin than the platform's; where it chose none, by one that it does not approve."""
    chosen = manifest.plugins.get("ingestion")
    approved = manifest.approved_plugins.get("ingestion")
    for index, transform in enumerate(product.transforms):
        if not isinstance(transform, IngestionTransform) or "plugin" not in transform.model_fields_set:
            continue
        pointer: Pointer = ("transforms", index, "plugin")
        if chosen is not None and transform.plugin != chosen.type:
            message = f"ingestion is set by the platform ({chosen.type}) and cannot be overridden"
            fix = f"Remove plugin, or write {chosen.type}."
            yield ProductProblem(E517.id, message, pointer, chosen.type, transform.plugin, fix)
        elif approved is not None and transform.plugin not in approved:
            listed = ", ".join(approved)
            message = f"ingestion is {transform.plugin}, which is not approved"
            yield ProductProblem(E519.id, message, pointer, listed, transform.plugin, f"Approved are {listed}.")


def _roles(product: DataProduct, manifest: Manifest) -> Iterator[ProductProblem]:
    roles = manifest.access.roles
    if "roles" not in manifest.access.model_fields_set:
        return
    for index, port in enumerate(product.output_ports):
        for place, role in enumerate(port.access):
            if role not in roles:
                message = f"the port {port.name} is opened to {role}, which is not an approved role"
                listed = ", ".join(roles)
                pointer: Pointer = ("output_ports", index, "access", place)
                yield ProductProblem(E519.id, message, pointer, listed, role, f"Approved are {listed}.")
