"""`floe compile`: everything around a floe.yaml is read, the compiler judges it, and the artifact is written."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, TypeAlias, TypeVar

from .. import __version__
from ..adapters.files.read import ReadFile, find_contracts, read_file
from ..adapters.files.write import make_folder_of, write_whole
from ..adapters.sql.process import SqlProcess
from ..adapters.sqlfluff import SqlLint
from ..codes import Severity
from ..compat.inheritance.chain import follow_parents
from ..compiler.compilation import Compilation, compile_product, stop_at_loading
from ..compiler.contracts import compile_contracts, place_versions
from ..compiler.inputs import ALONE, CompileInputs, IdentityCheck, keep_silent
from ..contract.convert import convert
from ..contract.discovery import PRODUCT, PRODUCT_GLOBS, selection
from ..contract.load import Loaded, load
from ..contract.model import Contract, Dialect
from ..errors import CannotTell, FloeError, UsageError
from ..frozen import dataclass, field, replace
from ..product.data_product import DataProduct
from ..product.dbt import DbtNode
from ..product.manifest import Manifest
from ..product.reading import ReadProduct
from ..product.words import SqlLinting
from ..results import CheckResult, Finding, Location, Outcome, Report, outcome_of
from .bases import load_bases, open_parent
from .dbt_projects import PlacedProject, find_roots, join_projects, lint_projects, load_projects
from .lock import write_lock
from .policy import LoadedPolicy, describe_first, load_policy, product_findings, try_policy
from .repository import find_repository
from .validators import Validator, load_validators
from .versions import judge_versions

if TYPE_CHECKING:
    from ..compat.verdict import GatePolicy
    from ..compiler.artifacts import CompiledArtifacts
    from ..compiler.registration import RegistrationOutcome

Value = TypeVar("Value")

ARTIFACT = "target/floe/compiled.json"


@dataclass(frozen=True, slots=True)
class CompileRequest:
    """What to compile, and where its surroundings are when they are not in their usual place."""

    folder: str = "."
    dbt_manifest: str = ""
    refs: tuple[str, ...] = ()
    output: str = ""
    allow_http: tuple[str, ...] = ()
    against_registry: bool = False  # hold contracts to the registered versions too
    look: bool = False  # before a commit: no network, no artifact, and what is not known is a warning

    @property
    def path(self) -> str:
        return PRODUCT if self.folder in ("", ".") else os.path.join(self.folder, PRODUCT)

    @property
    def target(self) -> str:
        return self.output or os.path.join(os.path.dirname(self.path), *ARTIFACT.split("/"))


Registers: TypeAlias = "Callable[[CompiledArtifacts], RegistrationOutcome]"
Compares: TypeAlias = "Callable[[CompiledArtifacts, GatePolicy], tuple[Finding, ...]]"
Places: TypeAlias = "Callable[[tuple[Finding, ...]], tuple[Finding, ...]]"


@dataclass(frozen=True, slots=True)
class CompileOutcome:
    """The compilation, the report on it, and the references that floe.lock does not know yet."""

    compilation: Compilation
    report: Report
    unlocked: dict[str, str]
    lock: dict[str, str] = field(default_factory=dict)  # every entry, those included
    registers: Registers | None = None  # how step 5 is made, once everything else holds
    compares: Compares | None = None  # how contracts are held to the registered ones
    place: Places = tuple  # findings of the registry, at the versions they are about


def compile_folder(request: CompileRequest) -> CompileOutcome:
    """Steps 1 to 4 for the product in a folder; nothing is written."""
    if not os.path.lexists(request.path):
        raise UsageError(f"there is no {request.path}", fix="Name the folder of the product.")
    load = load_policy if request.look else try_policy
    loaded = load(request.path, request.refs, offline=request.look, allow_http=request.allow_http)
    if loaded.product is None or loaded.product.product is None or not loaded.chain.whole:
        if loaded.product is None and loaded.chain.whole:
            raise UsageError(f"{request.path} is not a DataProduct", fix="`floe platform compile` compiles a manifest.")
        stopped = stop_at_loading(request.path, loaded.chain)
        return CompileOutcome(stopped, _report(stopped, stopped.findings), {})
    inputs = _gather(request, loaded, loaded.product, loaded.product.product)
    checked, registers, compares = _identity(request, loaded, loaded.product, loaded.product.product)
    with SqlProcess() as sql:
        held = replace(inputs, identity=checked, judge_model=_choose_judge(request, loaded.product.product, sql))
        compilation = compile_product(held, build=not request.look)
    entries = loaded.references.lock.references if loaded.references.lock else {}
    known = {ref: entry.digest for ref, entry in entries.items()}
    unlocked = {ref: digest for ref, digest in loaded.references.resolved.items() if ref not in known}
    report = _report(compilation, compilation.findings)

    def place(findings: tuple[Finding, ...]) -> tuple[Finding, ...]:
        return place_versions(inputs, compilation.contracts, findings)

    return CompileOutcome(compilation, report, unlocked, {**known, **unlocked}, registers, compares, place)


def _choose_judge(
    request: CompileRequest, product: DataProduct, sql: SqlProcess
) -> Callable[[Contract, DbtNode], tuple[Finding, ...]]:
    """Who holds models to contracts: inside git the gate, by its base; elsewhere each is compared as it is."""
    folder = os.path.dirname(request.path)
    if request.look or find_repository(folder or ".") is not None:
        return keep_silent
    from .definitions.product import ProductModels

    return ProductModels(find_roots(product, folder, os.environ), sql, request.dbt_manifest).judge


def _identity(
    request: CompileRequest, loaded: LoadedPolicy, read: ReadProduct, product: DataProduct
) -> tuple[IdentityCheck, Registers | None, Compares | None]:
    """Step 2, how step 5 is made, and how the registry is compared with; a look before a commit asks no catalog."""
    if request.look:
        return IdentityCheck(), None, None
    from .identity.check import check_identity
    from .identity.gather import gather_identity
    from .identity.register import register_product

    identity = gather_identity(loaded, read, product)
    checked = check_identity(identity)

    def compare(artifacts: CompiledArtifacts, terms: GatePolicy) -> tuple[Finding, ...]:
        from .identity.registered import judge_registered

        return judge_registered(identity, artifacts, terms)

    def register(artifacts: CompiledArtifacts) -> RegistrationOutcome:
        if not request.against_registry:
            return register_product(identity, artifacts, checked.status)
        from .gate.request import GateRequest
        from .identity.registered import base_policy, require_registry

        require_registry(identity)
        terms = base_policy(GateRequest(folder=request.folder))
        return register_product(identity, artifacts, checked.status, lambda item: compare(item, terms))

    return checked.check, register, compare


def register_outcome(outcome: CompileOutcome) -> CompileOutcome:
    """Step 5, when nothing before it blocks."""
    artifacts = outcome.compilation.artifacts
    if artifacts is None or outcome.registers is None:
        return outcome
    from ..compiler.registration import with_registration

    made = outcome.registers(artifacts)
    compilation = with_registration(outcome.compilation, replace(made, findings=outcome.place(made.findings)))
    return replace(outcome, compilation=compilation, report=_report(compilation, compilation.findings))


def generate_texts(request: CompileRequest) -> dict[str, str]:
    """The contracts of the product's ports as ODCS files, by name; errors of their contents are for compile to tell."""
    if not os.path.lexists(request.path):
        raise UsageError(f"there is no {request.path}", fix="Name the folder of the product.")
    loaded = load_policy(request.path, request.refs, allow_http=request.allow_http)
    read = loaded.product
    if read is None or read.product is None or not loaded.chain.whole:
        raise describe_first(
            loaded.findings, f"{request.path} is not a DataProduct", "Run floe compile, which lists everything."
        )
    compiled = compile_contracts(_gather(request, loaded, read, read.product)).contracts
    made = [item.contract for item in compiled if item.origin != "file"]
    if not made:
        raise FloeError(f"{request.path} has no output ports to make contracts from", fix="Add output_ports.")
    return {contract.name: convert(contract, Dialect.ODCS).text for contract in made}


def _gather(request: CompileRequest, loaded: LoadedPolicy, read: ReadProduct, product: DataProduct) -> CompileInputs:
    folder = os.path.dirname(request.path)
    projects = load_projects(product, folder, request.dbt_manifest, os.environ)
    files = tuple(_explicit(folder))
    bases, manifest = load_bases(loaded), loaded.manifest or ALONE
    sql, no_sql = _attempt(request, lambda: _lint_sql(projects, manifest, loaded), SqlLint())
    none: tuple[Validator, ...] = ()
    validators, no_validators = _attempt(request, lambda: load_validators(loaded.merged), none)
    versions = judge_versions(folder, files, offline=request.look)
    return CompileInputs(
        product=product,
        source=read.source,
        chain=loaded.chain,
        merged=loaded.merged,
        manifest=manifest,
        files=files,
        dbt=join_projects(projects),
        bases=bases.contracts,
        parents={
            item.path: follow_parents(item, open_parent) for item in files if item.contract and item.contract.parent
        },
        product_findings=product_findings(loaded),
        base_findings=bases.findings,
        version_findings=versions.findings,
        validators=validators,
        sql_findings=(*sql.findings, *no_sql, *no_validators),
        sql_unknown=sql.cannot_tell,
        notes=versions.notes,
    )


def _attempt(request: CompileRequest, act: Callable[[], Value], without: Value) -> tuple[Value, tuple[Finding, ...]]:
    """What an act returns; before a commit, a warning where it is not known on this machine."""
    try:
        return act(), ()
    except CannotTell as error:
        if not request.look:
            raise
        return without, (unknown_finding(error, request.path),)


def unknown_finding(error: CannotTell, path: str) -> Finding:
    """A warning on what only another machine can tell."""
    return Finding.of(
        error.code,
        "cannot-tell",
        f"cannot tell: {error.message}",
        severity=Severity.WARNING,
        location=Location(path),
        suggestions=(error.fix,) if error.fix else (),
    )


def _lint_sql(projects: Sequence[PlacedProject], manifest: Manifest, loaded: LoadedPolicy) -> SqlLint:
    """The SQL judged by the linter, where a tier asks for it."""
    asks = manifest.governance.sql_linting is not SqlLinting.DISABLED and bool(loaded.merged.tiers)
    return lint_projects(projects, manifest.governance.sql_linting) if asks else SqlLint()


def _explicit(folder: str) -> list[Loaded]:
    """The contracts that the team wrote beside floe.yaml."""
    files = [read_file(path) for path in find_contracts(folder or ".", selection(PRODUCT_GLOBS))]
    return [_load(file) for file in files]


def _load(file: ReadFile) -> Loaded:
    if file.problem is not None:
        raise FloeError(f"{file.path}: {file.problem.message}", code=file.problem.code)
    return load(file.data, file.path)


def _report(compilation: Compilation, findings: Sequence[Finding]) -> Report:
    outcome = Outcome.ERRORED if compilation.untold else outcome_of(findings)
    result = CheckResult("compile", compilation.product, outcome, compilation.path, tuple(findings))
    return Report("compile", __version__, (result,), allow_empty=False)


def write_artifact(request: CompileRequest, outcome: CompileOutcome) -> bool:
    """Write the artifact, and floe.lock; False when the product does not compile, and nothing is written."""
    artifacts = outcome.compilation.artifacts
    if artifacts is None:
        return False
    make_folder_of(request.target)
    write_whole(request.target, artifacts.text())
    if outcome.unlocked:  # under CI=true they were refused before
        write_lock(request.path, outcome.lock)
    return True
