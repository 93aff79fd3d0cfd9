"""Policy of a folder: the product or manifest at hand, every tier above it, and what they come to."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

from .. import __version__
from ..adapters.files.references import FileReferences, lock_beside, read_start, refs_of
from ..codes import CODES, E501, E575
from ..contract.source import read_document
from ..errors import Declined, FloeError, UsageError
from ..frozen import dataclass, replace
from ..policy.chain import Chain, ResolvedFile, climb_from_manifest, climb_from_reference, last_manifest
from ..policy.enforcer import product_problems
from ..policy.explanation import explain_key
from ..policy.merge import MergedPolicy
from ..product.manifest import Manifest
from ..product.reading import ReadProduct, read_manifest, read_product
from ..results import CheckResult, Finding, Outcome, Report, outcome_of
from .verification import artifacts_here, choose_verification

if TYPE_CHECKING:
    from ..adapters.process.console import Console

STARTS = ("floe.yaml", "manifest.yaml")


@dataclass(frozen=True, slots=True)
class LoadedPolicy:
    """What a command begins with, and everything above it."""

    path: str
    chain: Chain
    merged: MergedPolicy
    references: FileReferences
    product: ReadProduct | None = None

    @property
    def manifest(self) -> Manifest | None:
        """All tiers merged, weakenings left out; None when there is no tier, or one cannot be read."""
        last = last_manifest(self.chain)
        return self.merged.manifest(last) if last is not None and self.chain.whole else None

    @property
    def findings(self) -> tuple[Finding, ...]:
        """What is wrong with the tiers, from the top down."""
        nowhere = (self.chain.unresolved.finding(),) if self.chain.unresolved else ()
        return (*self.chain.findings, *nowhere, *(weakening.finding() for weakening in self.merged.violations))


def load_policy(
    path: str, refs: Sequence[str] = (), *, relock: bool = False, offline: bool = False, allow_http: Sequence[str] = ()
) -> LoadedPolicy:
    """A floe.yaml or manifest.yaml with all tiers above it; a reference that leads nowhere is a FloeError.

    With `relock` nothing is held to floe.lock, because it is about to be written anew; `offline` asks no registry.
    """
    loaded = try_policy(path, refs, relock=relock, offline=offline, allow_http=allow_http)
    if loaded.chain.unresolved is not None:
        raise loaded.chain.unresolved.error
    return loaded


def try_policy(
    path: str, refs: Sequence[str] = (), *, relock: bool = False, offline: bool = False, allow_http: Sequence[str] = ()
) -> LoadedPolicy:
    """The same for reports, which say in their own way that a reference leads nowhere."""
    start = read_start(path)
    lock = lock_beside(path)
    frozen = os.environ.get("CI", "").strip().lower() == "true"
    folders = refs_of(lock, path, tuple(refs))
    artifacts = artifacts_here(allow_http, offline=offline, verification=lambda: choose_verification(path, lock))
    resolver = FileReferences(folders, None if relock else lock, frozen and not relock, artifacts=artifacts)
    if start.problem is not None:
        return LoadedPolicy(path, Chain(findings=(start.problem,), whole=False), MergedPolicy(), resolver)
    if _kind(start) == "DataProduct":
        return climb_from_product(read_product(start.data, path), resolver)
    chain = climb_from_manifest(read_manifest(start.data, path), start, resolver)
    return LoadedPolicy(path, chain, chain.merge(), resolver)


def _kind(start: ResolvedFile) -> object:
    value = read_document(start.data).value
    written = value.get("kind") if isinstance(value, dict) else None
    return written if written is not None else "DataProduct" if start.path.endswith(STARTS[0]) else None


def climb_from_product(read: ReadProduct, resolver: FileReferences) -> LoadedPolicy:
    """A product that was read, with all tiers above it."""
    path, product = read.source.path, read.product
    if product is None or product.reference is None:
        chain = Chain(findings=read.findings, whole=product is not None)
        return LoadedPolicy(path, chain, MergedPolicy(), resolver, read)
    key = "platform" if product.platform else "domain"
    chain = climb_from_reference(product.reference, read.source.locate((key,)), resolver)
    own = (*read.findings, *_wrong_scope(read, chain, key))
    chain = replace(chain, findings=(*own, *chain.findings))
    return LoadedPolicy(path, chain, chain.merge(), resolver, read)


def _wrong_scope(read: ReadProduct, chain: Chain, key: str) -> Iterator[Finding]:
    last = last_manifest(chain)
    wanted = "enterprise" if key == "platform" else "domain"
    if last is None or last.scope == wanted:
        return
    other = "domain" if key == "platform" else "platform"
    message = f"{key}: refers to {last.metadata.name}, whose scope is {last.scope}"
    place = read.source.locate((key,), key=True)
    yield Finding.of(E501, "reference-scope", message, location=place, suggestions=(f"Write {other}: instead.",))


def describe_first(findings: Iterable[Finding], otherwise: str, fix: str = "") -> FloeError:
    """The error for files that cannot be used as they are: what is wrong first, and where; a moved tag is a no."""
    first = next((item for item in findings if item.blocks), None)
    if first is None:
        return FloeError(otherwise, fix=fix)
    kind = Declined if first.code is E575 else FloeError
    return kind(f"{first.location}: {first.message}", fix=fix or "; ".join(first.suggestions), code=first.code)


def find_start(given: str | None, folder: str = ".") -> str:
    """The file that a command is about: as given, else floe.yaml here, else manifest.yaml."""
    if given:
        return given
    for name in STARTS:
        path = name if folder == "." else os.path.join(folder, name)
        if os.path.lexists(path):
            return path
    raise UsageError(
        f"neither {STARTS[0]} nor {STARTS[1]} is here", fix="Change to the folder of the product, or name the manifest."
    )


def product_findings(loaded: LoadedPolicy) -> tuple[Finding, ...]:
    """What the product may not do below its manifest, each with the line of floe.yaml."""
    manifest = loaded.manifest
    if loaded.product is None or loaded.product.product is None or manifest is None:
        return ()
    source = loaded.product.source
    return tuple(
        Finding.of(
            CODES[item.code],
            "product-policy",
            item.message,
            element=".".join(str(part) for part in item.pointer if part != "platform_keys"),
            location=source.locate(item.pointer, key=item.pointer[0] == "platform_keys"),
            expected=item.expected,
            actual=item.actual,
            suggestions=(item.fix,) if item.fix else (),
        )
        for item in product_problems(loaded.product.product, manifest)
    )


def check_policy(path: str, refs: Sequence[str] = (), *, allow_http: Sequence[str] = ()) -> Report:
    """Every tier held to those above it, and a product to all of them."""
    loaded = try_policy(path, refs, allow_http=allow_http)
    findings = (*loaded.findings, *product_findings(loaded))
    nowhere = loaded.chain.unresolved.holder.path if loaded.chain.unresolved else None
    results = []
    names = {read.source.path: read for read in loaded.chain.manifests}
    for place in dict.fromkeys([*names, path, *(item.location.path for item in findings if item.location)]):
        own = tuple(item for item in findings if item.location and item.location.path == place)
        read = names.get(place)
        label = read.manifest.metadata.name if read and read.manifest else place
        outcome = outcome_of(own) if own or read or loaded.chain.whole else Outcome.SKIPPED
        outcome = Outcome.ERRORED if place == nowhere else outcome
        results.append(CheckResult("policy", label, outcome, place, own))
    rest = tuple(item for item in findings if item.location is None)
    return Report("policy", __version__, tuple(results), rest, allow_empty=False)


def show_policy_check(console: Console, given: str | None, refs: Sequence[str], form: str, output: str | None) -> int:
    """`floe policy check` from path to exit code."""
    from .report import deliver

    return deliver(check_policy(find_start(given), refs), console, form, output)


def explain_policy(key: str, given: str | None, refs: Sequence[str] = ()) -> list[str]:
    """One line per tier that writes the key; a tier that cannot be read is an error, not a guess."""
    loaded = load_policy(find_start(given), refs)
    if not loaded.chain.whole:
        raise describe_first(loaded.findings, f"the manifests above {loaded.path} cannot be read")
    return explain_key(key, loaded.merged)
