"""Files that only Hadoop reads: the layouts of Parquet, ORC, Avro and CSV are seen there as on this machine's disks."""

from __future__ import annotations

import bz2
import gzip
import os
from collections.abc import Callable
from pathlib import Path

import pandas  # type: ignore[import-untyped]
import pyarrow
import pytest
from pyarrow import orc, parquet
from pyspark.sql import SparkSession
from support.builders import column
from support.spark_bindings import ID
from support.spark_runs import on_files, run, told

from floe_contracts.adapters.spark.engine import SparkEngine
from floe_contracts.monitor.store.memory_store import MemoryStore
from floe_contracts.results import Outcome

N = column("n", "integer", maximum="3")
Place = Callable[[Path], str]


@pytest.fixture(params=["near", "far"])
def place(spark: SparkSession, tmp_path: Path, request: pytest.FixtureRequest) -> Place:
    """The same folder as a path, and by a file system of Hadoop's that Python has no way to."""
    if request.param == "near":
        return str
    settings = spark._jsc.hadoopConfiguration()
    settings.set(f"fs.viewfs.mounttable.{tmp_path.name.replace('_', '-')}.link./data", tmp_path.as_uri())
    return lambda path: f"viewfs://{tmp_path.name.replace('_', '-')}/data/{path.relative_to(tmp_path)}"


def write_parquet(file: Path, **columns: list[object]) -> None:
    parquet.write_table(pyarrow.table(columns), file.with_suffix(".parquet"))


def write_orc(file: Path, **columns: list[object]) -> None:
    orc.write_table(pyarrow.table(columns), str(file.with_suffix(".orc")))


WRITERS = {"parquet": write_parquet, "orc": write_orc}


@pytest.fixture(params=["parquet", "orc", "avro"])
def write(lakehouse: SparkSession, request: pytest.FixtureRequest) -> Callable[..., None]:
    """Writes one file under a name without its ending."""
    if request.param in WRITERS:
        return WRITERS[request.param]

    def write_avro(file: Path, **columns: list[object]) -> None:
        folder = file.with_suffix(".folder")
        rows = lakehouse.createDataFrame(pandas.DataFrame(columns)).coalesce(1)
        rows.write.format("avro").save(str(folder))
        next(folder.glob("*.avro")).rename(file.with_suffix(".avro"))
        for rest in folder.iterdir():
            rest.unlink()
        folder.rmdir()

    return write_avro


@pytest.mark.parametrize("names", [("a", "b"), ("b", "a")], ids=["the short file first", "the long file first"])
def test_a_folder_has_the_columns_of_all_its_files(
    spark: SparkSession, tmp_path: Path, place: Place, write: Callable[..., None], names: tuple[str, str]
) -> None:
    write(tmp_path / names[0], id=[1])
    write(tmp_path / names[1], id=[2], n=[9], more=[1.5])
    promised = on_files(place(tmp_path), ID, N, column("amount", "number"), format_=_format(tmp_path))
    drift = run(SparkEngine(spark), "schema_drift", promised)["orders"]
    assert told(drift) == ["E531 amount", "E532 more"], drift.findings
    broken = run(SparkEngine(spark), "quality", promised)["orders"]
    assert [item.message for item in broken.findings] == ["n is at most 3: 1 row breaks it"]


@pytest.mark.parametrize("names", [("a", "b"), ("b", "a")], ids=["the good file first", "the bad file first"])
def test_another_type_in_one_file_is_drift_with_the_file(
    spark: SparkSession, tmp_path: Path, place: Place, write: Callable[..., None], names: tuple[str, str]
) -> None:
    write(tmp_path / names[0], id=[1], n=[2])
    write(tmp_path / names[1], id=[2], n=["x"])
    format_ = _format(tmp_path)
    promised = on_files(place(tmp_path), ID, N, format_=format_)
    assert [item.message for item in run(SparkEngine(spark), "schema_drift", promised)["orders"].findings] == [
        f"in the file {names[1]}.{format_} n is string, the contract promises integer"
    ]
    assert run(SparkEngine(spark), "quality", promised)["orders"].outcome is not Outcome.PASSED


def _format(folder: Path) -> str:
    return next(file.suffix.removeprefix(".") for file in folder.iterdir() if file.is_file())


def test_one_odd_file_of_more_than_are_asked_one_by_one(
    spark: SparkSession, tmp_path: Path, place: Place, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("floe_contracts.adapters.spark.read.footer_files.FAR", 4)
    for number in range(6):
        write_parquet(tmp_path / f"f{number}", id=[number], n=["x" if number == 5 else 1])
    drift = run(SparkEngine(spark), "schema_drift", on_files(place(tmp_path), ID, N))["orders"]
    assert [item.message for item in drift.findings] == [
        "in the file f5.parquet n is string, the contract promises integer"
    ]


@pytest.mark.parametrize("format_", ["parquet", "orc", "avro"])
def test_a_damaged_file_is_named(lakehouse: SparkSession, tmp_path: Path, place: Place, format_: str) -> None:
    lakehouse.range(2).coalesce(1).write.format(format_).save(str(tmp_path / "t"))
    good = next((tmp_path / "t").glob(f"*.{format_}"))
    (tmp_path / "t" / f"zz.{format_}").write_bytes(good.read_bytes()[: 6 if format_ == "avro" else -12])
    for check in ("schema_drift", "availability"):
        result = run(SparkEngine(lakehouse), check, on_files(place(tmp_path / "t"), ID, format_=format_))["orders"]
        assert f"zz.{format_}; write it again" in result.findings[0].message


def test_a_file_replaced_with_the_same_size_and_time_is_noticed(
    spark: SparkSession, tmp_path: Path, place: Place
) -> None:
    def fill(value: int) -> None:
        table = pyarrow.table({"id": pyarrow.array([value] * 100)})
        parquet.write_table(table, tmp_path / "t.parquet", compression="none", use_dictionary=False)
        os.utime(tmp_path / "t.parquet", ns=(10**18, 10**18))

    store, promised = MemoryStore(), on_files(place(tmp_path), column("id", "integer", maximum="5"))
    fill(1)
    first = run(SparkEngine(spark), "quality", promised, store=store)["orders"]
    fill(9)
    again = run(SparkEngine(spark), "quality", promised, store=store, now_us=1_767_541_600_000_000)["orders"]
    assert (first.outcome, again.outcome) == (Outcome.PASSED, Outcome.VIOLATED)


PACKED: dict[str, Callable[[bytes], bytes]] = {".csv": bytes, ".csv.gz": gzip.compress, ".csv.bz2": bz2.compress}


@pytest.mark.parametrize("ending", PACKED)
def test_csv_is_read_by_its_own_header_and_quotes(
    spark: SparkSession, tmp_path: Path, place: Place, ending: str
) -> None:
    texts = ["id,note\n1,x\n", 'note,id\n"say ""hi"", y",2\n"two\nlines",3\n4\n', ""]
    for number, text in enumerate(texts):
        (tmp_path / f"{number}{ending}").write_bytes(PACKED[ending](text.encode()))
    notes = column("note", pattern='x|say "hi", y|two\nlines', required=True)
    promised = on_files(place(tmp_path), column("id", "integer", maximum="2"), notes, format_="csv")
    drift = run(SparkEngine(spark), "schema_drift", promised)["orders"]
    assert told(drift) == [], drift.findings
    assert sorted(item.message for item in run(SparkEngine(spark), "quality", promised)["orders"].findings) == [
        "every record of orders can be read as promised: 1 row breaks it",
        "id is at most 2: 1 row breaks it",
    ]
