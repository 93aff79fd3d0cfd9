"""Published platforms: pulled, shown, verified and signed."""

from __future__ import annotations

import json
import os
from collections.abc import Sequence
from typing import TYPE_CHECKING

from ..adapters.files.references import lock_beside
from ..adapters.oci.artifact import Artifact
from ..adapters.oci.cache import put_files
from ..adapters.oci.registry import find_platform, open_registry
from ..adapters.oci.signature import check_signatures, fetch_signatures, public_pem, put_signature, sign_digest
from ..adapters.oci.source import required_key
from ..codes import E574
from ..errors import FloeError, UsageError
from ..product.reference import OciReference, parse_reference, quote_reference
from .policy import STARTS, describe_first, find_start, load_policy
from .verification import artifacts_here, choose_verification

if TYPE_CHECKING:
    from ..adapters.process.console import Console

PASSWORD = "FLOE_SIGNING_PASSWORD"  # noqa: S105 - the name of a variable


def read_oci(text: str) -> OciReference:
    """A reference to an artifact; a UsageError for any other."""
    parsed, problem = parse_reference(text)
    if not isinstance(parsed, OciReference):
        raise UsageError(
            problem or f"{quote_reference(text)} is not an artifact of a registry", fix="Write oci://host/repo:v1.2.3."
        )
    return parsed


def fetch_artifact(text: str, allow_http: Sequence[str]) -> Artifact:
    """The artifact of a reference, held to floe.lock of this folder where that knows it."""
    reference = read_oci(text)
    lock = lock_beside(STARTS[0])
    source = artifacts_here(allow_http, verification=lambda: choose_verification(STARTS[0], lock))
    entry = lock.references.get(text) if lock else None
    return source.fetch(reference, reference.digest or (entry.digest if entry else ""))


def show_pull(console: Console, text: str, folder: str, allow_http: Sequence[str]) -> int:
    """`floe platform pull`: the files below an empty folder, for reading only."""
    from ..adapters.process.output import say
    from ..adapters.process.progress import Waiting

    if os.path.lexists(folder) and (not os.path.isdir(folder) or os.listdir(folder)):
        raise UsageError(f"{folder} is there and not empty", fix="Name a new folder: files of two pulls are not mixed.")
    with Waiting(f"pulling {text}"):
        artifact = fetch_artifact(text, allow_http)
    try:
        os.makedirs(folder, exist_ok=True)
        put_files(folder, artifact.files)
    except OSError as error:
        raise FloeError(f"{folder} cannot be written: {error.strerror}", fix="Name another folder.") from None
    for title in artifact.files:
        console.note(f"Written to {os.path.join(folder, title)}.")
    say(f"{text.partition('@')[0]}@{artifact.digest}")
    return 0


def show_artifact(text: str, form: str, allow_http: Sequence[str]) -> int:
    """`floe platform show`: what a reference means, and what the artifact holds."""
    from ..adapters.process.output import put_page, say

    artifact = fetch_artifact(text, allow_http)
    manifest = artifact.manifest
    files = [{"path": item.title, "digest": item.digest, "size": item.size} for item in manifest.layers]
    if form == "json":
        value = {
            "reference": text,
            "digest": artifact.digest,
            "artifact_type": manifest.artifact_type,
            "annotations": dict(manifest.annotations),
            "files": files,
        }
        put_page(json.dumps(value, indent=2, ensure_ascii=False) + "\n")
        return 0
    say(text)
    say(f"  digest  {artifact.digest}")
    for name, note in manifest.annotations.items():
        say(f"  {name.removeprefix('org.opencontainers.image.')}  {note}")
    for item in manifest.layers:
        say(f"  {item.title}  {item.size:,} bytes  {item.digest}")
    return 0


def show_verify(
    console: Console, given: str | None, key_file: str, refs: Sequence[str], allow_http: Sequence[str]
) -> int:
    """`floe platform verify`: every artifact above a file, or one reference, as its registry has it now."""
    from ..adapters.process.output import say
    from ..adapters.process.progress import Waiting

    path = STARTS[0] if given and given.startswith("oci://") else find_start(given)
    lock = lock_beside(path)
    verification = choose_verification(path, lock)
    key = _read_key(key_file).decode("utf-8", "replace") if key_file else ""
    key = key or (required_key(verification) if verification.required else verification.key)
    known = {text: entry.digest for text, entry in lock.references.items()} if lock else {}
    texts = [given] if given and given.startswith("oci://") else _artifacts_above(path, refs, allow_http)
    if not texts:
        console.note(f"{path} has no artifact of a registry above it.")
    source = artifacts_here(allow_http)
    for text in texts:
        reference = read_oci(text)
        with Waiting(f"verifying {text}"):
            artifact, signed = source.fetch_fresh(reference, reference.digest or known.get(text, ""), key)
        locked = "as locked" if text in known or reference.digest else "not locked"
        signature = "signature valid" if signed else "signature not checked, no key"
        say(f"{text.partition('@')[0]}@{artifact.digest} ({locked}, {signature})")
    return 0


def _artifacts_above(path: str, refs: Sequence[str], allow_http: Sequence[str]) -> list[str]:
    loaded = load_policy(path, refs, allow_http=allow_http)
    if any(finding.blocks for finding in loaded.chain.findings):
        raise describe_first(loaded.chain.findings, "")
    return [tier.reference for tier in loaded.chain.tiers if tier.reference.startswith("oci://")]


def show_sign(console: Console, text: str, key_file: str, allow_http: Sequence[str]) -> int:
    """`floe platform sign`: a signature beside the artifact, in the layout that cosign reads."""
    from ..adapters.process.output import say

    reference = read_oci(text)
    key, password = _read_key(key_file), os.environ.get(PASSWORD, "").encode() or None
    registry = open_registry(reference, artifacts_here(allow_http).access)
    digest = find_platform(registry, reference).digest
    signature = sign_digest(registry.name, digest, key, password)
    try:
        check_signatures(digest, fetch_signatures(registry, digest), public_pem(key, password), registry.name)
    except FloeError as error:
        if error.code is not E574:
            raise
        put_signature(registry, digest, signature)
        console.note("Signed.")
    else:
        console.note("Signed before by this key: nothing was sent.")
    say(f"{text.partition('@')[0]}@{digest}")
    return 0


def _read_key(path: str) -> bytes:
    try:
        with open(path, "rb") as file:
            return file.read(64_000)
    except OSError as error:
        raise UsageError(f"the key {path} cannot be read: {error.strerror}", fix="Name a PEM file.") from None
