"""Contracts of products held to the platform above them, as compile holds them: at the head, without dbt or network."""

from __future__ import annotations

import posixpath
from collections.abc import Collection, Iterable, Iterator, Sequence
from functools import cached_property

from ...adapters.git.objects import TreeEntry
from ...contract.discovery import PRODUCT, PRODUCT_GLOBS, may_be_contract, selection
from ...frozen import dataclass, replace
from ...results import CheckResult, Finding, Report, outcome_of
from .inheritance import join_results, report_drafts
from .view import GateView

TYPE_CHECKING = False  # see adapters.git.command
if TYPE_CHECKING:
    from ...adapters.files.read import ReadFile
    from ...adapters.files.references import FileReferences
    from ...contract.load import Loaded
    from ...product.lock import LockFile
    from ...product.reading import ReadProduct
    from ..bases import Bases
    from ..policy import LoadedPolicy
    from .sides import Sides

LOCK = "floe.lock"
_ALWAYS = (PRODUCT, LOCK, "manifest.yaml")
_HELD = ("FLOE-E510", "FLOE-E511", "FLOE-E512", "FLOE-E514")


def hold_to_platforms(report: Report, view: GateView, sides: Sides) -> Report:
    """The report with what contracts of the head promise less than the tiers above their product ask for."""
    if not view.products or view.request.versions_only:
        return report
    head = _Head(view)
    moved = may_move_platforms(view)
    judged: dict[str, CheckResult] = {}
    notes: list[str] = []
    for path in sorted(filter(head.has, view.products)):
        product = _Product(head, path, sides)
        if moved or product.changed:
            results, more = _judge(product)
            judged |= {result.path: result for result in results}
            notes += more
    if not judged and not notes:
        return report
    earlier = {result.path: result for result in report.results if result.path in judged}
    kept = [result for result in report.results if result.path not in judged]
    joined = [_join(earlier.get(path), result) for path, result in judged.items()]
    return replace(report, results=(*kept, *joined), notes=(*report.notes, *dict.fromkeys(notes)))


def may_move_platforms(view: GateView) -> bool:
    """Whether a change may concern what a product stands on: a manifest, a lock, or a file that others name."""
    if not view.products:
        return False
    paths = [change.path for change in view.code if may_be_contract(change.path) or change.path.endswith(LOCK)]
    names = {path.rpartition("/")[2] for path in paths}
    if not names or names.intersection(_ALWAYS):
        return bool(names)
    files = [entry for entry in view.files.values() if entry.kind == "file"]
    naming = view.repo.search(sorted(names), view.revisions.head, files)
    return naming is None or any(may_be_contract(path) for path in naming)


def _judge(product: _Product) -> tuple[list[CheckResult], list[str]]:
    """What contracts of a product say wrong; a note where its platform cannot be read here."""
    from ...errors import FloeError
    from ...product.reading import read_product
    from ..bases import load_bases
    from ..policy import climb_from_product

    files = product.files()
    read = read_product(product.head.read(product.path).data, product.path)
    if not files or (read.product is not None and read.product.reference is None):
        return [], []
    loaded = climb_from_product(read, product.references())
    if read.product is None or loaded.manifest is None:
        first = next((item.message for item in loaded.findings if item.blocks), "it cannot be read")
        return [], [_cannot_tell(product, first)]
    try:
        bases = load_bases(loaded)
    except FloeError as error:
        return [], [_cannot_tell(product, error.message)]
    stands_on = {
        *(item.source.path for item in loaded.chain.manifests),
        *(base.label for base in bases.contracts),
        *(product.path, posixpath.join(product.folder, LOCK)),
    }
    edited = stands_on.intersection(change.path for change in product.head.view.code)
    concerned = {item.path for item in files} if edited else product.changed
    return list(_results(files, [*_compile(read, loaded, bases, files)], concerned | edited)), []


def _cannot_tell(product: _Product, why: str) -> str:
    return f"{product.path}: its contracts were not held to its platform ({why}); floe compile does that."


def _compile(read: ReadProduct, loaded: LoadedPolicy, bases: Bases, files: tuple[Loaded, ...]) -> Iterator[Finding]:
    """What step 3 of compile says about levels, classifications and what must be there.

    A classification that is missing may be in dbt's manifest, which is not a file of a revision.
    """
    from functools import partial

    from ...compat.inheritance.chain import follow_parents
    from ...compiler.contracts import compile_contracts
    from ...compiler.inputs import CompileInputs
    from ...product.transforms import DbtTransform
    from ..bases import open_parent

    if read.product is None or loaded.manifest is None:
        return
    opened = partial(open_parent, references=loaded.references)
    inputs = CompileInputs(
        product=read.product,
        source=read.source,
        chain=loaded.chain,
        merged=loaded.merged,
        manifest=loaded.manifest,
        files=files,
        bases=bases.contracts,
        parents={item.path: follow_parents(item, opened) for item in files if item.contract and item.contract.parent},
        base_findings=bases.findings,
    )
    has_dbt = any(isinstance(transform, DbtTransform) for transform in read.product.transforms)
    for finding in compile_contracts(inputs).findings:
        if finding.code.id in _HELD and not (has_dbt and finding.rule == "pii-unclassified"):
            yield finding


def _results(files: Iterable[Loaded], findings: Sequence[Finding], paths: Collection[str]) -> Iterator[CheckResult]:
    """A result for every file of these paths that something is wrong with."""
    from ...results.facts import ContractFacts

    known = {item.path: item for item in files}
    for path in sorted(paths):
        own = tuple(item for item in dict.fromkeys(findings) if item.location and item.location.path == path)
        contract = known[path].contract if path in known else None
        if own and contract is not None:
            own, facts = report_drafts(contract, own), ContractFacts(known[path].spelling, contract.label)
            yield CheckResult("gate", contract.key, outcome_of(own), path, own, facts=facts)
        elif own:
            yield CheckResult("gate", path, outcome_of(own), path, own)


def _join(earlier: CheckResult | None, result: CheckResult) -> CheckResult:
    """Both results, and once what a contract's own parents demand too."""
    told_before = {(item.code, item.location, item.element) for item in earlier.findings} if earlier else set()
    more = tuple(item for item in result.findings if (item.code, item.location, item.element) not in told_before)
    return join_results(earlier, replace(result, findings=more))


@dataclass(frozen=True)
class _Head:
    """The files of the head that a product may stand on."""

    view: GateView

    @cached_property
    def files(self) -> dict[str, TreeEntry]:
        repo, head = self.view.repo, self.view.revisions.head
        return repo.files(head, lambda path: may_be_contract(path) or path.endswith(LOCK))

    def has(self, path: str) -> bool:
        return path in self.files

    def read(self, path: str) -> ReadFile:
        """A file of the head as if it were read from disk; one outside the repository is not there."""
        from ...adapters.files.read import ReadFile, absent_file

        path = posixpath.normpath(path)
        entry = self.files.get(path)
        data = self.view.repo.read((entry,)).get(path) if entry is not None and entry.kind == "file" else None
        return ReadFile(path, data) if data is not None else absent_file(path)


@dataclass(frozen=True)
class _Product:
    """One floe.yaml of the head and the contracts beside it."""

    head: _Head
    path: str
    sides: Sides

    @property
    def folder(self) -> str:
        return posixpath.dirname(self.path)

    @cached_property
    def changed(self) -> frozenset[str]:
        """The contracts of the product that the change touches."""
        return frozenset(filter(self._owns, self.sides.new))

    def files(self) -> tuple[Loaded, ...]:
        """Every contract of the product, those that did not change too."""
        from ..sql_trust import load_here

        same = [path for path in self.sides.others if self._owns(path)]
        others = (load_here(self.head.read(path).data, path) for path in same)
        return (*(self.sides.new[path] for path in sorted(self.changed)), *others)

    def _owns(self, path: str) -> bool:
        inside = f"{self.folder}/" if self.folder else ""
        return path.startswith(inside) and path.removeprefix(inside) in selection(PRODUCT_GLOBS)

    def references(self) -> FileReferences:
        """Manifests of the head, and of artifacts that are in the cache of this machine."""
        from ...adapters.files.references import FileReferences, refs_of
        from ...product.lock import Verification
        from ..verification import artifacts_here

        lock = self._lock()
        artifacts = artifacts_here(offline=True, verification=lambda: lock.verify if lock else Verification())
        return FileReferences(refs_of(lock, self.path, ()), lock, artifacts=artifacts, read=self.head.read)

    def _lock(self) -> LockFile | None:
        from ...product.reading import read_lock

        place = posixpath.join(self.folder, LOCK)
        return read_lock(self.head.read(place).data, place).lock if self.head.has(place) else None
