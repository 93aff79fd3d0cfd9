"""The smaller parts of a contract written as ODCS and floe write them; keys that say nothing new are left out."""

from __future__ import annotations

from ..field_map import Node, spell
from ..keys import CONSUMER, DEPRECATION, ENUM_VALUE, OPTIONS, QUALITY, RELATIONSHIP, ROLE, SERVER, SLA, TERMS
from ..model import (
    Consumer,
    Contract,
    Deprecation,
    Dialect,
    EnumValue,
    Json,
    Property,
    QualityRule,
    Relationship,
    Role,
    SchemaObject,
    Server,
    Sla,
    Terms,
    ValueOptions,
)
from ..read.customs import write_customs
from ..read.parts import infer_type
from .admission import SchemaNode, admit

_BLANK_OPTIONS = ValueOptions()
_BLANK_TERMS = Terms()
_BLANK_DEPRECATION = Deprecation()


def write_rules(dialect: Dialect, holder: Property | SchemaObject) -> Node:
    """The keys `quality` and `relationships`, where there are any."""
    written: Node = {}
    if holder.relationships:
        written["relationships"] = [_relationship(relationship) for relationship in holder.relationships]
    return written | write_quality(dialect, holder)


def write_quality(dialect: Dialect, holder: Property | SchemaObject) -> Node:
    """The key `quality`, where there are rules."""
    return {"quality": [_quality(dialect, rule) for rule in holder.quality]} if holder.quality else {}


def write_options(options: ValueOptions) -> Node:
    return spell(options, OPTIONS, _BLANK_OPTIONS, rest=("extras",))


def write_enum_value(value: EnumValue) -> Node:
    return spell(value, ENUM_VALUE, EnumValue(None), {"value": value.value}, rest=("docs",))


def write_sla(dialect: Dialect, sla: Sla) -> Node:
    """One service level; floe writes its name as the key above it."""
    apart: Node = {"value": sla.value, **write_customs(sla.custom)}
    skip = ("property",) if dialect is Dialect.FLOE else ()
    return admit(dialect, SchemaNode.SLA, spell(sla, SLA, Sla(""), apart, skip=skip))


def write_places(dialect: Dialect, contract: Contract) -> Node:
    """The keys `servers`, `team` and `roles`, where there are any."""
    written: Node = {}
    if contract.servers:
        written["servers"] = [write_server(server) for server in contract.servers]
    if contract.team is not None:
        written["team"] = contract.team
    if contract.roles:
        written["roles"] = [_role(dialect, role) for role in contract.roles]
    return written


def write_server(server: Server) -> Node:
    """All dialects write servers as ODCS does."""
    apart: Node = {"server": server.name, "type": server.type, **write_customs(server.custom)}
    if server.roles:
        apart["roles"] = list(server.roles)
    node = spell(server, SERVER, Server("", ""), apart, rest=("coordinates", "docs"))
    for key in ("roles", "customProperties"):  # after the coordinates, which are what one looks for
        if key in node:
            node[key] = node.pop(key)
    return admit(Dialect.ODCS, SchemaNode.SERVER, node)


def write_consumers(consumers: tuple[Consumer, ...]) -> list[Json]:
    """A reader of whom only the name is known is written as that name."""
    written: list[Json] = []
    for consumer in consumers:
        node = spell(consumer, CONSUMER, Consumer(""), {"name": consumer.name}, rest=("docs",))
        written.append(consumer.name if len(node) == 1 else node)
    return written


def write_deprecation(deprecation: Deprecation) -> Node:
    return spell(deprecation, DEPRECATION, _BLANK_DEPRECATION, rest=("extras",))


def write_terms(terms: Terms) -> Node:
    return spell(terms, TERMS, _BLANK_TERMS, rest=("extras",))


def _quality(dialect: Dialect, rule: QualityRule) -> Node:
    apart: Node = {operator.value: operand for operator, operand in rule.thresholds}
    if {rule.type, infer_type(rule.metric, rule.query, rule.implementation)} != {"library"}:
        apart["type"] = rule.type
    if "rule" in rule.extras:
        apart["rule"] = rule.extras["rule"]
    apart |= write_customs(rule.custom)
    return admit(dialect, SchemaNode.QUALITY, spell(rule, QUALITY, QualityRule(rule.type), apart))


def _relationship(relationship: Relationship) -> Node:
    """One column as text, several as lists on both sides, as the standard asks."""
    several = len(relationship.to) > 1 or len(relationship.source) > 1
    apart = write_customs(relationship.custom)
    for key, columns in (("from", relationship.source), ("to", relationship.to)):
        if columns:
            apart[key] = list(columns) if several else columns[0]
    return spell(relationship, RELATIONSHIP, Relationship(()), apart, rest=())


def _role(dialect: Dialect, role: Role) -> Node:
    apart: Node = {"role": role.name, **write_customs(role.custom)}
    return admit(dialect, SchemaNode.ROLE, spell(role, ROLE, Role(""), apart, rest=("docs",)))
