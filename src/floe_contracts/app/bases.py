"""Parent contracts of the tiers: `data_contracts.base` of every manifest, and those above them."""

from __future__ import annotations

import os
from functools import partial

from ..adapters.files.read import read_file
from ..adapters.files.references import FileReferences
from ..compat.inheritance import ParentContract, find_all_weakenings
from ..compat.inheritance.chain import Open, follow_parents
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
    opened = partial(open_parent, references=loaded.references)
    findings: list[Finding] = []
    manifest = loaded.manifest
    ranks = classifications_of(manifest).ranks() if manifest else {}
    for tier in loaded.merged.tiers:
        own: list[ParentContract] = []
        for base in _load_tier(tier, opened):
            findings += base.findings
            if base.contract is None:
                continue
            chain = follow_parents(base, opened)
            findings += [chain.problem] if chain.problem else []
            places = list_attributes(base.contract, repeated_levels(base.contract))
            findings += [
                weaker.finding(base.contract.label, base.place(places.get(weaker.path, ())))
                for weaker in find_all_weakenings(base.contract, (*chain.parents, *above), ranks)
            ]
            own += [ParentContract(base.contract, base.path), *chain.parents]
        above = (*own, *above)
    return Bases(above, tuple(findings))


def _load_tier(tier: Tier, opened: Open) -> list[Loaded]:
    written = tier.keys.get(_KEY)
    if written is None or not isinstance(written.value, list):
        return []
    holder = written.location or Location("")
    beside = os.path.dirname(holder.path)
    return [_load(os.path.join(beside, str(path)), str(path), holder, opened) for path in written.value]


def _load(path: str, reference: str, holder: Location, opened: Open) -> Loaded:
    loaded = opened(os.path.normpath(path))
    if loaded is None:
        raise FloeError(
            f"{holder}: the base contract {reference} cannot be read", fix="Correct the path, or add the file."
        )
    return loaded


def open_parent(path: str, references: FileReferences | None = None) -> Loaded | None:
    """The contract in a file on disk, or of an artifact that was read; None when there is no such file."""
    brought = references.open_brought(path) if references else None
    if brought is not None:
        return load_parent(brought[1], brought[0])
    file = references.read(path) if references else read_file(path)
    return load_parent(file.data, path) if file.problem is None else None
