"""Columns as an engine would report them, from a type as Spark prints it: `struct<a:int,tags:array<string>>`."""

from __future__ import annotations

from floe_contracts.checks.measured import ITEM, KEY, VALUE, ActualColumn
from floe_contracts.contract.meaning.typenames import Family, TypeExpr, Zone, parse_type


def actual(name: str, kind: str, *, nullable: bool = True) -> ActualColumn:
    """A column of a Spark type; `timestamp` is an instant there."""
    found = parse_type(kind)
    assert found is not None, kind
    return _column(name, found, kind, nullable)


def actuals(**kinds: str) -> tuple[ActualColumn, ...]:
    return tuple(actual(name, kind) for name, kind in kinds.items())


_LABELS = {Family.ARRAY: {"": ITEM}, Family.MAP: {"key": KEY, "value": VALUE}}


def _column(name: str, kind: TypeExpr, spelling: str, nullable: bool = True) -> ActualColumn:
    labels = _LABELS.get(kind.family, {})
    children = tuple(_column(labels.get(label, label), child, child.text) for label, child in kind.children)
    zone = Zone.WITH if kind.family is Family.TIMESTAMP and kind.zone is Zone.UNSPECIFIED else kind.zone
    level = TypeExpr(kind.family, kind.params, text=kind.text, zone=zone, unsigned=kind.unsigned)
    return ActualColumn(name, level, nullable and not kind.required, children, spelling)
