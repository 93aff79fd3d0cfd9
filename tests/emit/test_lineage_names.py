"""What lineage calls a table, for every kind of source; the names are those of OpenLineage's naming."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from support.lineage_told import PEOPLE, placed

from floe_contracts.emit.lineage_names import dataset_name
from floe_contracts.monitor.source.binding import Binding, bind
from floe_contracts.monitor.source.connection import Connection


def name_of(kind: str, **coordinates: Any) -> tuple[str, str]:
    target = placed(PEOPLE, kind, **coordinates)
    where = target.where
    if "url" in coordinates:  # parameters of a URL are for the settings to say
        where = replace(where, connection=Connection(type=kind, **coordinates))
    binding = bind(target.contract, target.contract.objects[0], where)
    assert isinstance(binding, Binding), binding
    return dataset_name(binding, "shop", "/srv/jobs")


@pytest.mark.parametrize(
    ("kind", "coordinates", "namespace", "name"),
    [
        pytest.param("local", {"path": "/data/c.parquet"}, "file", "/data/c.parquet", id="a local file"),
        pytest.param("local", {"path": "file:///data/c.csv"}, "file", "/data/c.csv", id="a local file by URL"),
        pytest.param(
            "local",
            {"path": "c.parquet"},
            "file",
            "/srv/jobs/contracts/c.parquet",
            id="a relative file, from where the job runs",
        ),
        pytest.param(
            "s3", {"location": "s3a://lake/raw/c", "format": "parquet"}, "s3://lake", "raw/c", id="a bucket of S3"
        ),
        pytest.param(
            "gcs", {"location": "gs://lake/raw/c/", "format": "parquet"}, "gs://lake", "raw/c", id="a bucket of Google"
        ),
        pytest.param(
            "azure",
            {"location": "abfss://raw@acc.dfs.core.windows.net/c", "format": "delta"},
            "abfss://raw@acc.dfs.core.windows.net",
            "c",
            id="a container of Azure",
        ),
        pytest.param(
            "hdfs", {"location": "hdfs://nn:8020/raw/c", "format": "orc"}, "hdfs://nn:8020", "/raw/c", id="HDFS"
        ),
        pytest.param(
            "postgres",
            {"host": "db", "port": 5433, "database": "shop", "schema": "sales"},
            "postgres://db:5433",
            "shop.sales.customers",
            id="PostgreSQL",
        ),
        pytest.param(
            "postgres",
            {"host": "db", "database": "shop"},
            "postgres://db:5432",
            "shop.public.customers",
            id="PostgreSQL with what is usual",
        ),
        pytest.param(
            "postgres",
            {"url": "jdbc:postgresql://me@db/shop?sslmode=require&user=me"},
            "postgres://db:5432",
            "shop.public.customers",
            id="no user and no options of a URL",
        ),
        pytest.param(
            "mysql", {"host": "db", "database": "shop"}, "mysql://db:3306", "shop.customers", id="MySQL has no schemas"
        ),
        pytest.param(
            "sqlserver",
            {"host": "db", "database": "shop", "schema": "dbo"},
            "mssql://db:1433",
            "shop.dbo.customers",
            id="SQL Server",
        ),
        pytest.param(
            "synapse", {"host": "db", "database": "shop"}, "sqlserver://db:1433", "shop.dbo.customers", id="Synapse"
        ),
        pytest.param(
            "oracle",
            {"host": "db", "serviceName": "ORCL", "schema": "SALES"},
            "oracle://db:1521",
            "ORCL.SALES.customers",
            id="Oracle",
        ),
        pytest.param(
            "oracle",
            {"url": "jdbc:oracle:thin:scott@//db/x", "schema": "SALES"},
            "oracle://db:1521",
            "x.SALES.customers",
            id="Oracle with a user before the address",
        ),
        pytest.param(
            "trino",
            {"host": "t", "port": 8443, "catalog": "lake", "schema": "raw"},
            "trino://t:8443",
            "lake.raw.customers",
            id="Trino",
        ),
        pytest.param(
            "snowflake",
            {"account": "org-acc", "database": "SHOP", "schema": "SALES", "warehouse": "W"},
            "snowflake://org-acc",
            "SHOP.SALES.customers",
            id="Snowflake",
        ),
        pytest.param(
            "redshift",
            {"host": "c1.abc.us-west-2.redshift.amazonaws.com", "database": "shop", "schema": "sales"},
            "redshift://c1.us-west-2:5439",
            "shop.sales.customers",
            id="Redshift by cluster and region",
        ),
        pytest.param("kafka", {"host": "k2:9092,k1:9092"}, "kafka://k1:9092", "customers", id="a topic of Kafka"),
        pytest.param("kafka", {"host": "k1"}, "kafka://k1:9092", "customers", id="Kafka's usual port"),
        pytest.param(
            "iceberg",
            {"catalog": "lake", "schema": "raw", "catalogUrl": "https://me@cat.example/api/"},
            "https://cat.example/api",
            "lake.raw.customers",
            id="a table of an Iceberg catalog",
        ),
        pytest.param("hive", {"database": "raw"}, "hive", "raw.customers", id="a table of Hive"),
        pytest.param("custom", {}, "shop", "customers", id="a data frame of the job"),
    ],
)
def test_name(kind: str, coordinates: dict[str, Any], namespace: str, name: str) -> None:
    assert name_of(kind, **coordinates) == (namespace, name)


@pytest.mark.parametrize(
    "url",
    [
        "jdbc:oracle:thin:scott/hunter2@//db:1521/x",
        "jdbc:oracle:thin:scott/hunter2@db:1521/x",
        "jdbc:oracle:thin:scott/hunter2@tcps://db:1521/x?wallet_location=/opt",
        'jdbc:oracle:oci:scott/"hunter2@1"@//db:1521/x',
        "jdbc:postgresql://me:hunter2/2@db:1521/x",
    ],
)
def test_nothing_before_the_last_at_sign_is_part_of_a_name(url: str) -> None:
    target = placed(PEOPLE, "oracle", host="db", serviceName="x")
    binding = bind(target.contract, target.contract.objects[0], target.where)
    assert isinstance(binding, Binding)
    found = dataset_name(replace(binding, location=url), "shop")
    assert found.namespace.endswith("://db:1521")
    assert "hunter2" not in repr(found)
