"""Races many standing processes for one name, a barrier before every round: a program that prints what each was told.

It reads `{settings, races, rounds, salt}` as JSON. A race is a kind with its number of processes: they `claim` one
namespace, `adopt` one that is there, register one `version` with different hashes, or fill one `list`.
"""

from __future__ import annotations

import json
import multiprocessing
import sys
from multiprocessing.synchronize import Barrier
from typing import Any

from floe_contracts import ContractMetadata, ImmutableVersionError
from floe_contracts.adapters.iceberg.catalog import CatalogOptions, load_catalog
from floe_contracts.adapters.iceberg.deadline import TimeLimits
from floe_contracts.adapters.iceberg.namespaces import loader_of
from floe_contracts.identity.claim import claims_of
from floe_contracts.identity.names import levels_of
from floe_contracts.identity.registry import NamespaceRegistry

OWNER = "github.com/acme/owner"
PATIENCE_S = 240
PATIENT = CatalogOptions(limits=TimeLimits(PATIENCE_S, 10 * PATIENCE_S))  # a loaded machine loses no race


def main() -> None:
    asked = json.load(sys.stdin)
    loader_of(asked["settings"]).load()  # before the children, who share it
    context = multiprocessing.get_context("fork")
    processes = max(asked["races"].values())
    barrier = context.Barrier(processes + 1)
    told: Any = context.SimpleQueue()
    racers = [context.Process(target=_race, args=(asked, number, barrier, told)) for number in range(processes)]
    for racer in racers:
        racer.start()
    registry = load_catalog(asked["settings"], PATIENT)
    rounds = [
        {"kind": kind, **_round(asked, kind, number, registry, barrier, told)}
        for kind in asked["races"]
        for number in range(asked["rounds"])
    ]
    for racer in racers:
        racer.join()
    json.dump(rounds, sys.stdout)


def _product(asked: dict[str, Any], kind: str, number: int) -> str:
    return f"races.{kind}_{asked['salt']}_{number}"


def _round(
    asked: dict[str, Any], kind: str, number: int, registry: NamespaceRegistry, barrier: Barrier, told: Any
) -> dict[str, Any]:
    product = _product(asked, kind, number)
    if kind == "adopt":
        registry.namespaces.put_if_absent(("races",), {})
        registry.namespaces.put_if_absent(levels_of(product), {"made_by": "terraform"})
    if kind in ("version", "list"):
        registry.register_product_identity(product, OWNER, "team")
    barrier.wait(PATIENCE_S)
    answers = [told.get() for _ in range(asked["races"][kind])]
    claims = claims_of(registry.namespaces, product)
    stored = registry.find_contract(product, "customers", "1.0.0") or {}
    shown = registry.namespaces.read(levels_of(product)) or {}
    return {
        "answers": answers,
        "owners": [claim.repository for claim in claims],
        "shown": shown.get("floe.product.repo", ""),
        "hash": stored.get("floe.contract.schema_hash", ""),
        "listed": registry.list_versions(product),
    }


def _race(asked: dict[str, Any], number: int, barrier: Barrier, told: Any) -> None:
    registry = load_catalog(asked["settings"], PATIENT)
    registry.namespaces.read(("races",))  # whoever is not connected yet comes too late
    own = f"github.com/acme/repo-{number}"
    for kind, processes in asked["races"].items():
        for count in range(asked["rounds"]):
            barrier.wait(PATIENCE_S)
            if number >= processes:
                continue
            try:
                told.put((own, _act(kind, registry, _product(asked, kind, count), own)))
            except Exception as error:  # it is the test's to judge
                told.put((own, f"{type(error).__name__}: {error}"))


def _act(kind: str, registry: NamespaceRegistry, product: str, own: str) -> str:
    if kind in ("claim", "adopt"):
        return registry.register_product_identity(product, own, "team").status.value
    contract = own.rpartition("/")[2] if kind == "list" else "customers"
    try:
        metadata = ContractMetadata("team", repository=OWNER)
        return registry.register_contract(product, contract, "1.0.0", own, metadata).status.value
    except ImmutableVersionError:
        return "IMMUTABLE"


if __name__ == "__main__":
    main()
