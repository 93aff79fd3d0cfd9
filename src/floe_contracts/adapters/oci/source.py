"""Where artifacts come from: the cache when the digest is known, else their registry; signed where that is required."""

from __future__ import annotations

from collections.abc import Callable

from ...codes import E570, E574
from ...errors import CannotTell, FloeError, SettingsError
from ...frozen import dataclass
from ...product.lock import Verification
from ...product.reference import OciReference
from .artifact import Artifact
from .cache import ArtifactCache
from .registry import Registry, find_platform, open_registry, pull_files
from .signature import ArtifactSignature, check_signatures, fetch_signatures
from .transport import RegistryAccess


@dataclass(frozen=True, slots=True)
class ArtifactSource:
    """What may be asked, and what must be signed."""

    cache: ArtifactCache = ArtifactCache("")
    access: RegistryAccess = RegistryAccess()
    offline: bool = False
    verification: Callable[[], Verification] = Verification

    def fetch(self, reference: OciReference, locked: str = "") -> Artifact:
        """The artifact of a reference; a locked one that is cached costs no request."""
        artifact = self.cache.read(locked) if locked else None
        if artifact is None:
            artifact = self._pull(reference, locked)
        self._verify(reference, artifact)
        return artifact

    def fetch_fresh(self, reference: OciReference, locked: str, key: str) -> tuple[Artifact, bool]:
        """The artifact as the registry has it now, whatever is cached; and whether a signature was checked."""
        registry = open_registry(reference, self.access)
        artifact = pull_files(registry, find_platform(registry, reference, locked))
        signatures = fetch_signatures(registry, artifact.digest) if key else ()
        if key:
            check_signatures(artifact.digest, signatures, key, registry.name)
        self.cache.write(artifact, signatures)
        return artifact, bool(key)

    def _pull(self, reference: OciReference, locked: str) -> Artifact:
        registry = self._open(reference)
        manifest = find_platform(registry, reference, locked)
        known = self.cache.read(manifest.digest)
        if known is not None:
            return known
        artifact = pull_files(registry, manifest)
        self.cache.write(artifact)
        return artifact

    def _open(self, reference: OciReference) -> Registry:
        if self.offline:
            raise CannotTell(
                "it is not in the cache of this machine, and no registry is asked here",
                fix=f"Run `floe platform pull {reference} --output DIR` once.",
                code=E570,
            )
        return open_registry(reference, self.access)

    def _verify(self, reference: OciReference, artifact: Artifact) -> None:
        verification = self.verification()
        if not verification.required:
            return
        key = required_key(verification)
        if self._signed(artifact, self.cache.signatures(artifact.digest), key):
            return
        registry = self._open(reference)
        signatures = fetch_signatures(registry, artifact.digest)
        check_signatures(artifact.digest, signatures, key, registry.name)
        self.cache.write(artifact, signatures)

    def _signed(self, artifact: Artifact, signatures: tuple[ArtifactSignature, ...], key: str) -> bool:
        try:
            check_signatures(artifact.digest, signatures, key, "the cached artifact")
        except FloeError as error:
            if error.code is not E574:
                raise
            return False
        return True


def required_key(verification: Verification) -> str:
    """The key of `verify:`, which a required signature cannot do without."""
    if not verification.key.strip():
        raise SettingsError(
            "floe.lock requires signatures and names no key", fix="Write the public key as PEM text under verify.key."
        )
    return verification.key
