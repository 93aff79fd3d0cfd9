"""The facets of a run and of its job that say who ran what, when and with which parts; what came of it is elsewhere."""

from __future__ import annotations

from dataclasses import dataclass

from .. import __version__
from ..checks.moments import iso
from ..contract.model import Contract, CustomProperty, Json, SchemaObject
from ..monitor.run.facets import PRODUCER, Facet, floe_head
from ..monitor.settings.model import Observability
from ..monitor.store.slots import SlotKey
from .lineage_parent import Parent, RunName

SPEC = "https://openlineage.io/spec"


@dataclass(frozen=True, slots=True)
class Speaker:
    """Who tells of results: the platform's identity, the engine below, and the run that started this one."""

    observability: Observability = Observability()
    engine: tuple[str, str] | None = None  # name and version
    parent: Parent | None = None
    folder: str = ""  # where the job runs


def standard_head(name: str, version: str) -> Facet:
    """What every facet of the standard begins with."""
    return {"_producer": PRODUCER, "_schemaURL": f"{SPEC}/facets/{version}/{name}.json#/$defs/{name}"}


def floe_facet(name: str, speaker: Speaker, namespace: str, table: SchemaObject | None = None) -> Facet:
    """Mode, namespace, product and domain, as the settings say them; a layer where the contract names one."""
    settings = speaker.observability
    product = {"name": settings.product.name, "version": settings.product.version}
    known: dict[str, Json] = {
        "version": __version__,
        "mode": settings.mode,
        "namespace": namespace,
        "product": {key: text for key, text in product.items() if text},
        "domain": settings.domain,
        "enterprise": settings.enterprise,
        "layer": custom_text(table.custom, "layer") if table is not None else "",
    }
    return {**floe_head(name), **{key: value for key, value in known.items() if value}}


def custom_text(custom: tuple[CustomProperty, ...], key: str) -> str:
    """A text among the contract's own extensions: `floe.<key>`, or the bare key."""
    texts = {extra.property: extra.value for extra in custom if isinstance(extra.value, str)}
    return str(texts.get(f"floe.{key}", texts.get(key, "")))


def nominal_time(key: SlotKey) -> Facet | None:
    """The slot; a check after a pipeline's run has none."""
    if key.run_id:
        return None
    head = standard_head("NominalTimeRunFacet", "1-0-1")
    return {**head, "nominalStartTime": iso(key.start_us), "nominalEndTime": iso(key.end_us)}


def processing_engine(speaker: Speaker) -> Facet | None:
    if speaker.engine is None:
        return None
    name, version = speaker.engine
    head = standard_head("ProcessingEngineRunFacet", "1-1-1")
    return {**head, "name": name, "version": version, "openlineageAdapterVersion": __version__}


def parent_facet(speaker: Speaker) -> Facet | None:
    if speaker.parent is None:
        return None
    root = {"root": _named(speaker.parent.root)} if speaker.parent.root else {}
    return {**standard_head("ParentRunFacet", "1-2-0"), **_named(speaker.parent.run), **root}


def _named(run: RunName) -> dict[str, Json]:
    return {"run": {"runId": run.run_id}, "job": {"namespace": run.namespace, "name": run.job}}


def tags(**texts: str) -> Facet:
    """What receivers can filter runs by; ours begin with `floe.`."""
    listed: list[Json] = [
        {"key": f"floe.{key}", "value": text, "source": "FLOE"} for key, text in sorted(texts.items()) if text
    ]
    return {**standard_head("TagsRunFacet", "1-0-0"), "tags": listed}


def job_type() -> Facet:
    """BATCH also for topics: receivers take the runs of streaming jobs to be endless."""
    head = standard_head("JobTypeJobFacet", "2-0-4")
    return {**head, "processingType": "BATCH", "integration": "FLOE", "jobType": "CONTRACT_CHECK"}


def ownership(contract: Contract, entity: str) -> Facet | None:
    """The contract's owner, of its job and of its tables alike."""
    if not contract.owner:
        return None
    return {
        **standard_head(f"Ownership{entity}Facet", "1-0-1"),
        "owners": [{"name": contract.owner, "type": "OWNER"}],
    }
