"""The two hashes of a contract: schema_hash over its promises, content_hash over everything but the version.

A contract is projected onto canonical JSON by meaning, so key order, YAML style, dialect, explicit defaults, units and
spellings of types leave both hashes alone. The tag inside names the projection: a change of it is a `v2` beside `v1`,
because registered hashes must stay comparable. Version, dialect and apiVersion are in neither hash.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from hashlib import sha256

from ..meaning.metrics import metric_of, unit_of
from ..meaning.sla import SlaMeaning, meanings
from ..meaning.typenames import normal_type
from ..model import Contract, CustomProperty, Property, QualityRule, Relationship, SchemaObject, Sla, ValueOptions
from . import canonical as canon
from .rest import contract_rest, custom, object_rest, property_rest, rule_rest, sla_rest

SCHEMA_TAG = "floe/schema/v1"
CONTENT_TAG = "floe/content/v1"
_POSITIONAL = frozenset({"csv", "tsv", "psv", "txt", "text", "fixed", "fixedwidth", "fixed-width", "fwf"})


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
    ordered = any(str(server.coordinates.get("format", "")).casefold() in _POSITIONAL for server in contract.servers)
    members = {
        "canon": canon.text(tag),
        "objects": canon.sorted_array(_object(table, everything, ordered) for table in contract.objects),
        "slas": canon.sorted_array(
            _sla(sla, what, everything) for sla, what in zip(contract.slas, meanings(contract), strict=True)
        ),
        "floe": _extensions(contract.custom),
    }
    if everything:
        members |= contract_rest(contract)
    return canon.mapping(members).encode("utf-8", "surrogatepass")


def _object(table: SchemaObject, everything: bool, ordered: bool) -> str:
    columns = [(".".join(path), prop) for path, prop in table.columns()]
    members = {
        "name": canon.text(table.name),
        "physicalName": canon.text(table.physical_name) if table.physical_name != table.name else "",
        "physicalType": canon.word(table.physical_type),
        "logicalType": canon.word(table.logical_type) if table.logical_type != "object" else "",
        "granularity": canon.words(table.granularity),
        "properties": canon.sorted_array(_property(prop, everything) for prop in table.properties),
        "primaryKey": _sequence((name, prop.primary_key_position) for name, prop in columns if prop.primary_key),
        "partition": _sequence((name, prop.partition_position) for name, prop in columns if prop.partitioned),
        "order": canon.array(canon.text(prop.name) for prop in table.properties) if ordered else "",
        "quality": canon.sorted_array(_rule(rule, everything) for rule in table.quality),
        "relationships": canon.sorted_array(_relationships(table, everything)),
        "floe": _extensions(table.custom),
    }
    if everything:
        members |= object_rest(table)
    return canon.mapping(members)


def _sequence(parts: Iterable[tuple[str, int | None]]) -> str:
    """The order of a composite key; ODCS writes -1 for a column without a place, and names stand in for places."""
    ordered = sorted((place is None or place < 0, place or 0, name) for name, place in parts)
    return canon.array(canon.text(name) for *_, name in ordered) if len(ordered) > 1 else ""


def _property(prop: Property, everything: bool) -> str:
    members = {
        "name": canon.text(prop.name),
        "physicalName": canon.text(prop.physical_name) if prop.physical_name != prop.name else "",
        "logicalType": canon.word(prop.logical_type),
        "physicalType": canon.text(normal_type(prop.physical_type)) if prop.physical_type else "",
        "required": canon.flag(prop.required),
        "unique": canon.flag(prop.unique),
        "primaryKey": canon.flag(prop.primary_key),
        "partitioned": canon.flag(prop.partitioned),
        "classification": canon.word(prop.classification),
        "encryptedName": canon.text(prop.encrypted_name),
        "critical": canon.flag(prop.critical),
        "enum": _enum(prop),
        "options": _options(prop.options, prop.logical_type),
        "unit": canon.word(prop.unit),
        "timezone": canon.text(_zone(prop.timezone)),
        "piiType": canon.word(prop.pii_type),
        "semanticType": canon.word(prop.semantic_type) if prop.semantic_type != "column" else "",
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


def _enum(prop: Property) -> str:
    if prop.enum is None:
        return ""
    return canon.sorted_array(canon.exact(value.value) for value in prop.enum) or "[]"


def _extensions(declared: tuple[CustomProperty, ...]) -> str:
    """Extensions in floe's own namespace that the model has no field for."""
    return canon.mapping(
        {
            custom_property.property: canon.some(custom_property.value)
            for custom_property in declared
            if custom_property.property.startswith("floe.")
        }
    )


def _options(options: ValueOptions, logical_type: str | None) -> str:
    zone = _zone(options.default_timezone)
    return canon.mapping(
        {
            # Formats of dates and numbers are patterns, in which case has a meaning.
            "format": (canon.word if logical_type == "string" else canon.text)(options.format),
            "pattern": canon.text(options.pattern),
            "minLength": canon.count(options.min_length),
            "maxLength": canon.some(options.max_length),
            "minimum": canon.some(options.minimum),
            "maximum": canon.some(options.maximum),
            "exclusiveMinimum": canon.some(options.exclusive_minimum),
            "exclusiveMaximum": canon.some(options.exclusive_maximum),
            "multipleOf": canon.some(options.multiple_of),
            "minItems": canon.count(options.min_items),
            "maxItems": canon.some(options.max_items),
            "uniqueItems": canon.flag(options.unique_items),
            "minProperties": canon.count(options.min_properties),
            "maxProperties": canon.some(options.max_properties),
            "requiredProperties": canon.sorted_array(map(canon.text, options.required_properties)),
            "timezone": canon.some(options.timezone),
            "defaultTimezone": canon.text(zone) if zone != "UTC" else "",
            "more": canon.some(dict(options.extras)),
        }
    )


def _zone(name: str | None) -> str | None:
    return "UTC" if name and name.strip().casefold() in ("utc", "etc/utc", "z", "gmt", "etc/gmt") else name


def _rule(rule: QualityRule, everything: bool) -> str:
    members = {
        "type": canon.word(rule.type),
        "metric": canon.text(metric_of(rule)),
        "query": canon.words(rule.query),
        "engine": canon.word(rule.engine),
        "implementation": canon.words(rule.implementation)
        if isinstance(rule.implementation, str)
        else canon.some(rule.implementation),
        "arguments": canon.some(dict(rule.arguments)),
        "thresholds": canon.mapping({operator.value: canon.exact(operand) for operator, operand in rule.thresholds}),
        "unit": canon.text(unit_of(rule)) if unit_of(rule) != "rows" else "",
        "severity": canon.word(rule.severity),
        "floe": _extensions(rule.custom),
    }
    if everything:
        members |= rule_rest(rule)
    return canon.mapping(members)


def _relationships(table: SchemaObject, everything: bool) -> Iterator[str]:
    """Foreign keys of a table, those written at a column included: both spellings are one promise."""
    written = [(relationship, relationship.source) for relationship in table.relationships]
    for path, prop in table.columns():
        written += [(relationship, relationship.source or (".".join(path),)) for relationship in prop.relationships]
    for relationship, source in written:
        yield _relationship(relationship, [name.removeprefix(f"{table.name}.") for name in source], everything)


def _relationship(relationship: Relationship, source: list[str], everything: bool) -> str:
    """A foreign key; its pairs of columns are sorted, because their order has no meaning."""
    if len(source) == len(relationship.to):
        pairs = canon.sorted_array(
            canon.exact([mine, other]) for mine, other in zip(source, relationship.to, strict=True)
        )
    else:
        pairs = canon.exact([list(source), list(relationship.to)])
    members = {"type": canon.word(relationship.type) if relationship.type != "foreignKey" else "", "pairs": pairs}
    if everything:
        members |= {"id": canon.text(relationship.id), "custom": custom(relationship.custom)}
    return canon.mapping(members)


def _sla(sla: Sla, what: SlaMeaning, everything: bool) -> str:
    members = {
        "name": canon.text(what.name),
        "element": canon.text(what.element),
        "value": canon.text(what.quantity.text) if what.quantity else canon.some([sla.value, sla.unit]),
        "extended": canon.text(what.extended),
        "driver": canon.text(what.driver),
        "schedule": canon.text(what.schedule),
        "scheduler": canon.word(sla.scheduler),
        "floe": _extensions(sla.custom),
    }
    if everything:
        members |= sla_rest(sla)
    return canon.mapping(members)
