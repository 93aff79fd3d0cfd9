"""Columns that stand in the names of folders and inside the files too: folders win, and what contradicts is said."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pandas  # type: ignore[import-untyped]
import pyarrow
import pytest
from pyarrow import orc
from pyspark.sql import SparkSession
from support.builders import column
from support.spark_runs import on_files, run

from floe_contracts.adapters.spark.engine import SparkEngine
from floe_contracts.contract.model import Property
from floe_contracts.results import Outcome

IDS = column("id", "integer", required=True)
WRITERS: dict[str, Callable[[pandas.DataFrame, Path], object]] = {
    "parquet": lambda rows, file: rows.to_parquet(file),
    "orc": lambda rows, file: orc.write_table(pyarrow.Table.from_pandas(rows, preserve_index=False), str(file)),
    "csv": lambda rows, file: rows.to_csv(file, index=False),
    "json": lambda rows, file: rows.to_json(file, orient="records", lines=True),
}


def messages(spark: SparkSession, place: Path, format_: str, *columns: Property) -> list[str]:
    result = run(SparkEngine(spark), "quality", on_files(place, IDS, *columns, format_=format_))["orders"]
    assert result.outcome in (Outcome.PASSED, Outcome.VIOLATED), result
    return [item.message for item in result.findings]


@pytest.mark.parametrize("format_", WRITERS)
@pytest.mark.parametrize(
    ("folder", "inside", "promised", "rows"),
    [
        pytest.param("7", [7, 7], column("k", "integer"), 0, id="the same number"),
        pytest.param("7", [7, 8], column("k", "integer"), 1, id="another number in one row"),
        pytest.param("a%20b", ["a b", "a b"], column("k"), 0, id="the same text, spelled for a folder"),
        pytest.param("x", ["y", "z"], column("k"), 2, id="another text"),
        pytest.param("__HIVE_DEFAULT_PARTITION__", ["y", "z"], column("k"), 2, id="no value in the folder"),
    ],
)
def test_a_folder_that_contradicts_its_files_is_said(
    spark: SparkSession, tmp_path: Path, format_: str, folder: str, inside: list[object], promised: Property, rows: int
) -> None:
    (tmp_path / f"k={folder}").mkdir()
    WRITERS[format_](pandas.DataFrame({"id": [1, 2], "k": inside}), tmp_path / f"k={folder}" / f"a.{format_}")
    broken = f"{rows} row{' breaks' if rows == 1 else 's break'} it"
    expected = [f"k is the same in the names of folders and inside their files: {broken}"] if rows else []
    assert messages(spark, tmp_path, format_, promised) == expected


@pytest.mark.parametrize("format_", WRITERS)
def test_files_without_the_column_contradict_nothing(spark: SparkSession, tmp_path: Path, format_: str) -> None:
    for folder, rows in (("k=1", {"id": [1], "k": [1]}), ("k=2", {"id": [2]}), ("k=3", {"k": [9], "id": [3]})):
        (tmp_path / folder).mkdir()
        WRITERS[format_](pandas.DataFrame(rows), tmp_path / folder / f"a.{format_}")
    assert messages(spark, tmp_path, format_, column("k", "integer", maximum="3")) == [
        "k is the same in the names of folders and inside their files: 1 row breaks it"
    ]
