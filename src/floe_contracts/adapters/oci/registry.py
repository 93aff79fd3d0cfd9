"""One repository of a registry: manifests and blobs, each held to its digest and size before anybody sees it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from urllib.parse import urlencode

from ...codes import E570, E573, E574, E575
from ...errors import Declined, FloeError
from ...frozen import dataclass
from ...product.reference import OciReference
from ..http.client import Call, HttpAnswer
from .artifact import (
    EMPTY,
    MANIFEST_TYPE,
    MOST_MANIFEST_BYTES,
    Artifact,
    ArtifactManifest,
    Descriptor,
    digest_of,
    read_platform,
    unsafe,
)
from .transport import RegistryAccess, Session

_ACCEPT = {"Accept": MANIFEST_TYPE}
_BYTES = {"Content-Type": "application/octet-stream"}


@dataclass(frozen=True, slots=True)
class Registry:
    """A repository, and the conversation with the registry that has it."""

    repository: str
    session: Session

    @property
    def name(self) -> str:
        return f"{self.session.host}/{self.repository}"

    def find_manifest(self, name: str) -> bytes | None:
        """The manifest that a tag or a digest means; None when there is none."""
        answer = self._get(f"manifests/{name}", MOST_MANIFEST_BYTES, _ACCEPT)
        if answer.status == 404:
            return None
        self._expect(answer, (200,), f"the manifest {name}")
        promised = name if name.startswith("sha256:") else answer.headers.get("docker-content-digest", "")
        if not answer.complete and len(answer.body) >= MOST_MANIFEST_BYTES:
            raise unsafe(f"{self.name}: the manifest {name} is larger than {MOST_MANIFEST_BYTES:,} bytes")
        actual = digest_of(answer.body)
        if not answer.complete or (promised.startswith("sha256:") and promised != actual):
            ended = " and ended early" if not answer.complete else ""
            expected = f" and {promised} was promised" if promised else ""
            raise FloeError(f"{self.name}: the manifest {name} has the digest {actual}{ended}{expected}", code=E574)
        return answer.body

    def read_blob(self, descriptor: Descriptor) -> bytes:
        """The bytes of a blob."""
        if descriptor.digest == digest_of(EMPTY):  # registries need not keep it
            return descriptor.check(EMPTY, self.name)
        answer = self._get(f"blobs/{descriptor.digest}", descriptor.size)
        self._expect(answer, (200,), f"the blob {descriptor.digest}")
        if not answer.complete and len(answer.body) == descriptor.size:
            message = f"{self.name}: {descriptor.title or 'a blob'} is more than the {descriptor.size:,} bytes promised"
            raise FloeError(message, code=E574)
        return descriptor.check(answer.body, self.name)

    def put_blob(self, data: bytes) -> None:
        """Send a blob, unless it is there."""
        digest = digest_of(data)
        if self._ask(Call("HEAD", self._path(f"blobs/{digest}")), write=True).status == 200:
            return
        begun = self._ask(Call("POST", self._path("blobs/uploads/")), write=True)
        self._expect(begun, (202,), "an upload")
        place = self.session.locate(begun.headers.get("location", ""))
        place = replace(place, query="&".join(filter(None, (place.query, urlencode({"digest": digest})))))
        done = self.session.ask(Call("PUT", "", data, _BYTES), self._scope(write=True), to=place)
        self._expect(done, (201, 204), "a blob")

    def put_manifest(self, name: str, raw: bytes) -> None:
        """Let a tag mean this manifest."""
        call = Call("PUT", self._path(f"manifests/{name}"), raw, {"Content-Type": MANIFEST_TYPE})
        self._expect(self._ask(call, write=True), (201,), f"the manifest {name}")

    def _path(self, rest: str) -> str:
        return f"/v2/{self.repository}/{rest}"

    def _scope(self, *, write: bool) -> str:
        return f"repository:{self.repository}:pull{',push' if write else ''}"

    def _ask(self, call: Call, *, write: bool = False, most_bytes: int = 4_000) -> HttpAnswer:
        return self.session.ask(call, self._scope(write=write), most_bytes)

    def _get(self, rest: str, most_bytes: int, headers: Mapping[str, str] | None = None) -> HttpAnswer:
        return self._ask(Call("GET", self._path(rest), headers=headers or {}), most_bytes=most_bytes)

    def _expect(self, answer: HttpAnswer, statuses: tuple[int, ...], what: str) -> None:
        if answer.status not in statuses:
            reason = "there is no such thing" if answer.status == 404 else f"it answered {answer.status}"
            raise FloeError(f"{self.name}: {what} was not had: {reason}", code=E570)


def open_registry(reference: OciReference, access: RegistryAccess) -> Registry:
    return Registry(reference.repository, Session(reference.host, access))


def find_platform(registry: Registry, reference: OciReference, expected: str = "") -> ArtifactManifest:
    """What a reference means in its registry; a tag that means other bytes than the expected ones was moved."""
    expected = expected or reference.digest
    name = reference.tag or expected
    raw = registry.find_manifest(name)
    if raw is None:
        raise FloeError(f"{registry.name} has no {name}", fix="Check the spelling, or publish it first.", code=E570)
    actual = digest_of(raw)
    if expected and actual != expected:
        raise Declined(
            f"{registry.name}:{reference.tag} was moved: it is {actual} now, and {expected} was agreed to", code=E575
        )
    return read_platform(raw, f"{registry.name}@{actual}")


def pull_files(registry: Registry, manifest: ArtifactManifest) -> Artifact:
    """Every file of an artifact."""
    return Artifact(manifest, {layer.title: registry.read_blob(layer) for layer in manifest.layers})


def publish(registry: Registry, tag: str, artifact: Artifact) -> tuple[str, bool]:
    """Send an artifact under a new tag; its digest in the registry, and whether it had to be sent.

    Other notes about the same files, such as another commit, are not another artifact: the first ones stay. Nobody can
    make a tag exclusive from outside, so it is read once more at the end.
    """
    there = registry.find_manifest(tag)
    if there is None:
        registry.put_blob(EMPTY)
        for layer in artifact.manifest.layers:
            registry.put_blob(artifact.files[layer.title])
        registry.put_manifest(tag, artifact.manifest.raw)
        after = registry.find_manifest(tag)
        if after == artifact.manifest.raw:
            return artifact.digest, True
        there = after or b""
    if not _same_files(there, artifact.manifest, registry.name):
        raise Declined(
            f"{registry.name}:{tag} is published already as {digest_of(there)}, and these files are {artifact.digest}",
            code=E573,
        )
    return digest_of(there), False


def _same_files(raw: bytes, manifest: ArtifactManifest, what: str) -> bool:
    if raw == manifest.raw:
        return True
    try:
        there = read_platform(raw, what)
    except FloeError:
        return False
    return [(layer.title, layer.digest) for layer in there.layers] == [
        (layer.title, layer.digest) for layer in manifest.layers
    ]
