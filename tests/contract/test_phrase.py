"""Phrases that floe needs in many places: numbers of things, and names that were probably meant."""

from __future__ import annotations

import pytest

from floe_contracts.contract.meaning.phrase import close_names, closest, did_you_mean, plural


@pytest.mark.parametrize(
    ("number", "words", "digits", "said"),
    [
        pytest.param(1, ("contract",), "", "1 contract", id="one"),
        pytest.param(2, ("contract",), "", "2 contracts", id="several"),
        pytest.param(0, ("contract",), "", "0 contracts", id="none"),
        pytest.param(3, ("entry", "entries"), "", "3 entries", id="a plural of its own"),
        pytest.param(1200, ("batch", "batches"), ",", "1,200 batches", id="a format for the number"),
    ],
)
def test_plural(number: int, words: tuple[str, ...], digits: str, said: str) -> None:
    assert plural(number, *words, digits=digits) == said


def test_the_likeliest_name_comes_first() -> None:
    assert close_names("conumer", ["floe", "consumer", "full"]) == ["consumer"]
    assert closest("ORDER_ID", ["order_id", "total"]) == "order_id"
    assert closest("colour", ["total"]) is None


def test_a_question_needs_a_name() -> None:
    assert did_you_mean("'lint'", "'list'") == "Did you mean 'lint' or 'list'?"
    assert did_you_mean(otherwise="`floe --help` lists them.") == "`floe --help` lists them."
