"""The two hashes of a contract: schema_hash over its promises, content_hash over everything but the version.

A contract is projected onto canonical JSON by meaning, so key order, YAML style, dialect, explicit defaults, units and
spellings of types leave both hashes alone. Two contracts of one dialect have one content_hash exactly when the gate
sees no fact between them. The tag inside names the projection. Version, dialect and apiVersion are in neither hash.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from hashlib import sha256

from ..meaning.cron import parse_cron
from ..meaning.metrics import metric_of, severity_of, squeeze_query
from ..meaning.references import own_column, resolve_elements, target_column
from ..meaning.sla import SlaMeaning, meanings
from ..meaning.systems import is_positional
from ..meaning.texts import fold, text
from ..meaning.type_options import semantic_name, unit_name, zone_name
from ..meaning.typenames import normal_type
from ..model import Contract, CustomProperty, Property, QualityRule, Relationship, SchemaObject, Sla
from . import canonical as canon
from .rest import contract_rest, custom, object_rest, property_rest, rule_rest, sla_rest
from .values import argument, enum, options, thresholds

SCHEMA_TAG = "floe/schema/v2"
CONTENT_TAG = "floe/content/v2"


def schema_hash(contract: Contract) -> str:
    """The hash of what readers rely on: tables, columns, limits, keys, classification, quality and service levels."""
    return _hash(canonical_schema(contract))


def content_hash(contract: Contract) -> str:
    """The hash of everything but the version number: also documentation, people, servers, status and deprecation."""
    return _hash(canonical_content(contract))


def canonical_schema(contract: Contract) -> bytes:
    """The bytes behind schema_hash."""
    return _document(contract, SCHEMA_TAG, everything=False)


def canonical_content(contract: Contract) -> bytes:
    """The bytes behind content_hash."""
    return _document(contract, CONTENT_TAG, everything=True)


def _hash(data: bytes) -> str:
    return f"sha256:{sha256(data).hexdigest()}"


def _document(contract: Contract, tag: str, *, everything: bool) -> bytes:
    ordered = is_positional(contract.servers)
    members = {
        "canon": canon.text(tag),
        "objects": canon.sorted_array(_object(contract, table, everything, ordered) for table in contract.objects),
        "slas": canon.sorted_array(
            _sla(contract, sla, what, everything) for sla, what in zip(contract.slas, meanings(contract), strict=True)
        ),
        "floe": _extensions(contract.custom),
    }
    if everything:
        members |= contract_rest(contract)
    return canon.mapping(members).encode("utf-8", "surrogatepass")


def _object(contract: Contract, table: SchemaObject, everything: bool, ordered: bool) -> str:
    columns = [(".".join(path), prop) for path, prop in table.columns()]
    members = {
        "name": canon.name(table.name),
        "physicalName": canon.name(table.physical_name) if table.physical_name != table.name else "",
        "physicalType": canon.word(table.physical_type) if fold(table.physical_type) != "table" else "",
        "logicalType": canon.word(table.logical_type) if fold(table.logical_type) != "object" else "",
        "granularity": canon.words(table.granularity),
        "properties": canon.sorted_array(_property(prop, everything) for prop in table.properties),
        "primaryKey": _sequence((name, prop.primary_key_position) for name, prop in columns if prop.primary_key),
        "partition": _sequence((name, prop.partition_position) for name, prop in columns if prop.partitioned),
        "order": canon.array(canon.name(prop.name) for prop in table.properties) if ordered else "",
        "quality": canon.sorted_array(_rule(rule, everything) for rule in table.quality),
        "relationships": canon.sorted_array(_relationships(contract, table, everything)),
        "floe": _extensions(table.custom),
    }
    if everything:
        members |= object_rest(table)
    return canon.mapping(members)


def _sequence(parts: Iterable[tuple[str, int | None]]) -> str:
    """The order of a composite key; ODCS writes -1 for a column without a place, and names stand in for places."""
    ordered = sorted((place is None or place < 0, place or 0, name) for name, place in parts)
    return canon.array(canon.name(name) for *_, name in ordered) if len(ordered) > 1 else ""


def _property(prop: Property, everything: bool) -> str:
    members = {
        "name": canon.name(prop.name),
        "physicalName": canon.name(prop.physical_name) if prop.physical_name != prop.name else "",
        "logicalType": canon.word(prop.logical_type),
        "physicalType": canon.text(normal_type(text(prop.physical_type).strip())) if prop.physical_type else "",
        "required": canon.flag(prop.required),
        "unique": canon.flag(prop.unique),
        "primaryKey": canon.flag(prop.primary_key),
        "partitioned": canon.flag(prop.partitioned),
        "classification": canon.word(prop.classification),
        "encryptedName": canon.text(prop.encrypted_name),
        "critical": canon.flag(prop.critical),
        "enum": enum(prop),
        "options": options(prop),
        "unit": canon.text(unit_name(prop.unit)),
        "timezone": canon.text(zone_name(prop.timezone)) if prop.timezone else "",
        "piiType": canon.word(prop.pii_type),
        "semanticType": canon.text(semantic_name(prop.semantic_type)),
        "quality": canon.sorted_array(_rule(rule, everything) for rule in prop.quality),
        "floe": _extensions(prop.custom),
        **_children(prop, everything),
    }
    if everything:
        members |= property_rest(prop)
    return canon.mapping(members)


def _children(prop: Property, everything: bool) -> dict[str, str]:
    sides = (("items", prop.items), ("mapKey", prop.map_key), ("mapValue", prop.map_value))
    members = {label: _property(side, everything) or "{}" for label, side in sides if side is not None}
    return members | {"properties": canon.sorted_array(_property(child, everything) for child in prop.properties)}


def _extensions(declared: tuple[CustomProperty, ...]) -> str:
    """Extensions in floe's own namespace that the model has no field for; one that is written twice in any order."""
    values: dict[str, list[str]] = {}
    for extension in declared:
        if extension.property.startswith("floe."):
            values.setdefault(extension.property, []).append(canon.some(extension.value))
    return canon.mapping(
        {name: canon.sorted_array(several) if several[1:] else several[0] for name, several in values.items()}
    )


def _rule(rule: QualityRule, everything: bool) -> str:
    code = rule.implementation
    members = {
        "type": canon.word(rule.type),
        "metric": canon.text(metric_of(rule)),
        "query": canon.text(squeeze_query(rule.query)),
        "engine": canon.word(rule.engine),
        "implementation": canon.words(code) if isinstance(code, str) else canon.some(code),
        "arguments": canon.mapping({key: argument(key, value) for key, value in rule.arguments.items()}),
        **thresholds(rule),
        "severity": canon.text(severity_of(rule.severity)) if severity_of(rule.severity) != "error" else "",
        "floe": _extensions(rule.custom),
    }
    if everything:
        members |= rule_rest(rule)
    return canon.mapping(members)


def _relationships(contract: Contract, table: SchemaObject, everything: bool) -> Iterator[str]:
    """Foreign keys of a table, those written at a column included: both spellings are one promise."""
    written = [(relationship, relationship.source) for relationship in table.relationships]
    for path, prop in table.columns():
        written += [(relationship, relationship.source or (".".join(path),)) for relationship in prop.relationships]
    for relationship, source in written:
        own = [".".join(own_column(contract, table, name)) for name in source]
        yield _relationship(contract, relationship, own, everything)


def _relationship(contract: Contract, relationship: Relationship, own: list[str], everything: bool) -> str:
    """A foreign key as a set of pairs of columns, names in full."""
    targets = [".".join(target_column(contract, name)) for name in relationship.to]
    pairs = zip(own, targets, strict=True) if len(own) == len(targets) else [("; ".join(own), "; ".join(targets))]
    members = {
        "type": canon.word(relationship.type) if fold(relationship.type) != "foreignkey" else "",
        "pairs": canon.set_array(canon.array(canon.name(name) or '""' for name in pair) for pair in pairs),
    }
    if everything:
        members |= {"id": canon.text(relationship.id), "custom": custom(relationship.custom)}
    return canon.mapping(members)


def _sla(contract: Contract, sla: Sla, what: SlaMeaning, everything: bool) -> str:
    members = {
        "name": canon.text(what.name),
        "element": canon.name(resolve_elements(contract, what.element, {})),
        "value": canon.text(what.quantity.text) if what.quantity else canon.exact([sla.value, fold(sla.unit)]),
        "extended": canon.text(what.extended),
        "driver": canon.text(what.driver),
        "schedule": _schedule(what.schedule),
        "scheduler": canon.word(sla.scheduler),
        "floe": _extensions(sla.custom),
    }
    if everything:
        members |= sla_rest(sla)
    return canon.mapping(members)


def _schedule(written: str) -> str:
    """When a promise falls due: by the fires of a cron text, else as it is written."""
    cron, _ = parse_cron(written) if written else (None, "")
    if cron is None:
        return canon.text(written)
    parts = (cron.minutes, cron.hours, sorted(cron.days), sorted(cron.months), sorted(cron.weekdays))
    return canon.exact([*(" ".join(map(str, part)) for part in parts), cron.either])
