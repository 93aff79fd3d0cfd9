"""The tables of a contract as the inputs of its checks: their names, columns, owner and classifications.

Never as outputs: a receiver would take the checker for a writer. The columns are those that the contract promises, in
every event of every check, so that no receiver sees a new version of a table because another check looked at it.
"""

from __future__ import annotations

from collections.abc import Sequence

from ..checks.names import is_column, name_in_table
from ..contract.model import Contract, Json, Property, SchemaObject
from ..monitor.run.targets import Target
from ..monitor.source.binding import Binding, bind
from .lineage_assertions import Assertion, assertions_facet
from .lineage_facets import Facet, Speaker, custom_text, floe_facet, floe_head, ownership, standard_head
from .lineage_names import dataset_name

_PII = ("pii", "personal", "sensitive")  # classifications under which a column's format says what kind it is


def inputs_of(target: Target, speaker: Speaker, namespace: str, tests: Sequence[Assertion] = ()) -> list[Json]:
    """Every table whose place is known; the same for the start and the end of a run but for the tests."""
    inputs: list[Json] = []
    for table in target.contract.objects:
        binding = bind(target.contract, table, target.where)
        if isinstance(binding, Binding):
            inputs.append(_input(target.contract, binding, speaker, namespace, tests))
    return inputs


def _input(
    contract: Contract, binding: Binding, speaker: Speaker, namespace: str, tests: Sequence[Assertion]
) -> dict[str, Json]:
    table = binding.table
    named = dataset_name(binding, namespace, speaker.folder)
    facets = {
        "schema": _schema(table),
        "ownership": ownership(contract, "Dataset"),
        "dataClassification": classification(table),
        "floe": floe_facet("FloeDatasetFacet", speaker, namespace, table),
    }
    assertions = assertions_facet(tests, table.name)
    known: dict[str, Json] = {key: facet for key, facet in facets.items() if facet}
    checked: dict[str, Json] = {"dataQualityAssertions": assertions} if assertions else {}
    # Empty or not, it is there: the client's own objects have it, and send the same bytes with it.
    return {"namespace": named.namespace, "name": named.name, "facets": known, "inputFacets": checked}


def _schema(table: SchemaObject) -> Facet | None:
    fields: list[Json] = [_field(prop) for prop in table.properties if is_column(prop)]
    return {**standard_head("SchemaDatasetFacet", "1-2-0"), "fields": fields} if fields else None


def _field(prop: Property) -> dict[str, Json]:
    kind = prop.physical_type or prop.logical_type
    nested: list[Json] = [_field(child) for child in prop.properties]
    return {
        "name": name_in_table(prop),
        **({"type": kind} if kind else {}),
        **({"fields": nested} if nested else {}),
    }


def classification(table: SchemaObject) -> Facet | None:
    """Every column with a classification, nested ones by their path; what is not known is left out."""
    listed: list[Json] = [
        _classify(path, prop) for path, prop in table.columns() if prop.classification and is_column(prop)
    ]
    return {**floe_head("DataClassificationDatasetFacet"), "columns": listed} if listed else None


def _classify(path: tuple[str, ...], prop: Property) -> dict[str, Json]:
    word = prop.classification or ""
    kind = prop.pii_type or (prop.options.format if word.casefold() in _PII else None)
    name = ".".join((*path[:-1], name_in_table(prop)))
    known = {
        "name": name,
        "classification": word,
        "pii_type": kind or "",
        "sensitivity": custom_text(prop.custom, "sensitivity"),
    }
    return {key: text for key, text in known.items() if text}
