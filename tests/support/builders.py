"""Small contracts by hand, for tests that compare two of them: say what matters, the rest is filled in."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from floe_contracts.compat.fact import Fact
from floe_contracts.compat.facts import facts_between
from floe_contracts.contract.digest import content_hash
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
    """The facts between two contracts as `kind element`, in their order; the digests must agree with them."""
    facts = facts_between(old, new)
    equal = content_hash(old) == content_hash(new)
    assert not (facts and equal), "a change without another content_hash"
    if old.dialect is new.dialect and not _names_parts(old) and not _names_parts(new):
        assert bool(facts) is not equal, "another content_hash without a change"
    return [line(fact) for fact in facts]


def _names_parts(node: Contract | SchemaObject | Property) -> bool:
    """Whether the text of some type names parts, which the other side may list instead: docs/adr/0041."""
    if isinstance(node, Contract):
        return any(map(_names_parts, node.objects))
    if isinstance(node, Property) and (set("<([") & set(node.physical_type or "") or node.items or node.map_value):
        return True
    return any(map(_names_parts, node.properties))


def line(fact: Fact) -> str:
    return f"{fact.kind.value} {fact.element}"
