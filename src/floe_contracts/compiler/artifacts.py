"""CompiledArtifacts: everything that run time needs of a product, with the same bytes for the same input."""

from __future__ import annotations

import json
import posixpath
import re
from collections.abc import Mapping
from typing import Any, Literal

from pydantic import Field

from ..contract.digest import content_hash, schema_hash
from ..contract.source.scalars import plain
from ..contract.write import odcs
from ..identity.repository import normalise_repository
from ..policy.explanation import all_keys, effective_value
from ..policy.merge import MergedPolicy
from ..policy.row import show_key
from ..product.block import Block
from ..product.ids import contract_id
from ..product.observability import namespace_of
from ..product.schema import SchemaFile
from .contracts import CompiledContract
from .inputs import CompileInputs
from .observability import observability_of

_INTERVAL = re.compile(r"data_contracts\.monitoring\.(\w+)\.check_interval")
SCHEMA_VERSION = "1.0.0"
Registration = Literal["registered", "pending", "not_registered", "off"]


class ArtifactProduct(Block):
    """Whose artifact it is."""

    id: str
    name: str
    version: str
    owner: str = ""
    domain: str = ""
    repository: str = ""
    description: str = ""
    registration: Registration = "off"


class ArtifactTier(Block):
    """One manifest above the product, from the top down."""

    name: str
    version: str
    scope: str
    ref: str
    digest: str


class ArtifactPolicy(Block):
    """What holds for a key, which tier says so, and where; `default` when none does."""

    value: Any
    tier: str
    source: str


class ArtifactContract(Block):
    """One contract as an ODCS document, with what it is known by."""

    id: str
    name: str
    version: str
    origin: Literal["port", "file", "merged"]
    contract: dict[str, Any]
    folder: str = Field(description="The folder of its file, relative to floe.yaml.")
    provenance: dict[str, str]
    schema_hash: str
    content_hash: str
    registration: Registration = "off"


class ArtifactObservability(Block):
    traces: bool
    metrics: bool
    lineage: bool
    namespace: str


class CompiledArtifacts(Block):
    """The whole of target/floe/compiled.json."""

    schema_version: Literal["1.0.0"] = "1.0.0"
    product: ArtifactProduct
    platform: list[ArtifactTier]
    policy: dict[str, ArtifactPolicy]
    data_contracts: list[ArtifactContract]
    observability: ArtifactObservability
    monitoring: dict[str, Any]
    transforms: list[dict[str, Any]]
    mode: Literal["simple", "centralized", "mesh"]

    def text(self) -> str:
        """The file: sorted keys, no times and no absolute paths."""
        return json.dumps(self.model_dump(mode="json"), indent=2, sort_keys=True, ensure_ascii=False) + "\n"


ARTIFACT_SCHEMA = SchemaFile(
    "compiled.schema.json",
    "target/floe/compiled.json",
    CompiledArtifacts.model_json_schema,
    posixpath.join(posixpath.dirname(__file__), "schemas"),
)


def build_artifacts(inputs: CompileInputs, contracts: tuple[CompiledContract, ...]) -> CompiledArtifacts:
    """The artifact of a product that compiles."""
    product, manifest = inputs.product, inputs.manifest
    head = product.metadata
    policy = _policy(inputs)
    return CompiledArtifacts(
        product=ArtifactProduct(
            id=inputs.id,
            name=head.name,
            version=head.version,
            owner=head.owner,
            domain=inputs.domain,
            repository=normalise_repository(head.repository) or head.repository,
            description=head.description,
        ),
        platform=[
            ArtifactTier(name=tier.name, version=tier.version, scope=tier.scope, ref=tier.reference, digest=tier.digest)
            for tier in inputs.chain.tiers
        ],
        policy=policy,
        data_contracts=sorted((_contract(item, inputs) for item in contracts), key=lambda item: item.id),
        observability=ArtifactObservability(
            traces=manifest.observability.traces,
            metrics=manifest.observability.metrics,
            lineage=manifest.observability.lineage,
            namespace=namespace_of(observability_of(inputs)),
        ),
        monitoring=monitoring_of(policy),
        transforms=[transform.model_dump(mode="json") for transform in product.transforms],
        mode=product.mode,
    )


def monitoring_of(policy: Mapping[str, ArtifactPolicy]) -> dict[str, Any]:
    """The settings of run time as the policy decides them; a reader compares, so that neither is changed alone."""

    def value(key: str) -> Any:
        entry = policy.get(f"data_contracts.{key}")
        return entry.value if entry else None

    intervals = {match[1]: entry.value for key, entry in policy.items() if (match := _INTERVAL.fullmatch(key))}
    return {
        "enforcement": value("enforcement"),
        "enabled": value("monitoring.enabled"),
        "mode": value("monitoring.mode"),
        "plugin": value("plugin.type"),
        "sql_trust": value("sql_trust"),
        "alerting": {name: value(f"alerting.{name}") for name in ("openlineage_events", "prometheus_metrics")},
        "intervals": intervals,
    }


def _contract(item: CompiledContract, inputs: CompileInputs) -> ArtifactContract:
    contract = item.contract
    document: Any = plain(odcs.write(contract))
    folder = posixpath.relpath(posixpath.dirname(item.path) or ".", posixpath.dirname(inputs.source.path) or ".")
    return ArtifactContract(
        id=contract_id(inputs.domain, inputs.product.metadata.name, item.short, contract.version),
        name=contract.name,
        version=contract.version,
        origin=item.origin,  # type: ignore[arg-type]  # one of the three words
        contract=document,
        folder=folder,
        provenance={path: origin.value for path, origin in sorted(item.provenance.items())},
        schema_hash=schema_hash(contract),
        content_hash=content_hash(contract),
    )


def _policy(inputs: CompileInputs) -> dict[str, ArtifactPolicy]:
    merged = inputs.merged
    return {show_key(pointer): _key(pointer, merged, inputs) for pointer in all_keys(merged)}


def _key(pointer: tuple[int | str, ...], merged: MergedPolicy, inputs: CompileInputs) -> ArtifactPolicy:
    tier = next((tier for tier in reversed(merged.tiers) if pointer in tier.keys), None)
    value = effective_value(pointer, merged)
    if tier is None:
        return ArtifactPolicy(value=value, tier="default", source="")
    place = tier.keys[pointer].location
    shown = ""
    if place is not None:
        beside = posixpath.dirname(inputs.source.path) or "."
        shown = f"{posixpath.relpath(place.path, beside)}:{place.line}:{place.column}"
    return ArtifactPolicy(value=value, tier=f"{tier.scope} {tier.name} v{tier.version}", source=shown)
