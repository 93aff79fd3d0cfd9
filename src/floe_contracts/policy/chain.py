"""From a reference up to the top: every manifest above a product or a domain, read by a resolver that is given."""

from __future__ import annotations

from typing import Protocol

from ..codes import E501, E512, E572
from ..contract.version import parse_version
from ..errors import FloeError
from ..frozen import dataclass, field
from ..product.manifest import Manifest
from ..product.reading import ReadManifest, read_manifest
from ..product.reference import NamedReference, OciReference, parse_reference
from ..results import Finding, Location
from .merge import MergedPolicy, merge_tiers
from .tier import Tier, tier_of

MOST_TIERS = 32


@dataclass(frozen=True, slots=True)
class ResolvedFile:
    """The bytes that a reference means: where they are, what identifies the file, and their digest."""

    path: str
    data: bytes
    digest: str
    identity: str  # two references with the same identity lead to the same file
    problem: Finding | None = None  # bytes that no manifest can be, such as too many


class ReferenceResolver(Protocol):
    """Whoever can look up a reference; a FloeError says why it cannot be done."""

    def resolve(self, reference: str, holder: Location) -> ResolvedFile: ...


@dataclass(frozen=True, slots=True)
class UnresolvedReference:
    """A reference that leads nowhere from here: why, and where it is written."""

    error: FloeError
    holder: Location

    def finding(self) -> Finding:
        message = self.error.message.removeprefix(f"{self.holder}: ")
        fixes = (self.error.fix,) if self.error.fix else ()
        return Finding.of(self.error.code, "reference-unresolved", message, location=self.holder, suggestions=fixes)


@dataclass(frozen=True, slots=True)
class Chain:
    """The tiers from the top down, and what is wrong with them; `whole` is False when one could not be read."""

    tiers: tuple[Tier, ...] = ()
    manifests: tuple[ReadManifest, ...] = ()
    findings: tuple[Finding, ...] = ()
    whole: bool = True
    unresolved: UnresolvedReference | None = None

    def merge(self) -> MergedPolicy:
        return merge_tiers(self.tiers)


@dataclass(slots=True)
class _Climb:
    """A walk upwards: what was read so far, lowest first."""

    resolver: ReferenceResolver
    tiers: list[Tier] = field(default_factory=list)
    reads: list[ReadManifest] = field(default_factory=list)
    seen: list[tuple[str, str]] = field(default_factory=list)  # identity and path
    findings: list[Finding] = field(default_factory=list)

    def chain(self, whole: bool, unresolved: UnresolvedReference | None = None) -> Chain:
        tiers, reads = tuple(reversed(self.tiers)), tuple(reversed(self.reads))
        return Chain(tiers, reads, tuple(self.findings), whole, unresolved)


def climb_from_reference(reference: str, holder: Location, resolver: ReferenceResolver) -> Chain:
    """All tiers above a product."""
    return _climb(_Climb(resolver), reference, holder)


def climb_from_manifest(start: ReadManifest, file: ResolvedFile, resolver: ReferenceResolver) -> Chain:
    """A manifest and all tiers above it."""
    walk = _Climb(resolver)
    return _take(walk, start, file, "") or walk.chain(whole=False)


def _climb(walk: _Climb, reference: str, holder: Location) -> Chain:
    try:
        file = walk.resolver.resolve(reference, holder)
    except FloeError as error:
        return walk.chain(whole=False, unresolved=UnresolvedReference(error, holder))
    known = [identity for identity, _ in walk.seen]
    if file.identity in known or len(known) >= MOST_TIERS:
        walk.findings.append(_describe_cycle(walk, file, holder))
        return walk.chain(whole=False)
    if file.problem is not None:
        walk.findings.append(file.problem)
        return walk.chain(whole=False)
    read = read_manifest(file.data, file.path)
    walk.findings += _misnamed(read, reference)
    return _take(walk, read, file, reference) or walk.chain(whole=False)


def _take(walk: _Climb, read: ReadManifest, file: ResolvedFile, reference: str) -> Chain | None:
    """The chain with one more manifest, and all above it; None when it cannot be used."""
    walk.findings += read.findings
    walk.seen.append((file.identity, file.path))
    if read.manifest is None:
        return None
    walk.reads.append(read)
    walk.tiers.append(tier_of(read.manifest, read.source, reference, file.digest))
    parent = read.manifest.parent
    if parent is None:
        return walk.chain(whole=not any(item.blocks for item in walk.findings))
    return _climb(walk, parent, read.source.locate(("parent",)))


def _describe_cycle(walk: _Climb, file: ResolvedFile, holder: Location) -> Finding:
    paths = [path for _, path in walk.seen]
    known = [identity for identity, _ in walk.seen]
    if file.identity not in known:
        message = f"the manifests above have more than {MOST_TIERS} tiers: {' -> '.join(paths[:4])} -> …"
        return Finding.of(E501, "too-many-tiers", message, location=holder)
    circle = [*paths[known.index(file.identity) :], file.path]
    message = f"manifests inherit from each other in a circle: {' -> '.join(circle)}"
    fix = "Remove one of these parents; the manifest at the top has scope: enterprise and no parent."
    return Finding.of(E512, "inheritance-cycle", message, element="parent", location=holder, suggestions=(fix,))


def _misnamed(read: ReadManifest, reference: str) -> list[Finding]:
    """A manifest that is not the one of its folder's name, or an artifact that is not the version of its tag."""
    wanted, _ = parse_reference(reference)
    if read.manifest is None:
        return []
    head, mistakes = read.manifest.metadata, []
    if isinstance(wanted, OciReference):
        place = read.source.locate(("metadata", "version"))
        return [_other_version(reference, head.version, place)] if _tag_differs(wanted, head.version) else []
    if not isinstance(wanted, NamedReference):
        return []
    for key, expected, actual in (("name", wanted.name, head.name), ("version", wanted.version, head.version)):
        if expected != actual:
            message = f"{reference} must be {key} {expected}, and the file says {actual}"
            place = read.source.locate(("metadata", key))
            fix = f"Write {key}: {expected}, or move the file."
            mistakes.append(
                Finding.of(
                    E501,
                    "reference-differs",
                    message,
                    location=place,
                    expected=expected,
                    actual=actual,
                    suggestions=(fix,),
                )
            )
    return mistakes


def _tag_differs(reference: OciReference, version: str) -> bool:
    """Whether the tag is that of another version; a tag that is not a version says nothing."""
    return parse_version(reference.tag.removeprefix("v")) is not None and reference.tag != f"v{version}"


def _other_version(reference: str, version: str, place: Location) -> Finding:
    message = f"{reference} is tagged as another version than that of its manifest, {version}"
    fix = "Ask the platform team; `floe platform publish` never makes such a tag."
    return Finding.of(E572, "version-differs", message, location=place, actual=version, suggestions=(fix,))


def last_manifest(chain: Chain) -> Manifest | None:
    """The manifest nearest to the product."""
    return chain.manifests[-1].manifest if chain.manifests else None
