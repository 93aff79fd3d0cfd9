"""A Java that is missing, too old, too new or broken is told in one line before Spark starts it."""

from __future__ import annotations

from pathlib import Path

import pyspark
import pytest
from pyspark import SparkContext

from floe_contracts.adapters.spark.session import java
from floe_contracts.adapters.spark.session.java import JavaRange, java_problem, java_range, java_version
from floe_contracts.adapters.spark.session.start import spark_session
from floe_contracts.errors import FloeError

SEVENTEEN = 'openjdk version "17.0.15" 2025-04-15'
EIGHT = 'java version "1.8.0_412"'
TWENTY_FIVE = 'openjdk version "25" 2025-09-16'


@pytest.fixture(autouse=True)
def nobody_runs(monkeypatch: pytest.MonkeyPatch) -> None:
    """As in a program that has not started Spark yet, whatever other tests did."""
    monkeypatch.setattr(SparkContext, "_gateway", None)
    for name in ("JAVA_HOME", "PYSPARK_GATEWAY_PORT", "SPARK_REMOTE"):
        monkeypatch.delenv(name, raising=False)


def fake_java(home: Path, said: str, code: int = 0) -> Path:
    """A program that answers -version and nothing else."""
    program = home / "bin" / "java"
    program.parent.mkdir(parents=True)
    program.write_text(f"#!/bin/sh\ncat >&2 <<'END'\n{said}\nEND\nexit {code}\n")
    program.chmod(0o755)
    return program


@pytest.mark.parametrize(
    ("said", "version"),
    [
        pytest.param(SEVENTEEN, 17, id="17"),
        pytest.param(EIGHT, 8, id="8 by its old name"),
        pytest.param(TWENTY_FIVE, 25, id="a first release"),
        pytest.param("Picked up _JAVA_OPTIONS: -Xmx1g\n" + SEVENTEEN, 17, id="after something else"),
        pytest.param("Unable to locate a Java Runtime.", None, id="the stand-in of macOS"),
    ],
)
def test_the_version_of_a_java(tmp_path: Path, said: str, version: int | None) -> None:
    assert java_version(str(fake_java(tmp_path, said))) == version


def test_a_java_that_fails_has_no_version(tmp_path: Path) -> None:
    assert java_version(str(fake_java(tmp_path, SEVENTEEN, code=1))) is None


def test_a_java_that_hangs_has_no_version(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    program = fake_java(tmp_path, SEVENTEEN)
    program.write_text("#!/bin/sh\nexec sleep 60\n")
    monkeypatch.setattr(java, "_LOOK_S", 0.2)
    assert java_version(str(program)) is None


@pytest.mark.parametrize(
    ("spark", "wanted"),
    [
        pytest.param("3.5.6", JavaRange("8, 11 or 17", 8, 22), id="3.5"),
        pytest.param("4.1.4", JavaRange("17 or 21", 17, 22), id="4.1"),
        pytest.param("4.3.0", JavaRange("17, 21 or newer", 17, None), id="4.3"),
        pytest.param("4.10.0", JavaRange("17, 21 or newer", 17, None), id="4.10 is newer than 4.2"),
    ],
)
def test_what_runs_a_spark(spark: str, wanted: JavaRange) -> None:
    assert java_range(spark) == wanted


NEEDED = f"pyspark {pyspark.__version__} needs Java {java_range(pyspark.__version__).named}, and "


def test_no_java_at_all(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    said = java_problem()
    assert said.startswith(NEEDED + "there is no Java here: no JAVA_HOME, no java on PATH; install one (")
    assert "\n" not in said


def test_a_java_home_without_java(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("JAVA_HOME", str(tmp_path))
    said = java_problem()
    assert said.startswith(NEEDED + f"JAVA_HOME is {tmp_path}, where there is no bin/java; install one (")
    assert said.endswith("set JAVA_HOME to its folder")


def test_a_java_that_is_too_old(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    program = fake_java(tmp_path, 'java version "1.7.0_80"')
    monkeypatch.setenv("JAVA_HOME", str(tmp_path))
    assert java_problem().startswith(NEEDED + f"{program} is Java 7; install one (")


def test_the_java_on_the_path(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    program = fake_java(tmp_path, EIGHT if not pyspark.__version__.startswith("3.") else 'java version "1.7.0_80"')
    monkeypatch.setenv("PATH", f"{program.parent}:/usr/bin:/bin")
    assert f"{program} is Java" in java_problem()


def test_a_java_that_is_broken(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    program = fake_java(tmp_path, "Error occurred during initialization of VM", code=1)
    monkeypatch.setenv("JAVA_HOME", str(tmp_path))
    assert f"{program} does not say its version" in java_problem()


def test_a_java_that_fits(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    fake_java(tmp_path, SEVENTEEN)
    monkeypatch.setenv("JAVA_HOME", str(tmp_path))
    assert java_problem() == ""


def test_under_spark_submit_the_jvm_runs_already(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setenv("PYSPARK_GATEWAY_PORT", "4711")
    assert java_problem() == ""


def test_a_session_without_java_is_refused_with_that_line(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    from pyspark.sql import SparkSession

    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setattr(SparkSession, "getActiveSession", classmethod(lambda _: None))
    with pytest.raises(FloeError) as refused:
        spark_session("floe test")
    assert refused.value.message.startswith(NEEDED + "there is no Java here")
