"""Parent contracts of the tiers: `data_contracts.base` of every manifest, and those above them."""

from __future__ import annotations

import os

from ..adapters.files.read import read_file
from ..compat.inheritance import ParentContract, find_all_weakenings
from ..compat.inheritance.chain import follow_parents
from ..contract.attributes import list_attributes, repeated_levels
from ..contract.base import load_parent
from ..contract.load import Loaded
from ..errors import FloeError
from ..frozen import dataclass
from ..policy.classification import classifications_of
from ..policy.tier import Tier
from ..results import Finding, Location
from .policy import LoadedPolicy

_KEY = ("data_contracts", "base")


@dataclass(frozen=True, slots=True)
class Bases:
    """The parent contracts of all tiers, the nearest tier first, and what is wrong with them."""

    contracts: tuple[ParentContract, ...] = ()
    findings: tuple[Finding, ...] = ()


def load_bases(loaded: LoadedPolicy) -> Bases:
    """Every base contract; those of a lower tier are held to those above them."""
    above: tuple[ParentContract, ...] = ()
    findings: list[Finding] = []
    manifest = loaded.manifest
    ranks = classifications_of(manifest).ranks() if manifest else {}
    for tier in loaded.merged.tiers:
        own: list[ParentContract] = []
        for base in _load_tier(tier):
            findings += base.findings
            if base.contract is None:
                continue
            chain = follow_parents(base, open_parent)
            findings += [chain.problem] if chain.problem else []
            places = list_attributes(base.contract, repeated_levels(base.contract))
            findings += [
                weaker.finding(base.contract.label, base.place(places.get(weaker.path, ())))
                for weaker in find_all_weakenings(base.contract, (*chain.parents, *above), ranks)
            ]
            own += [ParentContract(base.contract, base.path), *chain.parents]
        above = (*own, *above)
    return Bases(above, tuple(findings))


def _load_tier(tier: Tier) -> list[Loaded]:
    written = tier.keys.get(_KEY)
    if written is None or not isinstance(written.value, list):
        return []
    holder = written.location or Location("")
    return [_load(os.path.join(os.path.dirname(holder.path), str(path)), str(path), holder) for path in written.value]


def _load(path: str, reference: str, holder: Location) -> Loaded:
    loaded = open_parent(os.path.normpath(path))
    if loaded is None:
        raise FloeError(
            f"{holder}: the base contract {reference} cannot be read", fix="Correct the path, or add the file."
        )
    return loaded


def open_parent(path: str) -> Loaded | None:
    """The contract in a file on disk; None when there is no such file."""
    file = read_file(path)
    return load_parent(file.data, path) if file.problem is None else None
