"""Names of namespaces: ids as people meet them, the flat form of catalogs with one level, and the markers."""

from __future__ import annotations

import hashlib
import re

from ..errors import UsageError

CLAIMS = "floe_claims"
CONTRACTS = "floe_contracts"
_FLAT = "__"
_DIGITS = 40  # of a SHA-256: no two products of one catalog meet
_PART = re.compile(r"[a-z0-9_]+")
_START = 16  # digits that the contracts of one product share

Levels = tuple[str, ...]


def map_id(name: str) -> str:
    """The part of an id that a name becomes: `customer-360` is `customer_360`."""
    return name.strip().lower().replace("-", "_")


def levels_of(namespace: str) -> Levels:
    """The levels of a product's namespace, mapped: `sales.customer-360` is (sales, customer_360)."""
    levels = tuple(map_id(part) for part in namespace.split("."))
    if len(levels) > 2 or not all(_PART.fullmatch(level) for level in levels):
        raise UsageError(
            f"{namespace!r} is not a product id",
            fix="Write DOMAIN.PRODUCT, or the product alone: letters, digits, - and _.",
        )
    if any(_FLAT in level or level.startswith("_") for level in levels):
        raise UsageError(
            f"{namespace!r} cannot be a namespace: catalogs with one level write {_FLAT} between domain and product",
            fix=f"Choose a name without {_FLAT} or --, which does not begin with _.",
        )
    return levels


def id_of(namespace: str) -> str:
    """The mapped id of a namespace in any spelling."""
    return ".".join(levels_of(namespace))


def flat_form(levels: Levels) -> Levels:
    """The one level that Hive and Glue have; no two ids share it, for no part holds or begins with the separator."""
    return (_FLAT.join(levels),)


def claim_marker(product: str, generation: int = 0) -> Levels:
    """The namespace whose creation claims a product; a transfer is the creation of the next generation."""
    return (CLAIMS, _digest("claim", product, str(generation)))


def contract_marker(product: str, contract: str, version: str) -> Levels:
    """The namespace whose creation registers a version of a contract."""
    start = contract_marker_start(product)
    return (CONTRACTS, start + _digest("contract", product, map_id(contract), version)[len(start) :])


def contract_marker_start(product: str) -> str:
    """What the markers of a product's contracts begin with, so that its versions are found among all others."""
    return _digest("contracts", product)[: 1 + _START]


def _digest(*parts: str) -> str:
    # Letters and digits of one case, whatever a catalog forbids or folds; the first is a letter.
    return "m" + hashlib.sha256("\n".join(parts).encode()).hexdigest()[:_DIGITS]
