"""Small contracts by hand, for tests that compare two of them: say what matters, the rest is filled in."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from floe_contracts.compat.fact import Fact
from floe_contracts.compat.facts import facts_between
from floe_contracts.contract.model import Contract, Property, SchemaObject, Server, ValueOptions


def column(name: str = "amount", kind: str | None = "string", **more: Any) -> Property:
    """A column; limits such as `minimum` or `format` may be given beside its own attributes."""
    limits = {
        key: more.pop(key) for key in tuple(more) if key in ValueOptions.__slots__ and key not in Property.__slots__
    }
    if limits:
        more["options"] = ValueOptions(**limits)
    return Property(name, logical_type=kind, **more)


def table(*columns: Property, name: str = "orders", **more: Any) -> SchemaObject:
    return SchemaObject(name, properties=columns or (column(),), **more)


def contract(*parts: Property | SchemaObject, **more: Any) -> Contract:
    """A contract of tables, or of the columns of one table called orders."""
    tables = tuple(part for part in parts if isinstance(part, SchemaObject))
    columns = tuple(part for part in parts if isinstance(part, Property))
    if columns:
        tables = (*tables, table(*columns))
    return Contract(more.pop("name", "orders"), more.pop("version", "1.0.0"), objects=tables or (table(),), **more)


def server(name: str = "prod", kind: str = "postgres", **coordinates: Any) -> Server:
    return Server(name, kind, coordinates=coordinates or {"host": "db", "database": "shop"})


def with_(node: Any, **changes: Any) -> Any:
    """The same node with some fields changed."""
    return replace(node, **changes)


def told(old: Contract, new: Contract) -> list[str]:
    """The facts between two contracts as `kind element`, in their order."""
    return [line(fact) for fact in facts_between(old, new)]


def line(fact: Fact) -> str:
    return f"{fact.kind.value} {fact.element}"
