"""A compiled product at run time: its contracts, the settings that its tiers decided, and where its data lies."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ...compiler.artifacts import CompiledArtifacts
from ...compiler.reading import ReadArtifacts, read_artifacts
from ...contract.meaning.privacy import PrivacyRules
from ...errors import ArtifactError, UsageError
from ...monitor.settings.floor import FloorKey, SettingsFloor
from ...monitor.settings.model import MonitoringConfig
from ...policy.classification import classifications_from
from ...product.data_contracts import DataContracts
from ...product.observability import Observability

_TARGET = "target"
_NAMING = ("namespace", "mode", "domain", "enterprise")


@dataclass(frozen=True, slots=True)
class CompiledProduct:
    """An artifact, the path that names it, and the absolute folder that data paths of its contracts start at."""

    path: str
    folder: str
    read: ReadArtifacts
    placed: bool = False  # --root was given, so paths of connections start there too


def open_product(path: str, root: str = "") -> CompiledProduct:
    """The artifact that `--artifacts` names; an ArtifactError says why it cannot be used."""
    if root and not os.path.isdir(root):
        raise UsageError(f"there is no folder {root}", fix="Name the folder that data paths start at with --root.")
    try:
        data = Path(path).read_bytes()
    except OSError as error:
        message = f"{path} cannot be read: {error.strerror}"
        raise ArtifactError(message, fix="Run floe compile, and name the file that it wrote.") from None
    return CompiledProduct(path, os.path.abspath(root or _folder_of(path)), read_artifacts(data, path), bool(root))


def refuse_paths(paths: Sequence[str]) -> None:
    """Refuse contract files beside an artifact, which has its own."""
    if paths:
        fix = "Name either paths or --artifacts; --only chooses among its contracts."
        raise UsageError("--artifacts holds the contracts already", fix=fix)


def _folder_of(path: str) -> str:
    """The folder above `target/`, else the current one."""
    parents = Path(os.path.abspath(path)).parents
    return str(next((folder.parent for folder in parents if folder.name == _TARGET), Path.cwd()))


def floor_of(product: CompiledProduct) -> SettingsFloor:
    """The settings as the tiers decided them, and who decided what; a default binds nobody."""
    artifacts = product.read.artifacts
    config = MonitoringConfig(
        data_contracts=DataContracts.model_validate(_data_contracts(artifacts)),
        observability=Observability.model_validate(_observability(artifacts)),
        sql_trust=artifacts.monitoring["sql_trust"],
    )
    keys = {
        key: FloorKey(entry.value, entry.tier, entry.source)
        for key, entry in artifacts.policy.items()
        if entry.tier != "default"
    }
    return SettingsFloor(config, {**keys, **dict(_product_keys(artifacts, config.observability))})


def privacy_of(product: CompiledProduct) -> PrivacyRules:
    """Whose values nobody is shown, by the classification of all tiers."""
    values = {key: entry.value for key, entry in product.read.artifacts.policy.items()}
    return classifications_from(values).privacy()


def _data_contracts(artifacts: CompiledArtifacts) -> dict[str, object]:
    settings = artifacts.monitoring
    intervals = {check: {"check_interval": length} for check, length in settings["intervals"].items()}
    return {
        "enforcement": settings["enforcement"],
        "plugin": {"type": settings["plugin"]},
        "monitoring": {"enabled": settings["enabled"], "mode": settings["mode"], **intervals},
        "alerting": settings["alerting"],
    }


def _observability(artifacts: CompiledArtifacts) -> dict[str, object]:
    product, decided = artifacts.product, artifacts.observability
    top = next((tier.name for tier in artifacts.platform if tier.scope == "enterprise"), "")
    own = {"domain": product.domain, "enterprise": top, "mode": artifacts.mode}
    names = {name: _decided(artifacts, name) or own.get(name) for name in (*own, "tenant_id", "project_slug")}
    called = {"name": product.name, "version": product.version}
    return {
        **{name: text for name, text in names.items() if text},
        "namespace": decided.namespace,
        "product": {key: _decided(artifacts, f"product.{key}") or text for key, text in called.items()},
        "traces": decided.traces,
        "metrics": decided.metrics,
        "lineage": decided.lineage,
    }


def _decided(artifacts: CompiledArtifacts, name: str) -> Any:
    entry = artifacts.policy.get(f"observability.{name}")
    return entry.value if entry else None


def _product_keys(artifacts: CompiledArtifacts, observability: Observability) -> Iterator[tuple[str, FloorKey]]:
    """What a product is called is decided by floe.yaml and its tiers."""
    who = f"the product {artifacts.product.id}"
    values = {name: getattr(observability, name) for name in _NAMING}
    values |= {"product.name": observability.product.name, "product.version": observability.product.version}
    for name, value in values.items():
        if value:
            yield f"observability.{name}", FloorKey(value, who, "floe.yaml")
