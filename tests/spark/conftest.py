"""One Spark session for all tests here; without pyspark or Java only `test_presence.py` is collected, and says so."""

from __future__ import annotations

import logging
import os
import sys
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path
from shutil import which
from typing import TYPE_CHECKING

import pytest
from kafka_broker import kafka
from spark_reads import Reads

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

__all__ = ["kafka"]
HERE = Path(__file__).parent
if not (find_spec("pyspark") and which("java")):
    collect_ignore_glob = [one.name for one in HERE.glob("test_*.py") if one.name != "test_presence.py"]


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    config.addinivalue_line("filterwarnings", "ignore:unclosed <socket:ResourceWarning")  # pyspark's, at any time later
    for item in items:
        if HERE in item.path.parents:
            item.add_marker(pytest.mark.spark)


@pytest.fixture(scope="session")
def spark(tmp_path_factory: pytest.TempPathFactory) -> Iterator[SparkSession]:
    from pyspark.sql import SparkSession

    os.environ["PYSPARK_PYTHON"] = sys.executable  # workers would take whatever python3 is first on PATH
    place = tmp_path_factory.mktemp("spark")
    session = (
        SparkSession.builder.master("local[2]")
        .appName("floe tests")
        .config("spark.ui.enabled", "false")
        .config("spark.sql.shuffle.partitions", "2")
        .config("spark.sql.warehouse.dir", str(place / "warehouse"))
        .config("spark.driver.extraJavaOptions", f"-Dderby.system.home={place}")
        .config("spark.driver.host", "127.0.0.1")
        .config("spark.driver.bindAddress", "127.0.0.1")
        .config("spark.log.level", "OFF")  # tests provoke errors on purpose
        .config("spark.sql.timeType.enabled", "true")
        .getOrCreate()
    )
    logging.getLogger("SQLQueryContextLogger").setLevel(logging.CRITICAL)
    yield session
    session.stop()


@pytest.fixture
def reads(spark: SparkSession) -> Reads:
    return Reads(spark)
