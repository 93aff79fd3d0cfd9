"""The kinds of change a contract can undergo; each value is the id of the rule that says what the change costs."""

from __future__ import annotations

from enum import Enum


class FactKind(str, Enum):
    """What happened, without a judgement; `compat/rules/<value>.yaml` judges."""

    # The contract itself
    CONTRACT_ID_CHANGED = "contract-id-changed"  # another id, or an id gained or lost
    CONTRACT_NAME_CHANGED = "contract-name-changed"
    CONTRACT_DOMAIN_CHANGED = "contract-domain-changed"
    CONTRACT_PRODUCT_CHANGED = "contract-product-changed"
    TENANT_CHANGED = "tenant-changed"
    PARENT_CHANGED = "parent-changed"
    STATUS_PROMOTED = "status-promoted"  # draft or proposed -> active: the promise starts
    STATUS_DEMOTED = "status-demoted"  # any promised stage -> draft or proposed
    STATUS_DEPRECATED = "status-deprecated"
    STATUS_SUNSET = "status-sunset"
    STATUS_RETIRED = "status-retired"
    STATUS_REACTIVATED = "status-reactivated"  # back to an earlier stage of the promise
    STATUS_CHANGED = "status-changed"  # between two words that have no order: draft and proposed, or unknown ones
    DEPRECATION_ADDED = "deprecation-added"
    DEPRECATION_REMOVED = "deprecation-removed"
    DEPRECATION_SUNSET_EARLIER = "deprecation-sunset-earlier"
    DEPRECATION_SUNSET_LATER = "deprecation-sunset-later"
    DEPRECATION_CHANGED = "deprecation-changed"  # any other part, or a sunset date that came, went or is not a date
    CONSUMER_ADDED = "consumer-added"
    CONSUMER_REMOVED = "consumer-removed"
    CONSUMER_CHANGED = "consumer-changed"  # its owner, columns or notes
    OWNER_CHANGED = "owner-changed"
    TEAM_CHANGED = "team-changed"
    SUPPORT_CHANGED = "support-changed"
    PRICE_CHANGED = "price-changed"
    TERMS_CHANGED = "terms-changed"  # usage, limitations, retention and other terms
    TAGS_CHANGED = "tags-changed"
    DOCS_CHANGED = "docs-changed"  # descriptions, links, examples, stable ids
    CUSTOM_PROPERTY_CHANGED = "custom-property-changed"  # a declared extension added, removed or changed, anywhere
    UNKNOWN_FIELD_CHANGED = "unknown-field-changed"  # a key that no schema knows, anywhere

    # Schema objects
    OBJECT_REMOVED = "object-removed"
    OBJECT_RENAMED = "object-renamed"
    OBJECT_PHYSICAL_NAME_CHANGED = "object-physical-name-changed"
    OBJECT_ADDED = "object-added"
    OBJECT_DEPRECATED = "object-deprecated"
    OBJECT_UNDEPRECATED = "object-undeprecated"
    OBJECT_KIND_CHANGED = "object-kind-changed"  # another access path: to or from topic, file, …
    OBJECT_SURFACE_CHANGED = "object-surface-changed"  # table <-> view: the same SQL reads both
    OBJECT_GRANULARITY_ADDED = "object-granularity-added"  # what one row means is now said
    OBJECT_GRANULARITY_CHANGED = "object-granularity-changed"  # one row means something else, or no longer says what

    # Properties, existence, names, order
    PROPERTY_REMOVED = "property-removed"  # with all its children
    PROPERTY_RENAMED = "property-renamed"
    PROPERTY_ADDED_OPTIONAL = "property-added-optional"  # with all its children
    PROPERTY_ADDED_REQUIRED = "property-added-required"
    PROPERTY_MOVED = "property-moved"  # same name and type, other parent in the same object
    PROPERTY_PHYSICAL_NAME_CHANGED = "property-physical-name-changed"
    PROPERTY_ENCRYPTED_NAME_CHANGED = "property-encrypted-name-changed"  # added, changed or removed
    PROPERTY_ORDER_CHANGED = "property-order-changed"  # only where a server's format is read by position
    PROPERTY_DEPRECATED = "property-deprecated"
    PROPERTY_UNDEPRECATED = "property-undeprecated"
    PROPERTY_CRITICAL_CHANGED = "property-critical-changed"

    # Properties, their types
    TYPE_CHANGED = "type-changed"  # another family, or not comparable
    TYPE_WIDENED = "type-widened"  # every old value fits: int -> bigint, decimal(10,2) -> decimal(12,2)
    TYPE_NARROWED = "type-narrowed"
    DECIMAL_SCALE_CHANGED = "decimal-scale-changed"
    STRING_LENGTH_INCREASED = "string-length-increased"  # in the type: varchar(20) -> varchar(40)
    STRING_LENGTH_DECREASED = "string-length-decreased"
    TIMESTAMP_ZONE_CHANGED = "timestamp-zone-changed"  # with <-> without time zone
    TIMESTAMP_PRECISION_CHANGED = "timestamp-precision-changed"  # digits of the fraction of a second
    TEMPORAL_FORMAT_CHANGED = "temporal-format-changed"  # how a date or time is written
    VECTOR_SHAPE_CHANGED = "vector-shape-changed"  # dimensions, element type, metric, model, normalisation
    LOGICAL_TYPE_ADDED = "logical-type-added"  # also: the type of array items or map sides is now said
    LOGICAL_TYPE_REMOVED = "logical-type-removed"
    PHYSICAL_TYPE_ADDED = "physical-type-added"
    PHYSICAL_TYPE_REMOVED = "physical-type-removed"

    # Properties, nullability, keys, layout
    PROPERTY_BECAME_NULLABLE = "property-became-nullable"
    PROPERTY_BECAME_REQUIRED = "property-became-required"
    UNIQUE_ADDED = "unique-added"  # of a column, or of an array's items
    UNIQUE_REMOVED = "unique-removed"
    PRIMARY_KEY_ADDED = "primary-key-added"
    PRIMARY_KEY_REMOVED = "primary-key-removed"
    PRIMARY_KEY_CHANGED = "primary-key-changed"  # other columns
    PRIMARY_KEY_REORDERED = "primary-key-reordered"  # the same columns in another order
    PARTITION_CHANGED = "partition-changed"  # columns or order, in a table format that hides the layout
    PARTITION_PATH_CHANGED = "partition-path-changed"  # the same where readers address files by path

    # Properties, values and their meaning
    ENUM_VALUE_ADDED = "enum-value-added"  # also a valid value of a quality rule
    ENUM_VALUE_REMOVED = "enum-value-removed"
    ENUM_INTRODUCED = "enum-introduced"
    ENUM_REMOVED = "enum-removed"
    ENUM_DOCS_CHANGED = "enum-docs-changed"  # label, description or id of a value
    FORMAT_ADDED = "format-added"
    FORMAT_CHANGED = "format-changed"
    FORMAT_REMOVED = "format-removed"
    PATTERN_ADDED = "pattern-added"
    PATTERN_CHANGED = "pattern-changed"
    PATTERN_REMOVED = "pattern-removed"
    BOUND_RELAXED = "bound-relaxed"  # more values, lengths, items or properties are accepted
    BOUND_TIGHTENED = "bound-tightened"
    BOUND_INCOMPARABLE = "bound-incomparable"  # neither accepts all that the other does, or nobody can say
    UNIT_ADDED = "unit-added"
    UNIT_CHANGED = "unit-changed"
    UNIT_REMOVED = "unit-removed"
    TIMEZONE_ADDED = "timezone-added"  # the zone that times are told in is now said
    TIMEZONE_CHANGED = "timezone-changed"  # another zone, or no longer said
    SEMANTIC_TYPE_ADDED = "semantic-type-added"
    SEMANTIC_TYPE_CHANGED = "semantic-type-changed"  # another one, or no longer said
    TRANSFORM_CHANGED = "transform-changed"  # how the value is computed
    CLASSIFICATION_ADDED = "classification-added"  # also a kind of personal data
    CLASSIFICATION_REMOVED = "classification-removed"
    CLASSIFICATION_RAISED = "classification-raised"
    CLASSIFICATION_LOWERED = "classification-lowered"
    CLASSIFICATION_CHANGED = "classification-changed"  # between words that have no order

    # Quality rules
    QUALITY_ADDED = "quality-added"
    QUALITY_REMOVED = "quality-removed"
    QUALITY_THRESHOLD_TIGHTENED = "quality-threshold-tightened"
    QUALITY_THRESHOLD_RELAXED = "quality-threshold-relaxed"
    QUALITY_THRESHOLD_INCOMPARABLE = "quality-threshold-incomparable"
    QUALITY_SEVERITY_RAISED = "quality-severity-raised"
    QUALITY_SEVERITY_LOWERED = "quality-severity-lowered"  # or a word whose rank is unknown
    QUALITY_METRIC_CHANGED = "quality-metric-changed"  # the rule measures something else
    QUALITY_ARGUMENTS_CHANGED = "quality-arguments-changed"
    QUALITY_QUERY_CHANGED = "quality-query-changed"  # SQL, engine or implementation; spacing apart
    QUALITY_SCHEDULE_CHANGED = "quality-schedule-changed"
    QUALITY_DOCS_CHANGED = "quality-docs-changed"  # name, id, dimension, description

    # Service levels
    SLA_ADDED = "sla-added"
    SLA_REMOVED = "sla-removed"
    SLA_RELAXED = "sla-relaxed"
    SLA_TIGHTENED = "sla-tightened"
    SLA_INCOMPARABLE = "sla-incomparable"
    SLA_ELEMENT_ADDED = "sla-element-added"  # named for the first time
    SLA_ELEMENT_CHANGED = "sla-element-changed"  # the same promise about another element
    SLA_DOCS_CHANGED = "sla-docs-changed"  # driver, description, id, schedule text that is not part of the promise

    # Servers, roles, relationships
    SERVER_ADDED = "server-added"
    SERVER_REMOVED = "server-removed"
    SERVER_RENAMED = "server-renamed"  # another name for the same place
    SERVER_TYPE_CHANGED = "server-type-changed"
    SERVER_LOCATION_CHANGED = "server-location-changed"  # host, catalog, path, topic …
    SERVER_FORMAT_CHANGED = "server-format-changed"  # file format, delimiter, encoding
    SERVER_FORMAT_ADDED = "server-format-added"  # named for the first time
    SERVER_ENVIRONMENT_ADDED = "server-environment-added"
    SERVER_ENVIRONMENT_CHANGED = "server-environment-changed"
    SERVER_DOCS_CHANGED = "server-docs-changed"
    ROLE_ADDED = "role-added"
    ROLE_REMOVED = "role-removed"
    ROLE_ACCESS_REDUCED = "role-access-reduced"
    ROLE_ACCESS_WIDENED = "role-access-widened"
    ROLE_ACCESS_CHANGED = "role-access-changed"  # between words that have no order
    ROLE_DOCS_CHANGED = "role-docs-changed"  # description, approvers, id
    RELATIONSHIP_ADDED = "relationship-added"
    RELATIONSHIP_REMOVED = "relationship-removed"
    RELATIONSHIP_TARGET_CHANGED = "relationship-target-changed"  # other target columns, other pairs, other type
    RELATIONSHIP_DOCS_CHANGED = "relationship-docs-changed"  # its id
