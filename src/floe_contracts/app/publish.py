"""`floe platform publish`: a manifest that holds to its parents, sent to a registry under its version, once."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from ..adapters.files.brought import read_brought
from ..adapters.files.references import read_start
from ..adapters.oci.artifact import TITLE, Artifact, build_artifact
from ..adapters.oci.registry import open_registry, publish
from ..codes import E501, E572
from ..contract.base import load_parent
from ..contract.source import read_document
from ..errors import Declined, FloeError, UsageError
from ..frozen import dataclass, field, replace
from ..policy.bundle import json_text, platform_files
from ..policy.chain import last_manifest
from ..product.manifest import Manifest
from ..product.reference import OciReference, PathReference, parse_reference, parse_repository, quote_reference
from ..results import ExitCode, Report, decide
from .bases import load_bases
from .policy import LoadedPolicy, check_policy, load_policy
from .verification import artifacts_here

if TYPE_CHECKING:
    from ..adapters.process.console import Console

_IMAGE = "org.opencontainers.image"


@dataclass(frozen=True, slots=True)
class PublishRequest:
    """What to publish, where, and what to note about it beside the files."""

    version: str
    path: str = "manifest.yaml"
    to: str = ""
    refs: tuple[str, ...] = ()
    notes: Mapping[str, str] = field(default_factory=dict)  # source, revision and licenses
    allow_http: tuple[str, ...] = ()


def build_platform(request: PublishRequest, loaded: LoadedPolicy) -> tuple[OciReference, Artifact]:
    """Where the artifact goes, and the artifact; Declined when it must not be published like this."""
    own, merged = last_manifest(loaded.chain), loaded.manifest
    if own is None or merged is None:
        raise FloeError(f"{request.path} cannot be read as a manifest", code=E501)
    version = _check_version(request, own)
    _check_parent(request, own)
    _check_bases(loaded)
    files = {path: text.encode() for path, text in _files(request.path, own, merged).items()}
    notes = {f"{_IMAGE}.{name}": text for name, text in request.notes.items() if text}
    own_notes = {TITLE: own.metadata.name, f"{_IMAGE}.version": version}
    return replace(_find_target(request, own), tag=f"v{version}"), build_artifact(files, {**notes, **own_notes})


def _check_version(request: PublishRequest, own: Manifest) -> str:
    wanted, version = request.version.removeprefix("v"), own.metadata.version
    if wanted != version:
        raise Declined(f"{request.path} says version {version}, and {wanted} should be published", code=E572)
    if "+" in version:
        raise UsageError(
            f"version {version} has build metadata, and a tag cannot hold a +", fix="Publish a version without it."
        )
    return version


def _check_parent(request: PublishRequest, own: Manifest) -> None:
    parent = parse_reference(own.parent)[0] if own.parent else None
    if isinstance(parent, PathReference):
        raise Declined(
            f"the parent of {request.path} is the path {parent.path}, which nobody else has",
            fix="Publish the parent first and refer to it: parent: oci://host/repo:v1.2.3.",
            code=E501,
        )


def _check_bases(loaded: LoadedPolicy) -> None:
    wrong = next((item for item in load_bases(loaded).findings if item.blocks), None)
    if wrong is not None:
        raise Declined(f"{wrong.location}: {wrong.message}", fix="; ".join(wrong.suggestions), code=wrong.code)


def _find_target(request: PublishRequest, own: Manifest) -> OciReference:
    text = request.to or own.registry or ""
    target = parse_repository(text)
    if target is None:
        what = f"{quote_reference(text)} is not a repository" if text else "no registry to publish to is named"
        raise UsageError(what, fix="Say --to oci://host/repo without a tag, or write registry: into the manifest.")
    return target


def _files(path: str, own: Manifest, merged: Manifest) -> dict[str, str]:
    """The compiled platform, and the base contracts with their parents as contracts/<n>.json."""
    brought = list(read_brought(read_start(path)))
    if not brought:
        return platform_files(own, merged)
    names = {os.path.normpath(place): f"{number}.json" for number, (place, _) in enumerate(brought, start=1)}
    dump: dict[str, Any] = own.model_dump(mode="json")
    beside = os.path.dirname(path)
    bases = [f"contracts/{names[_normal(beside, base)]}" for base in own.data_contracts.base]
    renamed = Manifest.model_validate({**dump, "data_contracts": {**dump["data_contracts"], "base": bases}})
    return {
        **platform_files(renamed, merged),
        **{
            f"contracts/{names[os.path.normpath(place)]}": _contract_text(place, data, names) for place, data in brought
        },
    }


def _contract_text(path: str, data: bytes | None, names: Mapping[str, str]) -> str:
    """A base contract as JSON, its parent by the name that it has in the artifact."""
    if data is None:
        raise FloeError(f"the base contract {path} cannot be read", fix="Correct data_contracts.base.", code=E501)
    value: Any = read_document(data).value
    loaded = load_parent(data, path)
    if loaded.contract is not None and loaded.contract.parent:
        value = _with_parent(value, names[_normal(os.path.dirname(path), loaded.contract.parent)])
    return json_text(value)


def _with_parent(value: dict[str, Any], parent: str) -> dict[str, Any]:
    if "parent" in value:
        return {**value, "parent": parent}
    customs = [
        {**item, "value": parent} if item.get("property") == "floe.parent" else item
        for item in value.get("customProperties", [])
    ]
    return {**value, "customProperties": customs}


def _normal(folder: str, path: str) -> str:
    return os.path.normpath(os.path.join(folder, path))


@dataclass(frozen=True, slots=True)
class Published:
    """Where a platform is now, and whether it had to be sent there."""

    target: str
    digest: str
    sent: bool

    @property
    def reference(self) -> str:
        return f"{self.target}@{self.digest}"

    def tell(self, console: Console) -> None:
        """Print the reference, and beside it what was done."""
        from ..adapters.process.output import say

        console.note("Published." if self.sent else "Published before with the same files: nothing was sent.")
        say(self.reference)


def publish_manifest(request: PublishRequest) -> Published | Report:
    """Publish a manifest that holds to its parents; the report when it does not."""
    from ..adapters.process.progress import Waiting

    report = check_policy(request.path, request.refs, allow_http=request.allow_http)
    if decide(report) is not ExitCode.PASS:
        return report
    loaded = load_policy(request.path, request.refs, allow_http=request.allow_http)
    target, artifact = build_platform(request, loaded)
    with Waiting(f"publishing to {target}"):
        registry = open_registry(target, artifacts_here(request.allow_http).access)
        digest, sent = publish(registry, target.tag, artifact)
    return Published(str(target), digest, sent)


def report_refusal(console: Console, report: Report) -> int:
    """Print why a manifest is not published."""
    from .report import deliver

    return deliver(report, console, "terminal", None)


def show_publish(console: Console, request: PublishRequest) -> int:
    """`floe platform publish` from a manifest to an exit code; the last line is the reference with its digest."""
    published = publish_manifest(request)
    if isinstance(published, Report):
        return report_refusal(console, published)
    published.tell(console)
    return 0
