"""Tables and columns: pairing, renames, moves, folding, keys and order."""

from __future__ import annotations

from typing import Any

import pytest
from support.builders import column, contract, server, table, told

from floe_contracts.contract.digest import content_hash
from floe_contracts.contract.meaning.systems import POSITIONAL
from floe_contracts.contract.model import Contract, Dialect, Property, SchemaObject

NOTE = {"description": "the place where it was sold"}
ADDRESS = column("address", "object", properties=(column("street"), column("city")))


def in_struct(*children: Property) -> Property:
    return column("address", "object", properties=children)


# what, old columns, new columns, facts
COLUMNS: tuple[tuple[str, tuple[Property, ...], tuple[Property, ...], list[str]], ...] = (
    ("other order", (column("a"), column("b")), (column("b"), column("a")), []),
    ("no name of its own is the name", (column("a"),), (column("a", physical_name="a"),), []),
    (
        "renamed by stable id",
        (column("a", id="1"),),
        (column("z", "integer", id="1"),),
        ["property-renamed orders.a", "type-changed orders.a"],
    ),
    (
        "renamed in other letters",
        (column("user_id"), column("x", "date")),
        (column("x", "date"), column("userId")),
        ["property-renamed orders.user_id"],
    ),
    (
        "renamed in place",
        (column("a"), column("qty", "integer"), column("b")),
        (column("a"), column("pieces", "integer"), column("b")),
        ["property-renamed orders.qty"],
    ),
    (
        "two neighbours renamed",
        (column("a"), column("q"), column("w"), column("b")),
        (column("a"), column("first"), column("second"), column("b")),
        ["property-renamed orders.q", "property-renamed orders.w"],
    ),
    (
        "renamed and moved, same description",
        (column("shop", docs=NOTE), column("a", "date")),
        (column("a", "date"), column("branch", docs=NOTE)),
        ["property-renamed orders.shop"],
    ),
    (
        "renamed, stored as before",
        (column("shop"),),
        (column("branch", physical_name="shop"),),
        ["property-renamed orders.shop"],
    ),
    (
        "renamed, stored elsewhere too",
        (column("shop", physical_name="s"),),
        (column("branch", physical_name="b"),),
        ["property-renamed orders.shop", "property-physical-name-changed orders.shop"],
    ),
    (
        "another type is another column",
        (column("a"), column("x")),
        (column("a"), column("y", "integer")),
        ["property-removed orders.x", "property-added-optional orders.y"],
    ),
    (
        "another place and name is another column",
        (column("a"), column("colour")),
        (column("weight"), column("a")),
        ["property-removed orders.colour", "property-added-optional orders.weight"],
    ),
    (
        "two ids swapped are two renames",
        (column("a", id="1"), column("b", id="2")),
        (column("b", id="1"), column("a", id="2")),
        ["property-renamed orders.a", "property-renamed orders.b"],
    ),
    ("removed with all it holds", (column("a"), ADDRESS), (column("a"),), ["property-removed orders.address"]),
    ("added with all it holds", (column("a"),), (column("a"), ADDRESS), ["property-added-optional orders.address"]),
    ("nested removed", (ADDRESS,), (in_struct(column("city")),), ["property-removed orders.address.street"]),
    (
        "nested added required",
        (in_struct(column("city")),),
        (in_struct(column("city"), column("zip", "integer", required=True)),),
        ["property-added-required orders.address.zip"],
    ),
    (
        "nested renamed",
        (in_struct(column("zip_code")),),
        (in_struct(column("zipCode")),),
        ["property-renamed orders.address.zip_code"],
    ),
    (
        "struct flattened",
        (ADDRESS,),
        (column("street"), column("city")),
        ["property-moved orders.address.street", "property-moved orders.address.city"],
    ),
    (
        "struct introduced",
        (column("street"), column("city")),
        (ADDRESS,),
        ["property-moved orders.street", "property-moved orders.city"],
    ),
    (
        "struct flattened in part",
        (ADDRESS,),
        (column("street"),),
        ["property-moved orders.address.street", "property-removed orders.address"],
    ),
    ("struct became text", (ADDRESS,), (column("address"),), ["type-changed orders.address"]),
    (
        "array items changed",
        (column("tags", "array", items=column("", "string")),),
        (column("tags", "array", items=column("", "integer")),),
        ["type-changed orders.tags[]"],
    ),
    (
        "array items now said",
        (column("tags", "array"),),
        (column("tags", "array", items=column("", "string")),),
        ["logical-type-added orders.tags[]"],
    ),
    (
        "field of an array of structs removed",
        (column("lines", "array", items=column("", "object", properties=(column("sku"), column("qty", "integer")))),),
        (column("lines", "array", items=column("", "object", properties=(column("sku"),))),),
        ["property-removed orders.lines[].qty"],
    ),
    (
        "map value changed",
        (column("attrs", "map", map_key=column(""), map_value=column("")),),
        (column("attrs", "map", map_key=column(""), map_value=column("", "integer")),),
        ["type-changed orders.attrs{value}"],
    ),
    (
        "map key changed",
        (column("attrs", "map", map_key=column(""), map_value=column("")),),
        (column("attrs", "map", map_key=column("", "integer"), map_value=column("")),),
        ["type-changed orders.attrs{key}"],
    ),
    (
        "dots in a name stay in the name",
        (column("a.b"), column("a", "object", properties=(column("b"),))),
        (column("a", "object", properties=(column("b"),)),),
        ['property-removed orders."a.b"'],
    ),
    (
        "a name in another Unicode form is another name to data",
        (column("größe"),),
        (column("gro\u0308ße"),),
        ["property-renamed orders.größe"],
    ),
)


@pytest.mark.parametrize(("old", "new", "facts"), [row[1:] for row in COLUMNS], ids=[row[0] for row in COLUMNS])
def test_columns_are_paired_by_meaning(old: tuple[Property, ...], new: tuple[Property, ...], facts: list[str]) -> None:
    assert told(contract(*old), contract(*new)) == facts


TYPED = (
    (
        "type text and listed field say one thing",
        "struct<a:int>",
        "struct<a:bigint>",
        "int",
        "bigint",
        ["type-widened orders.s.a"],
    ),
    ("only the type text changed", "struct<a:int>", "struct<a:bigint>", None, None, ["type-widened orders.s.a"]),
    ("only the listed field changed", "struct<a:int>", "struct<a:int>", "int", "bigint", ["type-widened orders.s.a"]),
    (
        "they say different things",
        "struct<a:int,b:int>",
        "struct<a:int>",
        "int",
        "bigint",
        ["type-widened orders.s.a", "property-removed orders.s.b"],
    ),
)


@pytest.mark.parametrize(
    ("old", "new", "inner_old", "inner_new", "facts"), [row[1:] for row in TYPED], ids=[row[0] for row in TYPED]
)
def test_the_text_of_a_type_and_its_listed_fields_are_one_cause(
    old: str, new: str, inner_old: str | None, inner_new: str | None, facts: list[str]
) -> None:
    sides = [
        contract(column("s", "object", physical_type=text, properties=(column("a", "integer", physical_type=inner),)))
        for text, inner in ((old, inner_old), (new, inner_new))
    ]
    assert told(sides[0], sides[1]) == facts


VISITS = table(column("visit"), column("page"), name="visits")
# what, old tables, new tables, facts
TABLES: tuple[tuple[str, tuple[SchemaObject, ...], tuple[SchemaObject, ...], list[str]], ...] = (
    ("other order", (table(), VISITS), (VISITS, table()), []),
    ("table is what an object is unless it says otherwise", (table(),), (table(physical_type="TABLE"),), []),
    ("view to topic", (table(physical_type="view"),), (table(physical_type="topic"),), ["object-kind-changed orders"]),
    (
        "renamed by id",
        (table(id="t1"),),
        (table(column("other", "date"), id="t1", name="sales"),),
        ["object-renamed orders", "property-removed orders.amount", "property-added-optional orders.other"],
    ),
    (
        "renamed with its physical name kept",
        (table(physical_name="o"),),
        (table(column("other", "date"), physical_name="o", name="sales"),),
        ["object-renamed orders", "property-removed orders.amount", "property-added-optional orders.other"],
    ),
    (
        "renamed with its columns kept",
        (VISITS, table()),
        (table(), table(column("visit"), column("page"), name="hits")),
        ["object-renamed visits"],
    ),
    (
        "other columns are another table",
        (VISITS,),
        (table(column("x", "date"), name="hits"),),
        ["object-removed visits", "object-added hits"],
    ),
    ("all it holds folds into it", (table(), VISITS), (table(),), ["object-removed visits"]),
)


@pytest.mark.parametrize(("old", "new", "facts"), [row[1:] for row in TABLES], ids=[row[0] for row in TABLES])
def test_tables_are_paired_by_meaning(
    old: tuple[SchemaObject, ...], new: tuple[SchemaObject, ...], facts: list[str]
) -> None:
    assert told(contract(*old), contract(*new)) == facts


def test_the_fields_dialect_names_contract_and_table_by_one_key_so_a_rename_is_one_fact() -> None:
    old = contract(name="orders", dialect=Dialect.FIELDS)
    new = Contract("sales", "1.0.0", objects=(table(name="sales"),), dialect=Dialect.FIELDS)
    assert told(old, new) == ["contract-name-changed contract:name"]


def key(name: str, position: int | None = None, **more: Any) -> Property:
    return column(name, primary_key=True, primary_key_position=position, **more)


# what, old columns, new columns, facts
KEYS: tuple[tuple[str, tuple[Property, ...], tuple[Property, ...], list[str]], ...] = (
    ("position of a lone key says nothing", (key("a"),), (key("a", 1),), []),
    ("positions count from anywhere", (key("a", 1), key("b", 2)), (key("a", 10), key("b", 20)), []),
    ("columns in other order, same positions", (key("a", 1), key("b", 2)), (key("b", 2), key("a", 1)), []),
    ("positions swapped", (key("a", 1), key("b", 2)), (key("a", 2), key("b", 1)), ["primary-key-reordered orders"]),
    ("key column renamed", (key("a_id"), column("x")), (key("aId"), column("x")), ["property-renamed orders.a_id"]),
    (
        "key column removed",
        (key("a", 1), key("b", 2)),
        (key("a", 1),),
        ["property-removed orders.b", "primary-key-changed orders"],
    ),
    ("key moved to another column", (key("a"), column("b")), (column("a"), key("b")), ["primary-key-changed orders"]),
    ("nested key", (in_struct(key("a")),), (in_struct(column("a")),), ["primary-key-removed orders"]),
    (
        "partition order",
        (column("a", partitioned=True, partition_position=1), column("b", partitioned=True, partition_position=2)),
        (column("a", partitioned=True, partition_position=2), column("b", partitioned=True, partition_position=1)),
        ["partition-changed orders"],
    ),
)


@pytest.mark.parametrize(("old", "new", "facts"), [row[1:] for row in KEYS], ids=[row[0] for row in KEYS])
def test_a_key_belongs_to_the_table(old: tuple[Property, ...], new: tuple[Property, ...], facts: list[str]) -> None:
    assert told(contract(*old), contract(*new)) == facts


A, B, C = column("a"), column("b"), column("c", "date")
BY_PLACE = (
    ("appended at the end", (A, B), (A, B, C), ["property-added-optional orders.c"]),
    ("inserted before", (A, B), (A, C, B), ["property-added-optional orders.c", "property-order-changed orders"]),
    ("removed, the rest in order", (A, C, B), (A, B), ["property-removed orders.c"]),
    ("swapped", (A, C), (C, A), ["property-order-changed orders"]),
    ("renamed in place", (A, C), (column("z"), C), ["property-renamed orders.a"]),
)


@pytest.mark.parametrize(("old", "new", "facts"), [row[1:] for row in BY_PLACE], ids=[row[0] for row in BY_PLACE])
def test_the_order_of_columns_counts_where_files_are_read_by_position(
    old: tuple[Property, ...], new: tuple[Property, ...], facts: list[str]
) -> None:
    files = (server("drop", "sftp", format="CSV"),)
    assert told(contract(*old, servers=files), contract(*new, servers=files)) == facts


@pytest.mark.parametrize("format_", sorted(POSITIONAL))
def test_the_digests_know_the_same_formats_as_read_by_position(format_: str) -> None:
    files = (server("drop", "sftp", format=format_),)
    assert content_hash(contract(A, C, servers=files)) != content_hash(contract(C, A, servers=files))


def test_other_formats_are_read_by_name() -> None:
    files = (server("drop", "sftp", format="parquet"),)
    assert content_hash(contract(A, C, servers=files)) == content_hash(contract(C, A, servers=files))
