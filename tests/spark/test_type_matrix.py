"""A table made from its contract shows no drift: every source, every type it has, every dialect."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path

import pytest
from pyspark.sql import SparkSession
from support.builders import column, contract, table
from support.postgres_server import PostgresServer, postgres_server
from support.spark_bindings import catalog, files, jdbc

from floe_contracts.adapters.spark.columns.promised import promised_schema
from floe_contracts.adapters.spark.engine import SparkEngine
from floe_contracts.checks.drift.judge import TableSchema, judge_schema_drift
from floe_contracts.checks.drift.type_match import reading_for
from floe_contracts.checks.measured import Failure
from floe_contracts.contract.convert import convert
from floe_contracts.contract.load import load
from floe_contracts.contract.model import Contract, Dialect, Property
from floe_contracts.monitor.source.binding import Binding

LIMIT_S = 300.0
LOGICAL = ("string", "integer", "number", "boolean", "date", "timestamp", "time")
SPARK = (
    *("boolean", "tinyint", "smallint", "int", "bigint", "float", "double", "decimal(10,2)", "decimal(38,0)"),
    *("string", "varchar(10)", "char(3)", "binary", "date", "timestamp", "timestamp_ntz", "time(6)"),
    *("array<int>", "array<array<string>>", "map<string,int>", "struct<a:int,b:string>", "array<struct<a:bigint>>"),
)
POSTGRES = (
    *("boolean", "smallint", "integer", "int", "bigint", "real", "float", "float8", "double precision"),
    *("numeric", "numeric(10,2)", "numeric(50,10)", "decimal(38,0)", "serial", "bigserial", "money"),
    *("text", "varchar", "varchar(20)", "character varying(5)", "char(3)", "bytea", "uuid", "json", "jsonb"),
    *("date", "time", "timetz", "time with time zone", "timestamp", "timestamptz", "timestamp(3)", "interval"),
    *("integer[]", "text[]"),
)
NO_TIME = {"time", "time(6)"}
# What a source has no type for at all: nothing can be made of it there, so nothing can be promised.
NOT_IN: dict[str, set[str]] = {
    "parquet": {"time(6)", "time"},
    "orc": NO_TIME,
    "avro": NO_TIME,
    "delta": NO_TIME,
    "iceberg": NO_TIME,
    "json": {"binary", *NO_TIME},
    "csv": {kind for kind in SPARK if "<" in kind},
}


@dataclass(frozen=True)
class Place:
    """Where tables are made."""

    spark: SparkSession
    folder: Path
    server: PostgresServer


@pytest.fixture(scope="module")
def server() -> Iterator[PostgresServer]:
    with postgres_server() as running:
        yield running


@pytest.fixture
def place(lakehouse: SparkSession, tmp_path: Path, server: PostgresServer) -> Place:
    return Place(lakehouse, tmp_path, server)


def promised(dialect: Dialect, source: str, types: tuple[str, ...]) -> tuple[Contract, Contract]:
    """A contract with a column of every type, and the same written in a dialect and read again."""
    kinds = [kind for kind in types if kind not in NOT_IN.get(source, set())]
    words = [word for word in LOGICAL if word not in NOT_IN.get(source, set())]
    columns = [column(f"c{number}", None, physical_type=kind) for number, kind in enumerate(kinds)]
    columns += [column(f"w{number}", word) for number, word in enumerate(words)]
    made = contract(table(*columns), version="1.0.0", owner="shop")
    loaded = load(convert(made, dialect).text.encode(), "orders.yaml")
    assert loaded.contract is not None, loaded.findings
    assert len(loaded.contract.objects[0].properties) == len(columns)
    return made, loaded.contract


def _files(form: str) -> Callable[[Place, Contract], Binding]:
    def make(place: Place, made: Contract) -> Binding:
        (orders,) = made.objects
        frame = place.spark.createDataFrame([], _held(promised_schema(orders).simpleString(), form))
        where = place.folder / f"{form}.{form}"
        writer = frame.write.option("header", "true") if form == "csv" else frame.write
        writer.format(form).save(str(where))
        if form == "json":  # a file without rows has no columns, so one row without a value tells the names
            names = ",".join(f'"{prop.name}":null' for prop in orders.properties)
            (where / "one.json").write_text(f"{{{names}}}\n")
        return replace(files(where, form, *orders.properties), table=orders)

    return make


def _held(schema: str, form: str) -> str:
    """The schema as the source can hold it: what its kind of table calls the nearest type."""
    ddl = schema.removeprefix("struct<").removesuffix(">")
    if form in ("iceberg", "avro"):
        ddl = ddl.replace("tinyint", "int").replace("smallint", "int")
    return _columns(ddl, form)


def _columns(ddl: str, form: str) -> str:
    parts: list[str] = []
    depth, now = 0, ""
    for mark in ddl:
        depth += (mark in "<(") - (mark in ">)")
        if mark == "," and not depth:
            parts, now = [*parts, now], ""
        else:
            now += mark
    pairs = [part.partition(":")[::2] for part in (*parts, now)]
    return ", ".join(f"{name} {'string' if form == 'csv' else kind}" for name, kind in pairs)


def _catalog(provider: str) -> Callable[[Place, Contract], Binding]:
    name = "ice.db.type_matrix" if provider == "iceberg" else f"type_matrix_{provider}"

    def make(place: Place, made: Contract) -> Binding:
        (orders,) = made.objects
        place.spark.sql(f"DROP TABLE IF EXISTS {name}")
        words = dict(part.split(" ", 1) for part in _held(promised_schema(orders).simpleString(), provider).split(", "))
        ddl = ", ".join(
            f"{prop.name} {_lakehouse_type(prop, words[prop.name], provider)}" for prop in orders.properties
        )
        place.spark.sql(f"CREATE TABLE {name} ({ddl}) USING {provider}")
        return replace(catalog(name, *orders.properties), table=orders)

    return make


def _lakehouse_type(prop: Property, word: str, provider: str) -> str:
    """The type as the contract writes it, where the source knows it under that name."""
    written = (prop.physical_type or "").casefold()
    return word if not written or (provider == "iceberg" and written in ("tinyint", "smallint")) else written


def _postgres(place: Place, made: Contract) -> Binding:
    (orders,) = made.objects
    url = place.server.new_database()
    words = {"string": "text", "integer": "bigint", "number": "numeric", "timestamp": "timestamptz"}
    kinds = {
        prop.name: prop.physical_type or words.get(prop.logical_type or "", prop.logical_type)
        for prop in orders.properties
    }
    place.server.run_sql(f"CREATE TABLE orders ({', '.join(f'{name} {kind}' for name, kind in kinds.items())})", url)
    return replace(jdbc(url, "orders", *orders.properties), table=orders)


SOURCES: dict[str, tuple[Callable[[Place, Contract], Binding], tuple[str, ...]]] = {
    **{form: (_files(form), SPARK) for form in ("parquet", "orc", "avro", "json", "csv")},
    **{provider: (_catalog(provider), SPARK) for provider in ("delta", "iceberg")},
    "table": (_catalog("parquet"), SPARK),
    "postgresql": (_postgres, POSTGRES),
}


@pytest.mark.parametrize("dialect", list(Dialect), ids=lambda dialect: dialect.value)
@pytest.mark.parametrize("source", SOURCES)
def test_a_table_made_from_its_contract_shows_no_drift(place: Place, source: str, dialect: Dialect) -> None:
    make, types = SOURCES[source]
    written, made = promised(dialect, source, types)
    binding = replace(make(place, written), table=made.objects[0])
    engine = SparkEngine(place.spark)
    actual = engine.schema(binding, limit_s=LIMIT_S)
    assert not isinstance(actual, Failure), actual
    reading = reading_for(made, engine.reading(binding))
    drift = judge_schema_drift(made, [TableSchema(made.objects[0], actual, reading=reading)])
    assert [item.message for item in drift.findings] == []
