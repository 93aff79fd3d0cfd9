"""Races many standing processes for one name, a barrier before every round: a program that prints what each was told.

It reads `{settings, processes, rounds, kind}` as JSON: `claim` one namespace, `adopt` one that is there, or register
one `version` with different hashes.
"""

from __future__ import annotations

import json
import multiprocessing
import sys
from multiprocessing.synchronize import Barrier
from typing import Any

from floe_contracts import ContractMetadata, ImmutableVersionError, load_catalog
from floe_contracts.adapters.iceberg.namespaces import loader_of
from floe_contracts.identity.claim import claims_of
from floe_contracts.identity.names import levels_of
from floe_contracts.identity.registry import NamespaceRegistry

OWNER = "github.com/acme/owner"


def main() -> None:
    race = json.load(sys.stdin)
    loader_of(race["settings"]).load()  # before the children, who share it
    context = multiprocessing.get_context("fork")
    barrier = context.Barrier(race["processes"] + 1)
    told: Any = context.SimpleQueue()
    racers = [context.Process(target=_race, args=(race, number, barrier, told)) for number in range(race["processes"])]
    for racer in racers:
        racer.start()
    registry = load_catalog(race["settings"])
    rounds = [_round(race, number, registry, barrier, told) for number in range(race["rounds"])]
    for racer in racers:
        racer.join()
    json.dump(rounds, sys.stdout)


def _product(race: dict[str, Any], number: int) -> str:
    return f"races.{race['kind']}_{race['salt']}_{number}"


def _round(race: dict[str, Any], number: int, registry: NamespaceRegistry, barrier: Barrier, told: Any) -> Any:
    product = _product(race, number)
    if race["kind"] == "adopt":
        registry.namespaces.put_if_absent(("races",), {})
        registry.namespaces.put_if_absent(levels_of(product), {"made_by": "terraform"})
    if race["kind"] == "version":
        registry.register_product_identity(product, OWNER, "team")
    barrier.wait(120)
    answers = [told.get() for _ in range(race["processes"])]
    claims = claims_of(registry.namespaces, product)
    stored = registry.find_contract(product, "customers", "1.0.0") or {}
    shown = registry.namespaces.read(levels_of(product)) or {}
    return {
        "answers": answers,
        "owners": [claim.repository for claim in claims],
        "shown": shown.get("floe.product.repo", ""),
        "hash": stored.get("floe.contract.schema_hash", ""),
    }


def _race(race: dict[str, Any], number: int, barrier: Barrier, told: Any) -> None:
    registry = load_catalog(race["settings"])
    own = f"github.com/acme/repo-{number}"
    for count in range(race["rounds"]):
        product = _product(race, count)
        barrier.wait(120)
        try:
            told.put((own, _act(race, registry, product, own)))
        except Exception as error:  # it is the test's to judge
            told.put((own, f"{type(error).__name__}: {error}"))


def _act(race: dict[str, Any], registry: NamespaceRegistry, product: str, own: str) -> str:
    if race["kind"] != "version":
        return registry.register_product_identity(product, own, "team").status.value
    try:
        metadata = ContractMetadata("team", repository=OWNER)
        return registry.register_contract(product, "customers", "1.0.0", own, metadata).status.value
    except ImmutableVersionError:
        return "IMMUTABLE"


if __name__ == "__main__":
    main()
