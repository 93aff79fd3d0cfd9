"""CPU time of a comparison in which every quality rule was replaced by another one."""

from __future__ import annotations

from time import process_time

from floe_contracts.compat.facts import facts_between
from floe_contracts.contract.model import Contract, QualityRule, SchemaObject

MANY = 20
BYTES = 5_000


def cpu_seconds() -> float:
    """Seconds to compare two contracts with MANY unnamed queries of BYTES each, none of them the same."""
    old, new = _contract("before"), _contract("after")
    begin = process_time()
    facts_between(old, new)
    return process_time() - begin


def _contract(word: str) -> Contract:
    rules = (
        QualityRule("sql", query=f"SELECT {' '.join(f'{word}_{place}_{index}' for index in range(BYTES))}"[:BYTES])
        for place in range(MANY)
    )
    return Contract("t", "1.0.0", objects=(SchemaObject("t", quality=tuple(rules)),))
