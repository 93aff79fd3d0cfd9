"""`floe platform diff`: what becomes stricter or weaker between two versions of a platform, and for which products."""

from __future__ import annotations

import os
from collections.abc import Sequence

from ..adapters.files.references import FileReferences, lock_beside, refs_of
from ..errors import FloeError
from ..frozen import dataclass
from ..policy.chain import Chain, climb_from_reference
from ..policy.difference import PolicyChange, compare_policies
from ..product.reading import read_product
from ..product.reference import NamedReference, OciReference, parse_reference
from ..results import Location
from .policy import STARTS, describe_first
from .verification import artifacts_here


@dataclass(frozen=True, slots=True)
class PlatformDiff:
    """Both names, what differs, and the products here that stand below either."""

    old: str
    new: str
    changes: tuple[PolicyChange, ...]
    products: tuple[str, ...] = ()

    def lines(self) -> list[str]:
        """The whole comparison, as people read it."""
        counts = {
            word: sum(change.direction.value == word for change in self.changes) for word in ("weaker", "stricter")
        }
        head = f"{self.old} -> {self.new}: {counts['stricter']} stricter, {counts['weaker']} weaker"
        below = [f"affects {product}" for product in self.products] or ["affects no product of this folder"]
        return [head, *map(str, self.changes), *below]


def compare_platforms(
    old: str, new: str, refs: Sequence[str] = (), allow_http: Sequence[str] = (), products: Sequence[str] | None = None
) -> PlatformDiff:
    """Two references, each with every tier above it; `products` when the caller knows them."""
    before, after = (_climb(text, refs, allow_http) for text in (old, new))
    names = {tier.name for chain in (before, after) for tier in chain.tiers[-1:]}
    below = tuple(products) if products is not None else tuple(_products_below({old, new}, names))
    return PlatformDiff(old, new, tuple(compare_policies(before.merge(), after.merge())), below)


def _climb(reference: str, refs: Sequence[str], allow_http: Sequence[str]) -> Chain:
    lock = lock_beside(STARTS[0])
    resolver = FileReferences(refs_of(lock, STARTS[0], tuple(refs)), lock, artifacts=artifacts_here(allow_http))
    chain = climb_from_reference(reference, Location(""), resolver)
    if chain.unresolved is not None:
        problem = chain.unresolved.finding()
        raise FloeError(problem.message, fix="; ".join(problem.suggestions), code=problem.code)
    if not chain.whole:
        raise describe_first(chain.findings, f"{reference} cannot be read")
    return chain


def _products_below(references: set[str], names: set[str]) -> list[str]:
    """Paths of the products that refer to any version of the same manifest, however it is written."""
    from .products import find_products

    kinds = {_kind(text) for text in references} | {("ref", name) for name in names}
    below = []
    for folder in find_products():
        path = os.path.normpath(os.path.join(folder, STARTS[0]))
        with open(path, "rb") as file:
            product = read_product(file.read(), path).product
        if product is not None and product.reference and _kind(product.reference, path) in kinds:
            below.append(f"{product.id} ({path})")
    return sorted(below)


def _kind(reference: str, path: str = "") -> tuple[str, str]:
    """What two versions of one manifest have in common."""
    parsed, _ = parse_reference(reference)
    if isinstance(parsed, OciReference):
        return "oci", f"{parsed.host}/{parsed.repository}"
    if isinstance(parsed, NamedReference):
        return "ref", parsed.name
    return "path", os.path.normpath(os.path.join(os.path.dirname(path), reference))


def show_diff(old: str, new: str, refs: Sequence[str], allow_http: Sequence[str]) -> int:
    """`floe platform diff` from two references to an exit code: it tells, and never fails for what it tells."""
    from ..adapters.process.output import say

    old, new = (os.path.relpath(text) if os.path.isabs(text) else text for text in (old, new))
    for line in compare_platforms(old, new, refs, allow_http).lines():
        say(line)
    return 0


def note_platform_changes(folders: Sequence[str], refs: Sequence[str], allow_http: Sequence[str] = ()) -> list[str]:
    """In a pull request, the comparison for every product here whose platform the change moves."""
    from ..adapters.process.environment import ci_event
    from .gate.references import moved_references

    event = ci_event(os.environ)
    if event is None or not event.base_ref:
        return []
    moved: dict[tuple[str, str], list[str]] = {}
    for path, old, new in moved_references(folders):
        if "path" in (_kind(old)[0], _kind(new)[0]):  # inside the repository: the diff of the manifest itself shows it
            continue
        moved.setdefault((old, new), []).append(path)
    return [line for (old, new), paths in moved.items() for line in _describe(old, new, paths, refs, allow_http)]


def _describe(old: str, new: str, paths: Sequence[str], refs: Sequence[str], allow_http: Sequence[str]) -> list[str]:
    try:
        return compare_platforms(old, new, refs, allow_http, paths).lines()
    except FloeError as error:
        return [f"{old} -> {new}: not compared, {error.message}"]
