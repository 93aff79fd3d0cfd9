"""A run that is killed between its two writes: nobody else gets the name, and the next run completes it."""

from __future__ import annotations

import json
import subprocess
import sys
from contextlib import closing

import pytest
from support.catalogs import Settings

from floe_contracts import ContractMetadata, ImmutableVersionError, RegistrationResult
from floe_contracts.adapters.iceberg.catalog import load_catalog
from floe_contracts.identity.names import levels_of
from floe_contracts.identity.registry import ContractVersion

pytestmark = pytest.mark.slow  # processes of their own in every catalog

OURS, THEIRS = "github.com/acme/sales", "github.com/acme/other"
ABOUT = ContractMetadata("team@acme.com", repository=OURS)
_PROGRAM = """
import json, os, signal, sys
from floe_contracts import ContractMetadata
from floe_contracts.adapters.iceberg.catalog import load_catalog
from floe_contracts.adapters.iceberg.namespaces import IcebergNamespaces

settings, product, marker = json.load(sys.stdin)
create = IcebergNamespaces.put_if_absent

def create_and_die(self, name, properties):
    made = create(self, name, properties)
    if name[0] == marker and len(name) > 1:
        os.kill(os.getpid(), signal.SIGKILL)
    return made

IcebergNamespaces.put_if_absent = create_and_die
registry = load_catalog(settings)
registry.register_product_identity(product, "github.com/acme/sales", "team@acme.com")
about = ContractMetadata("team@acme.com", repository="github.com/acme/sales")
registry.register_contract(product, "customers", "1.0.0", "sha256:a", about)
"""


def kill(settings: Settings, product: str, marker: str) -> None:
    """Run up to the creation of a marker, and no further."""
    asked = json.dumps([settings, product, marker])
    done = subprocess.run([sys.executable, "-c", _PROGRAM], input=asked, text=True, check=False, timeout=240)
    assert done.returncode == -9


def test_a_claim_outlives_its_claimer(settings: Settings, product: str) -> None:
    kill(settings, product, "floe_claims")
    with closing(load_catalog(settings)) as registry:
        assert registry.namespaces.read(levels_of(product)) is None
        assert registry.register_product_identity(product, THEIRS, "other@acme.com").status == "CONFLICT"
        assert registry.register_product_identity(product, OURS, "team@acme.com").status == "ALREADY_OWNED"
        assert (registry.namespaces.read(levels_of(product)) or {})["floe.product.repo"] == OURS


@pytest.mark.parametrize("hashed", ["sha256:a", "sha256:b"])
def test_a_version_outlives_its_registration(settings: Settings, product: str, hashed: str) -> None:
    with closing(load_catalog(settings)) as registry:
        registry.register_product_identity(product, OURS, "team@acme.com")
        kill(settings, product, "floe_contracts")
        assert registry.list_versions(product) == {}
        (told,) = registry.register_contracts(product, [ContractVersion("customers", "1.0.0", hashed, ABOUT)], OURS)
        if hashed == "sha256:a":
            assert isinstance(told, RegistrationResult)
            assert told.status == "ALREADY_REGISTERED"
            assert registry.list_versions(product) == {"customers": ["1.0.0"]}
        else:
            assert isinstance(told, ImmutableVersionError)
            assert told.registered_hash == "sha256:a"
