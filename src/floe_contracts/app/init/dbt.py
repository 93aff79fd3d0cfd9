"""First contracts of a dbt project: one per model, called like it, so that the gate holds the model's SQL to it.

Columns and types are those of catalog.json where `dbt docs generate` has written it beside the manifest, else those of
the YAML. What is not written anywhere is not promised: a type is never made up.
"""

from __future__ import annotations

from pathlib import Path

from ...adapters.dbt.manifest import read_manifest
from ...adapters.dbt.views import CatalogNode, CatalogView, ManifestView, read_artifact
from ...contract.meaning.phrase import plural
from ...contract.model import Contract
from ...errors import FloeError, UsageError
from ...frozen import replace
from ...product.dbt import DbtColumn, DbtNode
from ...product.dbt_layer import enrich

_STRICT = ("not_null", "primary_key")


def propose_models(manifest: str, name: str, owner: str) -> tuple[tuple[Contract, ...], tuple[str, ...]]:
    """A contract per table or view of the project, and what to say about models that got none."""
    path = Path(manifest)
    data = _read(path)
    project = read_manifest(data, manifest)
    catalog = _catalog(path.with_name("catalog.json"))
    strict = _strict_columns(read_artifact(data, manifest, ManifestView))
    contracts, bare = [], []
    for node in sorted(project.counted, key=lambda node: node.name):
        full = _with_catalog(node, catalog)
        if not full.columns:
            bare.append(node.name)
            continue
        contracts.append(_contract(full, strict.get(node.path, frozenset()), owner))
    if name and len(contracts) == 1:
        contracts = [replace(contracts[0], name=name, id=name)]
    elif name:
        raise UsageError(
            f"--name is for one contract, and {manifest} has {plural(len(contracts), 'model')} with columns",
            fix="Leave --name out: each contract is called like its model, by which the gate finds the SQL.",
        )
    if not contracts:
        raise FloeError(
            f"no model in {manifest} has columns", fix="Run dbt docs generate, which writes catalog.json beside it."
        )
    return tuple(contracts), _notes(bare, has_catalog=bool(catalog))


def _contract(node: DbtNode, strict: frozenset[str], owner: str) -> Contract:
    layer = enrich(Contract("", ""), node).contract
    columns = tuple(
        # A relationship leads to another model, whose contract is a document of its own.
        replace(column, required=column.required or column.name in strict, relationships=())
        for column in layer.objects[0].properties
    )
    table = replace(layer.objects[0], properties=columns, physical_name=node.alias or node.name)
    named = replace(layer, name=node.name, id=node.name, version="1.0.0", status="active")
    return replace(named, owner=owner or None, objects=(table,))


def _with_catalog(node: DbtNode, catalog: dict[str, CatalogNode]) -> DbtNode:
    """The node with the columns that the warehouse has, in its order, described as the YAML describes them."""
    there = catalog.get(node.name)
    if there is None or not there.columns:
        return node
    columns = []
    for item in sorted(there.columns.values(), key=lambda item: item.index):
        written = node.column(item.name)
        name = written.name if written else item.name
        kept = written or DbtColumn(name)
        columns.append(replace(kept, data_type=kept.data_type or item.type))
    return replace(node, columns=tuple(columns))


def _strict_columns(manifest: ManifestView) -> dict[str, frozenset[str]]:
    """Path of a model to the columns that dbt builds as not null."""
    return {
        node.original_file_path.replace("\\", "/"): frozenset(
            column.name or name
            for name, column in node.columns.items()
            if any(item.get("type") in _STRICT for item in column.constraints)
        )
        for node in manifest.nodes.values()
    }


def _notes(bare: list[str], *, has_catalog: bool) -> tuple[str, ...]:
    if not bare:
        return ()
    more = "" if has_catalog else "; `dbt docs generate` writes catalog.json, which has them"
    shown = ", ".join(bare[:5]) + (", …" if len(bare) > 5 else "")
    return (f"no contract for {plural(len(bare), 'model')} without columns ({shown}){more}",)


def _catalog(path: Path) -> dict[str, CatalogNode]:
    """Name of a model to what the warehouse has of it; empty where the file is not there."""
    if not path.is_file():
        return {}
    nodes = read_artifact(_read(path), str(path), CatalogView).nodes
    return {key.split(".")[2]: node for key, node in nodes.items() if key.startswith("model.") and key.count(".") > 1}


def _read(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        reason = error.strerror or type(error).__name__
        raise UsageError(f"{path} cannot be read: {reason}", fix="Name the manifest.json that dbt wrote.") from error
