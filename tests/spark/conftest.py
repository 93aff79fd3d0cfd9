"""One Spark session for all tests here; without pyspark or Java only `test_presence.py` is collected, and says so."""

from __future__ import annotations

import fcntl
import logging
import os
import sys
import warnings
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path
from shutil import which
from tempfile import gettempdir
from typing import TYPE_CHECKING

import pytest
from support.kafka_broker import kafka
from support.needs import cannot_run
from support.spark_jars import BUILT_FOR, lakehouse_settings
from support.spark_reads import Reads

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

__all__ = ["kafka"]
HERE = Path(__file__).parent
if not (find_spec("pyspark") and which("java")):
    collect_ignore_glob = [file.name for file in HERE.glob("test_*.py") if file.name != "test_presence.py"]


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    config.addinivalue_line("filterwarnings", "ignore:unclosed <socket:ResourceWarning")  # pyspark's, at any time later
    for item in items:
        if HERE in item.path.parents:
            item.add_marker(pytest.mark.spark)


@pytest.fixture(scope="session")
def spark(tmp_path_factory: pytest.TempPathFactory) -> Iterator[SparkSession]:
    """With the jars of `spark_jars.PACKAGES` where they can be had; tests that need them ask for `lakehouse`."""
    os.environ["PYSPARK_PYTHON"] = sys.executable  # workers would take whatever python3 is first on PATH
    place = tmp_path_factory.mktemp("spark")
    with _alone():
        session = _start(place, lakehouse_settings(place))
    session = session or _start(place, {})
    assert session is not None, (place / "stderr").read_text(errors="replace")[-2_000:]
    logging.getLogger("SQLQueryContextLogger").setLevel(logging.CRITICAL)
    yield session
    session.stop()


@pytest.fixture
def lakehouse(spark: SparkSession) -> SparkSession:
    """The same session, for tests that need Iceberg, Delta, Kafka, Avro or JDBC: catalog `ice`, format `delta`."""
    if not spark.conf.get("spark.jars.packages", ""):
        cannot_run("the jars of tests/support/spark_jars.py could not be had for this Spark")
    return spark


@pytest.fixture
def reads(spark: SparkSession) -> Reads:
    return Reads(spark)


def _start(place: Path, more: Mapping[str, str]) -> SparkSession | None:
    """A session with more settings; None when its JVM did not start, because the jars could not be had."""
    import pyspark
    from pyspark.errors import PySparkRuntimeError
    from pyspark.sql import SparkSession

    if more and not pyspark.__version__.startswith(BUILT_FOR):
        return None
    settings: dict[str, bool | float | int | str | None] = {
        "spark.ui.enabled": "false",
        "spark.sql.shuffle.partitions": "2",
        "spark.sql.warehouse.dir": str(place / "warehouse"),
        "spark.driver.extraJavaOptions": f"-Dderby.system.home={place}",
        "spark.driver.host": "127.0.0.1",
        "spark.driver.bindAddress": "127.0.0.1",
        "spark.log.level": "OFF",  # tests provoke errors on purpose
        "spark.sql.timeType.enabled": "true",
        **more,
    }
    builder = SparkSession.builder.master("local[2]").appName("floe tests").config(map=settings)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ResourceWarning)  # pyspark forgets the pipe to a JVM that ended, still open
        try:
            with _stderr_in(place / "stderr"):
                return builder.getOrCreate()
        except PySparkRuntimeError:
            for key in more:
                builder._options.pop(key)
            return None


@contextmanager
def _alone() -> Iterator[None]:
    """One process at a time: Spark fails to start when another fills Ivy's cache of jars meanwhile."""
    with (Path(gettempdir()) / "floe-spark-jars.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


@contextmanager
def _stderr_in(file: Path) -> Iterator[None]:
    """Whatever starts meanwhile keeps writing there: the JVM and its downloads are talkative."""
    ours = os.dup(2)
    try:
        with file.open("ab") as theirs:
            os.dup2(theirs.fileno(), 2)
        yield
    finally:
        os.dup2(ours, 2)
        os.close(ours)
