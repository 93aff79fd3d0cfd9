"""Readers of manifest.yaml, floe.yaml and floe.lock: bytes in, the model or every mistake with its line out."""

from __future__ import annotations

from ..codes import E501, E529, Severity
from ..contract.model import Pointer
from ..contract.placeholders import warn_of_placeholders
from ..contract.settings_file import SettingsFile, read_settings_file
from ..frozen import dataclass, replace
from ..results import Finding, Location
from .aliases import MANIFEST_MOVES, OVERRIDES, PRODUCT_MOVES, Canonical, Move, canonicalise, dotted, explain_clash
from .data_product import DataProduct
from .lock import LockFile
from .manifest import Manifest
from .mistakes import Explanation, validate_file
from .schema import LOCK_SCHEMA, MANIFEST_SCHEMA, PRODUCT_SCHEMA, SchemaFile

_EMPTY = "Write apiVersion, kind, metadata and what the file decides."
_EMPTY_LOCK = "Run `floe platform lock`, which writes it; an empty one is better removed."


@dataclass(frozen=True, slots=True)
class WrittenFile:
    """A file of the platform half with its lines: where each key of the model is really written."""

    path: str
    file: SettingsFile
    canonical: Canonical = Canonical({})

    def locate(self, pointer: Pointer, *, key: bool = False) -> Location:
        """The place of a value, or of its key; of the nearest one above when the file does not hold it."""
        return Location(self.path, *self.file.locate(self.canonical.written(pointer), key=key))


@dataclass(frozen=True, slots=True)
class ReadManifest:
    """A manifest with its lines; None and findings when it cannot be used, warnings beside it when it can."""

    source: WrittenFile
    manifest: Manifest | None
    findings: tuple[Finding, ...] = ()


@dataclass(frozen=True, slots=True)
class ReadProduct:
    """The same for a data product."""

    source: WrittenFile
    product: DataProduct | None
    findings: tuple[Finding, ...] = ()


@dataclass(frozen=True, slots=True)
class ReadLock:
    """The same for floe.lock."""

    source: WrittenFile
    lock: LockFile | None
    findings: tuple[Finding, ...] = ()


def read_manifest(data: bytes, path: str) -> ReadManifest:
    """A manifest from its bytes."""
    source, findings = _read(data, path, MANIFEST_MOVES)
    if findings:
        return ReadManifest(source, None, findings)
    manifest, wrong = validate_file(source.file, Manifest, _explain(source, MANIFEST_SCHEMA))
    return ReadManifest(source, manifest, (*wrong, *_warn_misplaced(source)))


def read_product(data: bytes, path: str) -> ReadProduct:
    """A data product from its bytes."""
    source, findings = _read(data, path, PRODUCT_MOVES)
    if findings:
        return ReadProduct(source, None, findings)
    product, wrong = validate_file(source.file, DataProduct, _explain(source, PRODUCT_SCHEMA))
    unfilled = warn_of_placeholders(dict(source.file.value), source.locate)
    return ReadProduct(source, product, (*wrong, *_warn_misplaced(source), *unfilled))


def read_lock(data: bytes, path: str) -> ReadLock:
    """floe.lock from its bytes."""
    source, findings = _read(data, path, (), _EMPTY_LOCK)
    if findings:
        return ReadLock(source, None, findings)
    lock, wrong = validate_file(source.file, LockFile, _explain(source, LOCK_SCHEMA))
    return ReadLock(source, lock, wrong)


def _read(
    data: bytes, path: str, moves: tuple[Move, ...], empty: str = _EMPTY
) -> tuple[WrittenFile, tuple[Finding, ...]]:
    file = read_settings_file(data, path, empty, empty, code=E501)
    if file.findings:
        return WrittenFile(path, file), file.findings
    canonical = canonicalise({key: value for key, value in file.value.items() if key != OVERRIDES}, moves)
    clashes = tuple(_describe_clash(file, clash) for clash in canonical.clashes)
    if OVERRIDES in file.value:
        clashes += (file.finding((OVERRIDES,), "unknown-key", f"the file has no key '{OVERRIDES}'", key=True),)
    return WrittenFile(path, replace(file, value=canonical.value), canonical), clashes


def _describe_clash(file: SettingsFile, clash: Move) -> Finding:
    own = ":".join(str(part) for part in file.locate(clash.own)[:1])
    fix = f"Keep the one of line {own}, or this one; both may stay only when they are equal."
    return file.finding(clash.written, "alias-clash", explain_clash(clash), fix)


def _explain(source: WrittenFile, schema: SchemaFile) -> Explanation:
    fix = f"Correct the file; its JSON schema is published as {schema.name}."
    return Explanation(schema.read, fix, source.canonical.written)


def _warn_misplaced(source: WrittenFile) -> tuple[Finding, ...]:
    return tuple(
        Finding.of(
            E529,
            "key-misplaced",
            f"{dotted(move.written)} is read as {dotted(move.own)}",
            severity=Severity.WARNING,
            element=dotted(move.written),
            location=Location(source.path, *source.file.locate(move.written, key=True)),
            suggestions=(f"Move it to {dotted(move.own)}.",),
        )
        for move in source.canonical.misplaced
    )
