"""Artifacts that were fetched once, in a folder per digest: read-only, and checked again at every read."""

from __future__ import annotations

import json
import os
import shutil
import tempfile
from collections.abc import Mapping
from contextlib import suppress

from ...errors import FloeError
from ...frozen import dataclass
from .artifact import Artifact, digest_of, read_platform
from .signature import ArtifactSignature

_MANIFEST = ".artifact.json"
_SIGNATURES = ".signatures.json"
_READ_ONLY = 0o444


@dataclass(frozen=True, slots=True)
class ArtifactCache:
    """`$XDG_CACHE_HOME/floe/oci`."""

    root: str

    def read(self, digest: str) -> Artifact | None:
        """A whole and unchanged artifact; None when it is not here, or not as it was."""
        folder = os.path.join(self.root, digest)
        try:
            raw = _read(os.path.join(folder, _MANIFEST))
            if digest_of(raw) != digest:
                return None
            manifest = read_platform(raw, folder)
            files = {
                layer.title: layer.check(_read(os.path.join(folder, *layer.title.split("/"))), folder)
                for layer in manifest.layers
            }
        except (OSError, FloeError):
            return None
        return Artifact(manifest, files)

    def signatures(self, digest: str) -> tuple[ArtifactSignature, ...]:
        """The signatures that were fetched with an artifact; what they are worth is checked when they are used."""
        try:
            listed = json.loads(_read(os.path.join(self.root, digest, _SIGNATURES)))
            return tuple(ArtifactSignature(str(item["payload"]).encode(), str(item["signature"])) for item in listed)
        except (OSError, ValueError, TypeError, KeyError):
            return ()

    def write(self, artifact: Artifact, signatures: tuple[ArtifactSignature, ...] = ()) -> None:
        """Keep an artifact; a cache that cannot be written costs a request next time, and nothing else."""
        listed = [{"payload": item.payload.decode("utf-8", "replace"), "signature": item.text} for item in signatures]
        extra = {_MANIFEST: artifact.manifest.raw, _SIGNATURES: json.dumps(listed).encode()}
        with suppress(OSError):
            os.makedirs(self.root, exist_ok=True)
            made = tempfile.mkdtemp(dir=self.root, prefix=".new-")
            try:
                put_files(made, {**artifact.files, **extra})
                os.chmod(made, 0o755)  # noqa: S103 - nothing secret: other users may read it, nobody may write
                self._swap(made, os.path.join(self.root, artifact.digest))
            finally:
                shutil.rmtree(made, ignore_errors=True)

    def _swap(self, made: str, folder: str) -> None:
        """Put the new folder in place; whoever reads meanwhile finds the old one, the new one, or none."""
        with suppress(OSError):
            os.rename(made, folder)
            return
        aside = tempfile.mkdtemp(dir=self.root, prefix=".old-")
        os.rename(folder, os.path.join(aside, "artifact"))
        os.rename(made, folder)
        shutil.rmtree(aside, ignore_errors=True)


def cache_here(environ: Mapping[str, str]) -> ArtifactCache:
    home = environ.get("XDG_CACHE_HOME", "")
    base = home if os.path.isabs(home) else os.path.join(environ.get("HOME") or os.path.expanduser("~"), ".cache")
    return ArtifactCache(os.path.join(base, "floe", "oci"))


def put_files(folder: str, files: Mapping[str, bytes]) -> None:
    """Write files that nobody should edit below a folder; titles were checked when their manifest was read."""
    for title, data in files.items():
        path = os.path.join(folder, *title.split("/"))
        os.makedirs(os.path.dirname(path), exist_ok=True)
        handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_NOFOLLOW", 0), _READ_ONLY)
        with os.fdopen(handle, "wb") as file:
            file.write(data)
        os.chmod(path, _READ_ONLY)


def _read(path: str) -> bytes:
    with open(path, "rb") as file:
        return file.read()
