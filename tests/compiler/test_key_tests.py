"""Which tests of dbt count for a key of several columns."""

from __future__ import annotations

from typing import Any

import pytest

from floe_contracts.compiler.models import key_tests
from floe_contracts.policy.gates import missing_tests
from floe_contracts.policy.values import DbtModel
from floe_contracts.product.dbt import NodeTest
from floe_contracts.product.governance import QualityGates

GATES = QualityGates.model_validate({"required_tests": {"gold": ["not_null_pk", "unique_pk"]}})
NOT_NULL = (NodeTest("not_null", "a"), NodeTest("not_null", "B"))


def combined(*names: str, name: str = "unique_combination_of_columns") -> NodeTest:
    arguments: dict[str, Any] = {"combination_of_columns": list(names)}
    return NodeTest(name, "", arguments)


@pytest.mark.parametrize(
    ("tests", "missing"),
    [
        pytest.param((*NOT_NULL, combined("a", "b")), [], id="the whole key"),
        pytest.param((*NOT_NULL, combined("A", "B")), [], id="in another case"),
        pytest.param((*NOT_NULL, combined("a")), [], id="a part of the key that never repeats"),
        pytest.param((*NOT_NULL, combined("a", "c")), ["unique_pk"], id="columns beside the key"),
        pytest.param((*NOT_NULL, NodeTest("unique", "a")), [], id="one column that never repeats"),
        pytest.param((*NOT_NULL, NodeTest("unique", "c")), ["unique_pk"], id="another column that never repeats"),
        pytest.param((NodeTest("not_null", "a"), combined("a", "b")), ["not_null_pk"], id="a column may be empty"),
        pytest.param((), ["not_null_pk", "unique_pk"], id="nothing"),
    ],
)
def test_a_key_of_two_columns(tests: tuple[NodeTest, ...], missing: list[str]) -> None:
    key = ("a", "b")
    model = DbtModel("gold_x", "gold", tests=tuple(key_tests(tests, key)), primary_key=key)
    assert [name for item in missing_tests([model], GATES) for name in item.missing] == missing
