"""The members that content_hash adds to those of schema_hash: documentation, people, servers and lifecycle."""

from __future__ import annotations

from collections.abc import Iterable

from ...frozen import replace
from ..meaning.quantity import date_of
from ..meaning.references import resolve_elements
from ..meaning.rights import rights_of, roles_from, team_members
from ..meaning.sla import uses_default_element
from ..meaning.systems import coordinates_of, system_of
from ..meaning.texts import fold, text
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
from . import canonical as canon

Members = dict[str, str]


def contract_rest(contract: Contract) -> Members:
    """Identity, owner, status, servers, readers, terms and documentation."""
    return {
        "id": "" if contract.id == replace(contract, id=None).key else canon.name(contract.id),
        "contractName": canon.text(contract.name),
        "domain": canon.text(contract.domain),
        "product": canon.text(contract.product),
        "tenant": canon.text(contract.tenant),
        "parent": canon.text(contract.parent),
        "owner": canon.text(contract.owner),
        "status": "" if fold(contract.status) == "active" else canon.word(contract.status),
        "slaDefaultElement": _unused_default(contract),
        "servers": canon.sorted_array(map(_server, contract.servers)),
        "roles": canon.sorted_array(map(_role, contract.roles)),
        "consumers": canon.sorted_array(map(_consumer, contract.consumers)),
        "deprecation": _deprecation(contract.deprecation),
        "terms": _terms(contract.terms),
        "tags": canon.set_array(map(canon.text, contract.tags)),
        "team": canon.some(team_members(contract.team), loose=True),
        "support": canon.some(contract.support, loose=True),
        "price": canon.some(contract.price, loose=True),
        "docs": canon.fields(contract.docs, loose=True),
        "custom": custom(contract.custom),
        "extras": canon.fields(contract.extras),
    }


def _unused_default(contract: Contract) -> str:
    """A default element that some service level uses is part of that service level, and otherwise a remark."""
    if uses_default_element(contract):
        return ""
    return canon.name(resolve_elements(contract, contract.sla_default_element or "", {}))


def object_rest(table: SchemaObject) -> Members:
    return {
        "id": canon.text(table.id),
        "deprecated": canon.flag(table.deprecated),
        "docs": canon.fields(table.docs, loose=True),
        "custom": custom(table.custom),
        "extras": canon.fields(table.extras),
    }


def property_rest(prop: Property) -> Members:
    return {
        "id": canon.text(prop.id),
        "deprecated": canon.flag(prop.deprecated),
        "enumDocs": canon.set_array(map(_enum_docs, prop.enum or ())),
        "transform": canon.fields(prop.transform),
        "docs": canon.fields(prop.docs, loose=True),
        "custom": custom(prop.custom),
        "extras": canon.fields(prop.extras),
    }


def rule_rest(rule: QualityRule) -> Members:
    return {
        "id": canon.text(rule.id),
        "name": canon.text(rule.name),
        "dimension": canon.text(rule.dimension),
        "schedule": canon.text(rule.schedule),
        "scheduler": canon.text(rule.scheduler),
        "docs": canon.fields(rule.docs, loose=True),
        "custom": custom(rule.custom),
        "extras": canon.fields(rule.extras),
    }


def sla_rest(sla: Sla) -> Members:
    return {
        "id": canon.text(sla.id),
        "docs": canon.fields(sla.docs, loose=True),
        "custom": custom(sla.custom),
        "extras": canon.fields(sla.extras),
    }


def custom(declared: Iterable[CustomProperty]) -> str:
    """Declared extensions, by name."""
    return canon.sorted_array(
        canon.mapping(
            {
                "property": canon.text(extension.property),
                "value": canon.some(extension.value),
                "docs": canon.some(dict(extension.docs), loose=True),
            }
        )
        for extension in declared
    )


def _enum_docs(value: EnumValue) -> str:
    docs = canon.fields({**value.docs, "id": value.id}, loose=True)
    return canon.mapping({"docs": docs, "value": canon.exact(value.value)}) if docs else ""


def _server(server: Server) -> str:
    return canon.mapping(
        {
            "name": canon.text(server.name),
            "type": canon.text(system_of(server.type)),
            "environment": canon.word(server.environment),
            "id": canon.text(server.id),
            "coordinates": canon.mapping({key: _coordinate(value) for key, value in coordinates_of(server).items()}),
            "roles": canon.sorted_array(map(_role, roles_from(server.roles))),
            "docs": canon.fields(server.docs, loose=True),
            "custom": custom(server.custom),
        }
    )


def _coordinate(meant: Json) -> str:
    return canon.text(meant) if isinstance(meant, str) else canon.some(meant)


def _role(role: Role) -> str:
    return canon.mapping(
        {
            "name": canon.name(role.name) or '""',
            "access": _access(role.access),
            "id": canon.text(role.id),
            "docs": canon.fields(role.docs, loose=True),
            "custom": custom(role.custom),
        }
    )


def _access(word: str | None) -> str:
    """What a role may do; a word without a common meaning stands for itself."""
    rights = rights_of(word)
    return canon.word(word) if rights is None else canon.text("may " + "".join(sorted(rights)))


def _consumer(consumer: Consumer) -> str:
    return canon.mapping(
        {
            "name": canon.name(consumer.name),
            "rest": canon.some(
                {"owner": consumer.owner, "columns": list(consumer.columns), **consumer.docs}, loose=True
            ),
        }
    )


def _deprecation(notice: Deprecation | None) -> str:
    if notice is None:
        return ""
    day = date_of(text(notice.sunset_date))
    members = {
        "announced": canon.text(notice.announced),
        "sunsetDate": canon.text(notice.sunset_date if day is None else day.isoformat()),
        "replacement": canon.text(notice.replacement),
        "migrationGuide": canon.text(notice.migration_guide),
        "reason": canon.text(notice.reason),
        "more": canon.fields(notice.extras, loose=True),
    }
    return canon.mapping(members) or "{}"


def _terms(terms: Terms) -> str:
    return canon.mapping(
        {
            "usage": canon.words(terms.usage),
            "limitations": canon.words(terms.limitations),
            "retention": canon.words(terms.retention),
            "more": canon.fields(terms.extras, loose=True),
        }
    )
