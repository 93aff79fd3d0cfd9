"""Spark, the engine that reads and measures tables; importing this package without pyspark says what to install."""

from __future__ import annotations

from importlib.util import find_spec

from ...errors import MissingExtra

if find_spec("pyspark") is None:
    raise MissingExtra("Reading data through Spark", "spark")
