"""Random contracts as readers produce them: realistic in shape, hostile in text.

`contracts(dialect)` stays within what the dialect can say, so a round trip through it must change nothing.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from hypothesis import strategies as st

from floe_contracts.contract.model import (
    Consumer,
    Contract,
    CustomProperty,
    Deprecation,
    Dialect,
    EnumValue,
    Property,
    Relationship,
    Role,
    SchemaObject,
    Server,
    Sla,
    Terms,
    ValueOptions,
)
from floe_contracts.contract.read.columns import types_of
from floe_contracts.contract.read.envelope import own_id, owner_in
from support.strategy_columns import (
    PHYSICAL_TYPES,
    SIMPLE_TYPES,
    bounds,
    flags,
    quality_rules,
    relationships,
    unique_columns,
)
from support.strategy_values import (
    TRICKY,
    customs,
    definitions,
    docs,
    extras,
    ids,
    maybe,
    names,
    numbers,
    scalars,
    tags,
    texts,
    tuples_of,
)

__all__ = ["TRICKY", "contracts", "full_contracts", "short_contracts"]

tables = st.builds(
    SchemaObject,
    name=names,
    id=maybe(ids),
    physical_name=maybe(texts),
    physical_type=maybe(st.sampled_from(("table", "view", "topic"))),
    logical_type=maybe(st.just("blob")),
    granularity=maybe(texts),
    deprecated=flags,
    properties=unique_columns(least=1),
    quality=tuples_of(quality_rules, 1),
    relationships=tuples_of(relationships, 1),
    docs=docs(description=texts, businessName=texts, tags=tags, authoritativeDefinitions=definitions, context=texts),
    custom=customs,
    extras=extras,
)
slas = st.builds(
    Sla,
    property=st.sampled_from(("freshness", "latency", "availability", "retention", "timeOfAvailability", "x")),
    value=st.one_of(scalars, st.none()),
    value_ext=maybe(scalars),
    unit=maybe(st.sampled_from(("h", "d", "minutes"))),
    element=maybe(names),
    driver=maybe(st.sampled_from(("operational", "analytics"))),
    schedule=maybe(texts),
    scheduler=maybe(texts),
    id=maybe(ids),
    docs=docs(description=texts, authoritativeDefinitions=definitions),
    custom=customs,
    extras=extras,
)
roles = st.builds(
    Role,
    name=texts,
    access=maybe(texts),
    id=maybe(ids),
    docs=docs(description=texts, firstLevelApprovers=texts, secondLevelApprovers=texts, shoe_size=scalars),
    custom=customs,
)
servers = st.builds(
    Server,
    name=texts,
    type=st.sampled_from(("s3", "postgres", "custom", "delta", "local", "kafka")),
    environment=maybe(texts),
    id=maybe(ids),
    coordinates=docs(location=texts, host=texts, port=st.integers(1, 65535), bucket=texts, path=texts, format=texts),
    roles=tuples_of(st.fixed_dictionaries({"role": texts}, optional={"access": texts}), 1),
    docs=docs(description=texts),
    custom=customs,
)
consumers = tuples_of(
    st.builds(Consumer, name=texts, owner=maybe(texts), columns=tuples_of(names), docs=docs(description=texts))
)
deprecations = st.builds(
    Deprecation,
    announced=maybe(st.just("2026-01-03")),
    sunset_date=maybe(st.just("2026-02-03")),
    replacement=maybe(texts),
    migration_guide=maybe(texts),
    reason=maybe(texts),
)
members = st.fixed_dictionaries(
    {"username": texts}, optional={"role": st.sampled_from(("Owner", "steward")), "shoe": texts}
)
teams: st.SearchStrategy[Any] = maybe(
    st.fixed_dictionaries({"members": st.lists(members, max_size=2)}, optional={"name": texts})
)

channels: st.SearchStrategy[Any] = maybe(
    st.lists(st.fixed_dictionaries({"channel": texts}, optional={"url": texts}), max_size=1)
)


def contracts(dialect: Dialect | None = None) -> st.SearchStrategy[Contract]:
    """Contracts that the dialect can say in full; None draws the dialect too."""
    if dialect is None:
        return st.sampled_from(Dialect).flatmap(contracts)
    return short_contracts() if dialect is Dialect.FIELDS else full_contracts(dialect)


@st.composite
def full_contracts(draw: st.DrawFn, dialect: Dialect) -> Contract:
    """Contracts with every section, as ODCS and floe have them."""
    team: Any = draw(teams)
    owner = draw(maybe(texts)) or owner_in(team)
    name, domain = draw(names), draw(maybe(names))
    return Contract(
        name,
        draw(st.sampled_from(("1.0.0", "2.1.0-rc.1", "1.10"))),
        id=own_id(draw(maybe(texts)), domain, name),
        domain=domain,
        product=draw(maybe(texts)),
        tenant=draw(maybe(texts)),
        parent=draw(maybe(texts)),
        owner=owner,
        status=draw(maybe(texts)),
        objects=tuple(draw(st.lists(tables, min_size=1, max_size=2, unique_by=lambda table: table.name))),
        slas=draw(tuples_of(slas, 3)),
        sla_default_element=draw(maybe(names)),
        servers=draw(tuples_of(servers)),
        roles=draw(tuples_of(roles)),
        consumers=draw(consumers),
        deprecation=draw(maybe(deprecations)),
        terms=draw(st.builds(Terms, maybe(texts), maybe(texts), maybe(texts), extras)),
        tags=draw(tuples_of(texts)),
        team=team,
        support=draw(channels),
        price=draw(maybe(docs(priceAmount=numbers, priceCurrency=texts, bargain=texts))),
        docs=draw(_contract_docs()),
        custom=draw(customs),
        extras=draw(extras),
        dialect=dialect,
    )


def _contract_docs() -> st.SearchStrategy[dict[str, Any]]:
    told = st.fixed_dictionaries({"purpose": texts}, optional={"authoritativeDefinitions": definitions})
    return docs(description=told, authoritativeDefinitions=definitions, context=texts, contractCreatedTs=texts)


@st.composite
def short_columns(draw: st.DrawFn, depth: int = 1) -> Property:
    """A column as the fields dialect has it, with items and fields of its own down to a depth."""
    logical, physical = types_of(draw(st.sampled_from((*SIMPLE_TYPES, *PHYSICAL_TYPES))))
    allowed = st.builds(EnumValue, value=scalars)
    inner = st.lists(short_columns(0), max_size=2, unique_by=lambda column: column.name) if depth else st.just([])
    items = st.builds(lambda column: replace(column, name="", primary_key=False), short_columns(0))
    return Property(
        draw(names),
        logical_type=logical,
        physical_type=physical,
        required=draw(flags),
        unique=draw(flags),
        primary_key=draw(flags),
        classification=draw(maybe(texts)),
        enum=draw(maybe(st.lists(allowed, min_size=1, max_size=3).map(tuple))),
        options=ValueOptions(
            format=draw(maybe(texts)), pattern=draw(maybe(texts)), minimum=draw(bounds), maximum=draw(bounds)
        ),
        quality=draw(tuples_of(quality_rules, 1)),
        properties=tuple(draw(inner)),
        items=draw(maybe(items)) if depth else None,
        unit=draw(maybe(texts)),
        timezone=draw(maybe(texts)),
        relationships=draw(tuples_of(st.builds(Relationship, to=st.sampled_from((("a.b",), ("no reference",)))), 1)),
        docs=draw(docs(description=texts)),
    )


arrivals = st.sampled_from(((), (CustomProperty("floe.arrival", "came_at"),)))


@st.composite
def short_contracts(draw: st.DrawFn) -> Contract:
    """Contracts as the fields dialect has them."""
    name, domain = draw(names), draw(maybe(names))
    levels = {
        "freshness": Sla("freshness", draw(st.integers(1, 10_000)), unit="minutes"),
        "rows": Sla("min_rows_per_day", draw(st.integers(0, 10_000))),
        "availability": Sla("availability", draw(st.sampled_from(("99.9%", 99.5)))),
        "deadline": Sla("timeOfAvailability", "06:00 UTC"),
        "latency": Sla("latency_p99", draw(st.sampled_from(("PT30S", "30s", 30))), custom=draw(arrivals)),
    }
    chosen = draw(st.sets(st.sampled_from(sorted(levels))))
    columns_ = draw(st.lists(short_columns(), min_size=1, max_size=3, unique_by=lambda column: column.name))
    return Contract(
        name,
        draw(st.sampled_from(("1.0.0", "0.3.1"))),
        id=own_id(draw(maybe(texts)), domain, name),
        domain=domain,
        product=draw(maybe(texts)),
        owner=draw(maybe(texts)),
        status=draw(maybe(texts)),
        objects=(SchemaObject(name, properties=tuple(columns_), quality=draw(tuples_of(quality_rules, 1))),),
        slas=tuple(level for key, level in levels.items() if key in chosen),
        sla_default_element=draw(maybe(names)),
        servers=draw(tuples_of(servers, 1)),
        consumers=draw(consumers),
        deprecation=draw(maybe(deprecations)),
        tags=draw(tuples_of(texts)),
        docs=draw(st.one_of(st.just({}), texts.map(lambda word: {"description": {"purpose": word}}))),
        dialect=Dialect.FIELDS,
    )
