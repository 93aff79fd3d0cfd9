"""What a fact carries: an element that prints without doubt, pointers, texts, columns and a fingerprint."""

from __future__ import annotations

import pytest
from support.builders import column, contract, table

from floe_contracts.compat.fact import LONGEST_TEXT, Element, ElementKind, Fact, Segment
from floe_contracts.compat.facts import facts_between
from floe_contracts.compat.kinds import FactKind
from floe_contracts.contract.model import Contract, Dialect, Sla

ORDERS = Segment(ElementKind.OBJECT, "orders")


def prop(name: str) -> Segment:
    return Segment(ElementKind.PROPERTY, name)


PRINTED = (
    ("orders.address.street", (ORDERS, prop("address"), prop("street"))),
    ("orders.tags[]", (ORDERS, prop("tags"), Segment(ElementKind.ITEMS))),
    ("orders.attrs{key}", (ORDERS, prop("attrs"), Segment(ElementKind.MAP_KEY))),
    ("orders.attrs{value}.x", (ORDERS, prop("attrs"), Segment(ElementKind.MAP_VALUE), prop("x"))),
    ('orders."a.b"', (ORDERS, prop("a.b"))),
    ('orders."say \\"hi\\""', (ORDERS, prop('say "hi"'))),
    ('orders."tags[]"', (ORDERS, prop("tags[]"))),
    ('orders.""', (ORDERS, prop(""))),
    ("orders.quality", (ORDERS, prop("quality"))),
    ("orders.__op", (ORDERS, prop("__op"))),
    (
        "sla:freshness(updated_at)",
        (Segment(ElementKind.SLA, "freshness"), Segment(ElementKind.SLA_ELEMENT, "updated_at")),
    ),
    ("quality:orders.amount#no nulls", (ORDERS, prop("amount"), Segment(ElementKind.QUALITY, "no nulls"))),
    ("server:prod", (Segment(ElementKind.SERVER, "prod"),)),
    ("contract:owner", (Segment(ElementKind.CONTRACT, "owner"),)),
    ("custom:cost", (Segment(ElementKind.CUSTOM, "cost"),)),
)


@pytest.mark.parametrize(("text", "segments"), PRINTED, ids=[row[0] for row in PRINTED])
def test_an_element_prints_what_it_is(text: str, segments: tuple[Segment, ...]) -> None:
    assert str(Element(segments)) == text


def only(old: Contract, new: Contract) -> Fact:
    (fact,) = facts_between(old, new)
    return fact


def orders(*columns: str, dialect: Dialect = Dialect.ODCS, required: bool = False) -> Contract:
    """Columns that know where they are written."""
    made = [
        column(name, at=("schema", 0, "properties", place), required=required) for place, name in enumerate(columns)
    ]
    return contract(table(*made, at=("schema", 0)), dialect=dialect)


def test_a_removed_column_points_at_its_surviving_parent() -> None:
    fact = only(orders("a", "b"), orders("a"))
    assert (fact.old_at, fact.new_at) == (("schema", 0, "properties", 1), ("schema", 0))


def test_an_added_column_points_at_itself_and_at_the_old_parent() -> None:
    fact = only(orders("a"), orders("a", "b"))
    assert (fact.old_at, fact.new_at) == (("schema", 0), ("schema", 0, "properties", 1))


@pytest.mark.parametrize(
    ("dialect", "key"), [(Dialect.ODCS, "required"), (Dialect.FIELDS, "nullable")], ids=["odcs", "fields"]
)
def test_a_changed_field_points_at_its_key_as_the_dialect_spells_it(dialect: Dialect, key: str) -> None:
    fact = only(orders("a", dialect=dialect), orders("a", dialect=dialect, required=True))
    assert fact.new_at == ("schema", 0, "properties", 0, key)


def test_texts_are_cut_for_people_and_whole_in_the_fingerprint() -> None:
    texts = ["x" * 500 + end for end in "ab"]
    facts = [only(contract(column()), contract(column(docs={"description": text}))) for text in texts]
    assert facts[0].new == facts[1].new
    assert len(facts[0].new) == LONGEST_TEXT
    assert facts[0].fingerprint("k") != facts[1].fingerprint("k")


TOUCHED = (
    ("a column", contract(column("a")), contract(column("a", "date")), ("orders.a",)),
    (
        "a nested column is about its top-level column",
        contract(column("a", "object", properties=(column("x"), column("y")))),
        contract(column("a", "object", properties=(column("x"),))),
        ("orders.a",),
    ),
    ("an added column is read by nobody", contract(column("a")), contract(column("a"), column("b")), ("orders.b",)),
    (
        "a table is about all its columns",
        contract(column("a"), column("b")),
        contract(table(column("a"), column("b"), granularity="x")),
        ("orders.a", "orders.b"),
    ),
    (
        "an SLA is about its column",
        contract(column("a"), slas=(Sla("freshness", "1h", element="a"),)),
        contract(column("a"), slas=(Sla("freshness", "2h", element="a"),)),
        ("orders.a",),
    ),
    (
        "an SLA of the contract is about everybody",
        contract(slas=(Sla("availability", 99),)),
        contract(slas=(Sla("availability", 98),)),
        (),
    ),
    (
        "a renamed column is about its old name",
        contract(column("user_id")),
        contract(column("userId")),
        ("orders.user_id",),
    ),
)


@pytest.mark.parametrize(("old", "new", "columns"), [row[1:] for row in TOUCHED], ids=[row[0] for row in TOUCHED])
def test_a_fact_names_the_columns_whose_readers_it_concerns(
    old: Contract, new: Contract, columns: tuple[str, ...]
) -> None:
    assert only(old, new).columns == columns


def typed(text: str) -> Contract:
    return contract(column("a", "number", physical_type=text))


def test_a_fingerprint_is_sixteen_hex_digits_that_never_change() -> None:
    assert only(typed("INT"), typed("STRING")).fingerprint("orders") == "5b189849551eabca"


def test_a_fingerprint_survives_another_spelling() -> None:
    first = only(typed("NUMERIC(12, 2)"), typed("STRING"))
    second = only(typed("decimal(12,2)"), typed("text"))
    assert first.fingerprint("k") == second.fingerprint("k")


OTHER = (
    ("another contract", only(typed("INT"), typed("STRING")), "other"),
    ("another new type", only(typed("INT"), typed("DATE")), "k"),
    ("another kind", only(typed("INT"), typed("BIGINT")), "k"),
    (
        "another column",
        only(
            contract(column("b", "number", physical_type="INT")),
            contract(column("b", "number", physical_type="STRING")),
        ),
        "k",
    ),
)


@pytest.mark.parametrize(("fact", "key"), [row[1:] for row in OTHER], ids=[row[0] for row in OTHER])
def test_another_change_has_another_fingerprint(fact: Fact, key: str) -> None:
    assert fact.fingerprint(key) != only(typed("INT"), typed("STRING")).fingerprint("k")


def test_kinds_are_named_in_kebab_case_like_their_members() -> None:
    assert all(kind.value == kind.name.lower().replace("_", "-") for kind in FactKind)
