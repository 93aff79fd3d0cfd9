"""What it costs to register 1,000 contracts in a catalog, and to do it once more."""

from __future__ import annotations

import json
import time
from collections.abc import Mapping
from contextlib import closing
from dataclasses import dataclass

from floe_contracts.adapters.iceberg.catalog import load_catalog
from floe_contracts.identity.protocol import ContractMetadata, RegistrationResult, RegistrationStatus
from floe_contracts.identity.registry import ContractVersion

CONTRACTS = 1_000
_PRODUCT, _REPOSITORY = "bench.registry", "github.com/acme/bench"


@dataclass(frozen=True, slots=True)
class Registered:
    """Seconds of the first time, and of the second, when nothing is new."""

    first_s: float
    again_s: float


def measure(settings: Mapping[str, str]) -> Registered:
    """Register the contracts in an empty catalog, twice."""
    columns = [{"name": f"column_{number}", "logicalType": "string"} for number in range(20)]
    document = json.dumps({"apiVersion": "v3.2.0", "schema": [{"name": "table", "properties": columns}]})
    about = ContractMetadata("team@acme.com", "A table", content_hash="sha256:" + "b" * 64)
    versions = [
        ContractVersion(f"table_{number}", "1.0.0", "sha256:" + "a" * 64, about, document)
        for number in range(CONTRACTS)
    ]
    return Registered(
        _register(settings, versions, RegistrationStatus.SUCCESS),
        _register(settings, versions, RegistrationStatus.ALREADY_REGISTERED),
    )


def _register(settings: Mapping[str, str], versions: list[ContractVersion], expected: RegistrationStatus) -> float:
    began = time.monotonic()
    with closing(load_catalog(settings)) as registry:
        registry.register_product_identity(_PRODUCT, _REPOSITORY, "team@acme.com")
        results = registry.register_contracts(_PRODUCT, versions, _REPOSITORY)
    assert all(isinstance(item, RegistrationResult) and item.status is expected for item in results)  # noqa: S101
    return time.monotonic() - began
