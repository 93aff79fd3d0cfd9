"""Laws of the facts of random contracts: nothing of nothing, order changes nothing, sides mirror, no silence."""

from __future__ import annotations

from collections import Counter
from copy import deepcopy
from dataclasses import fields, is_dataclass, replace
from random import Random
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st
from support import strategies
from support.builders import told
from support.mirrors import mirrored, seen
from support.mutations import mutations
from support.reading import read_text

from floe_contracts.compat.facts import facts_between
from floe_contracts.contract.convert import convert
from floe_contracts.contract.meaning.systems import is_positional
from floe_contracts.contract.model import Contract, Dialect, Relationship
from floe_contracts.errors import FloeError

MANY = settings(max_examples=max(300, settings().max_examples))


@given(strategies.contracts(), st.randoms(use_true_random=False))
@MANY
def test_a_contract_does_not_differ_from_itself_in_any_order(contract: Contract, random: Random) -> None:
    assert facts_between(contract, deepcopy(contract)) == ()
    if not is_positional(contract.servers):  # there the order of columns is a promise
        assert told(contract, shuffled(contract, random)) == []


def shuffled(node: Any, random: Random) -> Any:
    """The same node with every list whose order means nothing in another order."""
    changes: dict[str, Any] = {}
    for field in fields(node):
        value = getattr(node, field.name)
        if is_dataclass(value):
            changes[field.name] = shuffled(value, random)
        elif isinstance(value, tuple) and not isinstance(node, Relationship) and field.name != "at":
            items = [shuffled(item, random) if is_dataclass(item) else item for item in value]
            random.shuffle(items)
            changes[field.name] = tuple(items)
    return replace(node, **changes)


changes = strategies.contracts().flatmap(lambda contract: st.tuples(st.just(contract), mutations(contract)))


@given(changes)
@MANY
def test_no_change_of_meaning_is_silent_and_swapped_sides_mirror(pair: tuple[Contract, tuple[str, Contract]]) -> None:
    old, (change, new) = pair
    there, back = facts_between(old, new), facts_between(new, old)
    assert there, change
    assert Counter(map(mirrored, there)) == Counter(map(seen, back)), change


@given(strategies.contracts(), strategies.contracts())
def test_any_two_contracts_compare_and_mirror(old: Contract, new: Contract) -> None:
    there, back = facts_between(old, new), facts_between(new, old)
    assert Counter(map(mirrored, there)) == Counter(map(seen, back))


@given(strategies.contracts(), st.sampled_from(Dialect))
def test_a_contract_does_not_differ_from_itself_in_another_dialect(contract: Contract, dialect: Dialect) -> None:
    try:
        converted = convert(contract, dialect)
    except FloeError:  # the fields dialect holds one table
        return
    again = read_text(converted.text, dialect)
    if not converted.lost:
        assert told(contract, again) == []
        assert told(again, contract) == []
