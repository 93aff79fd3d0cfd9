"""Which fields of the model the comparisons look at, so that a field added to the model cannot be forgotten."""

from __future__ import annotations

from ...contract.model import (
    Consumer,
    Contract,
    CustomProperty,
    Deprecation,
    EnumValue,
    Options,
    Property,
    QualityRule,
    Relationship,
    Role,
    SchemaObject,
    Server,
    Sla,
    Terms,
)
from ...frozen import compared

EXEMPT: dict[type, str] = {
    Contract: "version",  # the verdict weighs it against the facts
}
COVERED: dict[type, str] = {
    Contract: "name id domain product tenant owner status objects slas sla_default_element servers roles consumers "
    "deprecation terms tags team support price docs custom extras",
    SchemaObject: "name id physical_name physical_type logical_type granularity deprecated properties quality "
    "relationships docs custom extras",
    Property: "name id physical_name logical_type physical_type required unique primary_key primary_key_position "
    "partitioned partition_position classification encrypted_name critical enum options unit timezone pii_type "
    "semantic_type deprecated quality relationships properties items map_key map_value transform docs custom extras",
    Options: "format pattern min_length max_length minimum maximum exclusive_minimum exclusive_maximum multiple_of "
    "min_items max_items unique_items min_properties max_properties required_properties timezone default_timezone "
    "extras",
    EnumValue: "value id docs",
    QualityRule: "type id name metric query engine implementation arguments thresholds unit severity dimension "
    "schedule scheduler docs custom extras",
    Relationship: "to source type id custom",
    Sla: "property value value_ext unit element driver schedule scheduler id docs custom extras",
    Server: "name type environment id coordinates roles docs custom",
    Role: "name access id docs custom",
    Consumer: "name owner columns docs",
    Deprecation: "announced sunset_date replacement migration_guide reason extras",
    Terms: "usage limitations retention extras",
    CustomProperty: "property value docs",
}


def _leftover(node: type) -> tuple[str, ...]:
    known = {*COVERED[node].split(), *EXEMPT.get(node, "").split()}
    return tuple(name for name in compared(node) if name not in known)


LEFTOVER: dict[type, tuple[str, ...]] = {node: _leftover(node) for node in COVERED}  # empty unless the model has grown
