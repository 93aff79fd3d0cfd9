"""The artifact as run time reads it: of the version that this floe writes, and with every value as compile left it."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from pydantic import ValidationError

from ..contract.digest import content_hash, schema_hash
from ..contract.load import Loaded, load
from ..contract.model import Contract
from ..errors import ArtifactError
from ..frozen import dataclass
from .artifacts import SCHEMA_VERSION, ArtifactContract, CompiledArtifacts, monitoring_of

_FIX = "Run floe compile again, and pass its file on unchanged."


@dataclass(frozen=True, slots=True)
class ReadContract:
    """One contract of an artifact, as if it had been read from its file."""

    entry: ArtifactContract
    loaded: Loaded
    contract: Contract


@dataclass(frozen=True, slots=True)
class ReadArtifacts:
    """An artifact and its contracts."""

    artifacts: CompiledArtifacts
    contracts: tuple[ReadContract, ...]


def read_artifacts(data: bytes, path: str) -> ReadArtifacts:
    """The artifact in these bytes; ArtifactError says what is wrong with it."""
    artifacts = _validate(_parse(data, path), path)
    contracts = tuple(_load(entry, path) for entry in artifacts.data_contracts)
    changed = next(_changed_parts(artifacts, contracts), "")
    if changed:
        raise ArtifactError(f"{path}: {changed}; it was changed after floe compile", fix=_FIX)
    return ReadArtifacts(artifacts, contracts)


def _parse(data: bytes, path: str) -> dict[str, Any]:
    try:
        value = json.loads(data, object_pairs_hook=_refuse_twice)
    except RecursionError:
        raise ArtifactError(f"{path} is nested too deeply to be an artifact", fix=_FIX) from None
    except ValueError as error:  # not UTF-8, not JSON, or a key that stands twice
        raise ArtifactError(f"{path} cannot be read as JSON: {error}", fix=_FIX) from None
    if not isinstance(value, dict) or "schema_version" not in value:
        raise ArtifactError(
            f"{path} is not an artifact: it has no schema_version", fix="Name target/floe/compiled.json."
        )
    version = value["schema_version"]
    if version != SCHEMA_VERSION:
        message = f"{path} has the schema_version {str(version)[:40]!r}, and this floe reads {SCHEMA_VERSION!r}"
        raise ArtifactError(message, fix="Compile with the floe that runs the checks.")
    return value


def _refuse_twice(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    value = dict(pairs)
    if len(value) < len(pairs):
        names = [name for name, _ in pairs]
        raise ValueError(f"the key {next(name for name in names if names.count(name) > 1)!r} stands twice")
    return value


def _validate(value: dict[str, Any], path: str) -> CompiledArtifacts:
    try:
        return CompiledArtifacts.model_validate(value)
    except ValidationError as error:
        first, *more = error.errors(include_url=False, include_context=False, include_input=False)
        where = ".".join(map(str, first["loc"]))
        also = f" ({len(more)} more)" if more else ""
        raise ArtifactError(f"{path}: {where}: {first['msg']}{also}", fix=_FIX) from None


def _load(entry: ArtifactContract, path: str) -> ReadContract:
    loaded = load(json.dumps(entry.contract, ensure_ascii=False).encode("utf-8", "surrogatepass"), path)
    if loaded.contract is None:
        reason = next((finding.message for finding in loaded.findings if finding.blocks), "it is not a contract")
        raise ArtifactError(f"{path}: the contract {entry.name} cannot be used: {reason}", fix=_FIX)
    return ReadContract(entry, loaded, loaded.contract)


def _changed_parts(artifacts: CompiledArtifacts, contracts: tuple[ReadContract, ...]) -> Iterator[str]:
    """Parts that contradict each other, which compile never writes."""
    for read in contracts:
        entry, contract = read.entry, read.contract
        if (schema_hash(contract), content_hash(contract)) != (entry.schema_hash, entry.content_hash):
            yield f"the contract {entry.name} is not the one of its hashes"
        if (contract.name, contract.version) != (entry.name, entry.version):
            yield f"the contract {entry.name} {entry.version} calls itself {contract.name} {contract.version}"
    expected = monitoring_of(artifacts.policy)
    for key in sorted(set(expected) | set(artifacts.monitoring)):
        if artifacts.monitoring.get(key) != expected.get(key):
            yield f"monitoring.{key} is not what policy says"
    for name in ("traces", "metrics", "lineage", "namespace"):
        decided = artifacts.policy.get(f"observability.{name}")
        if decided is not None and decided.value != getattr(artifacts.observability, name):
            yield f"observability.{name} is not what policy says"
