"""No field of the model can be forgotten: each is compared by name, and changing any one of them is a fact."""

from __future__ import annotations

import typing
from dataclasses import fields, is_dataclass, replace
from typing import Any

import pytest
from support.builders import told
from support.mutations import Spot, changed_values, is_silent, put, spots

from floe_contracts.compat.fact import FactPlace
from floe_contracts.compat.facts.notes import leftover_facts
from floe_contracts.compat.facts.plain import COVERED, EXEMPT, JSON_FIELDS, LEFTOVER
from floe_contracts.compat.kinds import FactKind
from floe_contracts.contract import model
from floe_contracts.contract.model import (
    Consumer,
    Contract,
    CustomProperty,
    Deprecation,
    EnumValue,
    Property,
    QualityRule,
    Relationship,
    Role,
    SchemaObject,
    Server,
    Sla,
    Terms,
    Threshold,
    ValueOptions,
)

NODES: list[Any] = [item for item in vars(model).values() if isinstance(item, type) and is_dataclass(item)]


@pytest.mark.parametrize("node", NODES, ids=lambda node: node.__name__)
def test_every_field_of_the_model_is_covered_by_name(node: Any) -> None:
    assert LEFTOVER[node] == ()
    assert {*COVERED[node].split(), *EXEMPT.get(node, "").split()} <= {field.name for field in fields(node)}


@pytest.mark.parametrize("node", [node for node in NODES if node is not Contract], ids=lambda node: node.__name__)
def test_every_field_that_may_hold_a_truth_value_is_looked_at_closely(node: Any) -> None:
    hints = typing.get_type_hints(node, vars(model))
    plain = (str, int, bool, type(None))
    loose = {name for name, hint in hints.items() if name != "at" and not _is_exact(hint, plain)}
    assert loose == set(JSON_FIELDS[node])


def _is_exact(hint: Any, plain: tuple[Any, ...]) -> bool:
    """Whether a type has no room for plain JSON: texts, flags and counts, one or many."""
    parts = typing.get_args(hint)
    return hint in plain or (bool(parts) and all(part is Ellipsis or _is_exact(part, plain) for part in parts))


def test_a_field_that_nobody_covers_is_still_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(LEFTOVER, Consumer, ("owner",))  # as if the model had grown
    (fact,) = leftover_facts(FactPlace(), Consumer("a", owner="x"), Consumer("a", owner="y"))
    assert (fact.kind, str(fact.element)) == (FactKind.UNKNOWN_FIELD_CHANGED, "unknown:owner")


CUSTOM = (CustomProperty("cost", 1, {"description": "x"}),)
RULE = QualityRule(
    "custom",
    id="q1",
    name="rule",
    metric="rowCount",
    query="select 1",
    engine="soda",
    implementation="x",
    arguments={"properties": ["a"]},
    thresholds=((Threshold.GREATER_THAN, 5),),
    unit="rows",
    severity="warning",
    dimension="coverage",
    schedule="0 6 * * *",
    scheduler="cron",
    docs={"description": "x"},
    custom=CUSTOM,
    extras={"x": 1},
)
LINK = Relationship(("customers.id",), id="r1", custom=CUSTOM)
SIDE = Property("", logical_type="string", physical_type="STRING")
FULL_COLUMN = Property(
    "amount",
    id="p1",
    physical_name="amt",
    logical_type="integer",
    physical_type="INT",
    required=True,
    unique=True,
    primary_key=True,
    primary_key_position=1,
    partitioned=True,
    partition_position=1,
    classification="internal",
    encrypted_name="enc",
    critical=True,
    enum=(EnumValue("a", id="e1", docs={"label": "A"}), EnumValue("b")),
    options=ValueOptions(
        format="i32",
        pattern="a+",
        min_length=1,
        max_length=9,
        minimum=1,
        maximum=9,
        exclusive_minimum=-1,
        exclusive_maximum=10,
        multiple_of=2,
        min_items=1,
        max_items=9,
        unique_items=True,
        min_properties=1,
        max_properties=9,
        required_properties=("x",),
        timezone=True,
        default_timezone="Europe/Berlin",
        extras={"dimensions": 3, "odd": 1},
    ),
    unit="EUR",
    timezone="UTC",
    pii_type="email",
    semantic_type="measure",
    deprecated=True,
    quality=(RULE,),
    relationships=(LINK,),
    properties=(Property("inner", logical_type="string"),),
    items=SIDE,
    map_key=SIDE,
    map_value=SIDE,
    transform={"transformLogic": "x"},
    docs={"description": "x"},
    custom=CUSTOM,
    extras={"x": 1},
)
SECOND_COLUMN = Property(
    "second", logical_type="date", primary_key=True, primary_key_position=2, partitioned=True, partition_position=2
)
FULL = Contract(
    "orders",
    "1.0.0",
    id="c1",
    domain="sales",
    product="shop",
    tenant="acme",
    parent="base.yaml",
    owner="ann",
    status="active",
    objects=(
        SchemaObject(
            "orders",
            id="t1",
            physical_name="o",
            physical_type="table",
            logical_type="object",
            granularity="one row per order",
            deprecated=True,
            properties=(FULL_COLUMN, SECOND_COLUMN),
            quality=(RULE,),
            relationships=(replace(LINK, source=("second",)),),
            docs={"description": "x"},
            custom=CUSTOM,
            extras={"x": 1},
        ),
    ),
    slas=(
        Sla(
            "freshness",
            6,
            value_ext="x",
            unit="h",
            element="second",
            driver="analytics",
            schedule="0 6 * * *",
            scheduler="cron",
            id="s1",
            docs={"description": "x"},
            custom=CUSTOM,
            extras={"x": 1},
        ),
        Sla("latency", "5s"),
    ),
    sla_default_element="second",
    servers=(
        Server(
            "prod",
            "postgres",
            "prod",
            "v1",
            coordinates={"host": "db"},
            roles=({"role": "r"},),
            docs={"description": "x"},
            custom=CUSTOM,
        ),
    ),
    roles=(Role("reader", "read", "r1", docs={"description": "x"}, custom=CUSTOM),),
    consumers=(Consumer("billing", "finance", ("amount",), docs={"description": "x"}),),
    deprecation=Deprecation("2026-01-03", "2026-02-03", "v2", "https://wiki", "old", extras={"x": 1}),
    terms=Terms("internal", "none", "7 years", extras={"x": 1}),
    tags=("gold",),
    team={"name": "shop"},
    support=[{"channel": "#shop"}],
    price={"priceAmount": 1},
    docs={"description": {"purpose": "x"}},
    custom=CUSTOM,
    extras={"x": 1},
)


def _changes() -> list[tuple[str, Contract]]:
    """Every field of every node of the full contract, changed one at a time, and every list item taken away."""
    found = []
    for spot in spots(FULL):
        for field in fields(spot.node):
            if field.name in ("any_width", "type_word"):  # no promise: how data is measured against a type
                continue
            for value in _values(spot, field.name):
                path = "/".join(
                    (*(step if place is None else f"{step}{place}" for step, place in spot.steps), field.name)
                )
                found.append(
                    (f"{path}={str(value)[:40]}", put(FULL, spot.steps, replace(spot.node, **{field.name: value})))
                )
    return found


def _values(spot: Spot, name: str) -> list[Any]:
    if name.endswith("_position"):
        return [3] if getattr(spot.node, name) == 1 else []  # behind the second column
    if isinstance(spot.node, ValueOptions) and name == "timezone":
        return [False]
    if name in ("deprecation", "items", "map_key", "map_value") and getattr(spot.node, name) is not None:
        return [None]
    return [] if is_silent(spot, name) else changed_values(spot.node, name)


CHANGES = _changes()


@pytest.mark.parametrize("new", [new for _, new in CHANGES], ids=[name for name, _ in CHANGES])
def test_a_change_of_any_single_field_is_a_fact(new: Contract) -> None:
    assert told(FULL, new)
    assert told(new, FULL)


def test_the_full_contract_says_something_in_every_field() -> None:
    said = {
        (type(spot.node), field.name)
        for spot in spots(FULL)
        for field in fields(spot.node)
        if getattr(spot.node, field.name) not in (None, (), {}, False)
    }
    unsaid = {
        f"{node.__name__}.{field.name}"
        for node in NODES
        for field in fields(node)
        if field.compare and (node, field.name) not in said
    }
    assert unsaid == set()
