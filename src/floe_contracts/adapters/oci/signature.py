"""Signatures in cosign's layout: a payload that names the digest, signed by a key, under the tag `sha256-<hex>.sig`."""

from __future__ import annotations

import base64
import binascii
import json
from typing import TYPE_CHECKING, Any

from ...codes import E574
from ...errors import FloeError, MissingExtra, UsageError
from ...frozen import dataclass, field
from .artifact import Descriptor, compact_json, describe, read_artifact_manifest

if TYPE_CHECKING:
    from .registry import Registry

PAYLOAD_TYPE = "application/vnd.dev.cosign.simplesigning.v1+json"
ANNOTATION = "dev.cosignproject.cosign/signature"
_CONFIG_TYPE = "application/vnd.oci.image.config.v1+json"
_KIND = "cosign container image signature"


@dataclass(frozen=True, slots=True)
class ArtifactSignature:
    """A payload, and the signature of it in base64."""

    payload: bytes
    text: str = field(repr=False)

    @property
    def digest(self) -> str:
        """What the payload speaks about."""
        try:
            critical = json.loads(self.payload)["critical"]
            return str(critical["image"]["docker-manifest-digest"]) if critical["type"] == _KIND else ""
        except (ValueError, TypeError, KeyError):
            return ""


def signature_tag(digest: str) -> str:
    return f"{digest.replace(':', '-')}.sig"


def sign_digest(name: str, digest: str, key: bytes, password: bytes | None = None) -> ArtifactSignature:
    """Sign what a repository holds under a digest, with a private key in PEM."""
    ec, hashes, serialization = _library()
    try:
        private = serialization.load_pem_private_key(key, password)
    except (ValueError, TypeError):
        private = None
    if not isinstance(private, ec.EllipticCurvePrivateKey):
        raise UsageError(
            "the key to sign with is not a private EC key in PEM, or needs another password",
            fix="Make one: openssl genpkey -algorithm EC -pkeyopt ec_paramgen_curve:P-256 -out floe.key. "
            "The password of an encrypted key is read from FLOE_SIGNING_PASSWORD.",
        )
    critical = {"identity": {"docker-reference": name}, "image": {"docker-manifest-digest": digest}, "type": _KIND}
    payload = compact_json({"critical": critical, "optional": None})
    text = base64.b64encode(private.sign(payload, ec.ECDSA(hashes.SHA256()))).decode("ascii")
    return ArtifactSignature(payload, text)


def public_pem(key: bytes, password: bytes | None = None) -> str:
    """The public half of a private key, as others need it."""
    _, _, serialization = _library()
    public = serialization.load_pem_private_key(key, password).public_key()
    pem: bytes = public.public_bytes(serialization.Encoding.PEM, serialization.PublicFormat.SubjectPublicKeyInfo)
    return pem.decode("ascii")


def check_signatures(digest: str, signatures: tuple[ArtifactSignature, ...], key: str, what: str) -> None:
    """Nothing when one of the signatures is of this digest and by this key; a FloeError otherwise."""
    public = _public_key(key)
    if not signatures:
        raise FloeError(f"{what} is not signed, and a signature is required", code=E574)
    if not any(item.digest == digest and _fits(public, item) for item in signatures):
        raise FloeError(f"{what} has no signature of {digest} by the key that is required", code=E574)


def _public_key(key: str) -> Any:
    ec, _, serialization = _library()
    try:
        public = serialization.load_pem_public_key(key.strip().encode() + b"\n")
    except ValueError:
        public = None
    if not isinstance(public, ec.EllipticCurvePublicKey):
        raise UsageError(
            "the key to verify with is not a public EC key in PEM",
            fix="Write the whole key, from -----BEGIN PUBLIC KEY----- on.",
        )
    return public


def _fits(public: Any, signature: ArtifactSignature) -> bool:
    from cryptography.exceptions import InvalidSignature

    ec, hashes, _ = _library()
    try:
        public.verify(base64.b64decode(signature.text, validate=True), signature.payload, ec.ECDSA(hashes.SHA256()))
    except (InvalidSignature, binascii.Error, ValueError):
        return False
    return True


def _library() -> tuple[Any, Any, Any]:
    try:
        from cryptography.hazmat.primitives import hashes, serialization
        from cryptography.hazmat.primitives.asymmetric import ec
    except ImportError:
        raise MissingExtra("Signing and checking signatures", "sign") from None
    return ec, hashes, serialization


def fetch_signatures(registry: Registry, digest: str) -> tuple[ArtifactSignature, ...]:
    """The signatures of a digest that the registry has."""
    raw = registry.find_manifest(signature_tag(digest))
    if raw is None:
        return ()
    layers = read_artifact_manifest(raw, f"the signatures of {registry.name}").layers
    return tuple(
        ArtifactSignature(registry.read_blob(layer), layer.annotations[ANNOTATION])
        for layer in layers
        if layer.media_type == PAYLOAD_TYPE and ANNOTATION in layer.annotations
    )


def put_signature(registry: Registry, digest: str, signature: ArtifactSignature) -> None:
    """Add a signature to those that the registry has; the tag of signatures is the one tag that grows."""
    there = registry.find_manifest(signature_tag(digest))
    known = read_artifact_manifest(there, f"the signatures of {registry.name}").layers if there else ()
    layers = [_layer(item) for item in known]
    layers.append({**describe(PAYLOAD_TYPE, signature.payload), "annotations": {ANNOTATION: signature.text}})
    config = compact_json(
        {
            "architecture": "",
            "config": {},
            "created": "0001-01-01T00:00:00Z",
            "os": "",
            "rootfs": {"diff_ids": [layer["digest"] for layer in layers], "type": "layers"},
        }
    )
    registry.put_blob(config)
    registry.put_blob(signature.payload)
    registry.put_manifest(
        signature_tag(digest),
        compact_json(
            {
                "schemaVersion": 2,
                "mediaType": "application/vnd.oci.image.manifest.v1+json",
                "config": describe(_CONFIG_TYPE, config),
                "layers": layers,
            }
        ),
    )


def _layer(item: Descriptor) -> dict[str, Any]:
    kept = {"annotations": dict(item.annotations)} if item.annotations else {}
    return {"mediaType": item.media_type, "digest": item.digest, "size": item.size, **kept}
