"""Digests and comparison agree: no change that is told without another hash, no other promise without a change told."""

from __future__ import annotations

from dataclasses import fields, is_dataclass, replace
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.fact_examples import EXAMPLES
from support.mutations import mutations
from support.strategies import contracts

from floe_contracts.compat.facts import facts_between
from floe_contracts.compat.kinds import FactKind
from floe_contracts.contract.digest import canonical_content, canonical_schema, content_hash
from floe_contracts.contract.model import Contract, Dialect, EnumValue, Property, SchemaObject
from floe_contracts.contract.read import fields as fields_dialect
from floe_contracts.contract.read import floe, odcs
from floe_contracts.contract.write import fields as write_fields
from floe_contracts.contract.write import floe as write_floe
from floe_contracts.contract.write import odcs as write_odcs

MANY = settings(max_examples=settings().max_examples // 2)  # building a random contract is what takes the time
READERS = {Dialect.ODCS: odcs.read, Dialect.FLOE: floe.read, Dialect.FIELDS: fields_dialect.read}
WRITERS = {Dialect.ODCS: write_odcs.write, Dialect.FLOE: write_floe.write, Dialect.FIELDS: write_fields.write}
KEYED = {"objects", "properties", "slas", "servers", "roles", "consumers", "tags", "quality", "relationships", "enum"}


@MANY
@given(st.sampled_from(Dialect).flatmap(contracts))
def test_a_contract_written_and_read_again_has_its_hashes(contract: Contract) -> None:
    again = READERS[contract.dialect](WRITERS[contract.dialect](contract))
    assert canonical_content(again) == canonical_content(contract)
    assert canonical_schema(again) == canonical_schema(contract)


@MANY
@given(contracts(), st.randoms(use_true_random=False))
def test_order_has_no_meaning(contract: Contract, chance: Random) -> None:
    assert canonical_content(_shuffled(contract, chance)) == canonical_content(contract)


def test_docs_of_a_repeated_value_have_no_order() -> None:
    values = (EnumValue("a", docs={"label": "one"}), EnumValue("a", id="x"), EnumValue("b"))
    made = [
        Contract("c", "1.0.0", objects=(SchemaObject("t", properties=(Property("p", enum=enum),)),))
        for enum in (values, values[::-1], values[1:])
    ]
    assert canonical_content(made[0]) == canonical_content(made[1])
    assert facts_between(made[0], made[1]) == ()
    assert canonical_content(made[0]) != canonical_content(made[2])
    assert [fact.kind.value for fact in facts_between(made[0], made[2])] == ["enum-docs-changed"]


@MANY
@given(contracts().flatmap(lambda contract: st.tuples(st.just(contract), mutations(contract))))
def test_hashes_change_with_what_is_told(pair: tuple[Contract, tuple[str, Contract]]) -> None:
    old, (change, new) = pair
    told = bool(facts_between(old, new))
    assert told is (canonical_content(old) != canonical_content(new)), change
    assert told or canonical_schema(old) == canonical_schema(new), change


@MANY
@given(contracts(), contracts())
def test_any_two_contracts_agree(old: Contract, new: Contract) -> None:
    assert bool(facts_between(old, new)) is (canonical_content(old) != canonical_content(new))


NEWER = [(kind.value, example[1], content_hash(example[1])) for kind, example in EXAMPLES.items()]


@pytest.mark.parametrize("place", range(len(NEWER)), ids=[row[0] for row in NEWER])
def test_examples_of_facts_agree_with_each_other(place: int) -> None:
    """No fact exactly when the hashes are equal: within the example, and with every other example."""
    name, contract, own = NEWER[place]
    old = EXAMPLES[FactKind(name)][0]
    for other, theirs in [(old, content_hash(old)), *((row[1], row[2]) for row in NEWER[place + 1 :])]:
        assert bool(facts_between(contract, other)) is (own != theirs)


def _shuffled(node: Any, chance: Random) -> Any:
    changes = {}
    for one in fields(node):
        value = getattr(node, one.name)
        if isinstance(value, tuple) and one.name in KEYED:
            items = [_shuffled(item, chance) if is_dataclass(item) else item for item in value]
            changes[one.name] = tuple(chance.sample(items, len(items)))
        elif is_dataclass(value):
            changes[one.name] = _shuffled(value, chance)
    return replace(node, **changes)
