"""The YAML that floe writes: the same value for every reader, and pleasant to look at."""

from __future__ import annotations

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st
from support.strategies import TRICKY

from floe_contracts.contract.model import Json
from floe_contracts.contract.source import read_document
from floe_contracts.contract.source.scalars import Numeral, WholeNumeral
from floe_contracts.contract.write.yaml_text import yaml_text

anything = st.text(st.characters(codec="utf-8", categories=None, exclude_characters="\x00"), max_size=12)
leaves = st.one_of(
    anything,
    st.sampled_from(TRICKY),
    st.none(),
    st.booleans(),
    st.integers(-(10**20), 10**20),
    st.floats(allow_nan=False, allow_infinity=False),
)
values: st.SearchStrategy[Json] = st.recursive(
    leaves,
    lambda inner: st.one_of(
        st.lists(inner, max_size=4), st.dictionaries(st.one_of(anything, st.sampled_from(TRICKY)), inner, max_size=4)
    ),
    max_leaves=12,
)


@given(values)
def test_both_versions_of_yaml_read_what_was_written(value: Json) -> None:
    document = {"value": value}
    text = yaml_text(document)
    assert yaml.load(text, yaml.CSafeLoader) == document
    assert read_document(text.encode()).value == document


SPELLINGS = {
    "a version": ("1.10", '"1.10"'),
    "a date": ("2026-01-03", '"2026-01-03"'),
    "a number in 1.2 only": ("1e5", '"1e5"'),
    "an octal number in 1.2 only": ("0o17", '"0o17"'),
    "a number in 1.1 only": ("1_000", '"1_000"'),
    "a truth value in 1.1 only": ("No", '"No"'),
    "a duration": ("PT6H", "PT6H"),
    "a mail address": ("a@b.example", "a@b.example"),
    "prose": ("Gross revenue in USD, pre-tax", "Gross revenue in USD, pre-tax"),
    "prose with a colon": ("note: x", '"note: x"'),
    "a link": ("https://acme.example/#top", "https://acme.example/#top"),
    "other scripts": ("Größe 日本 🚀", "Größe 日本 🚀"),
    "a line separator": ("a\u2028b", '"a\\u2028b"'),
    "a number with its spelling": (Numeral("1.10"), "1.10"),
    "a number only 1.2 can read": (Numeral("1e3"), "1000.0"),
    "a whole number only 1.2 can read": (WholeNumeral("0o17"), "15"),
    "a tiny number": (1e-7, "1.0e-07"),
    "scalars in a list": (["a", "b,c", 1], '[a, "b,c", 1]'),
    "nothing": (None, "null"),
    "an empty list": ([], "[]"),
    "an empty map": ({}, "{}"),
}


@pytest.mark.parametrize(("value", "spelling"), SPELLINGS.values(), ids=SPELLINGS)
def test_spelling(value: Json, spelling: str) -> None:
    assert yaml_text({"key": value}) == f"key: {spelling}\n"


LAYOUTS = {
    "several lines": ("a\nb\n", "key: |\n  a\n  b\n"),
    "several lines without an end": ("a\n\nb", "key: |-\n  a\n\n  b\n"),
    "a list of maps": ([{"a": 1, "b": 2}], "key:\n  - a: 1\n    b: 2\n"),
    "lists in a list": ([[1], [2]], "key:\n  - [1]\n  - [2]\n"),
    "a long list": (["x" * 60, "y" * 60], f"key:\n  - {'x' * 60}\n  - {'y' * 60}\n"),
    "a very long key": ({"k" * 200: {"a": 1}}, f"key:\n  ? {'k' * 200}\n  :\n    a: 1\n"),
}


@pytest.mark.parametrize(("value", "text"), LAYOUTS.values(), ids=LAYOUTS)
def test_layout(value: Json, text: str) -> None:
    assert yaml_text({"key": value}) == text
