"""Every kind of fact can happen, alone, and is about the right element."""

from __future__ import annotations

import pytest
from support.builders import told
from support.fact_examples import EXAMPLES

from floe_contracts.compat.facts import facts_between
from floe_contracts.compat.kinds import FactKind


@pytest.mark.parametrize("kind", FactKind, ids=lambda kind: kind.value)
def test_the_example_of_a_kind_gives_that_fact_and_no_other(kind: FactKind) -> None:
    old, new, element = EXAMPLES[kind]
    assert told(old, new) == [f"{kind.value} {element}"]


@pytest.mark.parametrize("kind", FactKind, ids=lambda kind: kind.value)
def test_both_sides_of_an_example_are_equal_to_themselves(kind: FactKind) -> None:
    old, new, _ = EXAMPLES[kind]
    assert facts_between(old, old) == facts_between(new, new) == ()
