"""Readers know where every node is written, and no document makes them fail."""

from __future__ import annotations

import random
from typing import Any

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st
from support.reading import READERS, fixture_texts
from support.strategy_values import json_values

from floe_contracts.contract.model import Contract, Dialect, Json, Terms, ValueOptions
from floe_contracts.contract.source import read_document


def nodes(value: Any) -> list[tuple[Any, ...]]:
    """Every node of a contract with its place."""
    if isinstance(value, tuple):
        return [found for item in value for found in nodes(item)]
    if not hasattr(value, "__dataclass_fields__"):
        return []
    inside = [found for field in value.__dataclass_fields__ for found in nodes(getattr(value, field))]
    return [(value, value.at), *inside]


ALL = [(dialect, text) for dialect in Dialect for text in fixture_texts(dialect).values()]
ALL_NAMES = [f"{dialect.value}/{name}" for dialect in Dialect for name in fixture_texts(dialect)]


@pytest.mark.parametrize(("dialect", "text"), ALL, ids=ALL_NAMES)
def test_every_node_knows_a_place_that_exists(dialect: Dialect, text: str) -> None:
    document = read_document(text.encode())
    assert isinstance(document.value, dict)
    contract = READERS[dialect](document.value)
    for node, at in nodes(contract):
        here: Any = document.value
        for step in at:
            here = here[step]
        assert at or isinstance(node, Contract) or node in (ValueOptions(), Terms()), node


def damaged(value: Any, chance: random.Random) -> Any:
    """The value with parts replaced by something of another type."""
    if chance.random() < 0.03:
        return chance.choice([None, 1, "x", True, [], {}, [1, None, "a", [], {}], {"a": 1, "name": []}])
    if isinstance(value, dict):
        return {key: damaged(item, chance) for key, item in value.items()}
    return [damaged(item, chance) for item in value] if isinstance(value, list) else value


@pytest.mark.parametrize(("dialect", "text"), ALL, ids=ALL_NAMES)
def test_damaged_contracts_are_read_as_far_as_they_go(dialect: Dialect, text: str) -> None:
    whole = yaml.safe_load(text)
    for seed in range(300):
        broken = damaged(whole, random.Random(seed))
        for reader in READERS.values():
            if isinstance(broken, dict):
                assert isinstance(reader(broken), Contract)


@given(st.dictionaries(st.sampled_from(("schema", "models", "fields", "sla", "team", "terms", "servers")), json_values))
def test_any_map_is_read_as_far_as_it_goes(value: dict[str, Json]) -> None:
    for reader in READERS.values():
        assert isinstance(reader(value), Contract)
