"""CSV and JSON as people write them: headers, quotes, rows of odd lengths, fields that are left out."""

from __future__ import annotations

from pathlib import Path

import pandas  # type: ignore[import-untyped]
import pytest
from pyspark.sql import SparkSession
from support.builders import column
from support.spark_bindings import ID, files
from support.spark_runs import on_files, run, told

from floe_contracts.adapters.spark.engine import SparkEngine
from floe_contracts.adapters.spark.read.open import OpenTable, open_table
from floe_contracts.checks.measured import Failure
from floe_contracts.contract.model import Property
from floe_contracts.results import Outcome

LIMIT_S = 120.0
NOTE = column("note")


def opened(spark: SparkSession, place: Path, *columns: Property, format_: str = "csv", **more: object) -> OpenTable:
    table = open_table(spark, files(place, format_, *(columns or (ID, NOTE)), **more), limit_s=LIMIT_S)
    assert isinstance(table, OpenTable), table
    return table


def rows(table: OpenTable) -> list[tuple[object, ...]]:
    return sorted((tuple(row) for row in table.frame.select("id", "note").collect()), key=str)


@pytest.mark.parametrize(
    ("texts", "expected", "unreadable"),
    [
        pytest.param(["id,note\n1,x\n", "note,id\ny,2\n"], [(1, "x"), (2, "y")], 0, id="another order of columns"),
        pytest.param(["id,note\n1,x\n", "id\n2\n"], [(1, "x"), (2, None)], 0, id="fewer columns in a later file"),
        pytest.param(["id,note\n1,x\n2\n3,y,z\n4,w\n"], [(1, "x"), (4, "w")], 2, id="too short and too long"),
        pytest.param(['id,note\n1,"x\ny,z"\n2,w\n'], [(1, "x\ny,z"), (2, "w")], 0, id="a line break in quotes"),
        pytest.param(
            ['id,note\n1,"x\nsay ""y"",z"\n2\n3,w\n'],
            [(1, 'x\nsay "y",z'), (3, "w")],
            1,
            id="a line break in quotes beside a row that is too short",
        ),
        pytest.param(['id,note\n1,"a ""b"""\n'], [(1, 'a "b"')], 0, id="doubled quotes"),
        pytest.param(['id,note\n1,"a \\"b\\""\n'], [(1, 'a "b"')], 0, id="quotes as Spark writes them"),
        pytest.param(['id,note\n1,"x\n2,y\n'], [(1, "x"), (2, "y")], 0, id="a quote that is left open"),
        pytest.param([""], [], 0, id="no byte"),
        pytest.param(["", "id,note\n1,x\n"], [(1, "x")], 0, id="no byte in the first file"),
    ],
)
def test_csv_as_it_is_written(
    spark: SparkSession, tmp_path: Path, texts: list[str], expected: list[tuple[object, ...]], unreadable: int
) -> None:
    for number, text in enumerate(texts):
        (tmp_path / f"{number}.csv").write_text(text)
    table = opened(spark, tmp_path)
    assert (rows(table), table.unreadable) == (expected, unreadable)


def test_large_csv_with_line_breaks_in_quotes(spark: SparkSession, tmp_path: Path) -> None:
    """Files that Spark would split: whether quotes are left open at the end of lines decides."""
    (tmp_path / "t.csv").write_text("id,note\n" + '1,"x\ny,z"\n' * 500)
    session = spark.newSession()
    session.conf.set("spark.sql.files.maxPartitionBytes", "1024b")
    assert opened(session, tmp_path).frame.count() == 500


def test_csv_of_pandas(spark: SparkSession, tmp_path: Path) -> None:
    texts = ['say "hi"\nbye, x', "back\\"]
    pandas.DataFrame({"id": [1, 2], "note": texts}).to_csv(tmp_path / "t.csv", index=False)
    assert rows(opened(spark, tmp_path)) == [(1, texts[0]), (2, texts[1])]


def test_unreadable_rows_break_a_rule_of_their_own(spark: SparkSession, tmp_path: Path) -> None:
    (tmp_path / "t.csv").write_text("id,note\n1,x\n2\n3,y,z\n")
    promised = on_files(tmp_path, ID, column("note", required=True), format_="csv")
    result = run(SparkEngine(spark), "quality", promised)["orders"]
    assert [item.message for item in result.findings] == [
        "every record of orders can be read as promised: 2 rows break it"
    ]


def test_text_fits_a_binary_promise(spark: SparkSession, tmp_path: Path) -> None:
    (tmp_path / "t.csv").write_text("id,note\n1,x\n")
    promised = on_files(tmp_path, ID, column("note", physical_type="binary"), format_="csv")
    assert run(SparkEngine(spark), "schema_drift", promised)["orders"].outcome is Outcome.PASSED


INSIDE = column("of", "object", properties=(column("a", "integer"), column("b", "date")))


def test_json_without_its_nulls(spark: SparkSession, tmp_path: Path) -> None:
    """As Spark writes it: a field that is null is left out."""
    spark.sql(
        "SELECT 1L AS id, CAST(NULL AS string) AS note, struct(1L AS a, CAST(NULL AS date) AS b) AS of"
    ).write.json(str(tmp_path / "t"))
    promised = on_files(tmp_path / "t", ID, column("note", required=True), INSIDE, format_="json")
    assert told(run(SparkEngine(spark), "schema_drift", promised)["orders"]) == []
    quality = run(SparkEngine(spark), "quality", promised)["orders"]
    assert [(item.element, "1 row breaks it" in item.message) for item in quality.findings] == [("note", True)]


@pytest.mark.parametrize(
    ("text", "physical", "read_as"),
    [
        pytest.param("18446744073709551615", "decimal(38,0)", "decimal(38,0)", id="beyond 64 bits"),
        pytest.param("1", "decimal(38,0)", "decimal(38,0)", id="a small one"),
        pytest.param("18446744073709551615", "bigint", "decimal(20,0)", id="too large for the promise"),
        pytest.param('"12"', "bigint", "string", id="in quotes it is a text"),
    ],
)
def test_whole_numbers_of_json(spark: SparkSession, tmp_path: Path, text: str, physical: str, read_as: str) -> None:
    (tmp_path / "t.json").write_text(f'{{"id": {text}}}\n')
    table = opened(spark, tmp_path, column("id", "integer", physical_type=physical), format_="json")
    assert table.frame.schema["id"].dataType.simpleString() == read_as


def test_text_that_is_not_json_and_nothing_else_is_told_with_its_file(spark: SparkSession, tmp_path: Path) -> None:
    (tmp_path / "a.json").write_text("")
    (tmp_path / "b.json").write_text('{"id": \n')
    table = open_table(spark, files(tmp_path, "json", ID), limit_s=LIMIT_S)
    assert isinstance(table, Failure)
    assert "it holds text that is not JSON; the first is in file:" in table.reason
    assert "b.json; for values over several lines add the option multiLine" in table.reason


@pytest.mark.parametrize(
    ("format_", "good", "bad"),
    [
        pytest.param("json", '{"id": 1, "day": "2026-01-03"}\n', '{"id": 2, "day":\nbroken\n', id="JSON"),
        pytest.param("csv", "id,day\n1,2026-01-03\n", "2\n3,2026-01-03,x\n", id="CSV"),
    ],
)
@pytest.mark.parametrize("folder", ["", "k=1"], ids=["beside", "in a folder with a value"])
@pytest.mark.parametrize("required", [True, False], ids=["beside a rule", "where no rule is written"])
def test_lines_that_cannot_be_read_break_one_rule(
    spark: SparkSession, tmp_path: Path, format_: str, good: str, bad: str, folder: str, required: bool
) -> None:
    (tmp_path / folder).mkdir(exist_ok=True)
    (tmp_path / folder / f"t.{format_}").write_text(good + bad)
    columns = (ID, column("day", "date", required=required))
    assert opened(spark, tmp_path, *columns, format_=format_).frame.count() == 1
    quality = run(SparkEngine(spark), "quality", on_files(tmp_path, *columns, format_=format_))["orders"]
    assert [item.message for item in quality.findings] == [
        "every record of orders can be read as promised: 2 rows break it"
    ]
    drift = run(SparkEngine(spark), "schema_drift", on_files(tmp_path, *columns, format_=format_))["orders"]
    assert [item for item in told(drift) if item != "E532 k"] == []
    assert format_ == "csv" or f"t.{format_}" in str(quality.facts)


def test_text_that_can_be_read_is_asked_for_nothing_more(spark: SparkSession, tmp_path: Path) -> None:
    (tmp_path / "t.csv").write_text("id,note\n1,x\n")
    promised = on_files(tmp_path, ID, column("note"), format_="csv")
    assert run(SparkEngine(spark), "quality", promised)["orders"].outcome is Outcome.SKIPPED
