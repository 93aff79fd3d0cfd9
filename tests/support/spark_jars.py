"""What Spark needs beside itself to read lakehouse tables, databases and topics in tests, by Maven coordinates."""

from __future__ import annotations

import subprocess
from pathlib import Path
from shutil import which

BUILT_FOR = "4.1."  # the line of Spark that Iceberg and Delta both support; on others only plain files are tested
PACKAGES = (
    "org.apache.iceberg:iceberg-spark-runtime-4.1_2.13:1.12.0",
    "io.delta:delta-spark_4.1_2.13:4.4.0",
    "org.postgresql:postgresql:42.7.14",
    "org.apache.spark:spark-avro_2.13:4.1.1",
    "org.apache.spark:spark-sql-kafka-0-10_2.13:4.1.3",
)
# Not every mirror of Maven Central has the connector's token provider in the same version; the interface is the same.
_TOKENS = "org.apache.spark:spark-token-provider-kafka-0-10_2.13"
_TOKENS_VERSION = "4.1.0-preview1"


def lakehouse_settings(place: Path) -> dict[str, str]:
    """The jars, both extensions, an Iceberg catalog called `ice`, and Delta tables in Spark's own catalog."""
    return {
        "spark.jars.packages": ",".join(PACKAGES),
        "spark.jars.excludes": _TOKENS,
        **_token_provider(place),
        "spark.sql.extensions": "org.apache.iceberg.spark.extensions.IcebergSparkSessionExtensions,"
        "io.delta.sql.DeltaSparkSessionExtension",
        "spark.sql.catalog.spark_catalog": "org.apache.spark.sql.delta.catalog.DeltaCatalog",
        "spark.sql.catalog.ice": "org.apache.iceberg.spark.SparkCatalog",
        "spark.sql.catalog.ice.type": "hadoop",
        "spark.sql.catalog.ice.warehouse": str(place / "ice"),
        "spark.databricks.delta.snapshotPartitions": "1",  # the default of 50 is for logs of millions of files
    }


def _token_provider(place: Path) -> dict[str, str]:
    """The jar by Maven; without Maven there is no broker to test with either."""
    mvn = which("mvn")
    asked = [f"-Dartifact={_TOKENS}:{_TOKENS_VERSION}", f"-DoutputDirectory={place / 'jars'}"]
    if mvn is not None:
        subprocess.run([mvn, "-q", "-B", "dependency:copy", *asked], check=False, capture_output=True, timeout=600)
    return {"spark.jars": ",".join(str(one) for one in (place / "jars").glob("*.jar"))} if mvn else {}
