"""What every catalog must do, the same tests for all: claims, adoption, versions, transfers and what is derived."""

from __future__ import annotations

import json
from datetime import datetime, timezone

import pytest

from floe_contracts import ContractMetadata, ImmutableVersionError
from floe_contracts.errors import UsageError
from floe_contracts.identity.audit import audit_products
from floe_contracts.identity.claim import claims_of
from floe_contracts.identity.index import MOST_CHARACTERS
from floe_contracts.identity.names import claim_marker, levels_of
from floe_contracts.identity.protocol import Attestation
from floe_contracts.identity.registry import ContractVersion, NamespaceRegistry, ProductDetails

OURS, THEIRS = "github.com/acme/sales", "github.com/acme/other"
ABOUT = ContractMetadata("team@acme.com", "Customers", datetime(2026, 8, 1, tzinfo=timezone.utc))


def claim(registry: NamespaceRegistry, product: str, repository: str = OURS, **more: object) -> str:
    return registry.register_product_identity(product, repository, "team@acme.com", **more).status  # type: ignore[arg-type]


def test_the_first_repository_owns_a_namespace(registry: NamespaceRegistry, product: str) -> None:
    assert registry.validate_product_identity(product, OURS).status == "available"
    assert claim(registry, product) == "SUCCESS"
    assert claim(registry, product, "git@github.com:acme/sales.git") == "ALREADY_OWNED"
    refused = registry.register_product_identity(product, THEIRS, "other@acme.com")
    assert (refused.status, refused.repository, refused.owner) == ("CONFLICT", OURS, "team@acme.com")
    assert registry.validate_product_identity(product, OURS).status == "valid"
    seen = registry.validate_product_identity(product, THEIRS)
    assert (seen.status, seen.repository, seen.owner) == ("conflict", OURS, "team@acme.com")


def test_a_repository_that_no_site_has_owns_by_its_very_words(registry: NamespaceRegistry, product: str) -> None:
    assert claim(registry, product, "repo-a") == "SUCCESS"
    assert claim(registry, product, "repo-a") == "ALREADY_OWNED"
    assert claim(registry, product, "repo-b") == "CONFLICT"
    assert registry.validate_product_identity(product, "repo-a").status == "valid"


def test_without_if_not_exists_a_namespace_that_is_there_is_a_conflict_for_everybody(
    registry: NamespaceRegistry, product: str
) -> None:
    assert claim(registry, product, if_not_exists=False) == "SUCCESS"
    assert claim(registry, product, if_not_exists=False) == "CONFLICT"
    assert claim(registry, product, THEIRS, if_not_exists=False) == "CONFLICT"


def test_a_namespace_that_somebody_made_is_adopted_once(registry: NamespaceRegistry, product: str) -> None:
    registry.namespaces.put_if_absent(levels_of(product)[:1], {})
    registry.namespaces.put_if_absent(levels_of(product), {"made_by": "terraform"})
    assert claim(registry, product, if_not_exists=False) == "CONFLICT"
    assert claim(registry, product) == "SUCCESS"
    assert claim(registry, product, THEIRS) == "CONFLICT"
    properties = registry.namespaces.read(levels_of(product)) or {}
    assert (properties["made_by"], properties["floe.product.repo"]) == ("terraform", OURS)


def test_two_spellings_of_one_id_are_two_products(registry: NamespaceRegistry, product: str) -> None:
    written = product.replace("_", "-")
    assert claim(registry, written) == "SUCCESS"
    for spelling in (product.upper().replace("SALES", "sales"), product):
        details = ProductDetails(spelling=spelling)
        seen = registry.register_product_identity(product, OURS, "", details=details)
        assert (seen.status, seen.spelling) == ("CONFLICT", written)
    assert registry.transfer(product, OURS, OURS, spelling=product).status == "SUCCESS"
    assert claim(registry, product, details=ProductDetails(spelling=product)) == "ALREADY_OWNED"
    assert claim(registry, written) == "CONFLICT"


def test_the_namespace_describes_its_product(registry: NamespaceRegistry, product: str) -> None:
    details = ProductDetails(product.replace("_", "-"), "1.2.0", {"customers": ("analyst", "ops"), "raw": ()})
    registry.register_product_identity(product, OURS, "team@acme.com", details=details)
    before = dict(registry.namespaces.read(levels_of(product)) or {})
    name = product.partition(".")[2]
    assert (
        before.items()
        >= {
            "floe.product.name": name,
            "floe.product.display_name": name.replace("_", "-"),
            "floe.product.domain": "sales",
            "floe.product.owner": "team@acme.com",
            "floe.product.repo": OURS,
            "floe.product.version": "1.2.0",
            "floe.access.customers": '["analyst", "ops"]',
        }.items()
    )
    assert "floe.access.raw" not in before
    later = ProductDetails(details.spelling, "1.3.0")
    registry.register_product_identity(product, OURS, "team@acme.com", details=later)
    after = registry.namespaces.read(levels_of(product)) or {}
    assert after["floe.product.version"] == "1.3.0"
    assert after["floe.product.registered_at"] == before["floe.product.registered_at"]
    assert "floe.access.customers" not in after


def test_what_is_long_fits_into_every_catalog(registry: NamespaceRegistry, product: str) -> None:
    roles = tuple(f"a-role-with-a-rather-long-name-{number}" for number in range(80))
    owner = "team@acme.com, " * 200
    details = ProductDetails(version="1.0.0", access={"customers": roles})
    assert registry.register_product_identity(product, OURS, owner, details=details).status == "SUCCESS"
    shown = registry.namespaces.read(levels_of(product)) or {}
    keys = sorted(key for key in shown if key.startswith("floe.access."))
    assert keys == ["floe.access.customers", *(f"floe.access.customers.{number}" for number in range(2, len(keys) + 1))]
    parts = [shown[key] for key in keys]
    assert len(parts) > 1
    assert all(len(value) <= MOST_CHARACTERS for value in shown.values())
    assert tuple(role for part in parts for role in json.loads(part)) == roles
    about = ContractMetadata(owner, "A long story. " * 200, repository=OURS)
    assert registry.register_contract(product, "customers", "1.0.0", "sha256:a", about).status == "SUCCESS"
    fewer = ProductDetails(version="1.0.0", access={"customers": roles[:1]})
    registry.register_product_identity(product, OURS, owner, details=fewer)
    shown = registry.namespaces.read(levels_of(product)) or {}
    assert [key for key in shown if key.startswith("floe.access.")] == ["floe.access.customers"]


def test_a_version_is_registered_once_and_for_good(registry: NamespaceRegistry, product: str) -> None:
    claim(registry, product)
    assert registry.register_contract(product, "customers", "1.0.0", "sha256:a", ABOUT).status == "SUCCESS"
    assert registry.register_contract(product, "customers", "1.0.0", "sha256:a", ABOUT).status == "ALREADY_REGISTERED"
    with pytest.raises(ImmutableVersionError, match=r"customers:1\.0\.0 .*sha256:a.* sha256:b") as caught:
        registry.register_contract(product, "customers", "1.0.0", "sha256:b", ABOUT)
    assert caught.value.code.id == "FLOE-E524"
    assert registry.register_contract(product, "customers", "1.0.1", "sha256:b", ABOUT).status == "SUCCESS"
    properties = registry.namespaces.read(levels_of(product)) or {}
    assert json.loads(properties["floe.contracts"]) == ["customers:1.0.0", "customers:1.0.1"]


def test_only_the_owner_registers_versions(registry: NamespaceRegistry, product: str) -> None:
    unclaimed = registry.register_contract(product, "customers", "1.0.0", "sha256:a", ABOUT)
    assert unclaimed.status == "CONFLICT"
    claim(registry, product)
    claim(registry, product, THEIRS)
    refused = registry.register_contract(product, "customers", "1.0.0", "sha256:a", ABOUT)
    assert (refused.status, refused.repository) == ("CONFLICT", OURS)
    assert registry.find_contract(product, "customers", "1.0.0") is None


def test_one_plugin_speaks_for_several_repositories(registry: NamespaceRegistry, product: str) -> None:
    other = f"{product}_other"
    claim(registry, product)
    claim(registry, other, THEIRS)
    for namespace in (product, other):
        assert registry.register_contract(namespace, "customers", "1.0.0", "sha256:a", ABOUT).status == "SUCCESS"


@pytest.mark.parametrize("repository", ["", " "])
def test_nobody_claims_for_no_repository(registry: NamespaceRegistry, product: str, repository: str) -> None:
    with pytest.raises(UsageError, match="without a repository"):
        registry.register_product_identity(product, repository, "team@acme.com")
    assert claim(registry, product) == "SUCCESS"


@pytest.mark.parametrize(
    ("name", "version"), [("customers", ""), ("customers", "1.0"), ("customers", "v1.0.0"), ("", "1.0.0")]
)
def test_what_is_no_version_is_not_registered(
    registry: NamespaceRegistry, product: str, name: str, version: str
) -> None:
    claim(registry, product)
    with pytest.raises(UsageError, match="is not a version of a contract"):
        registry.register_contract(product, name, version, "sha256:a", ABOUT)


def test_other_documentation_of_a_registered_version_is_told_and_not_kept(
    registry: NamespaceRegistry, product: str
) -> None:
    claim(registry, product)
    first, second = (ContractMetadata("team@acme.com", content_hash=text) for text in ("sha256:1", "sha256:2"))
    registry.register_contract(product, "customers", "1.0.0", "sha256:a", first)
    again = registry.register_contract(product, "customers", "1.0.0", "sha256:a", second)
    assert (again.status, again.documentation_changed) == ("ALREADY_REGISTERED", True)
    stored = registry.find_contract(product, "customers", "1.0.0") or {}
    assert stored["floe.contract.content_hash"] == "sha256:1"


def test_a_long_list_is_split_and_sorted_by_name_and_version(registry: NamespaceRegistry, product: str) -> None:
    claim(registry, product)
    numbers = [f"{major}.{minor}.0" for major in (1, 10, 2) for minor in range(20)]
    versions = [ContractVersion("customers", number, "sha256:a", ABOUT) for number in numbers]
    registry.register_contracts(product, versions, OURS)
    properties = registry.namespaces.read(levels_of(product)) or {}
    parts = [properties[key] for key in ("floe.contracts", "floe.contracts.2")]
    assert all(len(part) <= MOST_CHARACTERS for part in parts)
    listed = [entry for part in parts for entry in json.loads(part)]
    assert listed == [f"customers:{major}.{minor}.0" for major in (1, 2, 10) for minor in range(20)]
    assert sorted(registry.list_versions(product)["customers"]) == sorted(numbers)


def test_a_transfer_keeps_the_history(registry: NamespaceRegistry, product: str) -> None:
    claim(registry, product)
    assert registry.transfer(product, THEIRS, THEIRS).status == "CONFLICT"
    for nobody in ("", "sales", "../other"):
        with pytest.raises(UsageError, match="names no repository"):
            registry.transfer(product, OURS, nobody)
    assert registry.transfer(product, OURS, THEIRS).status == "SUCCESS"
    assert claim(registry, product) == "CONFLICT"
    assert claim(registry, product, THEIRS) == "ALREADY_OWNED"
    assert [item.repository for item in claims_of(registry.namespaces, product)] == [OURS, THEIRS]
    properties = registry.namespaces.read(levels_of(product)) or {}
    assert properties["floe.product.repo"] == THEIRS


def test_an_attested_claim_goes_by_id(registry: NamespaceRegistry, product: str) -> None:
    def details(number: str) -> ProductDetails:
        return ProductDetails(proof=Attestation(OURS, number, "7"))

    assert claim(registry, product, details=details("42")) == "SUCCESS"
    assert claim(registry, product, details=details("42")) == "ALREADY_OWNED"
    assert claim(registry, product, details=details("43")) == "CONFLICT"  # the name was given away
    renamed = ProductDetails(proof=Attestation("github.com/acme/renamed", "42", "7"))
    assert claim(registry, product, "github.com/acme/renamed", details=renamed) == "ALREADY_OWNED"
    assert registry.transfer(product, OURS, THEIRS).status == "CONFLICT"  # proves nothing
    proof = Attestation(OURS, "42", "7")
    assert registry.transfer(product, OURS, THEIRS, proof=proof).status == "SUCCESS"
    other = ProductDetails(proof=Attestation(THEIRS, "50", "8"))
    assert claim(registry, product, THEIRS, details=other) == "ALREADY_OWNED"
    assert claims_of(registry.namespaces, product)[-1].repository_id == "50"


def test_a_run_that_died_between_the_two_writes_is_completed(registry: NamespaceRegistry, product: str) -> None:
    registry.namespaces.put_if_absent(levels_of(product)[:1], {})
    from floe_contracts.identity.claim import NameClaim

    marker = NameClaim(product, OURS, "team@acme.com", registered_at="2026-01-01T00:00:00+00:00")
    registry.namespaces.put_if_absent(claim_marker(product), marker.properties())
    assert claim(registry, product, THEIRS) == "CONFLICT"
    assert claim(registry, product) == "ALREADY_OWNED"
    properties = registry.namespaces.read(levels_of(product)) or {}
    assert properties["floe.product.repo"] == OURS
    assert properties["floe.product.registered_at"] == "2026-01-01T00:00:00+00:00"


def test_the_audit_lists_claims_and_what_does_not_agree(registry: NamespaceRegistry, product: str) -> None:
    claim(registry, product)
    registry.register_contract(product, "customers", "1.0.0", "sha256:a", ABOUT)
    (mine,) = [item for item in audit_products(registry.namespaces) if item.product == product]
    assert (mine.contracts, mine.problems) == (("customers:1.0.0",), ())
    registry.namespaces.update(levels_of(product), {"floe.product.repo": THEIRS}, ["floe.contracts"])
    (mine,) = [item for item in audit_products(registry.namespaces) if item.product == product]
    assert mine.problems == (
        "floe.product.repo is not what the claim says",
        "customers:1.0.0 is registered and not listed; the next registration lists it",
    )
    registry.register_product_identity(product, OURS, "team@acme.com")
    registry.register_contract(product, "customers", "1.0.0", "sha256:a", ABOUT)
    (mine,) = [item for item in audit_products(registry.namespaces) if item.product == product]
    assert mine.problems == ()
