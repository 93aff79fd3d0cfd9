"""Files by path: every format, what text files are read as, filters, and what cannot be read."""

from __future__ import annotations

from pathlib import Path

import pytest
from pyspark.sql import SparkSession
from support.builders import column
from support.spark_bindings import ID, NOWHERE, files

from floe_contracts.adapters.spark.read.files import reader_options, spark_path
from floe_contracts.adapters.spark.read.open import OpenTable, open_table
from floe_contracts.checks.measured import Failure
from floe_contracts.contract.model import Property
from floe_contracts.monitor.source.binding import Binding

LIMIT_S = 120.0


def seen(spark: SparkSession, binding: Binding) -> OpenTable:
    found = open_table(spark, binding, limit_s=LIMIT_S)
    assert isinstance(found, OpenTable), found
    return found


def columns(spark: SparkSession, binding: Binding) -> str:
    return ", ".join(f"{one.name} {one.dataType.simpleString()}" for one in seen(spark, binding).frame.schema.fields)


@pytest.mark.parametrize("format_", ["parquet", "orc", "json", "csv"])
def test_every_format_gives_its_rows(spark: SparkSession, tmp_path: Path, format_: str) -> None:
    spark.range(7).write.option("header", "true").format(format_).save(str(tmp_path / "t"))
    found = seen(spark, files(tmp_path / "t", format_))
    assert (found.kind, found.frame.count(), found.whole) == (format_, 7, True)


@pytest.mark.parametrize("format_", ["avro", "delta", "iceberg"])
def test_formats_that_come_as_jars(lakehouse: SparkSession, tmp_path: Path, format_: str) -> None:
    if format_ == "iceberg":
        lakehouse.sql("CREATE OR REPLACE TABLE ice.db.by_path USING iceberg AS SELECT id FROM range(7)")
        place = f"{lakehouse.conf.get('spark.sql.catalog.ice.warehouse')}/db/by_path"
    else:
        place = str(tmp_path / "t")
        lakehouse.range(7).write.format(format_).save(place)
    found = seen(lakehouse, files(place, format_))
    assert (found.kind, found.frame.count()) == (format_, 7)


MONEY = column("amount", "number", physical_type="decimal(10,2)")
WHOLE = column("n", "integer", physical_type="int")
DAY = column("day", "date")


@pytest.mark.parametrize(
    ("text", "promised", "read_as"),
    [
        pytest.param("id,amount\n1,2.50\n", (ID, MONEY), "id bigint, amount decimal(10,2)", id="as promised"),
        pytest.param("amount\n2.505\n", (MONEY,), "amount string", id="more digits than promised"),
        pytest.param("id\n1\nabc\n", (ID,), "id string", id="one value that is not a number"),
        pytest.param("id\n1\n\n3\n", (ID,), "id bigint", id="nothing is not a wrong value"),
        pytest.param("n\n3000000000\n", (WHOLE,), "n string", id="a number that is too large"),
        pytest.param("day\n2026-01-31\n", (DAY,), "day date", id="dates"),
        pytest.param("day\n31.01.2026\n", (DAY,), "day string", id="dates in another order"),
        pytest.param("ID,extra\n1,x\n", (ID,), "ID bigint, extra string", id="names as in the header"),
        pytest.param("id\n", (ID,), "id bigint", id="no rows"),
        pytest.param("a.b\n1\n", (column("a.b", "integer"),), "a.b bigint", id="a dot in a name"),
        pytest.param("x\n1\n", (column("x", "array", items=ID),), "x string", id="what CSV cannot hold"),
    ],
)
def test_csv_is_read_as_promised_where_it_can_be(
    spark: SparkSession, tmp_path: Path, text: str, promised: tuple[Property, ...], read_as: str
) -> None:
    (tmp_path / "t.csv").write_text(text)
    assert columns(spark, files(tmp_path / "t.csv", "csv", *promised)) == read_as


def test_csv_without_a_header_has_the_columns_of_the_contract(spark: SparkSession, tmp_path: Path) -> None:
    (tmp_path / "t.csv").write_text("1;x;y\n")
    binding = files(tmp_path / "t.csv", "csv", ID, column("b"), options=(("header", "false"), ("sep", ";")))
    assert columns(spark, binding) == "id bigint, b string, _c2 string"


def test_csv_with_its_own_format_of_dates(spark: SparkSession, tmp_path: Path) -> None:
    (tmp_path / "t.csv").write_text("day\n31.01.2026\n")
    binding = files(tmp_path / "t.csv", "csv", DAY, options=(("dateFormat", "dd.MM.yyyy"),))
    assert [str(row[0]) for row in seen(spark, binding).frame.collect()] == ["2026-01-31"]


NESTED = column("of", "object", properties=(WHOLE, column("at", "timestamp")))
MAP = column("m", "map", map_key=column("", "string"), map_value=WHOLE)
LIST = column("tags", "array", items=column("", "date"))


@pytest.mark.parametrize(
    ("text", "promised", "read_as"),
    [
        pytest.param('{"id": 1, "amount": 2.5}', (ID, MONEY), "amount decimal(10,2), id bigint", id="as promised"),
        pytest.param('{"amount": 2.505}', (MONEY,), "amount double", id="more digits than promised"),
        pytest.param('{"id": "1"}', (ID,), "id string", id="a text is not a number"),
        pytest.param('{"id": null}', (ID,), "id bigint", id="nothing but nulls"),
        pytest.param('{"n": 3000000000}', (WHOLE,), "n bigint", id="a number that is too large"),
        pytest.param('{"n": 1.0}', (WHOLE,), "n double", id="a fraction is not a whole number"),
        pytest.param('{"day": "2026-01-31"}', (DAY,), "day date", id="dates are text"),
        pytest.param('{"day": "soon"}', (DAY,), "day string", id="a text that is not a date"),
        pytest.param('{"b": 5}', (column("b"),), "b bigint", id="a number is not text"),
        pytest.param(
            '{"of": {"n": 1, "at": "2026-01-31T00:00:00Z"}}', (NESTED,), "of struct<at:timestamp,n:int>", id="nested"
        ),
        pytest.param('{"tags": ["2026-01-31"]}', (LIST,), "tags array<date>", id="items"),
        pytest.param('{"tags": ["2026-01-31", "x"]}', (LIST,), "tags array<string>", id="one item that is not"),
        pytest.param('{"m": {"a": 1, "b": 2}}\n{"m": {"c": 3}}', (MAP,), "m map<string,int>", id="maps"),
        pytest.param('{"m": {"a": 1, "b": "x"}}', (MAP,), "m struct<a:bigint,b:string>", id="a map with a text in it"),
        pytest.param('{"j": {"a": 1}}', (column("j", physical_type="json"),), "j string", id="JSON of any shape"),
        pytest.param("", (ID,), "id bigint", id="no rows"),
        pytest.param('{"tags": []}', (LIST,), "tags array<date>", id="no items"),
    ],
)
def test_json_is_read_as_promised_where_it_can_be(
    spark: SparkSession, tmp_path: Path, text: str, promised: tuple[Property, ...], read_as: str
) -> None:
    (tmp_path / "t.json").write_text(text)
    assert columns(spark, files(tmp_path / "t.json", "json", *promised)) == read_as


def test_a_filter_leaves_rows_out(spark: SparkSession, tmp_path: Path) -> None:
    spark.range(7).write.parquet(str(tmp_path / "t"))
    found = seen(spark, files(tmp_path / "t", "parquet", filter="id < 3"))
    assert (found.frame.count(), found.whole) == (3, False)


def _corrupt(place: Path) -> Path:
    (place / "t.parquet").write_bytes(b"PAR1 this is not a table PAR1")
    return place / "t.parquet"


def _empty(place: Path) -> Path:
    (place / "t").mkdir()
    return place / "t"


def _bad_lines(place: Path) -> Path:
    (place / "t.json").write_text('{"id":\n1}\n')
    return place / "t.json"


@pytest.mark.parametrize(
    ("make", "format_", "more", "reason"),
    [
        pytest.param(lambda _: Path(NOWHERE), "parquet", {}, "Path does not exist: file:/nowhere", id="no files"),
        pytest.param(_empty, "parquet", {}, "it holds no file with rows", id="an empty folder"),
        pytest.param(
            _corrupt,
            "parquet",
            {},
            "a file cannot be read, its schema is missing or damaged",
            id="corrupt parquet",
        ),
        pytest.param(_bad_lines, "json", {}, "it holds text that is not JSON", id="lines that are not JSON"),
        pytest.param(_corrupt, "parquet", {"filter": "id <"}, "", id="a filter on what cannot be read"),
    ],
)
def test_what_cannot_be_read_says_why_in_one_line(
    spark: SparkSession, tmp_path: Path, make: object, format_: str, more: dict[str, str], reason: str
) -> None:
    assert callable(make)
    found = open_table(spark, files(make(tmp_path), format_, **more), limit_s=LIMIT_S)
    assert isinstance(found, Failure)
    assert found.reason.startswith(reason)
    assert "\n" not in found.reason


def test_a_filter_that_is_no_condition_is_told(spark: SparkSession, tmp_path: Path) -> None:
    spark.range(1).write.parquet(str(tmp_path / "t"))
    found = open_table(spark, files(tmp_path / "t", "parquet", filter="nope > 3"), limit_s=LIMIT_S)
    assert isinstance(found, Failure)
    assert found.reason.startswith("its filter cannot be used: A column, variable, or function parameter with name")


@pytest.mark.parametrize(
    ("told", "path"),
    [
        pytest.param("s3://lake/orders", "s3a://lake/orders", id="S3"),
        pytest.param("s3a://lake/orders", "s3a://lake/orders", id="S3 in the words of Hadoop"),
        pytest.param("abfss://c@acc.dfs.core.windows.net/o", "abfss://c@acc.dfs.core.windows.net/o", id="Azure"),
        pytest.param("gs://lake/orders", "gs://lake/orders", id="Google"),
        pytest.param("/data/s3://odd", "/data/s3://odd", id="a path"),
    ],
)
def test_addresses_in_the_words_of_hadoop(told: str, path: str) -> None:
    assert spark_path(told) == path


def test_an_endpoint_of_its_own_gets_a_client_of_its_own() -> None:
    assert reader_options({"endpointUrl": "http://minio:9000", "mergeSchema": "true"}) == {
        "fs.s3a.endpoint": "http://minio:9000",
        "fs.s3a.path.style.access": "true",
        "fs.s3a.impl.disable.cache": "true",
        "mergeSchema": "true",
    }
