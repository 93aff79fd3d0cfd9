"""Says why nothing else here could run."""

from __future__ import annotations

from importlib.util import find_spec

from support.needs import cannot_run, needs


def test_spark_and_java_are_here() -> None:
    needs("java")
    if find_spec("pyspark") is None:
        cannot_run("pyspark is not installed, so no test of tests/spark runs: pip install 'floe-contracts[spark]'")
