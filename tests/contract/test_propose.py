"""A first contract from what was seen: what held for every row, and nothing that was only chance."""

from __future__ import annotations

import pytest
from support.builders import told

from floe_contracts.contract.convert import convert
from floe_contracts.contract.load import load
from floe_contracts.contract.model import Dialect, Property
from floe_contracts.contract.propose import Seen, describe_proposal, is_key_name, propose, text_type

ROWS = 1_000


def column(seen: Seen, rows: int = ROWS, table: str = "shop.orders") -> Property:
    (found,) = propose("orders", table, [seen], rows).objects[0].properties
    return found


@pytest.mark.parametrize(
    ("seen", "rows", "required"),
    [
        (Seen("a", "string", nulls=0), ROWS, True),
        (Seen("a", "string", nulls=1), ROWS, False),
        (Seen("a", "string", nulls=0), 0, False),
    ],
    ids=["never null", "null once", "no rows at all"],
)
def test_what_was_never_null_is_required(seen: Seen, rows: int, required: bool) -> None:
    assert column(seen, rows).required is required


@pytest.mark.parametrize(
    ("seen", "is_key"),
    [
        (Seen("order_id", "string", 0, ROWS), True),
        (Seen("id", "bigint", 0, ROWS), True),
        (Seen("order_id", "string", 0, ROWS - 1), False),
        (Seen("order_id", "string", 1, ROWS - 1), False),
        (Seen("order_id", "string", 0, None), False),
        (Seen("kundennummer", "string", 0, ROWS), True),
        (Seen("tag", "date", 0, ROWS), True),
        (Seen("id", "double", 0, ROWS), False),
    ],
    ids=[
        *("its table's name", "plain id", "one value twice", "one null", "nobody counted"),
        *("any other name", "a day", "a fraction"),
    ],
)
def test_a_key_is_unique_and_never_null(seen: Seen, is_key: bool) -> None:
    assert column(seen).primary_key is is_key


@pytest.mark.parametrize(
    ("name", "table"),
    [
        ("order_id", "orders"),
        ("ORDER_ID", "lake.shop.Orders"),
        ("category_id", "categories"),
        ("box_id", "boxes"),
        ("order_id", "fact_orders"),
        ("uuid", "anything"),
    ],
)
def test_names_of_keys(name: str, table: str) -> None:
    assert is_key_name(name, table)


@pytest.mark.parametrize(
    ("names", "rows", "key", "unique"),
    [
        (["sku", "ean"], 9, "sku", []),
        (["sku", "order_id"], 9, "order_id", []),
        (["sku", "order_id", "ean"], ROWS, "order_id", ["sku", "ean"]),
    ],
    ids=["the first in few rows", "the one that is called so", "the others are unique"],
)
def test_of_several_unique_columns_a_single_one_is_the_key(
    names: list[str], rows: int, key: str, unique: list[str]
) -> None:
    contract = propose("orders", "orders", [Seen(name, "string", 0, rows) for name in names], rows)
    properties = contract.objects[0].properties
    assert [column.name for column in properties if column.primary_key] == [key]
    assert [column.name for column in properties if column.unique] == unique


def test_a_unique_column_may_have_nulls() -> None:
    assert column(Seen("ean", "string", 10, ROWS - 10)).unique


@pytest.mark.parametrize(
    ("values", "kind"),
    [
        (["1", "-20", "0"], "bigint"),
        (["01234", "1"], "string"),
        (["1.50", "2"], "double"),
        (["true", "FALSE"], "boolean"),
        (["2026-02-28"], "date"),
        (["2026-02-31"], "string"),
        (["2026-01-01 10:00:00"], "timestamp_ntz"),
        (["2026-01-01T10:00:00Z"], "timestamp"),
        (["2026-01-01", "soon"], "string"),
        (["12345678901234567890"], "string"),
    ],
    ids=str,
)
def test_types_of_texts(values: list[str], kind: str) -> None:
    import re

    assert text_type(lambda pattern: all(re.search(pattern, value) for value in values)) == kind


def test_only_the_first_of_two_keys_is_proposed() -> None:
    found = propose("orders", "orders", [Seen("id", "bigint", 0, 9), Seen("order_id", "string", 0, 9)], 9)
    assert [one.name for one in found.objects[0].properties if one.primary_key] == ["id"]


FEW = ("open", "paid", "sent")


@pytest.mark.parametrize(
    ("seen", "rows", "values"),
    [
        (Seen("status", "string", 0, 3, FEW), ROWS, list(FEW)),
        (Seen("status", "string", 0, 3, FEW), 59, None),
        (Seen("status", "string", 0, 1, FEW[:1]), ROWS, None),
        (Seen("status", "string", 0, 13, tuple("abcdefghijklm")), ROWS, None),
        (Seen("first_name", "string", 0, 3, FEW), ROWS, None),
        (Seen("customer_email", "string", 0, 3, FEW), ROWS, None),
        (Seen("kind", "bigint", 0, 3, ("1", "2", "3")), ROWS, None),
        (Seen("status", "string", 0, 3, ("open", "paid", "x" * 65)), ROWS, None),
        (Seen("status", "string", 0, 3, ("open", "paid", "a\nb")), ROWS, None),
        (Seen("status", "string", 0, 3, ("open", "paid", " ")), ROWS, None),
        (Seen("code", "string", 0, 2, ("1", "411111111111")), ROWS, None),
        (Seen("code", "string", 0, 2, ("1", "4111 1111-1111 1111")), ROWS, None),
        (Seen("code", "string", 0, 2, ("1", "41111111111")), ROWS, ["1", "41111111111"]),
    ],
    ids=[
        *("few that repeat", "too few rows", "one value", "too many", "about people", "about people too", "numbers"),
        *("a long text", "several lines", "a blank", "a long number", "a long number in groups", "a shorter number"),
    ],
)
def test_values_are_listed_where_they_repeat_and_are_about_nobody(
    seen: Seen, rows: int, values: list[str] | None
) -> None:
    found = column(seen, rows).enum
    assert (None if found is None else [one.value for one in found]) == values


PERSONAL = """
contact_person diagnosis_code Disease religion ethnicity gender sex salary_band income_class cardType iban
bank_account passportNo ssn tax_number birth_year home_address phone email last_name patient_group marital_status race
nationality
"""


@pytest.mark.parametrize("name", PERSONAL.split())
def test_values_of_columns_about_people_are_not_listed(name: str) -> None:
    assert column(Seen(name, "string", 0, 3, FEW)).enum is None


@pytest.mark.parametrize("name", ["status", "trace_level", "currency", "country", "order_state", "channel"])
def test_values_of_columns_about_things_are_listed(name: str) -> None:
    assert column(Seen(name, "string", 0, 3, FEW)).enum is not None


@pytest.mark.parametrize("dialect", list(Dialect))
def test_every_dialect_holds_what_is_proposed_and_lints_clean(dialect: Dialect) -> None:
    columns = [
        Seen("order_id", "string", 0, ROWS),
        Seen("status", "string", 2, 3, FEW),
        Seen("amount", "decimal(12,2)"),
        Seen("placed_at", "timestamp"),
        Seen("tags", "array<string>"),
        Seen("address", "struct<city:string,zip:string>"),
        Seen("Straße, Nr.", "int"),
    ]
    contract = propose("orders", "lake.shop.orders", columns, ROWS, "checkout-team")
    loaded = load(convert(contract, dialect).text.encode(), "contracts/orders.yaml")
    assert [item.message for item in loaded.findings if item.severity.rank > 2] == []
    assert loaded.contract is not None
    names = [one.name for one in loaded.contract.objects[0].properties]
    assert names == [one.name for one in columns]
    assert loaded.contract.owner == "checkout-team"
    if dialect is not Dialect.FIELDS:
        assert told(contract, loaded.contract) == []


def test_what_to_look_at_is_said() -> None:
    contract = propose("orders", "orders", [Seen("id", "bigint", 0, 100), Seen("status", "string", 0, 3, FEW)], 100)
    assert list(describe_proposal(contract)) == [
        *("key: id", "never null: 2 of 2 columns", "lists of values: status"),
        "never empty: rowCount is more than 0",
    ]


@pytest.mark.parametrize(("rows", "rules"), [(ROWS, 1), (1, 1), (0, 0)], ids=["many rows", "one row", "no rows at all"])
def test_a_table_with_rows_is_promised_never_to_be_empty(rows: int, rules: int) -> None:
    contract = propose("orders", "orders", [Seen("a", "string")], rows)
    text = convert(contract, Dialect.ODCS).text
    assert text.count("metric: rowCount") == text.count("mustBeGreaterThan: 0") == rules
