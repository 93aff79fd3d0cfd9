"""What a named manifest brings with it: its base contracts and their parents, all under one digest."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Callable, Iterator

from ...contract.base import load_parent
from ...errors import FloeError
from ...policy.chain import ResolvedFile
from ...product.reading import read_manifest
from ...results import Location
from .read import ReadFile, read_file

Read = Callable[[str], ReadFile]


def digest_brought(file: ResolvedFile, reference: str, holder: Location, read: Read = read_file) -> str:
    """The digest of the manifest's bytes; with base contracts that of `sha256sum` over all files of the reference."""
    beside = os.path.dirname(file.path)
    brought = {os.path.relpath(path, beside).replace(os.sep, "/"): data for path, data in read_brought(file, read)}
    missing = sorted(path for path, data in brought.items() if data is None)
    if missing:
        raise FloeError(
            f"{holder}: {reference} brings the base contract {missing[0]}, which cannot be read",
            fix=f"Add the file beside {file.path}, or correct data_contracts.base.",
        )
    if not brought:
        return file.digest
    texts = {os.path.basename(file.path): file.data, **brought}
    lines = (f"{hashlib.sha256(data or b'').hexdigest()}  {path}\n" for path, data in sorted(texts.items()))
    return f"sha256:{hashlib.sha256(''.join(lines).encode()).hexdigest()}"


def read_brought(file: ResolvedFile, read: Read = read_file) -> Iterator[tuple[str, bytes | None]]:
    """Every base contract of a manifest and every parent above it, each once; None for one that is not there."""
    manifest = read_manifest(file.data, file.path).manifest if file.problem is None else None
    named = manifest.data_contracts.base if manifest else ()
    waiting = [_beside(file.path, str(path)) for path in reversed(named)]
    seen: set[str] = set()
    while waiting:
        path = waiting.pop()
        if path in seen:
            continue
        seen.add(path)
        base = read(path)
        yield path, base.data if base.problem is None else None
        contract = load_parent(base.data, path).contract if base.problem is None else None
        waiting += [_beside(path, contract.parent)] if contract and contract.parent else []


def _beside(path: str, reference: str) -> str:
    return os.path.normpath(os.path.join(os.path.dirname(path), reference))
