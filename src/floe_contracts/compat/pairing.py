"""Which file on the base side is the same contract as which file on the head side.

A contract line is (key, MAJOR in the file name): `orders.v2.yaml` and `orders.v3.yaml` are two lines of one contract,
an unsuffixed file is a line of its own that may raise its MAJOR in place. Pairs are found by line first, so a moved
file is no change; then by identity, so that a contract may gain an id; then by path.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable
from dataclasses import dataclass, field

from ..contract.discovery import line_major
from ..contract.load import Loaded
from ..contract.model import Contract
from ..contract.version import parse_version

Line = tuple[str, "int | None"]


@dataclass(frozen=True, slots=True)
class Pairing:
    """What belongs together; `clashes` are lines that several head files claim."""

    pairs: tuple[tuple[Loaded, Loaded], ...] = ()
    added: tuple[Loaded, ...] = ()
    deleted: tuple[Loaded, ...] = ()
    unreadable: tuple[Loaded, ...] = ()  # head files with errors; they are reported as they are
    clashes: tuple[tuple[Loaded, ...], ...] = ()


@dataclass(slots=True)
class _Matching:
    base: list[Loaded]
    head: list[Loaded]
    pairs: list[tuple[Loaded, Loaded]] = field(default_factory=list)

    def by(self, key: Callable[[Loaded], Hashable | None]) -> None:
        """Pair what has the same key and is the only one to have it on the base side."""
        waiting: dict[Hashable, Loaded] = {}
        for item in self.base:
            name = key(item)
            if name is not None:
                waiting.setdefault(name, item)
        left = []
        for item in self.head:
            name = key(item)
            partner = waiting.pop(name, None) if name is not None else None
            if partner is None:
                left.append(item)
            else:
                self.pairs.append((partner, item))
                self.base.remove(partner)
        self.head = left


def pair(base: Iterable[Loaded], head: Iterable[Loaded]) -> Pairing:
    """Match base files with head files; files without a readable contract match by path only."""
    readable_head, unreadable = _split(head)
    broken_paths = {item.path for item in unreadable}
    readable_base = [item for item in _split(base)[0] if item.path not in broken_paths]
    clashes = _clashes(readable_head)
    matching = _Matching(readable_base, readable_head)
    matching.by(line_of)
    matching.by(_line_by_version)
    matching.by(_identity)
    matching.by(lambda item: item.path)
    return Pairing(
        pairs=tuple(sorted(matching.pairs, key=lambda two: two[1].path)),
        added=tuple(matching.head),
        deleted=tuple(matching.base),
        unreadable=tuple(unreadable),
        clashes=clashes,
    )


def line_of(item: Loaded) -> Line | None:
    """The line a file belongs to; None without a readable contract."""
    return (item.contract.key, line_major(item.path)) if item.contract else None


def _split(items: Iterable[Loaded]) -> tuple[list[Loaded], list[Loaded]]:
    ordered = sorted(items, key=lambda item: item.path)
    return [item for item in ordered if item.contract], [item for item in ordered if item.contract is None]


def _clashes(head: Iterable[Loaded]) -> tuple[tuple[Loaded, ...], ...]:
    lines: dict[Line, list[Loaded]] = {}
    for item in head:
        line = line_of(item)
        if line is not None:
            lines.setdefault(line, []).append(item)
    return tuple(tuple(files) for files in lines.values() if len(files) > 1)


def _major(contract: Contract) -> int | None:
    version = parse_version(contract.version)
    return version.major if version else None


def _line_by_version(item: Loaded) -> Hashable | None:
    """The line a file is on when its suffix is dropped or added without changing MAJOR."""
    return (item.contract.key, _major(item.contract)) if item.contract else None


def _identity(item: Loaded) -> Hashable | None:
    """Domain and name: what a contract without an id is known by."""
    contract = item.contract
    if contract is None:
        return None
    return (contract.domain, contract.name, line_major(item.path))
