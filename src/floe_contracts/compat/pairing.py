"""Which file on the base side is the same contract as which file on the head side.

A contract line is (key, MAJOR in the file name): `orders.v2.yaml` and `orders.v3.yaml` are two lines of one contract,
an unsuffixed file is a line of its own that may raise its MAJOR in place. Pairs are found by line first, so a moved
file is not a change; then by domain and name where one side has no id, so that a contract may gain one; then by path.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable

from ..contract.discovery import line_major
from ..contract.load import Loaded
from ..contract.model import Contract
from ..contract.version import parse_version
from ..frozen import dataclass, field

Line = tuple[str, "int | None"]
Key = Callable[[Loaded], "Hashable | None"]


@dataclass(frozen=True, slots=True)
class Pairing:
    """Which files are the same contract; `clashes` are files of the head that claim one line, or one MAJOR."""

    pairs: tuple[tuple[Loaded, Loaded], ...] = ()
    added: tuple[Loaded, ...] = ()
    deleted: tuple[Loaded, ...] = ()
    unreadable: tuple[Loaded, ...] = ()  # head files with errors; they are reported as they are
    illegible: tuple[Loaded, ...] = ()  # base files with errors; nothing can be compared with them
    doubles: tuple[Loaded, ...] = ()  # base files that are gone while another file holds their line
    clashes: tuple[tuple[Loaded, ...], ...] = ()


def pair(base: Iterable[Loaded], head: Iterable[Loaded]) -> Pairing:
    """Match base files with head files; what has no readable contract stays apart."""
    readable_head, unreadable = _split(head)
    readable_base, illegible = _split(base)
    broken = {item.path for item in unreadable}
    matching = _Matching([item for item in readable_base if item.path not in broken], readable_head)
    matching.by(lambda item: (line_of(item), item.path))
    matching.by(line_of)
    matching.by(slot_of)
    matching.by(_identity, _identity_without_id)
    matching.by(_identity_without_id, _identity)
    matching.by(lambda item: item.path)
    held = {line_of(item) for item in readable_head}
    kept = {slot_of(new) for old, new in matching.pairs if slot_of(old) == slot_of(new)}
    doubles = [item for item in matching.base if line_of(item) in held or slot_of(item) in kept]
    gone = {item.path for item in doubles}
    return Pairing(
        pairs=tuple(sorted(matching.pairs, key=lambda two: two[1].path)),
        added=tuple(matching.head),
        deleted=tuple(item for item in matching.base if item.path not in gone),
        unreadable=tuple(unreadable),
        illegible=tuple(illegible),
        doubles=tuple(doubles),
        clashes=_clashes(readable_head),
    )


def line_of(item: Loaded) -> Line | None:
    """The line a file belongs to; None without a readable contract."""
    return (item.contract.key, line_major(item.path)) if item.contract else None


def contract_of(item: Loaded) -> Contract:
    """The contract of a file that has a readable one."""
    if item.contract is None:
        raise AssertionError(f"{item.path} has no readable contract")
    return item.contract


@dataclass(slots=True)
class _Matching:
    """The files that have no partner yet, and the pairs found so far."""

    base: list[Loaded]
    head: list[Loaded]
    pairs: list[tuple[Loaded, Loaded]] = field(default_factory=list)

    def by(self, head_key: Key, base_key: Key | None = None) -> None:
        """Pair what has the same key; of several with one key the first by path."""
        if not self.base or not self.head:
            return
        waiting: dict[Hashable, Loaded] = {}
        for item in self.base:
            name = (base_key or head_key)(item)
            if name is not None:
                waiting.setdefault(name, item)
        left, taken = [], set()
        for item in self.head:
            partner = waiting.pop(head_key(item), None)
            if partner is None:
                left.append(item)
            else:
                self.pairs.append((partner, item))
                taken.add(partner.path)
        self.base = [item for item in self.base if item.path not in taken]
        self.head = left


def _split(items: Iterable[Loaded]) -> tuple[list[Loaded], list[Loaded]]:
    ordered = sorted(items, key=lambda item: item.path)
    return [item for item in ordered if item.contract], [item for item in ordered if item.contract is None]


def _clashes(head: Iterable[Loaded]) -> tuple[tuple[Loaded, ...], ...]:
    """The files that share a line, or a key and a MAJOR: `orders.v1.yaml` beside an `orders.yaml` that is at 1.x."""
    claims: dict[Hashable, list[Loaded]] = {}
    for item in head:
        for claim in {line_of(item), slot_of(item)}:
            claims.setdefault(claim, []).append(item)
    groups = {tuple(item.path for item in files): tuple(files) for files in claims.values() if len(files) > 1}
    sharing: dict[str, list[frozenset[str]]] = {}
    for paths in groups:
        for path in paths:
            sharing.setdefault(path, []).append(frozenset(paths))
    return tuple(groups[paths] for paths in sorted(groups) if not any(set(paths) < all_ for all_ in sharing[paths[0]]))


def slot_of(item: Loaded) -> Line | None:
    """Key and MAJOR: what one file at most may stand for, and the line when a suffix is dropped or added."""
    version = parse_version(item.contract.version) if item.contract else None
    return (item.contract.key, version.major) if item.contract and version else None


def _identity(item: Loaded) -> Hashable | None:
    """Domain and name: what a contract is known by where it has no id."""
    contract = item.contract
    return (contract.domain, contract.name, line_major(item.path)) if contract and contract.name else None


def _identity_without_id(item: Loaded) -> Hashable | None:
    return _identity(item) if item.contract and not item.contract.id else None
