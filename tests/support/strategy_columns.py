"""Random columns at any depth, with everything that can hang on them."""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st

from floe_contracts.contract.model import EnumValue, Property, QualityRule, Relationship, Threshold, ValueOptions
from support.strategy_values import (
    customs,
    definitions,
    docs,
    extras,
    ids,
    json_values,
    maybe,
    names,
    numbers,
    scalars,
    tags,
    texts,
    tuples_of,
)

SIMPLE_TYPES = ("string", "date", "timestamp", "time", "number", "integer", "boolean", "vector")
PHYSICAL_TYPES = (
    "STRING",
    "NUMERIC(12,2)",
    "varchar(20)",
    "bigint",
    "TIMESTAMP",
    "decimal",
    "string",
    "date",
    "geo thing",
)

enum_values = st.builds(
    EnumValue,
    value=st.one_of(scalars, st.none()),
    id=maybe(ids),
    docs=docs(label=texts, description=texts, tags=tags, authoritativeDefinitions=definitions),
)
relationships = st.builds(
    Relationship,
    to=st.lists(st.sampled_from(("customers.id", "a.b.c", "not a reference")), min_size=1, max_size=2).map(tuple),
    source=tuples_of(st.sampled_from(("orders.customer_id", "orders.region"))),
    id=maybe(ids),
    custom=customs,
)
quality_rules = st.builds(
    QualityRule,
    type=st.sampled_from(("library", "sql", "text", "custom")),
    id=maybe(st.one_of(ids, texts)),
    name=maybe(texts),
    metric=maybe(st.sampled_from(("nullValues", "invalidValues", "duplicateValues", "rowCount", "nullCheck"))),
    query=maybe(texts),
    engine=maybe(texts),
    implementation=maybe(st.one_of(texts, st.dictionaries(names, json_values, max_size=2))),
    arguments=st.dictionaries(names, json_values, max_size=2),
    thresholds=st.dictionaries(st.sampled_from(Threshold), st.one_of(numbers, st.just([1, 2])), max_size=2).map(
        lambda chosen: tuple((operator, chosen[operator]) for operator in Threshold if operator in chosen)
    ),
    unit=maybe(st.sampled_from(("rows", "percent"))),
    severity=maybe(texts),
    dimension=maybe(st.sampled_from(("completeness", "uniqueness", "beauty"))),
    schedule=maybe(st.just("0 6 * * *")),
    scheduler=maybe(st.just("cron")),
    docs=docs(description=texts, businessImpact=texts, method=texts, tags=tags, authoritativeDefinitions=definitions),
    custom=customs,
    extras=extras,
)
bounds = maybe(st.one_of(numbers, st.just("2020-01-01")))
lengths = maybe(st.integers(1, 999))
options = st.builds(
    ValueOptions,
    format=maybe(texts),
    pattern=maybe(texts),
    min_length=lengths,
    max_length=lengths,
    minimum=bounds,
    maximum=bounds,
    exclusive_minimum=bounds,
    exclusive_maximum=bounds,
    multiple_of=maybe(numbers),
    min_items=lengths,
    max_items=lengths,
    unique_items=st.booleans(),
    min_properties=lengths,
    max_properties=lengths,
    required_properties=tuples_of(names),
    timezone=maybe(st.booleans()),
    default_timezone=maybe(st.just("Europe/Berlin")),
    extras=extras,
)
flags = st.booleans()
positions = maybe(st.integers(1, 9))
COLUMN: dict[str, st.SearchStrategy[Any]] = {
    "id": maybe(st.one_of(ids, texts)),
    "physical_name": maybe(texts),
    "physical_type": maybe(st.sampled_from(PHYSICAL_TYPES)),
    "required": flags,
    "unique": flags,
    "primary_key": flags,
    "primary_key_position": positions,
    "partitioned": flags,
    "partition_position": positions,
    "classification": maybe(texts),
    "encrypted_name": maybe(texts),
    "critical": flags,
    "enum": maybe(tuples_of(enum_values)),
    "options": st.one_of(st.just(ValueOptions()), options),
    "unit": maybe(texts),
    "timezone": maybe(texts),
    "pii_type": maybe(texts),
    "semantic_type": maybe(st.sampled_from(("measure", "dimension"))),
    "deprecated": flags,
    "quality": tuples_of(quality_rules, 1),
    "relationships": tuples_of(relationships, 1),
    "transform": docs(transformLogic=texts, transformDescription=texts, transformSourceObjects=tags),
    "docs": docs(description=texts, businessName=texts, examples=st.lists(json_values, max_size=2), tags=tags),
    "custom": customs,
    "extras": extras,
}
sparse = st.sets(st.sampled_from(sorted(COLUMN)), max_size=6)


@st.composite
def columns(draw: st.DrawFn, named: bool = True, depth: int = 3) -> Property:
    """A column with a few attributes, or a struct, array or map of such."""
    fields: dict[str, Any] = {key: draw(COLUMN[key]) for key in sorted(draw(sparse))}
    shapes = ("object", "array", "map") if depth else ()
    fields["logical_type"] = draw(maybe(st.sampled_from((*SIMPLE_TYPES, *shapes, *shapes))))
    inner = columns(named=False, depth=depth - 1)
    if fields["logical_type"] == "object" and depth:
        fields["properties"] = draw(unique_columns(depth - 1))
    elif fields["logical_type"] == "array":
        fields["items"] = draw(maybe(inner)) if depth else None
    elif fields["logical_type"] == "map" and depth:
        fields["map_key"], fields["map_value"] = draw(maybe(inner)), draw(maybe(inner))
    return Property(draw(names) if named else "", **fields)


def unique_columns(depth: int = 3, least: int = 0) -> st.SearchStrategy[tuple[Property, ...]]:
    one = columns(depth=depth)
    return st.lists(one, min_size=least, max_size=3, unique_by=lambda column: column.name).map(tuple)
