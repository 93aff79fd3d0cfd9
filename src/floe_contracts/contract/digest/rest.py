"""The members that content_hash adds to those of schema_hash: documentation, people, servers and lifecycle."""

from __future__ import annotations

from collections.abc import Iterable

from ..meaning.sla import element_in_full
from ..model import (
    Consumer,
    Contract,
    CustomProperty,
    Deprecation,
    EnumValue,
    Json,
    Property,
    QualityRule,
    Role,
    SchemaObject,
    Server,
    Sla,
    Terms,
)
from ..source.scalars import text_of
from . import canonical as canon

Members = dict[str, str]


def contract_rest(contract: Contract) -> Members:
    """Identity, owner, status, servers, readers, terms and documentation."""
    return {
        "id": canon.text(contract.id),
        "contractName": canon.text(contract.name),
        "domain": canon.text(contract.domain),
        "product": canon.text(contract.product),
        "tenant": canon.text(contract.tenant),
        "owner": canon.text(contract.owner),
        "status": canon.word(contract.status),
        "slaDefaultElement": _unused_default(contract),
        "servers": canon.sorted_array(map(_server, contract.servers)),
        "roles": canon.sorted_array(map(_role, contract.roles)),
        "consumers": canon.sorted_array(map(_consumer, contract.consumers)),
        "deprecation": _deprecation(contract.deprecation),
        "terms": _terms(contract.terms),
        "tags": canon.sorted_array(map(canon.text, contract.tags)),
        "team": canon.loose(contract.team),
        "support": canon.loose(contract.support),
        "price": canon.loose(contract.price),
        "docs": canon.loose(dict(contract.docs)),
        "custom": custom(contract.custom),
        "extras": canon.some(dict(contract.extras)),
    }


def _unused_default(contract: Contract) -> str:
    """A default element that some service level uses is part of that service level, and otherwise a remark."""
    used = any(not sla.element for sla in contract.slas)
    return "" if used else canon.text(element_in_full(contract.sla_default_element or "", contract))


def object_rest(table: SchemaObject) -> Members:
    return {
        "id": canon.text(table.id),
        "deprecated": canon.flag(table.deprecated),
        "docs": canon.loose(dict(table.docs)),
        "custom": custom(table.custom),
        "extras": canon.some(dict(table.extras)),
    }


def property_rest(prop: Property) -> Members:
    return {
        "id": canon.text(prop.id),
        "deprecated": canon.flag(prop.deprecated),
        "enumDocs": canon.sorted_array(map(_enum_docs, prop.enum or ())),
        "transform": canon.some(dict(prop.transform)),
        "docs": canon.loose(dict(prop.docs)),
        "custom": custom(prop.custom),
        "extras": canon.some(dict(prop.extras)),
    }


def rule_rest(rule: QualityRule) -> Members:
    return {
        "id": canon.text(rule.id),
        "name": canon.words(rule.name),
        "dimension": canon.word(rule.dimension),
        "schedule": canon.words(rule.schedule),
        "scheduler": canon.word(rule.scheduler),
        "docs": canon.loose(dict(rule.docs)),
        "custom": custom(rule.custom),
        "extras": canon.some(dict(rule.extras)),
    }


def sla_rest(sla: Sla) -> Members:
    return {
        "id": canon.text(sla.id),
        "docs": canon.loose(dict(sla.docs)),
        "custom": custom(sla.custom),
        "extras": canon.some(dict(sla.extras)),
    }


def custom(declared: Iterable[CustomProperty]) -> str:
    """Declared extensions, by name."""
    return canon.sorted_array(
        canon.mapping(
            {
                "property": canon.text(extension.property),
                "value": canon.some(extension.value),
                "docs": canon.loose(dict(extension.docs)),
            }
        )
        for extension in declared
    )


def _enum_docs(value: EnumValue) -> str:
    docs = {"id": canon.text(value.id), "docs": canon.loose(dict(value.docs))}
    return canon.mapping(docs | {"value": canon.exact(value.value)}) if any(docs.values()) else ""


def _server(server: Server) -> str:
    return canon.mapping(
        {
            "name": canon.text(server.name),
            "type": canon.word(server.type),
            "environment": canon.text(server.environment),
            "id": canon.text(server.id),
            "coordinates": canon.mapping({key: _coordinate(value) for key, value in server.coordinates.items()}),
            "roles": canon.sorted_array(map(canon.loose, server.roles)),
            "docs": canon.loose(dict(server.docs)),
            "custom": custom(server.custom),
        }
    )


def _coordinate(value: Json) -> str:
    """A coordinate of a server as text, because a port may be written 5432 or "5432"."""
    return canon.some(value) if isinstance(value, (list, dict)) or value is None else canon.text(text_of(value))


def _role(role: Role) -> str:
    return canon.mapping(
        {
            "name": canon.text(role.name),
            "access": canon.text(role.access),
            "id": canon.text(role.id),
            "docs": canon.loose(dict(role.docs)),
            "custom": custom(role.custom),
        }
    )


def _consumer(consumer: Consumer) -> str:
    return canon.mapping(
        {
            "name": canon.text(consumer.name),
            "owner": canon.text(consumer.owner),
            "columns": canon.sorted_array(map(canon.text, consumer.columns)),
            "docs": canon.loose(dict(consumer.docs)),
        }
    )


def _deprecation(notice: Deprecation | None) -> str:
    if notice is None:
        return ""
    return canon.mapping(
        {
            "announced": canon.words(notice.announced),
            "sunsetDate": canon.words(notice.sunset_date),
            "replacement": canon.words(notice.replacement),
            "migrationGuide": canon.words(notice.migration_guide),
            "reason": canon.words(notice.reason),
            "more": canon.loose(dict(notice.extras)),
        }
    )


def _terms(terms: Terms) -> str:
    return canon.mapping(
        {
            "usage": canon.words(terms.usage),
            "limitations": canon.words(terms.limitations),
            "retention": canon.words(terms.retention),
            "more": canon.loose(dict(terms.extras)),
        }
    )
