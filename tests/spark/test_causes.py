"""Whatever Spark stopped with, the reason says what was wrong and what to do: each cause is provoked."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import date
from itertools import count
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from py4j.protocol import Py4JJavaError
from pyspark.errors import AnalysisException
from pyspark.sql import SparkSession
from support.spark_plans import plan
from support.streamed import Desk, orders

from floe_contracts.adapters.spark.clock.newest import clock_column
from floe_contracts.adapters.spark.measure.tables import measure
from floe_contracts.adapters.spark.session.failures import SPARK_ERRORS, reason_of
from floe_contracts.adapters.spark.session.start import own_session
from floe_contracts.checks import measure as m
from floe_contracts.checks.measured import Clock, Failure
from floe_contracts.checks.promises.promise import ClockChoice

SECRET = "41424344"
# A class and nothing else is no reason.
BARE = re.compile(r"Spark stopped with [\w.$]+$")


def raised(act: Callable[[], object]) -> str:
    """The reason that is given for what Spark raises."""
    with pytest.raises(SPARK_ERRORS) as caught:
        act()
    return reason_of(caught.value)


def _query(text: str) -> Callable[[SparkSession, Path], object]:
    return lambda spark, _place: spark.sql(f"SELECT {text} FROM range({SECRET}, {SECRET} + 2)").collect()


def _csv(schema: str = "a int", content: str = f"a,b\n{SECRET}x,2\n", **options: str) -> Callable[..., object]:
    def read(spark: SparkSession, place: Path) -> object:
        (place / "x.csv").write_text(content)
        return spark.read.schema(schema).options(**options).csv(str(place / "x.csv")).collect()

    return read


def _json(content: str) -> Callable[..., object]:
    def read(spark: SparkSession, place: Path) -> object:
        (place / "x.json").write_text(content)
        return spark.read.json(str(place / "x.json")).collect()

    return read


def _ancient(spark: SparkSession, place: Path) -> object:
    old = pa.table({"day": pa.array([date(1000, 1, 1)])})
    pq.write_table(old, place / "old.parquet")
    return spark.read.option("datetimeRebaseMode", "EXCEPTION").parquet(str(place)).collect()


def _jdbc(**options: str) -> Callable[..., object]:
    return lambda spark, _place: (
        spark.read.format("jdbc").options(url="jdbc:derby:memory:x;create=true", dbtable="t", **options).load()
    )


PROVOKED: dict[str, tuple[Callable[..., Any], str]] = {
    "a number that overflows in Java": (
        _query("timestamp_seconds(9223372036854775807 - id)"),
        "too large for its type",
    ),
    "a key twice in a map": (
        _query("map_from_arrays(array(id, id), array(1, 2))"),
        "correct the rows, or set spark.sql",
    ),
    "a format in other letters": (_query("to_timestamp(string(id), 'YYYY-MM-DD')"), "in the letters of Java"),
    "a letter that is none": (_query("to_timestamp(string(id), 'yyyy-MM-ddThh')"), "in the letters of Java"),
    "an error of the query's own": (_query(f"raise_error('{SECRET}')"), "the query calls raise_error"),
    "bytes of another encoding": (_query("decode(X'FF', 'US-ASCII')"), "bytes that its encoding does not allow"),
    "dates of a calendar that nobody names": (_ancient, "{datetimeRebaseMode: LEGACY"),
    "a mode that fails": (_csv(mode="FAILFAST"), "cannot be read"),
    "a field twice in JSON": (_json('{"id": 1, "ID": 2}'), "set spark.sql.caseSensitive"),
    "an encoding nobody knows": (_csv(encoding="nonsense"), "options: {encoding: UTF-8}"),
    "no separator": (_csv(sep=""), "look at sep, header"),
    "a header that is neither": (_csv(header="maybe"), "look at sep, header"),
    "more columns than allowed": (_csv("a int, b int", maxColumns="1"), "maxColumns and maxCharsPerColumn"),
    "half of the options for parts": (_jdbc(partitionColumn="id"), "write all of them, or none"),
    "a driver that is not here": (_jdbc(driver="com.example.Driver"), "bring it by --packages or --jars"),
    "an option that is not a number": (_jdbc(fetchsize="many"), "cannot be read as a number"),
    "a condition that Spark explains": (_query("to_number(string(id), '0G00')"), ""),
}


@pytest.mark.parametrize(("act", "says"), PROVOKED.values(), ids=PROVOKED)
def test_a_cause_is_told_with_its_way_out(
    spark: SparkSession, tmp_path: Path, act: Callable[[SparkSession, Path], object], says: str
) -> None:
    reason = raised(lambda: act(spark, tmp_path))
    assert says in reason
    assert not BARE.search(reason)
    assert SECRET not in reason


MADE = {
    "java.lang.NoSuchMethodError": "bring the version of it",
    "java.lang.NoSuchFieldError": "bring the version of it",
    "java.lang.AbstractMethodError": "bring the version of it",
    "java.lang.UnsupportedClassVersionError": "newer Java",
    "java.lang.OutOfMemoryError": "--driver-memory",
    "java.io.EOFException": "before it is complete",
    "java.util.zip.ZipException": "damaged",
    "javax.net.ssl.SSLHandshakeException": "certificate",
    "java.lang.IllegalMonitorStateException": "the log of Spark has the whole message",
}


@pytest.mark.parametrize(("name", "says"), MADE.items(), ids=MADE)
def test_an_error_of_java_without_a_condition_is_told_too(spark: SparkSession, name: str, says: str) -> None:
    jvm = spark._jvm
    assert jvm is not None
    cause = (
        jvm.java.lang.Class.forName(name)
        .getConstructor(_classes(spark, "java.lang.String"))
        .newInstance(_objects(spark, f"int Driver.get({SECRET})"))
    )
    reason = reason_of(Py4JJavaError("", jvm.java.lang.RuntimeException(cause)))
    assert says in reason
    assert not BARE.search(reason)
    assert SECRET not in reason


def _classes(spark: SparkSession, name: str) -> Any:
    jvm, gateway = spark._jvm, spark.sparkContext._gateway
    assert jvm is not None
    assert gateway is not None
    array = gateway.new_array(jvm.java.lang.Class, 1)
    array[0] = jvm.java.lang.Class.forName(name)
    return array


def _objects(spark: SparkSession, text: str) -> Any:
    jvm, gateway = spark._jvm, spark.sparkContext._gateway
    assert jvm is not None
    assert gateway is not None
    array = gateway.new_array(jvm.java.lang.Object, 1)
    array[0] = text
    return array


def test_spark_explains_the_conditions_that_we_have_no_words_for_without_data(spark: SparkSession) -> None:
    reason = raised(lambda: spark.sql(f"SELECT elt(id, 'a') FROM range({SECRET}, {SECRET} + 1)").collect())
    reason_bitmap = raised(
        lambda: spark.sql(f"SELECT bit_get(7, int(id)) FROM range({SECRET}, {SECRET} + 1)").collect()
    )
    for text in (reason, reason_bitmap):
        assert not BARE.search(text)
        assert SECRET not in text


FORMATS = {"YYYY-MM-DD": "write yyyy-MM-dd", "yyyy-mm-dd": "write yyyy-MM-dd", "%Y-%m-%d": "write yyyy-MM-dd"}


@pytest.mark.parametrize(("written", "right"), FORMATS.items(), ids=FORMATS)
def test_a_format_in_other_letters_is_told_with_the_right_ones(spark: SparkSession, written: str, right: str) -> None:
    frame = spark.createDataFrame([("2024-01-31",)], "t string")
    test = m.InvalidCount(("t",), m.Parses("date", written))
    found = measure(frame, plan(test, clock=ClockChoice(("t",), "", format=written)))
    for answer in (found.values[test], found.clock):
        assert isinstance(answer, Failure)
        assert right in answer.reason


def test_the_year_of_java_is_read_as_spark_writes_it(spark: SparkSession) -> None:
    frame = spark.createDataFrame([("2024-01-31",), ("2024-02-30",)], "t string")
    test = m.InvalidCount(("t",), m.Parses("date", "uuuu-MM-dd"))
    found = measure(frame, plan(test, clock=ClockChoice(("t",), "", format="uuuu-MM-dd")))
    assert found.values[test] == 1
    assert isinstance(found.clock, Clock)
    assert not isinstance(clock_column(frame.schema, ClockChoice(("t",), "", format="uuuu-MM-dd")), Failure)


_numbers = count(1)
ROW = "SELECT 'o{0}' AS order_id, {0}L AS amount, current_timestamp() AS placed_at"
STREAMS = {
    "delta, a row updated": ("delta", "UPDATE {0} SET amount = 2", "skipChangeCommits"),
    "delta, a row deleted": ("delta", "DELETE FROM {0} WHERE amount = 1", "skipChangeCommits"),
    "iceberg, a table overwritten": (
        "ice",
        "INSERT OVERWRITE {0} " + ROW.format(7),
        "streaming-skip-overwrite-snapshots",
    ),
    "iceberg, all rows deleted": ("ice", "DELETE FROM {0}", "streaming-skip-delete-snapshots"),
}


@pytest.mark.parametrize(("kind", "change", "option"), STREAMS.values(), ids=STREAMS)
def test_a_stream_of_a_table_whose_rows_change_names_the_option_that_cures_it(
    lakehouse: SparkSession, tmp_path: Path, kind: str, change: str, option: str
) -> None:
    desk = Desk(own_session(lakehouse), tmp_path / "checkpoint")
    path, name = str(tmp_path / "orders"), f"ice.causes.orders_{next(_numbers)}"
    place = {"kind": "delta", "location": path, "format": "delta"}
    promised = orders(**(place if kind == "delta" else {"kind": "iceberg", "catalog": "ice", "topic": name}))
    table = f"delta.`{path}`" if kind == "delta" else name
    desk.spark.sql(f"CREATE TABLE {table} {'USING delta ' if kind == 'delta' else ''}AS {ROW.format(1)}")
    desk.run(promised)
    desk.spark.sql(change.format(table))
    desk.spark.sql(f"INSERT INTO {table} {ROW.format(8)}")
    (result,) = desk.run(promised).results
    assert result.outcome.value == "errored"
    assert f"add options: {{{option}: true}}" in result.findings[0].message
    desk.run(promised, options={option: "true"})
    assert [one.result.outcome.value for one in desk.history()][-1] == "passed"


def test_a_format_without_its_jar_says_which() -> None:
    """Spark knows where Avro's jar is, and names a guide instead; in these tests the jar is there."""
    error = AnalysisException("Failed to find data source: avro. Please deploy the application as per the guide.")
    assert "bring it by --packages org.apache.spark:spark-avro" in reason_of(error)
