"""Opens files by path or URL: formats that carry their schema as they are, CSV and JSON as what they can be read as."""

from __future__ import annotations

from collections.abc import Mapping

from pyspark.errors import AnalysisException
from pyspark.sql import DataFrame, SparkSession

from ....checks.moments import iso
from ....monitor.source.binding import Binding
from ....product.secret import reveal_options
from ...files.secrets import look_up
from ..columns.promised import promised_schema
from ..session.failures import condition_of
from .csv_files import read_csv
from .files_read import FilesRead
from .json_files import read_json
from .parquet import read_parquet
from .stored_schemas import read_stored
from .tables import AFTER_LATEST

_LOGS = ("delta", "iceberg")  # formats that know themselves which files they have
_S3 = {"s3://": "s3a://", "s3n://": "s3a://"}  # only the third generation of Hadoop's client still exists


def open_files(spark: SparkSession, binding: Binding) -> tuple[FilesRead, str]:
    """The rows, and the path as Spark was told."""
    path = spark_path(binding.location)
    options = reader_options(reveal_options(binding.options, look_up))
    if binding.as_of_us is not None:
        return FilesRead(_read_as_of(spark, binding, path, options)), path
    if binding.format == "csv":
        return read_csv(spark, path, options, binding.table), path
    if binding.format == "json":
        return read_json(spark, path, options, binding.table), path
    if binding.format == "parquet":
        return read_parquet(spark, path, options, promised_schema(binding.table)), path
    if binding.format in _LOGS:
        return FilesRead(spark.read.format(binding.format).options(**options).load(path)), path
    return read_stored(spark, binding.format, path, options, promised_schema(binding.table)), path


def _read_as_of(spark: SparkSession, binding: Binding, path: str, options: Mapping[str, str]) -> DataFrame:
    """The rows at a moment; Delta refuses moments after its newest commit, where the table is as it is now."""
    reader = spark.read.format(binding.format).options(**options)
    try:
        return reader.option("timestampAsOf", iso(binding.as_of_us or 0)).load(path)
    except AnalysisException as error:
        if AFTER_LATEST in condition_of(error):
            return spark.read.format(binding.format).options(**options).load(path)
        raise


def spark_path(location: str) -> str:
    """The address as Hadoop's file systems know it."""
    for ours, theirs in _S3.items():
        if location.startswith(ours):
            return theirs + location.removeprefix(ours)
    return location


def reader_options(options: Mapping[str, str]) -> dict[str, str]:
    """Options for Spark's reader: what the standard says about object stores, in Hadoop's words.

    Hadoop keeps one client per bucket, whoever asks, so a client with settings of its own must not be kept.
    """
    known = {name: text for name, text in options.items() if name != "endpointUrl"}
    if "endpointUrl" in options:
        known = {"fs.s3a.endpoint": options["endpointUrl"], "fs.s3a.path.style.access": "true", **known}
    if any(name.startswith("fs.s3a.") for name in known):
        known.setdefault("fs.s3a.impl.disable.cache", "true")
    return known
