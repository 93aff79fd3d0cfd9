"""How each dialect spells the model's fields, so that a fact points at the line that was edited."""

from __future__ import annotations

from ..contract.model import Dialect, Pointer

_ODCS = {
    "access": "access",
    "classification": "classification",
    "columns": "columns",
    "consumers": "customProperties",
    "critical": "criticalDataElement",
    "custom": "customProperties",
    "default_timezone": "defaultTimezone",
    "deprecated": "deprecated",
    "deprecation": "customProperties",
    "domain": "domain",
    "element": "element",
    "encrypted_name": "encryptedName",
    "enum": "enum",
    "environment": "environment",
    "exclusive_maximum": "exclusiveMaximum",
    "exclusive_minimum": "exclusiveMinimum",
    "format": "format",
    "granularity": "dataGranularityDescription",
    "id": "id",
    "logical_type": "logicalType",
    "max_items": "maxItems",
    "max_length": "maxLength",
    "max_properties": "maxProperties",
    "maximum": "maximum",
    "metric": "metric",
    "min_items": "minItems",
    "min_length": "minLength",
    "min_properties": "minProperties",
    "minimum": "minimum",
    "multiple_of": "multipleOf",
    "name": "name",
    "objects": "schema",
    "parent": "customProperties",
    "partitioned": "partitioned",
    "pattern": "pattern",
    "physical_name": "physicalName",
    "physical_type": "physicalType",
    "price": "price",
    "primary_key": "primaryKey",
    "product": "dataProduct",
    "properties": "properties",
    "quality": "quality",
    "query": "query",
    "relationships": "relationships",
    "required": "required",
    "required_properties": "required",
    "roles": "roles",
    "semantic_type": "semanticType",
    "servers": "servers",
    "severity": "severity",
    "sla_default_element": "slaDefaultElement",
    "slas": "slaProperties",
    "status": "status",
    "support": "support",
    "tags": "tags",
    "team": "team",
    "tenant": "tenant",
    "terms": "description",
    "timezone_option": "timezone",
    "type": "type",
    "unique": "unique",
    "unique_items": "uniqueItems",
    "value": "value",
}
_FLOE = {
    "consumers": "consumers",
    "deprecation": "deprecation",
    "objects": "models",
    "logical_type": "type",
    "owner": "owner",
    "parent": "parent",
    "physical_type": "type",
    "pii_type": "pii_type",
    "product": "product",
    "properties": "elements",
    "terms": "terms",
    "timezone": "timezone",
    "unit": "unit",
}
_FIELDS = {
    "name": "schema",
    "primary_key": "primary_key",
    "properties": "fields",
    "required": "nullable",
    "slas": "sla",
}
_KEYS = {
    Dialect.ODCS: _ODCS,
    Dialect.FLOE: {**_ODCS, **_FLOE},
    Dialect.FIELDS: {**_ODCS, **_FLOE, **_FIELDS},
}


def key_in(dialect: Dialect, field: str) -> Pointer:
    """The key of a model field as a step of a pointer; no step when the dialect has no key of its own for it."""
    spelled = _KEYS[dialect].get(field)
    return () if spelled is None else (spelled,)
