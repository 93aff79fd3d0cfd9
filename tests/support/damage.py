"""Damaged contracts for differential tests: seeded, so that a failing document can be made again."""

from __future__ import annotations

import random
from collections.abc import Iterator
from copy import deepcopy
from pathlib import Path
from typing import Any, TypeAlias

from floe_contracts.contract.source import read_document
from floe_contracts.contract.source.scalars import plain

Document: TypeAlias = "dict[str, Any]"

FIXTURES = Path(__file__).parents[1] / "fixtures" / "contracts"
JUNK: tuple[Any, ...] = (
    *(None, True, False, 0, 1, -1, 2.5, 10**20, "", "x", "a b", "a.b", "orders.order_id", "schema/a/properties/b"),
    *([], {}, ["x"], [1, 1], [0, 5], [[]], [{}], {"x": 1}, {"name": "x"}, {"value": None}),
    *("v3.0.2", "v3.1.0", "v3.2.0", "DataContract", "string", "timestamp", "map", "vector", "array", "object"),
    *("library", "sql", "custom", "rowCount", "postgres", "s3", "iceberg", "hive", "2024-01-01", "${VALUE}"),
)


def fixture(name: str) -> Document:
    """A contract from tests/fixtures/contracts as plain values."""
    value = plain(read_document((FIXTURES / name).read_bytes()).value)
    assert isinstance(value, dict)
    return value


def damaged(seed: int, count: int, bases: list[Document], donors: list[Document]) -> Iterator[Document]:
    """Copies of the bases with one to three places damaged; what is grafted in comes from the donors."""
    rng = random.Random(seed)
    parts = [(path[-1], _at(donor, path)) for donor in donors for path in _paths(donor) if isinstance(path[-1], str)]
    names = sorted({name for name, _ in parts})
    for _ in range(count):
        document = deepcopy(rng.choice(bases))
        for _ in range(rng.choice((1, 1, 1, 2, 3))):
            _damage(rng, document, parts, names)
        yield document


def _damage(rng: random.Random, document: Document, parts: list[tuple[Any, Any]], names: list[Any]) -> None:
    paths = list(_paths(document))
    if not paths:
        return
    path = rng.choice(paths)
    parent, key = _at(document, path[:-1]), path[-1]
    blow = rng.choice(("drop", "rename", "retype", "swap", "insert", "repeat", "graft"))
    if blow == "drop":
        del parent[key]
    elif blow == "retype":
        parent[key] = deepcopy(rng.choice(JUNK))
    elif blow == "swap":
        parent[key] = deepcopy(_at(document, rng.choice(paths)))
    elif isinstance(parent, list):
        parent.append(deepcopy(parent[key]) if blow == "repeat" else deepcopy(rng.choice(JUNK)))
    elif blow == "rename":
        parent[rng.choice((f"{key}s", key[:-1], rng.choice(names)))] = parent.pop(key)
    elif blow == "insert":
        parent[rng.choice(names)] = deepcopy(rng.choice(JUNK))
    else:
        name, part = rng.choice(parts)
        parent[name] = deepcopy(part)


def _paths(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    children = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, child in children:
        yield (*path, key)
        yield from _paths(child, (*path, key))


def _at(value: Any, path: tuple[Any, ...]) -> Any:
    for step in path:
        value = value[step]
    return value
