"""A data contract without its dialect: frozen values that compare by meaning, each knowing where it was written.

`at` on every node is the pointer into the source document; `contract.source.Document.locate` turns it into line and
column. It takes no part in comparisons. Fields called `docs`, `custom` and `extras` hold plain JSON values as read:
`docs` is documentation (changes cost PATCH), `custom` the declared extensions, `extras` keys no schema knows.
Nothing mutates a JSON value after reading.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from enum import Enum
from typing import TypeAlias

from ..frozen import dataclass, field

Json: TypeAlias = "None | bool | int | float | str | list[Json] | dict[str, Json]"
Pointer: TypeAlias = "tuple[str | int, ...]"
JsonMap: TypeAlias = Mapping[str, Json]


class Dialect(str, Enum):
    """The three spellings a contract may have."""

    ODCS = "odcs"  # Open Data Contract Standard 3.0.0 – 3.2.0
    FLOE = "floe"  # models: {table: {elements: …}}, map-shaped slaProperties
    FIELDS = "fields"  # schema:, fields:, sla:, consumers:


class Threshold(str, Enum):
    """The comparison operators of quality rules, spelled as ODCS spells them."""

    MUST_BE = "mustBe"
    MUST_NOT_BE = "mustNotBe"
    GREATER_THAN = "mustBeGreaterThan"
    GREATER_OR_EQUAL = "mustBeGreaterOrEqualTo"
    LESS_THAN = "mustBeLessThan"
    LESS_OR_EQUAL = "mustBeLessOrEqualTo"
    BETWEEN = "mustBeBetween"
    NOT_BETWEEN = "mustNotBeBetween"


def _at() -> Pointer:
    return field(default=(), compare=False, repr=False)


def _json() -> JsonMap:
    return field(default_factory=dict)


def _denied() -> tuple[str, ...]:
    """The truth values that are written down as false: to readers the same as absent, but not when contracts merge."""
    return field(default=(), compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class CustomProperty:
    """A declared extension; keys that floe gives a meaning to become fields of the model instead."""

    property: str
    value: Json = None
    docs: JsonMap = _json()  # id, description, vendor
    at: Pointer = _at()


@dataclass(frozen=True, slots=True)
class EnumValue:
    """One allowed value; label, description and links are documentation."""

    value: Json
    id: str | None = None
    docs: JsonMap = _json()
    at: Pointer = _at()


@dataclass(frozen=True, slots=True)
class Relationship:
    """A foreign key: columns here (empty at property level: that property) to columns elsewhere."""

    to: tuple[str, ...]
    source: tuple[str, ...] = ()
    type: str = "foreignKey"
    id: str | None = None
    custom: tuple[CustomProperty, ...] = ()
    at: Pointer = _at()


@dataclass(frozen=True, slots=True)
class QualityRule:
    """One promise about the data; `thresholds` keeps operators and operands as written."""

    type: str  # library | sql | text | custom
    id: str | None = None
    name: str | None = None
    metric: str | None = None  # `metric` of 3.1 and later, `rule` of 3.0
    query: str | None = None
    engine: str | None = None
    implementation: Json = None
    arguments: JsonMap = _json()
    thresholds: tuple[tuple[Threshold, Json], ...] = ()
    unit: str | None = None
    severity: str | None = None
    dimension: str | None = None
    schedule: str | None = None
    scheduler: str | None = None
    docs: JsonMap = _json()
    custom: tuple[CustomProperty, ...] = ()
    extras: JsonMap = _json()
    at: Pointer = _at()


@dataclass(frozen=True, slots=True)
class ValueOptions:
    """Limits on values (`logicalTypeOptions`); None means unlimited."""

    format: str | None = None
    pattern: str | None = None
    min_length: int | None = None
    max_length: int | None = None
    minimum: Json = None
    maximum: Json = None
    exclusive_minimum: Json = None
    exclusive_maximum: Json = None
    multiple_of: Json = None
    min_items: int | None = None
    max_items: int | None = None
    unique_items: bool = False
    min_properties: int | None = None
    max_properties: int | None = None
    required_properties: tuple[str, ...] = ()
    timezone: bool | None = None
    default_timezone: str | None = None
    extras: JsonMap = _json()  # vector shape and whatever later versions add
    at: Pointer = _at()


@dataclass(frozen=True, slots=True)
class Property:
    """A column, struct field, array item, map key or map value."""

    name: str  # "" for array items and map keys and values
    id: str | None = None
    physical_name: str | None = None
    logical_type: str | None = None  # one of the ODCS names, lower case
    physical_type: str | None = None  # as written
    required: bool = False
    unique: bool = False
    primary_key: bool = False
    primary_key_position: int | None = None
    partitioned: bool = False
    partition_position: int | None = None
    classification: str | None = None
    encrypted_name: str | None = None
    critical: bool = False
    enum: tuple[EnumValue, ...] | None = None
    options: ValueOptions = ValueOptions()
    unit: str | None = None
    timezone: str | None = None
    pii_type: str | None = None
    semantic_type: str | None = None
    deprecated: bool = False
    quality: tuple[QualityRule, ...] = ()
    relationships: tuple[Relationship, ...] = ()
    properties: tuple[Property, ...] = ()
    items: Property | None = None
    map_key: Property | None = None
    map_value: Property | None = None
    transform: JsonMap = _json()  # transformLogic, transformSourceObjects, transformDescription
    docs: JsonMap = _json()
    custom: tuple[CustomProperty, ...] = ()
    extras: JsonMap = _json()
    any_width: bool = field(
        default=False, compare=False, repr=False
    )  # `type: integer` in a dialect with one word for both types
    denied: tuple[str, ...] = _denied()
    type_word: str | None = field(default=None, compare=False, repr=False)  # what `type` says, where a dialect has it
    at: Pointer = _at()

    @property
    def exact_type(self) -> str | None:
        """The physical type that data must have to the letter; a bare logical word only names the kind of value."""
        return None if self.any_width else self.physical_type

    def children(self) -> Iterator[Property]:
        yield from self.properties
        for child in (self.items, self.map_key, self.map_value):
            if child is not None:
                yield child


@dataclass(frozen=True, slots=True)
class SchemaObject:
    """A table, view, topic or file."""

    name: str
    id: str | None = None
    physical_name: str | None = None
    physical_type: str | None = None  # table, view, topic, file …
    logical_type: str | None = None
    granularity: str | None = None
    deprecated: bool = False
    properties: tuple[Property, ...] = ()
    quality: tuple[QualityRule, ...] = ()
    relationships: tuple[Relationship, ...] = ()
    docs: JsonMap = _json()
    custom: tuple[CustomProperty, ...] = ()
    extras: JsonMap = _json()
    denied: tuple[str, ...] = _denied()
    at: Pointer = _at()

    def columns(self) -> Iterator[tuple[tuple[str, ...], Property]]:
        """Every named property at any depth with its path of names; items are `[]`, map sides `{key}` and `{value}`."""
        for prop in self.properties:
            yield from _walk(prop, (prop.name,))


def _walk(prop: Property, path: tuple[str, ...]) -> Iterator[tuple[tuple[str, ...], Property]]:
    yield path, prop
    for child in prop.properties:
        yield from _walk(child, (*path, child.name))
    for label, side in (("[]", prop.items), ("{key}", prop.map_key), ("{value}", prop.map_value)):
        if side is not None:
            yield from _walk(side, (*path, label))


@dataclass(frozen=True, slots=True)
class Sla:
    """One service level as written; `contract.meaning.sla.meaning` turns it into a comparable quantity."""

    property: str  # as written: freshness, availability, latency, min_rows_per_day …
    value: Json = None
    value_ext: Json = None
    unit: str | None = None
    element: str | None = None
    driver: str | None = None
    schedule: str | None = None
    scheduler: str | None = None
    id: str | None = None
    docs: JsonMap = _json()
    custom: tuple[CustomProperty, ...] = ()
    extras: JsonMap = _json()
    at: Pointer = _at()


@dataclass(frozen=True, slots=True)
class Server:
    """Where the data is; `coordinates` are the keys that locate it (host, path, catalog …)."""

    name: str
    type: str
    environment: str | None = None
    id: str | None = None
    coordinates: JsonMap = _json()
    roles: tuple[Json, ...] = ()
    docs: JsonMap = _json()
    custom: tuple[CustomProperty, ...] = ()
    at: Pointer = _at()


@dataclass(frozen=True, slots=True)
class Role:
    """Who may read or write."""

    name: str
    access: str | None = None
    id: str | None = None
    docs: JsonMap = _json()
    custom: tuple[CustomProperty, ...] = ()
    at: Pointer = _at()


@dataclass(frozen=True, slots=True)
class Consumer:
    """A registered reader of the data."""

    name: str
    owner: str | None = None
    columns: tuple[str, ...] = ()
    docs: JsonMap = _json()
    at: Pointer = _at()


@dataclass(frozen=True, slots=True)
class Deprecation:
    """The notice given to readers; dates stay text until `contract.lifecycle` reads them."""

    announced: str | None = None
    sunset_date: str | None = None
    replacement: str | None = None
    migration_guide: str | None = None
    reason: str | None = None
    extras: JsonMap = _json()
    at: Pointer = _at()


@dataclass(frozen=True, slots=True)
class Terms:
    """What readers may do with the data."""

    usage: str | None = None
    limitations: str | None = None
    retention: str | None = None
    extras: JsonMap = _json()
    at: Pointer = _at()


@dataclass(frozen=True, slots=True)
class Contract:
    """The whole contract; `dialect` and `api_version` say how it was spelled and do not compare."""

    name: str
    version: str
    id: str | None = None
    domain: str | None = None
    product: str | None = None
    tenant: str | None = None
    owner: str | None = None
    status: str | None = None
    objects: tuple[SchemaObject, ...] = ()
    slas: tuple[Sla, ...] = ()
    sla_default_element: str | None = None
    servers: tuple[Server, ...] = ()
    roles: tuple[Role, ...] = ()
    consumers: tuple[Consumer, ...] = ()
    deprecation: Deprecation | None = None
    parent: str | None = None  # the contract it inherits from: a path relative to its own file
    terms: Terms = Terms()
    tags: tuple[str, ...] = ()
    team: Json = None
    support: Json = None
    price: Json = None
    docs: JsonMap = _json()  # description.purpose, authoritativeDefinitions, context, contractCreatedTs …
    custom: tuple[CustomProperty, ...] = ()
    extras: JsonMap = _json()
    dialect: Dialect = field(default=Dialect.ODCS, compare=False)
    api_version: str | None = field(default=None, compare=False)
    at: Pointer = _at()

    @property
    def key(self) -> str:
        """What pairs two versions of one contract: its id, else domain/name, else its name."""
        if self.id:
            return self.id
        return f"{self.domain}/{self.name}" if self.domain else self.name

    @property
    def label(self) -> str:
        """The name people know it by."""
        return self.name or self.key
