"""`--against-registry`: contracts of products held to the versions in the catalog, not only to those in git."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Sequence
from datetime import date

from ...adapters.files.read import find_contracts
from ...adapters.process.environment import utc_today
from ...codes import E523, E528, Severity
from ...compat.profiles import DEFAULT_PROFILE
from ...compat.ruleset import make_ruleset
from ...compat.settings import read_settings
from ...compat.verdict import GatePolicy, judge
from ...compiler.artifacts import ArtifactContract, CompiledArtifacts
from ...contract.discovery import PRODUCT, selection
from ...contract.load import Loaded, load
from ...contract.version import parse_version
from ...errors import FloeError
from ...frozen import replace
from ...identity.document import read_document_text
from ...identity.namespaces import Properties
from ...identity.registry import NamespaceRegistry
from ...results import CheckResult, Finding, Location, Outcome, Report, outcome_of
from ..gate.request import GateRequest, find_revisions
from ..gate.strictness import choose_rules
from ..gate.view import list_views
from ..repository import find_repository
from .product import IdentityProduct
from .register import immutable_finding, version_of


def base_policy(request: GateRequest) -> GatePolicy:
    """Rules and waivers as the base revision has them; outside git, and without a base, the usual rules."""
    if find_repository(request.folder or ".") is None:
        return GatePolicy(make_ruleset(request.profile or DEFAULT_PROFILE))
    view = list_views(request, utc_today(), find_revisions(request))[0]
    entries = list(view.settings.values())
    contents = {**dict.fromkeys(entry.path for entry in entries), **view.repo.read(entries)}
    settings = read_settings(contents, utc_today())
    return GatePolicy(choose_rules(settings.config, request), settings.waivers)


def judge_registered(product: IdentityProduct, artifacts: CompiledArtifacts, terms: GatePolicy) -> tuple[Finding, ...]:
    """What the registered versions say against those of an artifact; the catalog is only read."""
    require_registry(product)
    with product.open_registry(look_only=True) as registry:
        if registry is None:
            return ()
        known = registry.list_versions(product.id)
        judged = [_judge(registry, product, item, known, terms) for item in artifacts.data_contracts]
    return tuple(finding for findings in judged for finding in findings)


def require_registry(product: IdentityProduct) -> None:
    """An error where there is no registry to compare with."""
    if product.plan.off:
        raise FloeError(
            "identity is off for this product, so there is no registry to compare with",
            fix="Set identity.enforcement in the manifest of the platform, or leave --against-registry out.",
        )


def _judge(
    registry: NamespaceRegistry,
    product: IdentityProduct,
    item: ArtifactContract,
    known: dict[str, list[str]],
    terms: GatePolicy,
) -> Iterator[Finding]:
    own = version_of(item, "")
    stored = registry.find_contract(product.id, own.name, own.version)
    if stored is not None:
        registered = stored.get("floe.contract.schema_hash", "")
        if registered != item.schema_hash:
            yield immutable_finding(item, product.id, registered)
        return
    newest = find_newest(known.get(own.name, ()), own.version)
    before = registry.find_contract(product.id, own.name, newest) if newest else None
    if before is None:
        return

    def used(version: str) -> str | None:
        there = registry.find_contract(product.id, own.name, version)
        return None if there is None else str(there.get("floe.contract.schema_hash", ""))

    old, new = _load(read_document_text(before), item), _load(json.dumps(item.contract), item)
    if old is None or new is None:
        yield from _judge_by_hash(item, newest, before)
        return
    result = judge(old, new, terms, used=used)
    yield from (
        replace(finding, location=None, message=f"{item.id}, against {newest} in the registry: {finding.message}")
        for finding in result.findings
        if finding.blocks
    )


def _judge_by_hash(item: ArtifactContract, newest: str, before: Properties) -> Iterator[Finding]:
    """What can be said of a version whose contract the registry did not keep."""
    first, second = parse_version(newest), parse_version(item.version)
    if first and second and second < first:
        message = f"{item.id} is below {newest}, which is registered"
        yield Finding.of(
            E523, "version-decreased", message, contract=item.name, expected=f"above {newest}", actual=item.version
        )
    elif before.get("floe.contract.schema_hash") != item.schema_hash:
        message = f"cannot tell which bump {item.id} needs: the registry keeps the hashes of {newest}, not the contract"
        yield Finding.of(E528, "registry-unknown", message, severity=Severity.WARNING, contract=item.name)


def find_newest(versions: Sequence[str], beside: str) -> str:
    """The newest registered version of the same MAJOR; empty without one."""
    own = parse_version(beside)
    parsed = [version for text in versions if (version := parse_version(text)) is not None]
    same = [version for version in parsed if own is not None and version.major == own.major]
    return str(max(same)) if same else ""


def _load(text: str, item: ArtifactContract) -> Loaded | None:
    loaded = load(text.encode(), f"{item.name}.json", trusts_sql=True) if text else None
    return loaded if loaded is not None and loaded.contract is not None else None


def hold_to_registry(report: Report, request: GateRequest, today: date) -> Report:
    """The gate's report with what the catalog says about every product of the work tree."""
    from ...adapters.files.settings import settings_here

    top = os.path.relpath(find_repository(request.folder or ".") or ".")
    exclude = settings_here(top, today).config.exclude
    paths = find_contracts(top, selection((f"**/{PRODUCT}",), exclude))
    terms = base_policy(request)
    results = [_place_below(top, _compare(os.path.dirname(path) or ".", path, terms)) for path in paths]
    notes = () if paths else ("No floe.yaml is here: there is nothing to compare with the registry.",)
    return replace(report, results=(*report.results, *results), notes=(*report.notes, *notes))


def _place_below(top: str, result: CheckResult) -> CheckResult:
    """The result with its paths from the top of the repository, as all of the gate has them."""

    def shorten(path: str) -> str:
        return os.path.relpath(path, top).replace(os.sep, "/")

    findings = tuple(
        replace(finding, location=replace(finding.location, path=shorten(finding.location.path)))
        if finding.location
        else finding
        for finding in result.findings
    )
    return replace(result, path=shorten(result.path), findings=findings)


def _compare(folder: str, path: str, terms: GatePolicy) -> CheckResult:
    from ..compile import CompileRequest, compile_folder

    try:
        outcome = compile_folder(CompileRequest(folder))
        artifacts = outcome.compilation.artifacts
        if artifacts is None:
            first = next((item.message for item in outcome.compilation.findings if item.blocks), "it does not compile")
            message = f"the contracts of this product cannot be compared with the registry: {first}"
            raise FloeError(message, fix="Run floe compile, which lists everything.", code=E528)
        findings = outcome.place(outcome.compares(artifacts, terms)) if outcome.compares else ()
    except FloeError as error:
        fixes = (error.fix,) if error.fix else ()
        problem = Finding.of(
            error.code,
            "could-not-check",
            error.message,
            location=Location(path),
            suggestions=fixes,
            severity=Severity.ERROR,
        )
        return CheckResult("gate", path, Outcome.ERRORED, path, (problem,))
    return CheckResult("gate", outcome.compilation.product, outcome_of(findings), path, findings)
