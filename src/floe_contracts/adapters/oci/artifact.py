"""A platform as an OCI artifact: the same files give the same bytes, and what comes back is read with suspicion."""

from __future__ import annotations

import hashlib
import json
import unicodedata
from collections.abc import Mapping
from typing import Any

from ...codes import E574, E576
from ...errors import FloeError
from ...frozen import dataclass, field

ARTIFACT_TYPE = "application/vnd.floe.platform.v1"
MANIFEST_TYPE = "application/vnd.oci.image.manifest.v1+json"
EMPTY_TYPE = "application/vnd.oci.empty.v1+json"
EMPTY = b"{}"
MANIFEST_FILE = "manifest.json"
TITLE = "org.opencontainers.image.title"
MOST_MANIFEST_BYTES = 4_000_000
MOST_FILE_BYTES = 16_000_000
MOST_LAYERS = 64
_MOST_TITLE = 200
_TYPES = {"policies": "policy", "architecture": "architecture", "contracts": "contract"}


@dataclass(frozen=True, slots=True)
class Descriptor:
    """A blob as a manifest promises it; `title` is the path of the file that it holds."""

    media_type: str
    digest: str
    size: int
    title: str = ""
    annotations: Mapping[str, str] = field(default_factory=dict)

    def check(self, data: bytes, what: str) -> bytes:
        """The bytes, when they are the promised ones."""
        if len(data) != self.size or digest_of(data) != self.digest:
            raise FloeError(
                f"{what}: {self.title or 'a blob'} should be {self.size:,} bytes with the digest {self.digest}, "
                f"and it is {len(data):,} bytes with {digest_of(data)}",
                code=E574,
            )
        return data


@dataclass(frozen=True, slots=True)
class ArtifactManifest:
    """What an artifact consists of, and the bytes that say so."""

    raw: bytes = field(repr=False)
    layers: tuple[Descriptor, ...]
    annotations: Mapping[str, str]
    artifact_type: str = ""

    @property
    def digest(self) -> str:
        return digest_of(self.raw)


@dataclass(frozen=True, slots=True)
class Artifact:
    """A whole artifact, every byte of it checked."""

    manifest: ArtifactManifest
    files: Mapping[str, bytes] = field(repr=False)

    @property
    def digest(self) -> str:
        return self.manifest.digest


def digest_of(data: bytes) -> str:
    return f"sha256:{hashlib.sha256(data).hexdigest()}"


def build_artifact(files: Mapping[str, bytes], annotations: Mapping[str, str]) -> Artifact:
    """The artifact of these files: sorted, compact, without a time, so that a second publisher gets the same digest."""
    layers = [
        {**describe(media_type_of(path), data), "annotations": {TITLE: path}} for path, data in sorted(files.items())
    ]
    document = {
        "schemaVersion": 2,
        "mediaType": MANIFEST_TYPE,
        "artifactType": ARTIFACT_TYPE,
        "config": describe(EMPTY_TYPE, EMPTY),
        "layers": layers,
        "annotations": dict(sorted(annotations.items())),
    }
    manifest = read_platform(compact_json(document), "the platform")
    for layer in manifest.layers:
        layer.check(files[layer.title], "the platform")
    return Artifact(manifest, dict(sorted(files.items())))


def describe(media_type: str, data: bytes) -> dict[str, Any]:
    """A descriptor as a manifest holds it."""
    return {"mediaType": media_type, "digest": digest_of(data), "size": len(data)}


def compact_json(value: Any) -> bytes:
    return json.dumps(value, separators=(",", ":"), ensure_ascii=False).encode()


def media_type_of(path: str) -> str:
    """Of a file, by the folder that it is in."""
    return f"application/vnd.floe.{_TYPES.get(path.partition('/')[0], 'manifest')}.v1+json"


def read_platform(raw: bytes, what: str) -> ArtifactManifest:
    """The manifest of a platform; one that would be unsafe to take is refused before a file is fetched."""
    manifest = read_artifact_manifest(raw, what)
    if manifest.artifact_type != ARTIFACT_TYPE:
        raise unsafe(f"{what} is not a platform: its artifactType is {manifest.artifact_type[:100]!r}")
    seen: dict[str, str] = {}
    for layer in manifest.layers:
        _check_title(layer.title, what)
        folded = _fold(layer.title)
        if folded in seen:
            raise unsafe(f"{what} holds {layer.title!r} twice")
        seen[folded] = layer.title
    for folded, title in seen.items():
        parts = folded.split("/")
        if any("/".join(parts[:end]) in seen for end in range(1, len(parts))):
            raise unsafe(f"{what} holds {title!r} below a file")
    if MANIFEST_FILE not in seen.values():
        raise unsafe(f"{what} holds no {MANIFEST_FILE}")
    return manifest


def read_artifact_manifest(raw: bytes, what: str) -> ArtifactManifest:
    """Any image manifest of OCI, within the limits."""
    try:
        document = json.loads(raw)
        layers = tuple(_descriptor(layer) for layer in document["layers"])
        annotations = _texts(document.get("annotations"))
        artifact_type = str(document.get("artifactType") or document.get("config", {}).get("mediaType") or "")
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError):
        raise unsafe(f"{what} has no manifest of OCI") from None
    if len(layers) > MOST_LAYERS:
        raise unsafe(f"{what} has {len(layers)} layers; at most {MOST_LAYERS} are taken")
    for layer in layers:
        if not 0 <= layer.size <= MOST_FILE_BYTES:
            raise unsafe(
                f"{what}: {layer.title[:100]!r} is {layer.size:,} bytes; at most {MOST_FILE_BYTES:,} are taken"
            )
    return ArtifactManifest(raw, layers, annotations, artifact_type)


def _descriptor(layer: Any) -> Descriptor:
    annotations = _texts(layer.get("annotations"))
    digest, size = layer["digest"], layer["size"]
    if not isinstance(size, int) or isinstance(size, bool) or not _is_digest(digest):
        raise ValueError("no descriptor")
    return Descriptor(str(layer["mediaType"]), digest, size, annotations.get(TITLE, ""), annotations)


def _is_digest(text: object) -> bool:
    return (
        isinstance(text, str)
        and text.startswith("sha256:")
        and len(text) == 71
        and not set(text[7:]) - set("0123456789abcdef")
    )


def _texts(value: Any) -> dict[str, str]:
    return {str(key): str(text) for key, text in (value or {}).items()}


def _fold(title: str) -> str:
    """What some file systems make of a title: they know neither letter case nor two ways to write an accent."""
    return unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", title).casefold())


def _check_title(title: str, what: str) -> None:
    """A path below the folder, on every system: no root, no drive, no way up, nothing hidden."""
    parts = title.split("/")
    if not title or len(title) > _MOST_TITLE or not title.isprintable() or "\\" in title or ":" in title:
        raise unsafe(f"{what} holds a file whose path {title[:100]!r} cannot be used")
    if any(not part or part.startswith(".") or part != part.strip() for part in parts):
        raise unsafe(f"{what} holds the file {title[:100]!r}, which would not lie below its folder")


def unsafe(message: str) -> FloeError:
    return FloeError(message, code=E576)
