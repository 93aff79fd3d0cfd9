"""Which key of a document fills which field of the model: one table per node, used by readers and writers alike.

Keys stand in the order in which people expect to read them. ODCS and floe share the tables, so a key means the same in
both; keys that only floe has are marked.
"""

from __future__ import annotations

from .field_map import APART, DOC, Table, anything, flag, lower_text, mapping, text, texts, unless, whole

CUSTOM: Table = {"property": ("property", text), "value": ("value", anything)}

ENUM_VALUE: Table = {
    "value": ("value", anything),
    "label": DOC,
    "id": ("id", text),
    "description": DOC,
    "tags": DOC,
    "authoritativeDefinitions": DOC,
    "customProperties": DOC,
}

RELATIONSHIP: Table = {
    "id": ("id", text),
    "type": ("type", text),
    "from": APART,
    "to": APART,
    "customProperties": APART,
}

QUALITY: Table = {
    "id": ("id", text),
    "name": ("name", text),
    "description": DOC,
    "type": ("type", text),
    "metric": ("metric", text),
    "rule": APART,  # what 3.0 called the metric
    "arguments": ("arguments", mapping),
    "query": ("query", text),
    "engine": ("engine", text),
    "implementation": ("implementation", anything),
    "mustBe": APART,
    "mustNotBe": APART,
    "mustBeGreaterThan": APART,
    "mustBeGreaterOrEqualTo": APART,
    "mustBeLessThan": APART,
    "mustBeLessOrEqualTo": APART,
    "mustBeBetween": APART,
    "mustNotBeBetween": APART,
    "unit": ("unit", text),
    "dimension": ("dimension", text),
    "severity": ("severity", text),
    "businessImpact": DOC,
    "method": DOC,
    "schedule": ("schedule", text),
    "scheduler": ("scheduler", text),
    "tags": DOC,
    "authoritativeDefinitions": DOC,
    "customProperties": APART,
}

OPTIONS: Table = {
    "format": ("format", text),
    "pattern": ("pattern", text),
    "minLength": ("min_length", whole),
    "maxLength": ("max_length", whole),
    "minimum": ("minimum", anything),
    "maximum": ("maximum", anything),
    "exclusiveMinimum": ("exclusive_minimum", anything),
    "exclusiveMaximum": ("exclusive_maximum", anything),
    "multipleOf": ("multiple_of", anything),
    "minItems": ("min_items", unless(0, whole)),
    "maxItems": ("max_items", whole),
    "uniqueItems": ("unique_items", flag),
    "minProperties": ("min_properties", unless(0, whole)),
    "maxProperties": ("max_properties", whole),
    "required": ("required_properties", texts),
    "timezone": ("timezone", flag),
    "defaultTimezone": ("default_timezone", unless("Etc/UTC", text)),
}

PROPERTY: Table = {
    "name": APART,
    "type": APART,  # floe
    "id": ("id", text),
    "businessName": DOC,
    "physicalName": ("physical_name", text),
    "logicalType": ("logical_type", lower_text),
    "physicalType": ("physical_type", text),
    "format": APART,  # floe
    "pattern": APART,  # floe
    "logicalTypeOptions": APART,
    "description": DOC,
    "required": ("required", flag),
    "unique": ("unique", flag),
    "primaryKey": ("primary_key", flag),
    "primaryKeyPosition": ("primary_key_position", unless(-1, whole)),
    "partitioned": ("partitioned", flag),
    "partitionKeyPosition": ("partition_position", unless(-1, whole)),
    "enum": APART,
    "unit": ("unit", text),
    "timezone": ("timezone", text),
    "classification": ("classification", text),
    "pii_type": ("pii_type", text),
    "encryptedName": ("encrypted_name", text),
    "criticalDataElement": ("critical", flag),
    "semanticType": ("semantic_type", unless("column", text)),
    "deprecated": ("deprecated", flag),
    "examples": DOC,
    "tags": DOC,
    "synonyms": DOC,
    "authoritativeDefinitions": DOC,
    "transformSourceObjects": ("transform", None),
    "transformLogic": ("transform", None),
    "transformDescription": ("transform", None),
    "relationships": APART,
    "quality": APART,
    "properties": APART,
    "elements": APART,  # floe
    "items": APART,
    "map": APART,
    "customProperties": APART,
}

OBJECT: Table = {
    "name": APART,
    "id": ("id", text),
    "businessName": DOC,
    "physicalName": ("physical_name", text),
    "physicalType": ("physical_type", text),
    "logicalType": ("logical_type", unless("object", text)),  # the only other word is blob
    "description": DOC,
    "dataGranularityDescription": ("granularity", text),
    "deprecated": ("deprecated", flag),
    "tags": DOC,
    "synonyms": DOC,
    "authoritativeDefinitions": DOC,
    "context": DOC,
    "properties": APART,
    "elements": APART,  # floe
    "relationships": APART,
    "quality": APART,
    "customProperties": APART,
}

SLA: Table = {
    "id": ("id", text),
    "property": ("property", text),
    "value": ("value", anything),
    "valueExt": ("value_ext", anything),
    "unit": ("unit", text),
    "element": ("element", text),
    "driver": ("driver", text),
    "schedule": ("schedule", text),
    "scheduler": ("scheduler", text),
    "description": DOC,
    "authoritativeDefinitions": DOC,
    "customProperties": APART,
}

SERVER: Table = {
    "server": ("name", text),
    "id": ("id", text),
    "type": ("type", text),
    "environment": ("environment", text),
    "description": DOC,
    "roles": APART,
    "customProperties": APART,
}

ROLE: Table = {
    "role": ("name", text),
    "id": ("id", text),
    "description": DOC,
    "access": ("access", text),
    "firstLevelApprovers": DOC,
    "secondLevelApprovers": DOC,
    "customProperties": APART,
}

CONSUMER: Table = {
    "name": ("name", text),
    "owner": ("owner", text),
    "columns": ("columns", texts),
    "description": DOC,
}

DEPRECATION: Table = {
    "announced": ("announced", text),
    "sunset_date": ("sunset_date", text),
    "replacement": ("replacement", text),
    "migration_guide": ("migration_guide", text),
    "reason": ("reason", text),
}

TERMS: Table = {
    "usage": ("usage", text),
    "limitations": ("limitations", text),
    "retention": ("retention", text),
}

CONTRACT: Table = {
    "apiVersion": ("api_version", text),
    "kind": APART,
    "id": ("id", text),
    "name": ("name", text),
    "version": ("version", text),
    "status": ("status", text),
    "domain": ("domain", text),
    "product": ("product", text),
    "tenant": ("tenant", text),
    "parent": ("parent", text),  # floe
    "owner": ("owner", text),
    "description": APART,
    "terms": APART,
    "tags": ("tags", texts),
    "context": DOC,
    "authoritativeDefinitions": DOC,
    "schema": APART,
    "models": APART,  # floe
    "quality": APART,  # floe
    "slaDefaultElement": ("sla_default_element", text),
    "slaProperties": APART,
    "servers": APART,
    "consumers": APART,
    "deprecation": APART,
    "team": APART,
    "roles": APART,
    "support": ("support", anything),
    "price": ("price", anything),
    "contractCreatedTs": DOC,
    "customProperties": APART,
}

# Keys that hold documentation wherever they stand, and parts of a contract that hold nothing else.
DOCUMENTATION = frozenset(
    key
    for table in (CONTRACT, OBJECT, PROPERTY, QUALITY, SLA, SERVER, ENUM_VALUE)
    for key in table
    if table[key] is DOC
)
DESCRIPTIVE = frozenset(("team", "roles", "support", "price", "description", "authoritativeDefinitions", "synonyms"))
