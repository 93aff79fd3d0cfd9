"""A field that is added to the model must find its way into the content hash."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import fields, replace
from typing import Any

import pytest

from floe_contracts.contract.digest import content_hash
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

OUTSIDE = {
    "at",
    "any_width",
    "denied",
    "type_word",
    "version",
    "dialect",
    "api_version",
}  # where and how it was written, and the version itself
KEY = Property("A", primary_key=True, partitioned=True)  # makes both keys composite, so that places in them count


def _column(prop: Property) -> Contract:
    return _table(SchemaObject("t", properties=(prop, KEY)))


def _table(table: SchemaObject) -> Contract:
    return Contract("c", "1.0.0", objects=(table,), slas=(Sla("freshness", "PT6H"),))


BASES: list[tuple[Any, Callable[[Any], Contract]]] = [
    (Contract("c", "1.0.0", slas=(Sla("freshness", "PT6H"),)), lambda one: one),
    (SchemaObject("t"), _table),
    (Property("a", primary_key=True, partitioned=True), _column),
    (ValueOptions(), lambda one: _column(Property("a", options=one))),
    (EnumValue("x"), lambda one: _column(Property("a", enum=(one,)))),
    (QualityRule("library"), lambda one: _column(Property("a", quality=(one,)))),
    (Relationship(("u.x",), ("a",)), lambda one: _table(SchemaObject("t", relationships=(one,)))),
    (CustomProperty("x", 1), lambda one: _column(Property("a", custom=(one,)))),
    (Sla("freshness", "PT6H"), lambda one: Contract("c", "1.0.0", slas=(one,))),
    (Server("s", "postgres"), lambda one: Contract("c", "1.0.0", servers=(one,))),
    (Role("r"), lambda one: Contract("c", "1.0.0", roles=(one,))),
    (Consumer("m"), lambda one: Contract("c", "1.0.0", consumers=(one,))),
    (Deprecation("2026-01-03"), lambda one: Contract("c", "1.0.0", deprecation=one)),
    (Terms(), lambda one: Contract("c", "1.0.0", terms=one)),
]
OTHERS: dict[str, object] = {
    "objects": (SchemaObject("other"),),
    "slas": (Sla("quality", 90),),
    "servers": (Server("s", "t"),),
    "consumers": (Consumer("m"),),
    "deprecation": Deprecation("2026-01-03"),
    "terms": Terms("x"),
    "properties": (Property("other"),),
    "items": Property(""),
    "map_key": Property(""),
    "map_value": Property(""),
    "options": ValueOptions("x"),
    "enum": (EnumValue("x"),),
    "quality": (QualityRule("text"),),
    "relationships": (Relationship(("u.x",), ("a",)),),
    "thresholds": ((Threshold.MUST_BE, 0),),
    "custom": (CustomProperty("y", 2),),
    "to": ("u.y",),
}
ROLES = {"Contract": (Role("r"),), "Server": ({"role": "r"},)}
CASES = [
    pytest.param(base, wrap, one.name, id=f"{type(base).__name__}.{one.name}")
    for base, wrap in BASES
    for one in fields(base)
    if one.name not in OUTSIDE
]


@pytest.mark.parametrize(("base", "wrap", "name"), CASES)
def test_changing_any_field_changes_the_content_hash(base: Any, wrap: Callable[[Any], Contract], name: str) -> None:
    changed = replace(base, **{name: _other(base, name)})
    assert content_hash(wrap(changed)) != content_hash(wrap(base))


def _other(base: Any, name: str) -> object:
    if name == "roles":
        return ROLES[type(base).__name__]
    if name in OTHERS:
        return OTHERS[name]
    if name == "source":
        return ("other",)
    annotation = next(str(one.type) for one in fields(base) if one.name == name)
    if annotation.startswith("bool"):
        return not getattr(base, name)
    for start, value in (("int", 3), ("JsonMap", {"x": 1}), ("tuple[str", ("x",)), ("str", "other"), ("Json", "other")):
        if annotation.startswith(start):
            return value
    raise AssertionError(f"add a value for {name} to OTHERS")
