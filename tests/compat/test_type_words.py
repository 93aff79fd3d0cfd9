"""Every type word in every dialect: one meaning per word, whatever its case, and one price per change."""

from __future__ import annotations

from functools import cache
from itertools import product

import pytest
from support.reading import read_text

from floe_contracts.compat.facts import facts_between
from floe_contracts.compat.ruleset import make_ruleset
from floe_contracts.contract.digest import content_hash
from floe_contracts.contract.meaning.typenames import logical_for, normal_type
from floe_contracts.contract.meaning.typewords import CLOCKS, FAMILIES, UINTS
from floe_contracts.contract.model import Contract, Dialect
from floe_contracts.contract.read.columns import LOGICAL_TYPES

WORDS = sorted({*FAMILIES, *CLOCKS, *UINTS, *LOGICAL_TYPES} - {"null"})


@cache
def written(word: str, dialect: Dialect) -> Contract:
    if dialect is Dialect.FIELDS:
        return read_text(f'schema: t\nversion: 1.0.0\nfields: [{{name: a, type: "{word}"}}]', dialect)
    if dialect is Dialect.FLOE:
        return read_text(f'name: t\nversion: 1.0.0\nmodels: {{t: {{elements: {{a: {{type: "{word}"}}}}}}}}', dialect)
    logical = logical_for(word)
    types = f'physicalType: "{word}"' + (f", logicalType: {logical}" if logical else "")
    return read_text(f"name: t\nversion: 1.0.0\nschema: [{{name: t, properties: [{{name: a, {types}}}]}}]", dialect)


def kinds(old: str, new: str, before: Dialect, after: Dialect) -> list[str]:
    return [fact.kind.value for fact in facts_between(written(old, before), written(new, after))]


@pytest.mark.parametrize("before", Dialect)
@pytest.mark.parametrize("after", Dialect)
def test_a_word_means_the_same_in_every_case_and_dialect(before: Dialect, after: Dialect) -> None:
    for word in WORDS:
        if word in ("uuid", "uniqueidentifier", "guid") and Dialect.FIELDS in (before, after):
            continue  # there `type: UUID` is a text with a format
        for old, new in product((word, word.upper(), word.title()), repeat=2):
            assert kinds(old, new, before, after) == [], (old, new)


@pytest.mark.parametrize("dialect", [Dialect.FIELDS, Dialect.FLOE])
def test_every_change_costs_the_same_as_in_the_standard(dialect: Dialect) -> None:
    """With that of equal meanings being none: symmetric and transitive, as meanings have one canonical spelling."""
    words = [word for word in WORDS if dialect is Dialect.FLOE or normal_type(word) != "uuid"]
    for old, new in product(words, repeat=2):
        expected = kinds(old.upper(), new.upper(), Dialect.ODCS, Dialect.ODCS)
        assert kinds(old, new, dialect, dialect) == expected, (old, new)
        assert (expected == []) == (normal_type(old) == normal_type(new)), (old, new)
        same = content_hash(written(old, dialect)) == content_hash(written(new, dialect))
        assert same == (expected == []), (old, new)


PRICES = (
    ("integer", "bigint", "major"),
    ("INTEGER", "BIGINT", "major"),
    ("int", "integer", "none"),
    ("Integer", "INT4", "none"),
    ("string", "VARCHAR(20)", "major"),
    ("varchar(20)", "string", "minor"),
    ("number", "decimal(12,2)", "major"),
    ("timestamp", "timestamptz", "major"),
    ("object", "STRUCT", "none"),
    ("boolean", "bool", "none"),
)


@pytest.mark.parametrize("dialect", Dialect)
@pytest.mark.parametrize(("old", "new", "price"), PRICES, ids=lambda word: word)
def test_the_price_of_a_change(old: str, new: str, price: str, dialect: Dialect) -> None:
    facts = facts_between(written(old, dialect), written(new, dialect))
    assert [make_ruleset().cost(fact.kind).name.lower() for fact in facts] == ([] if price == "none" else [price])
