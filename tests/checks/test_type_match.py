"""Which types keep a promise: every promised type against every type that Spark can report."""

from __future__ import annotations

import pytest
from support.actual_columns import actual
from support.builders import column

from floe_contracts.checks.drift.type_match import Reading, matches
from floe_contracts.contract.meaning.typenames import Zone
from floe_contracts.contract.model import ValueOptions

# Everything Spark reports, and for each the promised physical types that it keeps.
SPARK = {
    "boolean": "boolean, bool",
    "tinyint": "tinyint, byte, number",
    "smallint": "smallint, short, int2, number",
    "int": "int, integer, int4, number",
    "bigint": "bigint, long, int8, uint32, int unsigned, number",
    "float": "float, real",
    "double": "double, float8, double precision",
    "decimal(10,2)": "decimal(10,2), NUMERIC(10,2), decimal, number",
    "decimal(12,4)": "decimal(12,4), decimal, number",
    "decimal(10,0)": "decimal(10), decimal, number",
    "decimal(20,0)": "uint64, decimal, number",
    "string": "string, text, varchar, uuid, json",
    "varchar(10)": "varchar(10), string, text, varchar",
    "varchar(20)": "varchar(20), string, text, varchar",
    "char(10)": "char(10)",
    "binary": "binary, bytea, varbinary(16)",
    "date": "date",
    "timestamp": "timestamp, timestamptz, timestamp(6)",
    "timestamp_ntz": "timestamp_ntz, datetime",
    "time(6)": "time, time(6)",
    "variant": "variant, json",
    "interval year to month": "interval, interval year to month",
    "interval day to second": "interval, interval day to second",
    "array<int>": "array, vector(3)",
    "map<string,int>": "map",
    "struct<a:int>": "struct, row",
    "void": "void",
}
PROMISED = sorted({word for words in SPARK.values() for word in words.split(", ")} | {"time(3)"})


@pytest.mark.parametrize("found", [pytest.param(kind, id=f"the table has {kind}") for kind in SPARK])
def test_only_the_promised_physical_type_is_kept(found: str) -> None:
    kept = {word for word in PROMISED if matches(column(kind=None, physical_type=word), actual("c", found), Reading())}
    assert kept == set(SPARK[found].split(", "))


LOGICAL = {
    "string": {"string", "varchar(10)", "varchar(20)", "char(10)"},
    "boolean": {"boolean"},
    "integer": {"tinyint", "smallint", "int", "bigint", "decimal(10,0)", "decimal(20,0)"},
    "number": {"tinyint", "smallint", "int", "bigint", "float", "double"}
    | {"decimal(10,2)", "decimal(12,4)", "decimal(10,0)", "decimal(20,0)"},
    "date": {"date"},
    "time": {"time(6)"},
    "timestamp": {"timestamp", "timestamp_ntz"},
    "object": {"struct<a:int>", "map<string,int>", "variant"},
    "array": {"array<int>"},
    "map": {"map<string,int>"},
    "vector": {"array<int>"},
}


@pytest.mark.parametrize("logical", [pytest.param(kind, id=f"the contract says {kind}") for kind in LOGICAL])
def test_a_logical_type_is_kept_by_every_type_that_holds_such_values(logical: str) -> None:
    kept = {found for found in SPARK if matches(column(kind=logical), actual("c", found), Reading())}
    assert kept == LOGICAL[logical]


@pytest.mark.parametrize(
    ("reading", "promised", "found", "kept"),
    [
        pytest.param(Reading(keeps_lengths=False), "varchar(10)", "string", True, id="files keep no lengths"),
        pytest.param(Reading(keeps_lengths=False), "char(10)", "string", True, id="nor padding"),
        pytest.param(
            Reading(keeps_lengths=False), "varchar(10)", "varchar(20)", False, id="but a wrong length is wrong"
        ),
        pytest.param(
            Reading(keeps_lengths=True), "varchar(10)", "string", False, id="a table that keeps them lost one"
        ),
        pytest.param(
            Reading(plain_timestamp=Zone.WITHOUT), "timestamp", "timestamp_ntz", True, id="PostgreSQL's timestamp"
        ),
        pytest.param(Reading(plain_timestamp=Zone.WITHOUT), "timestamp", "timestamptz", False, id="is not an instant"),
    ],
)
def test_what_an_engine_cannot_keep_is_no_drift(reading: Reading, promised: str, found: str, kept: bool) -> None:
    assert matches(column(kind=None, physical_type=promised), actual("c", found), reading) is kept


@pytest.mark.parametrize(
    ("knows_zone", "found", "kept"),
    [
        pytest.param(True, "timestamp", True, id="an instant as promised"),
        pytest.param(True, "timestamp_ntz", False, id="no zone where one is promised"),
        pytest.param(False, "timestamp_ntz", True, id="none promised, none there"),
        pytest.param(False, "timestamp", False, id="a zone where none is promised"),
    ],
)
@pytest.mark.parametrize("physical", [pytest.param(None, id="logical"), pytest.param("timestamp", id="physical")])
def test_the_timezone_option_decides_between_the_two_timestamps(
    knows_zone: bool, found: str, kept: bool, physical: str | None
) -> None:
    prop = column(kind="timestamp", physical_type=physical, options=_options(knows_zone))
    assert matches(prop, actual("c", found), Reading()) is kept


def _options(knows_zone: bool) -> object:

    return ValueOptions(timezone=knows_zone)


def test_in_odcs_3_0_a_date_may_be_any_time() -> None:
    old = Reading(dates_are_any_time=True)
    assert matches(column(kind="date"), actual("c", "timestamp"), old)
    assert not matches(column(kind="date"), actual("c", "timestamp"), Reading())
    assert not matches(column(kind="date"), actual("c", "string"), old)


@pytest.mark.parametrize(
    ("physical", "logical", "found", "kept"),
    [
        pytest.param("geography", None, "geography", True, id="the same unknown word"),
        pytest.param("GEOGRAPHY(4326)", None, "geography( 4326 )", True, id="in another spelling"),
        pytest.param("geography", None, "string", None, id="against a known type nobody can say"),
        pytest.param("geography", "string", "string", True, id="then the logical type decides"),
        pytest.param("geography", "string", "int", False, id="also against"),
        pytest.param(None, None, "int", True, id="no promise at all"),
    ],
)
def test_a_type_that_nobody_knows_is_compared_as_far_as_possible(
    physical: str | None, logical: str | None, found: str, kept: bool | None
) -> None:
    assert matches(column(kind=logical, physical_type=physical), actual("c", found), Reading()) is kept


def test_an_object_with_fields_is_no_map() -> None:
    prop = column(kind="object", properties=(column("a", "integer"),))
    assert not matches(prop, actual("c", "map<string,int>"), Reading())
    assert matches(prop, actual("c", "struct<a:int>"), Reading())


@pytest.mark.parametrize(
    ("source", "promised", "kept", "fits"),
    [
        pytest.param("iceberg", "tinyint", "int", True, id="Iceberg has no tinyint"),
        pytest.param("avro", "smallint", "int", True, id="Avro has no smallint"),
        pytest.param("avro", "time", "bigint", True, id="Avro's times are numbers to Spark"),
        pytest.param("parquet", "time", "int", True, id="Parquet's too, where Spark's own are not allowed"),
        pytest.param("parquet", "smallint", "int", False, id="Parquet has one"),
        pytest.param("iceberg", "tinyint", "bigint", False, id="but not as any number"),
        pytest.param("postgresql", "float", "double", True, id="float of PostgreSQL"),
        pytest.param("postgresql", "real", "double", False, id="a real stays one"),
        pytest.param("mysql", "float", "double", False, id="float of MySQL"),
        pytest.param("postgresql", "interval", "string", True, id="an interval by its driver"),
        pytest.param("postgresql", "numeric(50,10)", "decimal(38,0)", True, id="more digits than Spark has"),
        pytest.param("postgresql", "numeric(10,2)", "decimal(38,0)", False, id="as many as it has"),
    ],
)
def test_what_sources_keep_of_a_type(source: str, promised: str, kept: str, fits: bool) -> None:
    assert matches(column("c", None, physical_type=promised), actual("c", kept), Reading(source=source)) is fits
