"""The examples of the rule files as contracts: what every contract repeats is filled in here."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache

from floe_contracts.adapters.files.packaged import rule_file, rule_ids
from floe_contracts.compat.fact import Fact
from floe_contracts.compat.facts import facts_between
from floe_contracts.compat.rulefile import Example, RuleFile
from floe_contracts.contract.load import Loaded, load
from floe_contracts.contract.model import Contract, Dialect, Json
from floe_contracts.contract.source import read_document
from floe_contracts.contract.write.yaml_text import yaml_text

ORDER_ID: dict[str, Json] = {"name": "order_id", "logicalType": "string"}
BOILERPLATE: dict[Dialect, dict[str, Json]] = {
    Dialect.ODCS: {
        "apiVersion": "v3.2.0",
        "kind": "DataContract",
        "id": "urn:shop:orders",
        "name": "orders",
        "version": "1.0.0",
        "status": "active",
        "schema": [{"name": "orders", "properties": [ORDER_ID]}],
    },
    Dialect.FLOE: {
        "apiVersion": "v3.0.2",
        "kind": "DataContract",
        "name": "orders",
        "version": "1.0.0",
        "models": {"orders": {"elements": {"order_id": {"type": "string"}}}},
    },
    Dialect.FIELDS: {
        "schema": "orders",
        "version": "1.0.0",
        "fields": [{"name": "order_id", "type": "STRING"}],
    },
}


@dataclass(frozen=True, slots=True)
class Case:
    """One example of one rule."""

    rule_id: str
    example: Example

    @property
    def id(self) -> str:
        return f"{self.rule_id}: {self.example.name}"


@cache
def rule_files() -> dict[str, RuleFile]:
    return {rule_id: rule_file(rule_id) for rule_id in rule_ids()}


def cases() -> Iterator[Case]:
    for rule_id, found in rule_files().items():
        for example in found.examples:
            yield Case(rule_id, example)


@cache
def loaded(text: str, dialect: Dialect) -> Loaded:
    """An example's half as a whole contract, read like any file."""
    document = read_document(text.encode())
    assert not document.problems, document.problems
    assert isinstance(document.value, dict), text
    whole: Json = {**BOILERPLATE[dialect], **document.value}
    return load(yaml_text(whole).encode(), "orders.yaml")


def contract(text: str, dialect: Dialect) -> Contract:
    found = loaded(text, dialect)
    assert found.contract is not None, [item.message for item in found.findings]
    return found.contract


@cache
def facts(case: Case) -> tuple[Fact, ...]:
    return facts_between(
        contract(case.example.before, case.example.dialect), contract(case.example.after, case.example.dialect)
    )
