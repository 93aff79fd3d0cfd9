"""Contracts held to a manifest: service levels, the least quality, owner, required fields, personal data."""

from __future__ import annotations

from collections.abc import Iterator

from ..codes import E510, E514
from ..contract.meaning.phrase import closest, did_you_mean
from ..contract.meaning.sla import SlaMeaning, meaning
from ..contract.meaning.strictness import compare_slas
from ..contract.model import Contract, Property, SchemaObject, Sla
from ..product.manifest import Manifest
from ..results import Finding
from .classification import Classifications, classifications_of


def contract_findings(contract: Contract, manifest: Manifest) -> Iterator[Finding]:
    """Everything in a contract that the merged manifest does not allow; what it does not say it inherits."""
    for level in least_levels(manifest):
        yield from _weaker_levels(contract, meaning(level))
    requirements = manifest.data_contracts.requirements
    if requirements.owner and not (contract.owner or "").strip():
        yield _missing(contract, "owner-missing", "", "the contract has no owner", "Write owner: and an address.")
    for table in contract.objects:
        names = {item.name.casefold() for item in table.properties}
        for name in requirements.required_fields:
            if name.casefold() not in names:
                message = f"table '{table.name}' has no field '{name}', which the platform requires"
                yield _missing(contract, "field-missing", f"{table.name}.{name}", message, f"Add the column {name}.")
        yield from _columns(contract, table, classifications_of(manifest), requirements.pii_classified)


def least_levels(manifest: Manifest) -> tuple[Sla, ...]:
    """The service levels that every contract keeps at least, one of each kind; a contract that is silent has these."""
    levels = [Sla(kind, minimum.value, unit=minimum.unit or None) for kind, minimum in manifest.sla_minimums.items()]
    if "threshold" not in manifest.governance.quality_gates.model_fields_set:
        return tuple(levels)
    quality = Sla("quality", f"{manifest.governance.quality_gates.threshold}%")
    same = next((level for level in levels if meaning(level).name == "quality"), None)
    if same is not None and (compare_slas(meaning(same), meaning(quality)) or 0) >= 0:
        return tuple(levels)
    return (*(level for level in levels if level is not same), quality)


def _weaker_levels(contract: Contract, minimum: SlaMeaning) -> Iterator[Finding]:
    for sla in contract.slas:
        level = meaning(sla)
        if level.name != minimum.name or minimum.quantity is None:
            continue
        order = compare_slas(level, minimum)
        if order is None or order < 0:
            actual, expected = level.quantity.text if level.quantity else str(sla.value), minimum.quantity.text
            yield Finding.of(
                E510,
                "sla-below-minimum",
                f"Child contract weakens '{minimum.name}' SLA",
                contract=contract.label,
                element=minimum.name,
                expected=expected,
                actual=actual,
                suggestions=(f"Strengthen '{minimum.name}' to at least match parent: {expected}",),
            )


def _columns(contract: Contract, table: SchemaObject, words: Classifications, needed: bool) -> Iterator[Finding]:
    for path, column in _walk(table.properties, table.name):
        written = column.classification or ""
        if written and words.rank(written) is None:
            known = words.known_words()
            meant = closest(written, known)
            fix = did_you_mean(f"'{meant}'") if meant else f"Known are {', '.join(known)}."
            message = f"'{path}' has the unknown classification '{written}'"
            yield _missing(contract, "classification-unknown", path, message, fix)
        reason = words.pii_reason(column.name, column.options.format or "", column.pii_type or "")
        if needed and reason and not written:
            message = f"'{path}' holds personal data ({reason}) and has no classification"
            yield _missing(contract, "pii-unclassified", path, message, "Write classification: pii.")


def _walk(properties: tuple[Property, ...], above: str) -> Iterator[tuple[str, Property]]:
    """Every column with its path, nested ones too."""
    for column in properties:
        path = f"{above}.{column.name}" if column.name else above
        yield path, column
        yield from _walk(column.properties, path)
        inside = (column.items, column.map_key, column.map_value)
        yield from _walk(tuple(item for item in inside if item is not None), path)


def _missing(contract: Contract, rule: str, element: str, message: str, fix: str) -> Finding:
    return Finding.of(E514, rule, message, contract=contract.label, element=element, suggestions=(fix,))
