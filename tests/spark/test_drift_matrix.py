"""Drift on real tables: silent on a table made from its contract, and every change of a type or name is found."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from pyspark.sql import SparkSession
from support.builders import column, contract, table
from support.spark_bindings import catalog, files
from support.spark_runs import told

from floe_contracts.adapters.spark.engine import SparkEngine
from floe_contracts.checks.drift.judge import TableSchema, judge_schema_drift
from floe_contracts.checks.drift.type_match import Reading
from floe_contracts.checks.measured import ActualColumn, Failure
from floe_contracts.contract.model import Contract, Property
from floe_contracts.monitor.source.binding import Binding

LIMIT_S = 300.0
TYPES = (
    *("boolean", "tinyint", "smallint", "int", "bigint", "float", "double"),
    *("decimal(10,2)", "decimal(12,4)", "decimal(38,0)"),
    *("string", "varchar(10)", "varchar(20)", "char(3)", "char(5)", "binary"),
    *("date", "timestamp", "timestamp_ntz", "time(0)", "time(6)"),
    *("interval day to second", "interval year to month", "variant"),
    *("array<int>", "array<bigint>", "array<string>", "array<array<int>>"),
    *("map<string,int>", "map<string,bigint>", "map<int,int>"),
    *("struct<a:int>", "struct<a:bigint>", "struct<b:int>", "struct<a:int,b:int>", "struct<a:struct<b:int>>"),
    *("array<struct<a:int>>", "array<struct<a:int,b:string>>", "map<string,struct<a:int>>"),
)
NAMES = (
    "with.dot",
    "with space",
    "select",
    "order",
    "Ünïcode",
    "2026",
    "quo'te",
    'dou"ble',
    "back`tick",
    "a-b",
    "ALL_CAPS",
)
# A text without a limit is promised and the table sets one: whatever comes still fits what readers were told.
HARMLESS = {("string", "varchar(10)"), ("string", "varchar(20)")}


@pytest.fixture(scope="module")
def everything(spark: SparkSession) -> Iterator[tuple[Reading, dict[str, ActualColumn]]]:
    """A table of Spark's own catalog with a column of every type, as the engine reports it."""
    if not hasattr(__import__("pyspark").sql.types, "TimeType"):
        pytest.skip("this Spark has no times of day")
    spark.sql(f"CREATE TABLE every_type ({_ddl(_by_type())}) USING parquet")
    engine, binding = SparkEngine(spark), catalog("every_type")
    found = engine.schema(binding, limit_s=LIMIT_S)
    assert not isinstance(found, Failure)
    yield engine.reading(binding), dict(zip(TYPES, found, strict=True))
    spark.sql("DROP TABLE every_type")


def _by_type(types: tuple[str, ...] = TYPES) -> tuple[Property, ...]:
    return tuple(column(f"c{number}", None, physical_type=one) for number, one in enumerate(types))


def _ddl(columns: tuple[Property, ...]) -> str:
    return ", ".join(f"`{one.name.replace('`', '``')}` {one.physical_type}" for one in columns)


def drift(made: Contract, actual: tuple[ActualColumn, ...], reading: Reading) -> list[str]:
    return told(judge_schema_drift(made, [TableSchema(made.objects[0], actual, reading=reading)]))


def test_no_type_drifts_from_itself(everything: tuple[Reading, dict[str, ActualColumn]]) -> None:
    reading, actual = everything
    assert drift(contract(*_by_type()), tuple(actual.values()), reading) == []


@pytest.mark.parametrize("promised", TYPES)
def test_every_other_type_is_found(everything: tuple[Reading, dict[str, ActualColumn]], promised: str) -> None:
    reading, actual = everything
    missed = [
        kind
        for kind, found in actual.items()
        if not drift(contract(column(found.name, None, physical_type=promised)), (found,), reading)
    ]
    assert missed == [kind for kind in TYPES if kind == promised or (promised, kind) in HARMLESS]


def test_no_name_drifts_from_itself(spark: SparkSession, tmp_path: Path) -> None:
    columns = tuple(column(name, "integer", physical_type="int") for name in NAMES)
    spark.createDataFrame([], _ddl(columns)).write.parquet(str(tmp_path / "t"))
    binding = files(tmp_path / "t", "parquet", *columns)
    assert seen(SparkEngine(spark), binding, columns) == []


@pytest.mark.parametrize("name", NAMES)
def test_every_other_name_is_found(spark: SparkSession, tmp_path: Path, name: str) -> None:
    spark.createDataFrame([], f"`{name.replace('`', '``')}x` int").write.parquet(str(tmp_path / "t"))
    promised = column(name, "integer")
    found = seen(SparkEngine(spark), files(tmp_path / "t", "parquet", promised), (promised,))
    assert [one.partition(" ")[0] for one in found] == ["E531", "E532"]


def seen(engine: SparkEngine, binding: Binding, columns: tuple[Property, ...]) -> list[str]:
    actual = engine.schema(binding, limit_s=LIMIT_S)
    assert not isinstance(actual, Failure), actual
    return drift(contract(table(*columns)), actual, engine.reading(binding))


NOT_IN = {  # what a format has no type for
    "delta": ("time(", "interval"),
    "iceberg": ("time(", "interval", "tinyint", "smallint", "variant"),
    "parquet": (),
    "orc": ("time(", "variant", "interval"),
    "avro": ("time(", "variant", "interval", "tinyint", "smallint", "map<int"),
}


@pytest.mark.parametrize("provider", ["delta", "iceberg"])
def test_a_lakehouse_table_made_from_its_contract_is_silent(lakehouse: SparkSession, provider: str) -> None:
    columns = _by_type(tuple(one for one in TYPES if not one.startswith(NOT_IN[provider])))
    named = tuple(column(name, "integer", physical_type="int") for name in NAMES)
    name = {"delta": "made_from_contract", "iceberg": "ice.db.made_from_contract"}[provider]
    more = "TBLPROPERTIES ('delta.columnMapping.mode' = 'name')" if provider == "delta" else ""
    lakehouse.sql(f"CREATE TABLE {name} ({_ddl(columns + named)}) USING {provider} {more}")
    try:
        assert seen(SparkEngine(lakehouse), catalog(name), columns + named) == []
    finally:
        lakehouse.sql(f"DROP TABLE {name}")


@pytest.mark.parametrize("form", ["parquet", "orc", "avro"])
def test_files_made_from_their_contract_are_silent(lakehouse: SparkSession, tmp_path: Path, form: str) -> None:
    columns = _by_type(tuple(one for one in TYPES if not one.startswith(NOT_IN[form])))
    kept = tuple(one for one in columns if "char" not in (one.physical_type or ""))  # no frame can hold them
    lakehouse.createDataFrame([], _ddl(kept)).write.format(form).save(str(tmp_path / "t"))
    assert seen(SparkEngine(lakehouse), files(tmp_path / "t", form, *kept), kept) == []


def _probe(promised: Property, actual: str, *found: str, id: str) -> object:  # noqa: A002  pytest's word
    return pytest.param(promised, actual, list(found), id=id)


def _p(name: str, kind: str | None = None, physical: str = "", **more: object) -> Property:
    return column(name, kind, physical_type=physical or None, **more)


LINES = _p("lines", "array", items=_p("", "object", properties=(_p("sku", "string"), _p("n", "integer"))))
PROBES = (
    _probe(_p("c", "integer"), "c double", "E530 c", id="a double for a whole number"),
    _probe(_p("c", physical="bigint"), "c int", "E530 c", id="int for bigint"),
    _probe(_p("c", physical="decimal(10,2)"), "c decimal(12,4)", "E530 c", id="a wider decimal"),
    _probe(_p("c", physical="decimal(12,4)"), "c decimal(10,2)", "E530 c", id="a narrower decimal"),
    _probe(_p("c", physical="decimal(10,2)"), "c double", "E530 c", id="a double for a decimal"),
    _probe(_p("c", physical="timestamp"), "c timestamp_ntz", "E530 c", id="a time that lost its zone"),
    _probe(_p("c", physical="timestamp_ntz"), "c timestamp", "E530 c", id="a time that got a zone"),
    _probe(_p("c", "timestamp"), "c date", "E530 c", id="a date for a timestamp"),
    _probe(_p("c", "date"), "c timestamp", "E530 c", id="a timestamp for a date"),
    _probe(_p("c", "date"), "c string", "E530 c", id="text for a date"),
    _probe(_p("c", "string"), "c binary", "E530 c", id="bytes for text"),
    _probe(_p("c", "integer"), "c bigint, d int", "E532 d", id="a column too many"),
    _probe(LINES, "lines array<struct<sku:string,n:int,x:int>>", "E532 lines[].x", id="a field too many in an array"),
    _probe(LINES, "lines array<struct<sku:string>>", "E531 lines[].n", id="a field too few in an array"),
    _probe(LINES, "lines array<struct<sku:string,n:string>>", "E530 lines[].n", id="a nested change of type"),
    _probe(_p("c", "array", items=_p("", "integer")), "c array<string>", "E530 c[]", id="items of another type"),
    _probe(_p("c", "integer"), "C int", "E535 c", id="another case"),
    _probe(
        _p("c", "object", properties=(_p("a", "string"),)), "c map<string,string>", "E530 c", id="a map for a struct"
    ),
    _probe(_p("c", physical="variant"), "c variant", id="a variant is not a drift"),
    _probe(_p("c", physical="time(6)"), "c time(6)", id="a time of day is not a drift"),
    _probe(_p("a.b", "integer"), "`a.b` int", id="a dot in a name is not a drift"),
    _probe(_p("c", "number"), "c int", id="a whole number is a number"),
    _probe(_p("c", "string"), "c string", id="text is text"),
)


@pytest.mark.parametrize(("promised", "actual", "found"), PROBES)
def test_what_other_tools_get_wrong(
    spark: SparkSession, tmp_path: Path, promised: Property, actual: str, found: list[str]
) -> None:
    """The probes of the comparison with datacontract-cli: what it missed, its false alarms, and what it got right."""
    spark.createDataFrame([], actual).write.parquet(str(tmp_path / "t"))
    assert seen(SparkEngine(spark), files(tmp_path / "t", "parquet", promised), (promised,)) == found


def test_a_length_is_kept_by_tables(spark: SparkSession) -> None:
    spark.sql("CREATE TABLE lengths (c varchar(20)) USING parquet")
    promised = _p("c", physical="varchar(10)")
    try:
        assert seen(SparkEngine(spark), catalog("lengths", promised), (promised,)) == ["E530 c"]
    finally:
        spark.sql("DROP TABLE lengths")
