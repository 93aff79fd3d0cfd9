"""The chain of parents above a contract: who they are, which cannot be found, and where it runs in a circle."""

from __future__ import annotations

import posixpath
from collections.abc import Callable, Iterator, Sequence

from ... import codes
from ...contract.attributes import list_attributes, repeated_levels
from ...contract.load import Loaded
from ...contract.meaning.strictness import RANKS, Ranks
from ...contract.model import Contract
from ...frozen import dataclass, replace
from ...results import Finding, Location
from ..pairing import contract_of
from . import ParentContract, find_all_weakenings

Open = Callable[[str], "Loaded | None"]  # the contract in a file, by path; None when there is no such file


@dataclass(frozen=True, slots=True)
class ParentChain:
    """The parents of a contract, the nearest first, or why they are not known."""

    parents: tuple[ParentContract, ...] = ()
    problem: Finding | None = None
    paths: tuple[str, ...] = ()  # of every file on the way, also of one that is not there

    @property
    def readable(self) -> bool:
        """Whether every parent could be read; a circle is a mistake of the contracts, not of reading."""
        return self.problem is None or self.problem.code is codes.E512


def follow_parents(item: Loaded, open_parent: Open) -> ParentChain:
    """Every parent above a contract; paths are relative to the file that names them."""
    contract = contract_of(item)
    place = item.place(pointer_of_parent(contract))
    parents: list[ParentContract] = []
    paths, path, current = [item.path], item.path, contract
    while current.parent:
        path = posixpath.normpath(posixpath.join(posixpath.dirname(path), current.parent))
        if path in paths:
            return ParentChain(tuple(parents), _circle(contract, [*paths, path], place), tuple(paths))
        paths.append(path)
        above = open_parent(path)
        if above is None or above.contract is None:
            return ParentChain(tuple(parents), _unreadable(contract, path, above, place), tuple(paths))
        current = above.contract
        parents.append(ParentContract(current, path, above))
    return ParentChain(tuple(parents), None, tuple(paths))


def judge_inheritance(item: Loaded, chain: ParentChain, ranks: Ranks = RANKS) -> tuple[Finding, ...]:
    """What a contract and its parents say wrong about the parents above them, at the lines of their files."""
    if item.contract is None:
        return ()
    return (*judge_parents(chain, ranks), *_judge(item, item.contract, chain.parents, ranks))


def judge_parents(chain: ParentChain, ranks: Ranks = RANKS) -> tuple[Finding, ...]:
    """What is wrong with a chain itself: it does not end, or a parent is weaker than one above it.

    Otherwise a contract that says nothing would inherit the weaker value.
    """
    findings = [chain.problem] if chain.problem else []
    for index, parent in enumerate(chain.parents):
        if parent.file is not None:
            findings += _judge(parent.file, parent.contract, chain.parents[index + 1 :], ranks)
    return tuple(findings)


def _judge(item: Loaded, contract: Contract, parents: Sequence[ParentContract], ranks: Ranks) -> Iterator[Finding]:
    weaker = find_all_weakenings(contract, parents, ranks)
    places = list_attributes(contract, repeated_levels(contract)) if weaker else {}
    for value in weaker:
        finding = value.finding(contract.key, item.place(places.get(value.path, ())))
        yield replace(finding, suggestions=(*finding.suggestions, f"The parent is {value.parent}."))


def pointer_of_parent(contract: Contract) -> tuple[str, ...]:
    """Where a contract names its parent; ODCS has no key for it, so there it is the list of extensions."""
    return ("customProperties",) if contract.dialect.value == "odcs" else ("parent",)


def _circle(contract: Contract, paths: list[str], place: Location) -> Finding:
    chain = " -> ".join(paths[paths.index(paths[-1]) :])
    return Finding.of(
        codes.E512,
        "parent-circle",
        f"contracts inherit from each other in a circle: {chain}",
        contract=contract.key,
        element="parent",
        location=place,
        expected="a chain of parents that ends",
        actual=chain,
        suggestions=("Remove one of these parents.",),
    )


def _unreadable(contract: Contract, path: str, above: Loaded | None, place: Location) -> Finding:
    why = above.findings[0].message if above is not None and above.findings else "there is no such file"
    return Finding.of(
        codes.E500 if above is None else codes.E501,
        "parent-not-found" if above is None else "parent-unreadable",
        f"the parent {path} cannot be read: {why}",
        contract=contract.key,
        element="parent",
        location=place,
        expected="the path of a contract, relative to this file",
        actual=contract.parent or "",
        suggestions=("Correct the path, or add the parent's file.",),
    )
