"""References to manifests: paths beside the file that holds them, `ref/<name>/v<X.Y.Z>` in folders, and artifacts."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Callable

from ...codes import E500
from ...errors import CannotTell, Declined, FloeError
from ...frozen import dataclass, field, replace
from ...policy.chain import ResolvedFile
from ...product.lock import FILE, LockFile
from ...product.reading import read_lock
from ...product.reference import NamedReference, OciReference, PathReference, parse_reference
from ...results import Finding, Location
from ..oci.artifact import MANIFEST_FILE
from ..oci.source import ArtifactSource
from .brought import digest_brought
from .read import ReadFile, read_file


@dataclass(frozen=True, slots=True)
class FileReferences:
    """Looks up references; `resolved` collects the digests of names and tags, for floe.lock."""

    folders: tuple[str, ...] = ()
    lock: LockFile | None = None
    frozen: bool = False  # under CI=true nothing is trusted that floe.lock does not know
    resolved: dict[str, str] = field(default_factory=dict)
    artifacts: ArtifactSource = field(default_factory=ArtifactSource)
    brought: dict[str, tuple[str, bytes]] = field(default_factory=dict)  # files of artifacts by their normal path
    read: Callable[[str], ReadFile] = read_file  # from disk, or from a revision

    def resolve(self, reference: str, holder: Location) -> ResolvedFile:
        """The file of a reference, held to floe.lock."""
        parsed, problem = parse_reference(reference)
        if isinstance(parsed, PathReference):
            return self._read(os.path.join(os.path.dirname(holder.path), parsed.path), reference, holder)
        if isinstance(parsed, NamedReference):
            return self._named(parsed, reference, holder)
        if isinstance(parsed, OciReference):
            return self._artifact(parsed, reference, holder)
        raise FloeError(f"{holder}: {problem}")

    def _named(self, named: NamedReference, reference: str, holder: Location) -> ResolvedFile:
        paths = [os.path.join(folder, *named.path.split("/")) for folder in self.folders]
        path = next((path for path in map(os.path.normpath, paths) if self._is_there(path)), None)
        if path is None:
            looked = ", ".join(paths) if paths else "no folder was given"
            raise CannotTell(
                f"{holder}: {reference} cannot be found ({looked})",
                fix=f"Name the folder that holds {named.path} by --refs, or under refs: of floe.lock.",
            )
        file = self._read(path, reference, holder)
        digest = digest_brought(file, reference, holder, self.read)
        self._hold_to_lock(reference, digest, holder)
        self.resolved[reference] = digest
        return replace(file, digest=digest)

    def _artifact(self, parsed: OciReference, reference: str, holder: Location) -> ResolvedFile:
        entry = self.lock.references.get(reference) if self.lock else None
        locked = parsed.digest or (entry.digest if entry else "")
        folder = reference.partition("@")[0] if parsed.tag else reference
        path = f"{folder}/{MANIFEST_FILE}"
        if not locked and self.frozen:
            raise _unlocked(reference, holder)
        try:
            artifact = self.artifacts.fetch(parsed, locked)
        except Declined as moved:
            fix = (moved.fix or moved.code.fix,)
            problem = Finding.of(moved.code, "tag-moved", moved.message, location=holder, suggestions=fix)
            return ResolvedFile(path, b"", locked, path, problem)
        except FloeError as error:
            error.message = f"{holder}: {reference}: {error.message}"
            raise
        if not parsed.digest:
            self.resolved[reference] = artifact.digest
        for title, data in artifact.files.items():
            self.brought[os.path.normpath(f"{folder}/{title}")] = (f"{folder}/{title}", data)
        return ResolvedFile(path, artifact.files[MANIFEST_FILE], artifact.digest, f"{parsed.host}@{artifact.digest}")

    def _is_there(self, path: str) -> bool:
        problem = self.read(path).problem
        return problem is None or problem.code is not E500

    def _read(self, path: str, reference: str, holder: Location) -> ResolvedFile:
        path = os.path.normpath(path)
        return _resolved(self.read(path), path, f"{holder}: {reference} cannot be resolved")

    def open_brought(self, path: str) -> tuple[str, bytes] | None:
        """The path and bytes of a file that came with an artifact; None for any other path."""
        return self.brought.get(os.path.normpath(path))

    def _hold_to_lock(self, reference: str, digest: str, holder: Location) -> None:
        entry = self.lock.references.get(reference) if self.lock else None
        if entry is not None and entry.digest != digest:
            raise FloeError(
                f"{holder}: {reference} has the digest {digest}, and {FILE} says {entry.digest}",
                fix="A published version does not change: take the locked bytes, or run `floe platform lock --update`.",
            )
        if entry is None and self.frozen:
            raise _unlocked(reference, holder)


def _unlocked(reference: str, holder: Location) -> FloeError:
    return FloeError(
        f"{holder}: {reference} is not in {FILE}, and CI=true trusts nothing for the first time",
        fix=f"Run `floe platform lock` outside CI and commit {FILE}.",
    )


def read_start(path: str) -> ResolvedFile:
    """The file that a command begins with."""
    return _resolved(read_file(path), path, f"{path} cannot be read")


def lock_beside(path: str) -> LockFile | None:
    """floe.lock in the folder of a file; None when there is none."""
    place = os.path.join(os.path.dirname(path), FILE)
    if not os.path.lexists(place):
        return None
    file = read_file(place)
    read = read_lock(file.data, place) if file.problem is None else None
    findings = read.findings if read else (file.problem,)
    if read is None or read.lock is None:
        first = findings[0]
        what = f"{first.location}: {first.message}" if first else place
        raise FloeError(
            what, fix=first.suggestions[0] if first and first.suggestions else "", code=first.code if first else None
        )
    return read.lock


def refs_of(lock: LockFile | None, path: str, given: tuple[str, ...]) -> tuple[str, ...]:
    """The folders of `--refs`, then those of floe.lock, which are relative to it."""
    beside = os.path.dirname(path)
    return (*given, *(os.path.join(beside, folder) for folder in (lock.refs if lock else ())))


def _resolved(file: ReadFile, path: str, trouble: str) -> ResolvedFile:
    if file.problem is not None and file.problem.code.id != "FLOE-E509":
        reason = "there is no such file" if file.problem.code is E500 else file.problem.message
        raise FloeError(f"{trouble}: {reason} ({path})", fix="Correct the path, or add the file.")
    digest = f"sha256:{hashlib.sha256(file.data).hexdigest()}"
    return ResolvedFile(path, file.data, digest, os.path.realpath(path), file.problem)
